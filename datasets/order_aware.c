#include "order_aware.h"

const char *order_aware_refuses(const struct format *format)
{
    return format->precision == FORMAT_BINARY32.precision ? NULL
                                                          : "the tree that it asks for is that of a method of binary32";
}

struct tree_request order_aware_request(const struct generator_call *call, const char *family)
{
    const struct launch launch = {(uint32_t)call->values[BLOCKS_VALUE], (uint32_t)call->values[THREADS_VALUE]};
    return (struct tree_request){family, method_numbered((size_t)call->values[METHOD_VALUE]), call->n, launch};
}

enum status order_aware_first(const struct tree_request *request, uint64_t block, uint64_t thread, uint64_t *element)
{
    const struct method *method = request->method;
    const struct order_traits *order = method->order_traits;
    if (!order->first ||
        !order->first(request->n, method_grid(request->method, request->launch), block, thread, element))
        complain(
            "%s: method=%s has no thread %" PRIu64 " of block %" PRIu64
            " with elements of its own; expected an order with threads, such as tree_two_pass; choose another method",
            request->family, method->id, thread, block);
    else if (*element >= request->n)
        complain("%s: n=%" PRIu64 "; thread %" PRIu64 " of block %" PRIu64 " of %s starts with x_%" PRIu64
                 "; expected more than %" PRIu64 " elements; choose a larger n, or fewer threads",
                 request->family, request->n, thread, block, method->id, *element, *element);
    else
        return OK;
    return BAD_INPUT;
}

enum status opposites_at_an_offset(struct generator_call *call, const char *family)
{
    const struct tree_request request = order_aware_request(call, family);
    const uint64_t offset = (uint64_t)call->values[OWN_VALUE], half = request.launch.threads / 2;
    TRY(sum_tree_possible(&request));
    if (offset > half || (offset & (offset - 1)) != 0)
        return bad_input("%s: offset=%llu with threads=%u; expected a power of two from 1 to half the threads; choose "
                         "such an offset",
                         family, (unsigned long long)offset, request.launch.threads);
    call->whole[0] = 0;
    return order_aware_first(&request, 0, offset, &call->whole[1]);
}

const char *order_aware_number(double value, char text[NUMBER_TEXT])
{
    int exponent;
    if (frexp(value, &exponent) == 0.5)
        snprintf(text, NUMBER_TEXT, "2^%d", exponent - 1);
    else
        write_hex(value, text);
    return text;
}

void order_aware_explain(const struct tree_request *request, FILE *to)
{
    fprintf(to, "the tree of %s with %u x %u over %" PRIu64 " elements%s\n", request->method->id,
            request->launch.blocks, request->launch.threads, request->n,
            sum_tree_is_one_of_many(request) ? ", one of many: here the blocks arrive in the order of their numbers"
                                             : "");
}

void opposites_explain(const struct generator_call *call, const char *family, FILE *to)
{
    const struct tree_request request = order_aware_request(call, family);
    const uint64_t i = call->whole[0], j = call->whole[1];
    char big[NUMBER_TEXT];
    struct sum_tree tree;
    if (sum_tree_make(&request, &tree) != OK)
        return;
    const uint64_t between = sum_tree_between(&tree, i, j);
    order_aware_number((double)(float)call->values[BIG_VALUE], big);
    order_aware_explain(&request, to);
    fprintf(to, "x_%" PRIu64 " = %s and x_%" PRIu64 " = -%s meet after %" PRIu64 " other elements\n", i, big, j, big,
            between);
    if (between > 0)
        fprintf(to, "plain summation loses these: %" PRIu64 " instead of %" PRIu64 "\n", call->n - 2 - between,
                call->n - 2);
    else
        fprintf(to, "plain summation is exact: %" PRIu64 "\n", call->n - 2);
    sum_tree_free(&tree);
}

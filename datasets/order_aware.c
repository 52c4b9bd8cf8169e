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

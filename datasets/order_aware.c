#include "order_aware.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct tree_request order_aware_request(const struct generator_call *call, const char *family)
{
    size_t methods;
    const struct launch launch = {(uint32_t)call->values[BLOCKS_VALUE], (uint32_t)call->values[THREADS_VALUE]};
    return (struct tree_request){family, &method_table(&methods)[(size_t)call->values[METHOD_VALUE]], call->n, launch};
}

/* ---- with which element a thread starts ---- */

typedef bool first_function(const struct tree_request *request, uint64_t block, uint64_t thread, uint64_t *element);

static bool nowhere(const struct tree_request *request, uint64_t block, uint64_t thread, uint64_t *element)
{
    (void)request, (void)block, (void)thread, (void)element;
    return false;
}

static bool at_its_number(const struct tree_request *request, uint64_t block, uint64_t thread, uint64_t *element)
{
    *element = block * request->launch.threads + thread;
    return true;
}

static bool in_one_block(const struct tree_request *request, uint64_t block, uint64_t thread, uint64_t *element)
{
    return block == 0 && at_its_number(request, block, thread, element);
}

static bool at_a_vector(const struct tree_request *request, uint64_t block, uint64_t thread, uint64_t *element)
{
    enum { LANES = 16 / sizeof(float) };
    at_its_number(request, block, thread, element);
    *element *= LANES;
    return true;
}

static bool at_a_run(const struct tree_request *request, uint64_t block, uint64_t thread, uint64_t *element)
{
    const uint64_t grid = (uint64_t)request->launch.blocks * request->launch.threads;
    at_its_number(request, block, thread, element);
    *element *= (request->n + grid - 1) / grid;
    return true;
}

/* The tree does not say which of its parts a thread made.  A test holds this to the trees. */
static first_function *first_of(const char *order)
{
    static const struct {
        const char *order;
        first_function *first;
    } others[] = {
        {"serial", nowhere},
        {"pairwise", nowhere},
        {"pairwise_1", nowhere},
        {"blocked", at_a_run},
        {"tree_rows", in_one_block},
        {"shuffle_rows", in_one_block},
        {"vector_two_pass", at_a_vector},
    };
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(others[k].order, order) == 0)
            return others[k].first;
    return at_its_number;
}

enum status order_aware_first(const struct tree_request *request, uint64_t block, uint64_t thread, uint64_t *element)
{
    const struct method *method = request->method;
    if (!first_of(method->order)(request, block, thread, element))
        complain("%s: method=%s has no thread %" PRIu64 " of block %" PRIu64 " with elements of its own; an order with "
                 "threads was expected, such as tree_two_pass; choose another method",
                 request->family, method->id, thread, block);
    else if (*element >= request->n)
        complain("%s: n=%" PRIu64 "; thread %" PRIu64 " of block %" PRIu64 " of %s starts with x_%" PRIu64
                 ", so more than %" PRIu64 " elements were expected; choose a larger n, or fewer threads",
                 request->family, request->n, thread, block, method->id, *element, *element);
    else
        return OK;
    return BAD_INPUT;
}

/* ---- what was found ---- */

enum status opposites_at_an_offset(struct generator_call *call, const char *family)
{
    const struct tree_request request = order_aware_request(call, family);
    const uint64_t offset = (uint64_t)call->values[OWN_VALUE], half = request.launch.threads / 2;
    TRY(sum_tree_possible(&request));
    if (offset > half || (offset & (offset - 1)) != 0) {
        complain("%s: offset=%llu with threads=%u; a power of two from 1 to half the threads was expected; choose such "
                 "an offset",
                 family, (unsigned long long)offset, request.launch.threads);
        return BAD_INPUT;
    }
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

/* What every addition of a method does to given data: the value it makes and, exactly, what it loses.
 *
 *   plain/serial on 2^24, 1, 1         node 3   2^24 + 1   makes 2^24   error -1
 *                                      node 5   2^24 + 1   makes 2^24   error -1     in all -2 = computed - s
 *
 * A state is worth an exact number, whatever the accumulator: of kahan it is sum - excess.  The local error of an
 * addition or a merge is what its state is worth afterwards less what both operands were worth before.  These
 * differences telescope, so that for every method
 *
 *   computed - s = sum of the local errors + (computed - what the last state is worth),
 *
 * with no remainder; additions_add_up() holds them to it, against the reference.  For plain additions a local error is
 * a number of the format (Dekker 1971; Knuth, TAOCP 2, 4.2.2) and the last rounding is 0.  Elsewhere it may need more
 * bits than binary64 has: it then is an expansion (Shewchuk, Discrete Comput. Geom. 18 (1997) 305), which is added up
 * exactly all the same.
 *
 * Of a dot product and of a sum of squares the leaves are products x_i y_i, and a leaf has a local error too: what it
 * puts into the sum less the exact product.
 *
 *   dot:plain/serial on (1 + 2^-12)^2, 1 * 1     node 1   p0 makes 1 + 2^-11   error -2^-24, which is computed - s
 */
#pragma once

#include "datasets/sum_tree.h"
#include "reference/exact.h"

struct additions {
    const struct method *method; /* of a plug-in who stands in for it: plain additions in the tree of its sums */
    struct launch launch;
    struct sum_tree tree; /* its nodes number the additions; leaves are elements */
    double *value; /* of node k, value[k]: what the state is worth; of a leaf the element, or what the product puts into
                      the sum.  Rounded to binary64 */
    double *rest;  /* of node k: what value[k] lacks of that, rounded; NULL: added in less than binary64, not kept */
    double *error; /* of node k: the local error, within an ulp of binary64, and exact where it fits; of a leaf that
                      is an element 0 */
    double computed;
    double last_rounding;      /* computed less what the last state is worth, as an error */
    struct exact_sum total;    /* of all local errors and the last rounding; its kind says whether they are finite */
    uint64_t inexact;          /* joins whose local error is not 0 */
    uint64_t inexact_products; /* likewise leaves */
    uint32_t first_not_finite; /* the first join, or product, that makes or takes an infinity or a NaN; 0: none does */
};

/* Whether there is something to be made.  Complains and returns BAD_INPUT for a black box that only a GPU runs, a
 * method that does not sum, a launch that the method cannot do, and too many elements. */
enum status additions_possible(const struct tree_request *request);

/* Whether the leaves are products, which may round. */
bool additions_of_products(const struct additions *of);

/* The numbers that product i multiplies. */
double additions_factor(const struct operands *elements, bool second, uint64_t i);

/* The exact sum of the elements or their products, with `nearest` and `ulp` of the method's result. */
enum status additions_exact(const struct method *method, struct exact_how how, const struct operands *elements,
                            struct exact_sum *exact);

/* Of one row of elements, request->n of them, for request->method's operation.  Complains and returns BAD_INPUT as
 * additions_possible does, and for a plug-in whose sums show no tree, or one that does not give its bits on these
 * elements; or NOT_MEASURED; *of is then empty. */
enum status additions_make(const struct tree_request *request, const struct operands *elements, struct additions *of);
void additions_free(struct additions *of);

/* The largest |local error| of those that are finite; 0 where there is none. */
double additions_largest_error(const struct additions *of);

/* Whether the state is worth more than binary64 has, as one of integers may be: no sum of IEEE additions comes back
 * from an infinity. */
bool additions_is_beyond(const struct additions *of, uint32_t node);

/* Whether computed - s is the total, as exact numbers; `exact` is the reference's sum of the same data.  False where
 * one of them is not finite: then nothing adds up. */
bool additions_add_up(const struct additions *of, const struct exact_sum *exact);

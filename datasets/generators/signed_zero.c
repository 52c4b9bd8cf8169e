/* signed_zero: sums that are 0, of either sign.
 *
 *   negative  -0, -0, ...                   -0
 *   mixed     -0, 0, -0, 0, ...              0 from two on
 *   pairs     x, -x, x, -x, ..., x = 1 + f   0; -0 at the end of an odd n
 *
 * The sum of two zeros is -0 only if both are, and x - x is 0 (IEEE 754, 6.3, rounding to nearest).  A sum that starts
 * from 0 therefore has 0 in all of them, and a tree that starts from its elements has -0 in the first, as the exact
 * sum. The sum of nothing is 0 (docs/reference.md, "Zeros, infinities, NaN").
 */
#include "datasets/random.h"

#define FAMILY signed_zero

PORTABLE double signed_zero_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const unsigned pattern = (unsigned)call->values[0];
    const bool odd = i % 2 == 1, alone = i + 1 == call->n && !odd;
    if (pattern == 0 || (pattern == 2 && alone))
        return -0.0;
    if (pattern == 1)
        return odd ? 0.0 : -0.0;
    const uint64_t any = (uint64_t)((uint32_t)(i / 2) * 0x9e3779b9u) * 0x100000001u;
    const double x = random_significand(&call->format, any);
    return odd ? -x : x;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
const struct generator generator_signed_zero = {
    .id = "signed_zero",
    .summary = "sums that are 0 or -0",
    .formula = "-0, -0, ...; -0, 0, ...; x, -x, ...",
    .source = "tc39/proposal-math-sum#5: is the sum of an empty list 0 or -0?",
    .effects = EFFECTS(
        {"n=4Ki", ALL_KINDS, AT_MOST, 0}, {"n=4Ki,pattern=mixed", ALL_KINDS, AT_MOST, 0},
        {"n=4Ki,pattern=pairs", "uncompensated/serial,compensated/serial,wider/serial,exact/serial", AT_MOST, 0},
        {"n=4Ki,pattern=pairs", "kahan_naive_merge/tree_two_pass", AT_LEAST, 4.3e40}),
    .exact = "-0; 0; 0",
    .showcase = {"signed_zero:n=4096", "signed_zero:n=4096,pattern=mixed", "signed_zero:n=4096,pattern=pairs"},
    .parameters = PARAMETERS({"pattern", WORD, 0, 0, 0, "which zeros", WORDS("negative", "mixed", "pairs")}),
    .refuses = every_format,
    .elements = signed_zero_elements,
};
#endif

/* two_sum_overflow: a sum that is finite, while TwoSum overflows on its way to the error of it.
 *
 *   a = -3 2^103, b = M = 2^128 - 2^104:   a + b = 2^128 - 5 2^103 rounds to s = 2^128 - 2^105
 *   TwoSum:  b' = s - a = 2^128 - 2^103 rounds to inf;  a' = s - b' = -inf;  error = (a - a') + (b - b') = inf - inf
 *
 * and so in any format with an ulp of M in place of 2^104.  Ones follow.  A method that keeps such an error has NaN;
 * one that drops it is off by 2^103 and says so by no sign. Neumaier's branch, which subtracts the larger from the sum,
 * is not hit.
 */
#include "datasets/random.h"

#define FAMILY two_sum_overflow

PORTABLE double two_sum_overflow_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const int last_place = call->format.overflow_exponent - call->format.precision;
    return i == 0 ? -1.5 * power_of_two(last_place) : i == 1 ? format_largest(&call->format) : 1;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static const char *refuses(const struct format *format)
{
    if (format->least_exponent > -100 && format->bytes > 1)
        return "64 of the ones that follow are two ulps of its largest number, and overflow";
    return formats_of_results(format);
}

const struct generator generator_two_sum_overflow = {
    .id = "two_sum_overflow",
    .summary = "a finite sum whose rounding error TwoSum makes NaN",
    .formula = "x_0 = -3 2^103, x_1 = 2^128 - 2^104, x_i = 1",
    .source = "after Boldo, Graillat & Muller, ACM Trans. Math. Softw. 44(1) (2017) 4: 2Sum overflows only beside the "
              "largest number",
    .effects = EFFECTS({"n=4Ki", ALL_KINDS, AT_MOST, 0.5}),
    .exact = "2^128 - 5 2^103 + n - 2; condition 1 + 3 2^-24",
    .showcase = {"two_sum_overflow:n=4096"},
    .parameters = PARAMETERS({0}),
    .least_n = 2,
    .refuses = refuses,
    .elements = two_sum_overflow_elements,
};
#endif

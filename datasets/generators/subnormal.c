/* subnormal: numbers below the normal range.
 *
 * Sums of multiples of the least number, 2^-149 in binary32, do not round before 2^p of it, so that every order is
 * exact while n most <= 2^p.  The numbers are made from their bits, so that a process in flush-to-zero mode makes the
 * same data.
 */
#include "datasets/random.h"

#define FAMILY subnormal

PORTABLE double subnormal_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)i;
    const int64_t most = (int64_t)call->values[0];
    const int64_t k = (int64_t)random_below(random, (uint64_t)(2 * most + 1)) - most;
    if (call->format.precision > FLT_MANT_DIG)
        return double_from_bits(k < 0 ? UINT64_C(1) << 63 | (uint64_t)-k : (uint64_t)k);
    if (call->format.precision < FLT_MANT_DIG && call->format.least_exponent > FORMAT_BFLOAT16.least_exponent)
        return (double)k * format_least(&call->format); /* a normal binary32 */
    const uint32_t sign = (uint32_t)((uint64_t)k >> 63), magnitude = ((uint32_t)k ^ (0 - sign)) + sign; /* no branch */
    return (double)float_from_bits(sign << 31 | magnitude << (call->format.least_exponent + 149));
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static void adapt(const struct format *format, struct parameter *row)
{
    const double most = power_of_two(format->precision - 1) - 1;
    adapt_row(row, "most", fmin(row->fallback, most), 1, most);
}

const struct generator generator_subnormal = {
    .id = "subnormal",
    .summary = "numbers below the normal range",
    .formula = "x_i = k 2^-149, k in -most .. most; 2^-1074, 2^-24, 2^-133, 2^-9, 2^-16 in the other formats",
    .source = "NVIDIA's PTX manual: atom.add.f32 on global memory flushes subnormals; -ftz=true",
    .effects = EFFECTS({"n=4Ki..1Mi*256", ALL_KINDS, AT_MOST, 0}),
    .exact = "a multiple of the least number; no order rounds while n most is at most 2^p",
    .showcase = {"subnormal:n=4096"},
    .parameters =
        PARAMETERS({"most", WHOLE, 1000, 1, 0x1p23 - 1, "largest absolute value, in units of the least number", NULL}),
    .random = true,
    .refuses = every_format,
    .adapt = adapt,
    .elements = subnormal_elements,
};
#endif

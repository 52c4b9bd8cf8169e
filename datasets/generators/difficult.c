/* difficult: sizes that jump across the whole range, everything comes and goes again, and 1 is what stays.
 *
 *   x_i      = v(i)     i < p = (n-1)/2 rounded down       v(k) = 2^(-126 + 226 frac(k phi)), phi = 0.618...
 *   x_(p+i)  = -v(i)
 *   x_(2p)   = 1, and 0 after it when n is even
 *
 * frac(k phi) stays away from the last values it had: each term is some 2^86 or 2^140 above or below the one before,
 * which costs time in superaccumulators that keep their place and in sums that follow the maximum.  The 1 is 2^100
 * below the largest, out of reach of any fixed number of bins or words.
 *
 * 2^-126 is the least normal number, and 2^100 is 2^28 below what overflows: in binary64 2^-1022 and 2^996.
 *
 * The power has a linear significand, as in full_range.  sum |x| is about 1.5 n 2^100/226, so that nothing overflows
 * up to n = 2^35.
 */
#include "datasets/random.h"

#define FAMILY difficult

PORTABLE double difficult_size(const struct format *format, uint64_t k)
{
    const uint64_t turn = k * 0x9e3779b97f4a7c15u; /* frac(k phi), in units of 2^-64 */
    const int least = format_least_normal_exponent(format), bits = format->precision - 1;
    const uint64_t binades = (uint64_t)(format->overflow_exponent - 28 - least);
    return double_from_bits((random_below(turn, binades << bits) << (52 - bits)) + ((uint64_t)(least + 1023) << 52));
}

PORTABLE double difficult_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const uint64_t p = (call->n - 1) / 2;
    if (i >= 2 * p)
        return i == 2 * p ? 1 : 0;
    return i < p ? difficult_size(&call->format, i) : -difficult_size(&call->format, i - p);
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static const char *refuses(const struct format *format)
{
    if (format->least_exponent > -100 && format->bytes > 1)
        return "its largest numbers are not out of reach from 1";
    return formats_of_results(format);
}

const struct generator generator_difficult = {
    .id = "difficult",
    .summary = "sizes that jump across the range, all taken back but a 1",
    .formula = "x_i = v(i), x_(p+i) = -v(i), x_(2p) = 1; v(k) = 2^(-126 + 226 frac(k phi)), in binary64 2^(-1022 + "
               "2018 frac(k phi))",
    .source = "made for ulpscope, in place of the third of ReproBLAS's wide ranges, which was not found",
    .effects = EFFECTS(
        {"n=4Ki..1Mi*256", "uncompensated/serial,compensated/serial,wider/serial", AT_LEAST, 8.3e6},
        {"n=4Ki..1Mi*256", "plain/*,kahan*,neumaier/*,double_float/*,binary64/*,fabsum*,binned*", AT_LEAST, 8.3e6}),
    .exact = "1; condition about 1.5 n 2^100/226, in binary64 1.5 n 2^996/2018",
    .showcase = {"difficult:n=4096"},
    .parameters = PARAMETERS({0}),
    .least_n = 1,
    .most_n = 1ull << 35,
    .refuses = refuses,
    .elements = difficult_elements,
};
#endif

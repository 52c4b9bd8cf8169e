/* mixed_scale_rows: rows whose scales and condition numbers differ, one behind the other.
 *
 * Row r = floor(i / (2 pairs)) has the scale 2^e, e in -binades .. binades, and pairs t, -t (1 - 2^-c), c in 0 ..
 * cancel: its condition number is about 2^(c+1).  e and c go up by 7 and 5 from row to row, and begin again.  Rows that
 * are summed one by one are right to very different digits; what adds them all sees the largest scale alone.
 */
#include "datasets/random.h"

#define FAMILY mixed_scale_rows
#define PAIR_BITS mixed_scale_rows_bits

/* Both numbers of a pair have the same t. */
PORTABLE struct random_block mixed_scale_rows_bits(const struct generator_call *call, uint64_t p)
{
    const uint64_t t = random_half(random_bits(call, p, 0), 0);
    return random_block_of(t, t);
}

PORTABLE double mixed_scale_rows_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    const uint64_t row = i / (2 * (uint64_t)call->values[0]);
    const int binades = (int)call->values[1], e = (int)(7 * row % (2 * (uint64_t)binades + 1)) - binades;
    const int c = (int)(5 * row % ((uint64_t)call->values[2] + 1));
    const double t = random_significand(&call->format, random) * (double)two_to(e);
    return i % 2 == 0 ? t : -t * (1 - (double)two_to(-c));
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static void adapt(const struct format *format, struct parameter *row)
{
    const double most = fmin(60, fmin(format->overflow_exponent - 1, -(double)format_least_normal_exponent(format)));
    adapt_row(row, "binades", fmin(row->fallback, most), 0, most);
    adapt_row(row, "cancel", format->precision - 1, 0, format->precision - 1);
}

const struct generator generator_mixed_scale_rows = {
    .id = "mixed_scale_rows",
    .summary = "rows that differ in scale and condition number",
    .formula = "row r of 2 pairs: t 2^e, -t 2^e (1 - 2^-c), ...; t random in [1, 2), e = 7r mod (2 binades + 1) - "
               "binades, c = 5r mod (cancel + 1)",
    .source = "ulpscope: rows of one launch, of which none is like its neighbours",
    .effects =
        EFFECTS({"n=64Ki", "compensated/*,wider/*,exact/*", AT_MOST, 1}, {"n=64Ki", "plain/serial", AT_LEAST, 4}),
    .exact = "condition of row r: about 2^(c + 1)",
    .showcase = {"mixed_scale_rows:n=64Ki"},
    .parameters = PARAMETERS({"pairs", WHOLE, 32, 1, 0x1p20, "pairs of a row", NULL},
                             {"binades", WHOLE, 20, 0, 60, "scales are 2^-binades to 2^binades", NULL},
                             {"cancel", WHOLE, 20, 0, 23, "the condition numbers are 2 to 2^(cancel + 1)", NULL}),
    .random = true,
    .refuses = formats_of_results,
    .adapt = adapt,
    .elements = mixed_scale_rows_elements,
};
#endif

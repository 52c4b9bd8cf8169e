/* ties_mid: the sum is next to the middle between two numbers; a third term, far below, decides.  Zeros follow.
 *
 *   above    2^24, 1, 2^-100          2^24 + 2      plain: the tie goes to 2^24, and 2^-100 is late
 *   below    2^24 + 2, 1, -2^-100     2^24 + 2      plain: the tie goes to 2^24 + 4
 *   power    2^24 - 4, 0.5, 2^-25     2^24 - 3      plain: the tie goes to 2^24 - 4
 *   decimal  1e8, 4, 1e-8             1e8 + 8       plain: the tie goes to 1e8
 *   brink    -M, -2^103, 2^-149       -M            plain: the tie goes to -2^128, which is -inf
 *   largest  -M, -1                   -M            plain is right: nothing may overflow here
 *
 * 2^24 is 2^p, M the largest number, 2^103 half an ulp of it, and 2^-149 the least one, which is also 2^-100 in
 * binary16; `decimal` is of binary32 alone.
 *
 * An "exact" method that rounds its words one after the other has plain's results, and one that rounds to binary64
 * first has them but in `power` and `decimal`, which binary64 can hold.
 */
#include "datasets/random.h"

#define FAMILY ties_mid

PORTABLE double ties_mid_of(uint64_t i, double x_0, double x_1, double x_2)
{
    return i == 0 ? x_0 : i == 1 ? x_1 : i == 2 ? x_2 : 0;
}

PORTABLE double ties_mid_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const struct format *format = &call->format;
    const double max = format_largest(format), big = power_of_two(format->precision), least = format_least(format);
    const double tiny = least > 0x1p-100 ? least : 0x1p-100, small = least > 0x1p-25 ? least : 0x1p-25;
    switch ((unsigned)call->values[0]) {
    case 0:
        return ties_mid_of(i, big, 1, tiny);
    case 1:
        return ties_mid_of(i, big + 2, 1, -tiny);
    case 2:
        return ties_mid_of(i, big - 4, 0.5, small);
    case 3:
        return ties_mid_of(i, 1e8, 4, 1e-8);
    case 4:
        return ties_mid_of(i, -max, -power_of_two(format->overflow_exponent - format->precision - 1), least);
    default:
        return ties_mid_of(i, -max, -1, 0);
    }
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static enum status prepare(struct generator_call *call)
{
    enum { DECIMAL = 3 };
    if (call->values[0] != DECIMAL || call->format.precision == FORMAT_BINARY32.precision)
        return OK;
    return bad_input("ties_mid: pattern=decimal with numbers of %s; expected binary32, where 4 is half an ulp of 1e8; "
                     "take another pattern",
                     call->format.name);
}

const struct generator generator_ties_mid = {
    .id = "ties_mid",
    .summary = "sums next to the middle of two numbers, which a far smaller term decides",
    .formula = "2^24, 1, 2^-100, 0, 0, ...; other patterns",
    .source = "after CPython, Lib/test/test_math.py, testFsum: [2**53, 1, 2**-100] and others",
    .effects = EFFECTS(
        {"n=3", "uncompensated/*,compensated/*,wider/*", AT_LEAST, MORE_THAN_HALF}, {"n=3", "superacc/*", AT_MOST, 0.5},
        {"n=3,pattern=below", "plain/*,kahan/*,neumaier/*,klein/*,sum2/*,double_float/*,binary64/*,fabsum/*", AT_LEAST,
         MORE_THAN_HALF},
        {"n=3,pattern=power", "plain/*,kahan/*", AT_LEAST, MORE_THAN_HALF},
        {"n=3,pattern=power", "binary64*", AT_MOST, 0.5},
        {"n=3,pattern=decimal", "plain/*,kahan/*", AT_LEAST, MORE_THAN_HALF},
        {"n=3,pattern=decimal", "binary64*", AT_MOST, 0.5},
        {"n=3,pattern=brink", "uncompensated/*,compensated/*,wider/*", AT_LEAST, NO_NUMBER}),
    .exact = "the sum of the three; it rounds to 2^24 + 2, 2^24 + 2, 2^24 - 3, 1e8 + 8, -M, -M",
    .showcase = {"ties_mid:n=3", "ties_mid:n=3,pattern=below", "ties_mid:n=3,pattern=power",
                 "ties_mid:n=3,pattern=brink"},
    .parameters = PARAMETERS(
        {"pattern", WORD, 0, 0, 0, "which numbers", WORDS("above", "below", "power", "decimal", "brink", "largest")}),
    .least_n = 3,
    .refuses = formats_of_results,
    .prepare = prepare,
    .elements = ties_mid_elements,
};
#endif

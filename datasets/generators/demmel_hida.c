/* demmel_hida: enough numbers of one exponent fill any accumulator.
 *
 * Numbers of f bits, the largest exponent first, lose next to nothing in an accumulator of F bits as long as there are
 * about 2^(F-f) of them at most; two more, and nothing of the sum need be right (Demmel & Hida).  With q = 2^(F-f)
 * and all numbers odd, of f bits:
 *
 *   2q times 2^f - 5     the sum goes past 2^F, where the spacing is 2: from a multiple of 4, 3 mod 4 more is a tie
 *                        that goes up to the next multiple of 4: +1 each time
 *   q times -(2^f - 7)   1 mod 4 less is a tie that goes up, too; after these the sum is back at 2^F
 *   q times -(2^f - 3)   but for the last, which is -(2^f - 5)
 *
 * and again, cut off at n.  (2^f - 5) 2q - (2^f - 7) q - (2^f - 3) q = 0, so that each group adds up to 2; an
 * accumulator of F bits gets about 2q more.
 *
 * f = 12, F = 24: q = 4096, a group of 16Ki, plain/serial.  Of binary32 in binary64, f = 24 and F = 53, a group is 2^31
 * numbers, and the theorem says that fewer than 2^29 do no harm in this order.
 */
#include "datasets/random.h"

#define FAMILY demmel_hida

PORTABLE double demmel_hida_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const uint64_t q = call->whole[0], place = i % (4 * q);
    const double above = (double)call->whole[1]; /* 2^f */
    if (place < 2 * q)
        return above - 5;
    return place < 3 * q ? -(above - 7) : place < 4 * q - 1 ? -(above - 3) : -(above - 5);
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static enum status prepare(struct generator_call *call)
{
    const uint64_t f = (uint64_t)call->values[0], accumulator = (uint64_t)call->values[1];
    if (accumulator > f) {
        call->whole[0] = 1ull << (accumulator - f);
        call->whole[1] = 1ull << f;
        return OK;
    }
    return bad_input("demmel_hida: f=%llu,F=%llu; expected an accumulator wider than the numbers; take F above f",
                     (unsigned long long)f, (unsigned long long)accumulator);
}

static void adapt(const struct format *format, struct parameter *row)
{
    const int p = format->precision;
    adapt_row(row, "f", p > 14 ? p - 10 : 4, 4, p);
    adapt_row(row, "F", p, 5, 53);
}

const struct generator generator_demmel_hida = {
    .id = "demmel_hida",
    .summary = "odd numbers of one exponent, more than the accumulator has room for",
    .formula = "2q of 2^f - 5, q of -(2^f - 7), q of -(2^f - 3) but for the last, -(2^f - 5); q = 2^(F-f)",
    .source = "by construction, against the accumulators of Demmel & Hida, SIAM J. Sci. Comput. 25(4) (2003) 1214",
    .effects = EFFECTS(
        {"n=4Ki", "plain/serial", AT_LEAST, 8.5e9}, {"n=4Ki", "plain/tree_two_pass,plain/pairwise", AT_MOST, 0},
        {"n=4Ki", "kahan/*,neumaier/*,klein/*,binary64*,binned*", AT_MOST, 0},
        {"n=8Ki,f=20", "plain/serial,plain/pairwise,fabsum/serial", AT_LEAST, 1.2e8},
        {"n=8Ki,f=20", "plain/tree_two_pass,fabsum/tree_two_pass", AT_MOST, 0},
        {"n=8Ki,f=20", "kahan/*,neumaier/*,klein/*,binary64*,binned*", AT_MOST, 0},
        {"n=1Mi,f=20", "plain/serial,plain/pairwise,plain/tree_two_pass,fabsum/serial,kahan_naive_merge/tree_two_pass",
         AT_LEAST, 1e7},
        {"n=1Mi,f=20", "kahan/serial,neumaier/serial,binary64/serial", AT_MOST, 0}),
    .exact = "2k for n = 4qk, k whole groups; condition about 2^(F+1) for those n",
    .showcase = {"demmel_hida:n=4096", "demmel_hida:n=64Ki,f=12"},
    .parameters = PARAMETERS({"f", WHOLE, 14, 4, 24, "bits of each number", NULL},
                             {"F", WHOLE, 24, 5, 53, "bits of the accumulator", NULL}),
    .refuses = formats_of_results,
    .adapt = adapt,
    .prepare = prepare,
    .elements = demmel_hida_elements,
};
#endif

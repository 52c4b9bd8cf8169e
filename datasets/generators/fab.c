/* fab: what a block forgets, no compensation between blocks brings back.
 *
 *   M, 1, 1, ..., 1, -M,   M, 1, ..., 1, -M, ...   each of `block` numbers, cut off at n
 *
 * FABsum adds plainly inside its blocks: with M = 2^p, in binary32 2^24, each M + 1 is a tie that goes back to M, and a
 * block of 128 is 0 instead of 126. Kahan's correction, which FABsum has only between blocks, would have kept the ones.
 * At M = 2^(p+1) it keeps most, at 2^60 none: -M has no bits left for the correction that joins it.
 */
#include "datasets/random.h"

#define FAMILY fab

PORTABLE double fab_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const uint64_t block = (uint64_t)call->values[0], place = i % block;
    const double big = call->values[1];
    return place == 0 ? big : place == block - 1 ? -big : 1;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static void adapt(const struct format *format, struct parameter *row)
{
    const int p = format->precision, most = format->overflow_exponent;
    adapt_row(row, "big", power_of_two(p), power_of_two(p), power_of_two(most > 100 ? most - 32 : most - 2));
}

const struct generator generator_fab = {
    .id = "fab",
    .summary = "in each block a big number, ones, and the big number back",
    .formula = "x = M, 1, ..., 1, -M in each block",
    .source = "made for ulpscope, against FABsum of Blanchard, Higham & Mary, SIAM J. Sci. Comput. 42(3) (2020) A1541",
    .effects = EFFECTS({"n=64Ki", "plain/serial,plain/pairwise,fabsum/serial,fabsum/pairwise", AT_LEAST, 1.6e7},
                       {"n=64Ki", "plain/serial,plain/*_two_pass", AT_LEAST, 44000},
                       {"n=64Ki", "kahan/*,neumaier/*,klein/*,double_float/*,binary64*,binned*", AT_MOST, 0},
                       {"n=64Ki", "fabsum/tree_two_pass", AT_MOST, 0},
                       {"n=64Ki,block=32", "fabsum_32/serial", AT_LEAST, 1.5e7},
                       {"n=64Ki,block=32", "kahan/*,neumaier/*,binary64*", AT_MOST, 0},
                       {"n=64Ki,block=512", "fabsum_512/serial", AT_LEAST, 1.6e7},
                       {"n=64Ki,block=512", "kahan/serial,neumaier/*,binary64*", AT_MOST, 0},
                       {"n=1Mi", "fabsum/serial", AT_LEAST, 1.6e7}, {"n=1Mi", "kahan/serial", AT_MOST, 0}),
    .exact = "k (block - 2) for n = k block; condition 1 + 2M/(block - 2) for those n",
    .showcase = {"fab:n=64Ki", "fab:n=64Ki,block=32", "fab:n=64Ki,block=512"},
    .parameters = PARAMETERS({"block", WHOLE, 128, 3, 0x1p20, "numbers in a block: those of the method", NULL},
                             {"big", REAL, 0x1p24, 0x1p24, 0x1p96, "M, rounded to the format", NULL}),
    .refuses = formats_of_results,
    .adapt = adapt,
    .elements = fab_elements,
};
#endif

/* anderson: random numbers less their mean.
 *
 *   x_i = t_i - m, t_i a multiple of 2^-24 in [0, 1), m their mean rounded to such a multiple
 *
 * The difference is exact.  The sum is what rounding the mean left, a multiple of 2^-24 of at most n 2^-25; no two
 * elements cancel, all of them do.  Partial sums wander to 0.3 sqrt(n) first.
 *
 *   t = 0.25, 0.5, 0.625 (units of 1/8: 2, 4, 5), mean 3.67, m = 4:  -2, 0, 1 eighths, sum -1/8
 *
 * The mean takes a pass over all random bits before the elements can be made, on the host alone.  t needs 24 bits: four
 * elements share a block of Philox, so that this pass costs half of what the elements do.
 */
#include "datasets/random.h"

#define FAMILY anderson
#define PAIR_BITS anderson_bits

/* t_i from word i % 4 of block i / 4 */
PORTABLE struct random_block anderson_bits(const struct generator_call *call, uint64_t p)
{
    const struct random_block bits = random_bits(call, p / 2, 0);
    const uint64_t words = chosen(-(p % 2), random_half(bits, 1), random_half(bits, 0));
    return random_block_of(words, words >> 32);
}

/* whole[0] = m, in units of 2^-24 */
PORTABLE float anderson_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)i;
    return (float)((int32_t)((uint32_t)random >> 8) - (int32_t)call->whole[0]) * 0x1p-24f;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static const uint64_t ANDERSON_MOST_N = 1ull << 32; /* their sum is below 2^56, twice that fits */

static enum status prepare(struct generator_call *call)
{
    const struct generator_call own = *call;
    const uint64_t blocks = call->n / 4;
    uint64_t sum = 0;
    for (uint64_t b = 0; b < blocks; b++) {
        const struct random_block bits = random_bits(&own, b, 0);
        for (int k = 0; k < 4; k++)
            sum += bits.word[k] >> 8;
    }
    const struct random_block last = random_bits(&own, blocks, 0);
    for (uint64_t k = 0; k < call->n % 4; k++)
        sum += last.word[k] >> 8;
    call->whole[0] = call->n > 0 ? (2 * sum + call->n) / (2 * call->n) : 0;
    return OK;
}

static const struct parameter parameters[] = {{0}};

static const struct effect effects[] = {
    {"n=4Ki..1Mi*256", "*,!plain/*,!kahan_naive_merge/*,!fabsum*", AT_MOST, 0},
    {"n=4Ki", "plain/serial", AT_LEAST, 3e4},
    {"n=4Ki", "fabsum/serial", AT_LEAST, 2000},
    {"n=1Mi", "plain/serial", AT_LEAST, 1000},
    {"n=1Mi", "plain/tree_two_pass,plain/pairwise,plain/vector_two_pass,kahan_naive_merge/tree_two_pass", AT_LEAST, 4},
    {"n=1Mi", "fabsum/serial", AT_LEAST, 1000},
    {0},
};

const struct generator generator_anderson = {
    .id = "anderson",
    .summary = "random numbers less their mean",
    .formula = "x_i = t_i - m, m the mean of the t_i rounded to 2^-24",
    .source = "Anderson's ill-conditioned data, one of four kinds in the tests of Zhu & Hayes, Algorithm 908, ACM "
              "Trans. Math. Softw. 37(3) (2010)",
    .effects = effects,
    .exact = "a multiple of 2^-24, at most n 2^-25; condition about 2^24 or more",
    .showcase = {"anderson:n=4096", "anderson:n=1Mi"},
    .parameters = parameters,
    .most_n = ANDERSON_MOST_N,
    .random = true,
    .prepare = prepare,
    .elements = anderson_elements,
};
#endif

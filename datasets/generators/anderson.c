/* anderson: random numbers less their mean.
 *
 *   x_i = t_i - m, t_i a multiple of u in [0, 1), m their mean rounded to such a multiple
 *
 * The difference is exact.  The sum is what rounding the mean left, a multiple of u of at most n u / 2; no two
 * elements cancel, all of them do.  Partial sums wander to 0.3 sqrt(n) first.
 *
 *   t = 0.25, 0.5, 0.625 (units of 1/8: 2, 4, 5), mean 3.67, m = 4:  -2, 0, 1 eighths, sum -1/8
 *
 * The mean takes a pass over all random bits before the elements can be made, on the host alone.  t needs 24 bits or
 * fewer: four elements share a block of Philox, so that this pass costs half of what the elements do.  In binary64 two
 * do.
 */
#include "datasets/random.h"

#define FAMILY anderson
#define PAIR_BITS anderson_bits

/* t_i from word i % 4 of block i / 4; of binary64 from half i % 2 of block i / 2 */
PORTABLE struct random_block anderson_bits(const struct generator_call *call, uint64_t p)
{
    if (call->format.precision > FLT_MANT_DIG)
        return random_bits(call, p, 0);
    const struct random_block bits = random_bits(call, p / 2, 0);
    const uint64_t words = chosen(-(p % 2), random_half(bits, 1), random_half(bits, 0));
    return random_block_of(words, words >> 32);
}

/* real[0] = m */
PORTABLE double anderson_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)i;
    return random_unit(&call->format, random) - call->real[0];
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static const uint64_t ANDERSON_MOST_N = 1ull << 32; /* of words, the sum is below 2^56, twice that fits */

__extension__ typedef unsigned __int128 anderson_sum;

/* In units of u. */
static anderson_sum sum_of_words(const struct generator_call *call)
{
    const struct generator_call own = *call;
    const uint64_t blocks = call->n / 4;
    const int shift = 32 - call->format.precision;
    uint64_t sum = 0;
    for (uint64_t b = 0; b < blocks; b++) {
        const struct random_block bits = random_bits(&own, b, 0);
        for (int k = 0; k < 4; k++)
            sum += bits.word[k] >> shift;
    }
    const struct random_block last = random_bits(&own, blocks, 0);
    for (uint64_t k = 0; k < call->n % 4; k++)
        sum += last.word[k] >> shift;
    return sum;
}

static anderson_sum sum_of_halves(const struct generator_call *call)
{
    anderson_sum sum = 0;
    for (uint64_t i = 0; i < call->n; i++)
        sum += random_of_element(call, i) >> (64 - call->format.precision);
    return sum;
}

static enum status prepare(struct generator_call *call)
{
    const anderson_sum sum = call->format.precision > FLT_MANT_DIG ? sum_of_halves(call) : sum_of_words(call);
    const uint64_t mean = call->n > 0 ? (uint64_t)((2 * sum + call->n) / (2 * call->n)) : 0;
    call->real[0] = (double)mean * format_u(&call->format);
    return OK;
}

const struct generator generator_anderson = {
    .id = "anderson",
    .summary = "random numbers less their mean",
    .formula = "x_i = t_i - m, m the mean of the t_i rounded to a multiple of u",
    .source = "Anderson's ill-conditioned data, one of four kinds in the tests of Zhu & Hayes, Algorithm 908, ACM "
              "Trans. Math. Softw. 37(3) (2010)",
    .effects = EFFECTS(
        {"n=4Ki..1Mi*256", "compensated/*,wider/*,exact/*", AT_MOST, 0}, {"n=4Ki", "plain/serial", AT_LEAST, 3e4},
        {"n=4Ki", "fabsum/serial", AT_LEAST, 2000}, {"n=1Mi", "plain/serial", AT_LEAST, 1000},
        {"n=1Mi", "plain/tree_two_pass,plain/pairwise,plain/vector_two_pass,kahan_naive_merge/tree_two_pass", AT_LEAST,
         4},
        {"n=1Mi", "fabsum/serial", AT_LEAST, 1000}),
    .exact = "a multiple of u, at most n u / 2; condition about 2^p or more",
    .showcase = {"anderson:n=4096", "anderson:n=1Mi"},
    .parameters = PARAMETERS({0}),
    .most_n = ANDERSON_MOST_N,
    .random = true,
    .refuses = every_format,
    .prepare = prepare,
    .elements = anderson_elements,
};
#endif

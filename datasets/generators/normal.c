/* normal: Gaussians.
 *
 *   x_i = mean + sd z_i
 *
 * mean = 0     from -1e30 to 1e30
 * sd = 1       from 0 to 1e30
 *
 * z comes from integers alone, so that its bits are those of every machine: Algorithm N of C. F. F. Karney, "Sampling
 * exactly from the normal distribution", ACM TOMS 42(1) (2016) 3.  The density at k + x, k whole and 0 <= x < 1, is
 *
 *   exp(-(k+x)^2/2)  =  exp(-k/2)  exp(-k(k-1)/2)  exp(-kx)  exp(-x^2/2)
 *
 * k is drawn by the first factor; the others, each at most 1, are probabilities of keeping k and x.  Karney accepts
 * with k + 1 trials of exp(-x(2k+x)/(2k+2)); here it is k trials of exp(-x) and one of exp(-x^2/2), the same product.
 * A trial of exp(-p) is von Neumann's (see keeps).
 *
 * Karney's digits are unlimited, these are 64 bits: a probability is wrong by less than 2^-60, x is the centre of a
 * cell of 2^-63.  k + x is rounded to binary64, then mean + sd z, then to binary32: for mean = 0 that is the nearest
 * binary32 but in about one of 2^27 elements, where it is its neighbour.
 *
 * Hurts: nothing in particular; rounding errors of both signs.  Spares: every method, sqrt(n) instead of n.
 * Condition: for mean = 0 about 0.8 sqrt(n) / |g|, g a Gaussian; near 1 when mean is many sd.
 */
#include "../random.h"

#define FAMILY normal

/* The bits of one element, 64 at a time. */
struct normal_stream {
    const struct generator_call *call;
    uint64_t i;
    uint32_t taken;
    struct random_block bits;
};

PORTABLE uint64_t normal_next(struct normal_stream *stream)
{
    const unsigned half = stream->taken % 2;
    if (half == 0)
        stream->bits = random_bits(stream->call, stream->i, stream->taken / 2 + 1);
    stream->taken++;
    return random_half(stream->bits, half);
}

/* True with probability exp(-p), p in units of 2^-64.  The run p > u1 > u2 > ... has length >= m with probability
 * p^m/m!, hence an even length with probability 1 - p + p^2/2! - ... */
PORTABLE bool normal_keeps(struct normal_stream *stream, uint64_t p)
{
    bool even = true;
    for (uint64_t u; (u = normal_next(stream)) < p; p = u)
        even = !even;
    return even;
}

PORTABLE bool normal_keeps_all(struct normal_stream *stream, uint64_t trials, uint64_t p)
{
    while (trials > 0 && normal_keeps(stream, p))
        trials--;
    return trials == 0;
}

/* 15 uniforms of 64 bits on average. */
PORTABLE double gaussian(struct normal_stream *stream)
{
    const uint64_t one_half = 1ull << 63;
    for (;;) {
        uint64_t k = 0;
        while (normal_keeps(stream, one_half))
            k++;
        if (k > 1 && !normal_keeps_all(stream, k * (k - 1), one_half))
            continue;
        const uint64_t word = normal_next(stream);
        const uint64_t x = word | 1; /* the last bit is the sign's */
        if (!normal_keeps_all(stream, k, x) || !normal_keeps(stream, random_below(x, x) >> 1))
            continue;
        const double z = (double)k + (double)x * 0x1p-64;
        return word & 1 ? -z : z;
    }
}

PORTABLE float normal_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    struct normal_stream stream = {call, i, 0, {{0}}};
    return (float)(call->values[0] + call->values[1] * gaussian(&stream));
}

#include "../element_loop.h"

#ifndef __CUDACC__
static const struct parameter parameters[] = {
    {"mean", REAL, 0, -1e30, 1e30, "centre", NULL},
    {"sd", REAL, 1, 0, 1e30, "standard deviation", NULL},
    {0},
};

const struct generator generator_normal = {
    .id = "normal",
    .summary = "Gaussians",
    .formula = "x_i = mean + sd z_i",
    .source = "Karney, ACM TOMS 42(1) (2016) 3, Algorithm N",
    .hurts = "nothing in particular",
    .spares = "every method: errors grow as sqrt(n)",
    .exact = "condition about 0.8 sqrt(n) / |g| for mean = 0, g a Gaussian",
    .showcase = {"normal:n=64Ki"},
    .parameters = parameters,
    .random = true,
    .elements = normal_elements,
};
#endif

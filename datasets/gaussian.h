/* A Gaussian from the bits of an element: the ziggurat of Marsaglia & Tsang, J. Stat. Software 5(8) (2000), with the
 * repairs of Doornik, "An improved ziggurat method to generate normal random samples" (2005): its layer
 * and its abscissa are independent bits.
 *
 * The area under f(x) = exp(-x^2/2), x >= 0, is covered by layers of equal area v:
 *
 *   layer k >= 1    0 <= x < x_k,  f(x_k) <= y < f(x_(k+1)),  a rectangle; x_1 > x_2 > ... > 0
 *   layer 0         0 <= x < x_1,  0 <= y < f(x_1), and the tail beyond x_1; drawn as x < x_0 = v / f(x_1)
 *
 *            |  \     layer 2
 *            |___'.______
 *            |     :\         x < x_(k+1): under the curve whatever y is, 99.57 % of all draws
 *            |     : '.       else: y decides
 *            |_____:___'.____ layer 1
 *                x_2     x_1
 *
 * Of 64 bits, 10 choose the layer and 53, with a sign, the abscissa (a + 1/2) / 2^52 x_k in the middle of its cell. The
 * rest takes the element's own random_bits(call, i, draw >= 1): one half for y, the other for the next attempt.
 *
 * What z is then: below the tail a point of a grid whose steps are 2^-51 of a layer's width at most, with a probability
 * that is wrong by a factor of 1 +- 2^-49; in the tail, which has 5 of 100 000, the image of a grid of 2^52 points, the
 * last of them at 13.2.  No test can see that.
 */
#pragma once

#include "random.h"
#include "src/base/elementary.h"

/* Device code cannot read the host's constants. */
#ifdef __CUDA_ARCH__
#define GAUSSIAN_TABLE static __device__ const
#else
#define GAUSSIAN_TABLE static const
#endif

enum { GAUSSIAN_LAYERS = 1024 };

struct gaussian_layer {
    double scale;   /* x_k 2^-52 */
    uint64_t under; /* 2^52 x_(k+1) / x_k, rounded down: abscissas below it are under the curve */
};

/* gaussian_layers; gaussian_heights, exp(-x_k^2/2), of the top 1, the first unused; GAUSSIAN_TAIL, x_1, where it starts
 */
#include "generated/gaussian_table.h"

/* Out of the loop's way on the host: its registers are worth 1.5 ns per element. */
#ifdef __CUDACC__
#define GAUSSIAN_RARE PORTABLE
#else
#define GAUSSIAN_RARE static __attribute__((noinline, cold))
#endif

/* In (0, 1), an odd multiple of 2^-53. */
PORTABLE double gaussian_unit(uint64_t random)
{
    return (double)(random >> 11 | 1) * 0x1p-53;
}

/* Odd, from -2^52 to 2^52. */
PORTABLE int64_t gaussian_abscissa(uint64_t random)
{
    return (int64_t)random >> 11 | 1;
}

/* Beyond x_1 (Marsaglia 1964): x_1 - log(u) / x_1, kept with probability exp(-(log(u) / x_1)^2 / 2). */
PORTABLE double gaussian_tail(const struct generator_call *call, uint64_t i, uint32_t draw)
{
    for (;; draw++) {
        const struct random_block bits = random_bits(call, i, draw);
        const double beyond = -log_of(gaussian_unit(random_half(bits, 0))) / GAUSSIAN_TAIL;
        if (gaussian_unit(random_half(bits, 1)) < exp_of(beyond * beyond * -0.5))
            return GAUSSIAN_TAIL + beyond;
    }
}

/* What the first look does not settle: y, and further attempts. */
GAUSSIAN_RARE double gaussian_rest(const struct generator_call *call, uint64_t i, uint64_t random)
{
    for (uint32_t draw = 1;; draw++) {
        const unsigned k = random % GAUSSIAN_LAYERS;
        const int64_t a = gaussian_abscissa(random);
        const double z = (double)a * gaussian_layers[k].scale;
        if ((uint64_t)(a < 0 ? -a : a) < gaussian_layers[k].under)
            return z;
        if (k == 0) {
            const double tail = gaussian_tail(call, i, draw);
            return a < 0 ? -tail : tail;
        }
        const struct random_block bits = random_bits(call, i, draw);
        const double low = gaussian_heights[k], high = gaussian_heights[k + 1];
        if (low + gaussian_unit(random_half(bits, 0)) * (high - low) < exp_of(z * z * -0.5))
            return z;
        random = random_half(bits, 1);
    }
}

/* What gaussian_rest() would do first, with |a| and the sign by themselves: as the last bits of 2^52 + |a| the abscissa
 * is binary64 without the conversion of an int64_t, which a GPU does at a quarter of an addition's pace. */
PORTABLE double gaussian(const struct generator_call *call, uint64_t i, uint64_t random)
{
    const struct gaussian_layer layer = gaussian_layers[random % GAUSSIAN_LAYERS];
    const uint64_t magnitude = (random ^ -(random >> 63)) >> 11 | 1, sign = random >> 63 << 63;
    if (magnitude < layer.under) {
        const double a = double_from_bits(magnitude | 0x4330000000000000) - 0x1p52;
        return double_from_bits(double_bits(a * layer.scale) | sign);
    }
    return gaussian_rest(call, i, random);
}

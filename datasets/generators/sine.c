/* sine: one period of a sine, whose sum is 0.
 *
 *   x_i = sin(2 pi (i/n - 1/2)),  x_(n-i) = -x_i
 *
 * The angle is not rounded, as in a program that computes 2 pi i/n: 8 i/n = octant + part is worked out in whole
 * numbers, and elementary.h has the sine and the cosine of part pi/4.  So the antisymmetry is exact and the sum is 0,
 * where such a program's is about 1e-13.  An element is the nearest binary32 but about once in 2^26 elements; in
 * binary64 it is wrong by a relative 2^-51 at most.
 *
 *   n = 8:  0, -0.7071, -1, -0.7071, 0, 0.7071, 1, 0.7071
 */
#include "datasets/random.h"
#include "src/base/elementary.h"

#define FAMILY sine

/* real[0] = 1/n, rounded: the quotient that it gives is right or one off. */
PORTABLE double sine_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const uint64_t n = call->n;
    int octant = (int)(8 * (double)(int64_t)i * call->real[0]);
    int64_t rest = (int64_t)(8 * i - (uint64_t)octant * n);
    if (rest < 0)
        octant--, rest += (int64_t)n;
    if (rest >= (int64_t)n)
        octant++, rest -= (int64_t)n;
    if (octant % 2 == 1)
        rest = (int64_t)n - rest;
    const double part = (double)rest * call->real[0];
    const double magnitude =
        (octant + 1) / 2 % 2 == 0 || rest == (int64_t)n ? sine_of_octant(part) : cosine_of_octant(part);
    return octant < 4 && i > 0 ? -magnitude : magnitude;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static enum status prepare(struct generator_call *call)
{
    call->real[0] = call->n > 0 ? 1 / (double)call->n : 0;
    return OK;
}

const struct generator generator_sine = {
    .id = "sine",
    .summary = "one period of a sine",
    .formula = "x_i = sin(2 pi (i/n - 1/2))",
    .source = "ReproBLAS, examples/sum_sine.c",
    .effects = EFFECTS(
        {"n=4Ki", "plain/serial", AT_LEAST, 6e40}, {"n=4Ki", "kahan/serial", AT_LEAST, 8.8e37},
        {"n=4Ki", "fabsum/serial", AT_LEAST, 6.8e38}, {"n=4Ki", "plain/tree_two_pass,kahan/tree_two_pass", AT_MOST, 0},
        {"n=4Ki", "neumaier/*,klein/*,double_float/*,binary64*,binned*", AT_MOST, 0},
        {"n=1e6", "plain/serial,plain/tree_two_pass,plain/shuffle_two_pass,plain/vector_two_pass", AT_LEAST, 2.1e40},
        {"n=1e6", "kahan/serial,kahan/tree_two_pass", AT_LEAST, 2.6e39},
        {"n=1e6", "neumaier/serial,klein/serial,double_float/serial,binary64/serial", AT_LEAST, 1.2e34},
        {"n=1e6", "binary64_kahan/*,binned*", AT_MOST, 0}, {"n=1e6", "plain/pairwise", AT_MOST, 0}),
    .exact = "0; condition infinite",
    .showcase = {"sine:n=1e6", "sine:n=1e6,order=shuffled:1"},
    .parameters = PARAMETERS({0}),
    .refuses = every_format,
    .prepare = prepare,
    .elements = sine_elements,
};
#endif

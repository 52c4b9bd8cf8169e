/* mirror: everything that comes goes again.
 *
 *   reversed   x_(n-1-i) = -x_i for i < n/2, and 0 in the middle of an odd n
 *   repeated   x_(m+i) = -x_i for i < m = n/2 rounded down, and 0 at the end of an odd n
 *
 * f is random with 23 bits, b in 0 .. binades-1.  For pairs in no order at all there is order=shuffled:SEED.
 */
#include "../random.h"

#define FAMILY mirror

/* The index of the one that x_i takes back; i itself in the first half. */
PORTABLE uint64_t mirror_origin(uint64_t n, uint64_t i, bool reversed)
{
    if (i < n / 2)
        return i;
    return reversed ? n - 1 - i : i - n / 2;
}

PORTABLE float mirror_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    const uint64_t n = call->n, binades = (uint64_t)call->values[0];
    const bool reversed = call->values[1] == 0;
    const uint64_t origin = mirror_origin(n, i, reversed);
    if (n % 2 == 1 && i == (reversed ? n / 2 : n - 1))
        return 0;
    if (origin != i)
        random = random_of_element(call, origin);
    const int b = (int)random_below(random >> 32 << 32, binades);
    const float magnitude = random_significand((uint32_t)random) * two_to(-b);
    return origin == i ? magnitude : -magnitude;
}

#include "../element_loop.h"

#ifndef __CUDACC__
static const char *const second_halves[] = {"reversed", "repeated", NULL};

static const struct parameter parameters[] = {
    {"binades", WHOLE, 8, 1, 100, "the numbers lie in [2^(1-binades), 2)", NULL},
    {"second", WORD, 0, 0, 0, "the order of the second half", second_halves},
    {0},
};

const struct generator generator_mirror = {
    .id = "mirror",
    .summary = "positive numbers, then their negatives",
    .formula = "x_i = (1 + f) 2^-b, x_(n-1-i) = -x_i",
    .source = "Neal's tests of superaccumulators; Zhu & Hayes (both recalled)",
    .hurts = "every inexact method, and every report that divides by s: only the absolute error is defined",
    .spares = "none; a method that returns 0 is exact, or pairs x_i with its negative",
    .exact = "0; condition infinite",
    .showcase = {"mirror:n=4096", "mirror:n=4096,second=repeated"},
    .parameters = parameters,
    .random = true,
    .elements = mirror_elements,
};
#endif

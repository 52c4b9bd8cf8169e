/* mirror: everything that comes goes again.
 *
 *   reversed   a b c d  -d -c -b -a
 *   repeated   a b c d  -a -b -c -d
 *
 * By pairs, so that a pair and its negatives share their random bits: of an odd number of pairs one is a, -a, in the
 * middle of `reversed` and at the end of `repeated`; an odd n ends with 0.  f is random with 23 bits, b in
 * 0 .. binades-1.  For pairs in no order at all there is order=shuffled:SEED.
 */
#include "../random.h"

#define FAMILY mirror
#define PAIR_BITS mirror_bits

/* The pair that pair p takes back; p itself where it takes none back, or is a, -a. */
PORTABLE uint64_t mirror_origin(const struct generator_call *call, uint64_t p)
{
    const uint64_t pairs = call->n / 2, half = pairs / 2;
    const bool reversed = call->values[1] == 0, second = p >= half && p < (reversed ? pairs : 2 * half);
    return second ? (reversed ? pairs - 1 - p : p - half) : p;
}

PORTABLE struct random_block mirror_bits(const struct generator_call *call, uint64_t p)
{
    const uint64_t origin = mirror_origin(call, p);
    const bool own = origin == p, swapped = !own && call->values[1] == 0;
    const struct random_block bits = random_bits(call, origin, 0);
    const uint64_t a = random_half(bits, 0), b = own && p >= call->n / 4 ? a : random_half(bits, 1);
    return random_block_of(swapped ? b : a, swapped ? a : b);
}

/* 2^-b by the exponent's field, the sign by its bit. */
PORTABLE float mirror_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    const uint64_t p = i / 2, binades = (uint64_t)call->values[0];
    const bool negative = mirror_origin(call, p) != p || (p >= call->n / 4 && i % 2 == 1);
    const uint32_t b = (uint32_t)random_below(random >> 32 << 32, binades);
    const uint32_t magnitude = float_bits(random_significand((uint32_t)random)) - (b << 23);
    return i == call->n / 2 * 2 ? 0 : float_from_bits(magnitude | (uint32_t)negative << 31);
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
    .formula = "x_i = (1 + f) 2^-b, x_(n-1-i) = -x_i; an odd n ends with 0",
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

/* gendot2: levels of numbers, each 2^-24 of the one above, that go as they came, and a small one that stays.
 *
 *   one, c_1, ..., c_(k-1),  -one, -c_1, ..., -c_(k-1),  and left, or left / 2 twice for an even n: k = (n - 1) / 2
 *   c_i = one 2^(-24 (i mod l)) r, r in (0, 1), l = log2(cond) / 24
 *
 * For an odd k the first of what stays is between the two halves.  So c_i and -c_i are an even number of places apart,
 * and a pair of elements takes its bits from one block of Philox.
 *
 * A significand of binary32 holds one level; what stays is below the last.  Every level that a method keeps beside its
 * sum is filled by data that will cancel: w words lose it beyond cond = 2^(24 w).
 *
 *   cond = 1e10, n = 5:  1, r, -1, -r, 3e-10
 *
 * `one` is 1 as long as what stays is above 2^-100, else as large as fits.  Near 2^-149, left is 2 u and -u for an even
 * n.
 */
#include "datasets/random.h"

#define FAMILY gendot2
#define PAIR_BITS gendot2_bits

enum { GENDOT2_LEVEL = 24, GENDOT2_LEAST = -125 }; /* r 2^-125 is a multiple of 2^-149 */

/* What prepare() leaves in whole[]: l, the exponent of one, 2^64 / l rounded up (0 for l = 1), k, the place of -one,
 * and the bits of what stays, those of the last place in the upper half. */
enum { GENDOT2_LEVELS, GENDOT2_ONE, GENDOT2_RECIPROCAL, GENDOT2_COUNT, GENDOT2_BACK, GENDOT2_LEFT };

PORTABLE struct random_block gendot2_bits(const struct generator_call *call, uint64_t p)
{
    const uint64_t back = call->whole[GENDOT2_BACK] / 2;
    return random_bits(call, p - (back & ~all_ones_below(p, back)), 0);
}

/* i mod l without a division: i (2^64 / l) mod 2^64 is (i mod l) 2^64 / l, and less than i < 2^40 too large; 2^40 more
 * make up for the 32 bits that are cut off, so that both factors have 32. */
PORTABLE uint32_t gendot2_level(const struct generator_call *call, uint64_t i)
{
    const uint64_t part = i * call->whole[GENDOT2_RECIPROCAL] + MOST_N;
    return (uint32_t)((uint64_t)(uint32_t)(part >> 32) * (uint32_t)call->whole[GENDOT2_LEVELS] >> 32);
}

/* one is 2^0 or more, so that e + 127 below is the exponent's field of a normal number. */
PORTABLE float gendot2_body(const struct generator_call *call, uint64_t i, uint64_t random)
{
    const int e = (int)call->whole[GENDOT2_ONE] - GENDOT2_LEVEL * (int)gendot2_level(call, i);
    const float r = (float)(int32_t)((uint32_t)(random >> 40) | 1) * 0x1p-24f;
    return r * float_from_bits((uint32_t)((e > GENDOT2_LEAST ? e : GENDOT2_LEAST) + 127) << 23);
}

PORTABLE float gendot2_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    const uint64_t back = ~all_ones_below(i, call->whole[GENDOT2_BACK]);
    const uint64_t place = i - (back & call->whole[GENDOT2_BACK]);
    const uint32_t one = (uint32_t)(call->whole[GENDOT2_ONE] + 127) << 23,
                   body = float_bits(gendot2_body(call, place, random));
    const uint32_t x = (uint32_t)chosen(all_ones_below(0, place), body, one) | (uint32_t)back << 31;
    const uint32_t left =
        (uint32_t)chosen(all_ones_below(i, call->n - 1), call->whole[GENDOT2_LEFT], call->whole[GENDOT2_LEFT] >> 32);
    return float_from_bits((uint32_t)chosen(all_ones_below(place, call->whole[GENDOT2_COUNT]), x, left));
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
#include "datasets/conditioned.h"

#include <math.h>

/* Of all pairs, with one = 1; beyond 2^8 pairs, as of the first 2^8. */
static double sum_abs_of_pairs(const struct generator_call *call)
{
    const uint64_t count = call->whole[GENDOT2_COUNT] - 1, counted = count < 1 << 8 ? count : 1 << 8;
    double sum = 0;
    for (uint64_t p = 0; p <= counted / 2; p++) {
        const struct random_block bits = random_bits(call, p, 0);
        if (p > 0)
            sum += (double)gendot2_body(call, 2 * p, random_half(bits, 0));
        if (2 * p < counted)
            sum += (double)gendot2_body(call, 2 * p + 1, random_half(bits, 1));
    }
    return 2 + (count ? 2 * sum / (double)counted * (double)count : 0);
}

/* What stays: left, or its two parts.  2u - u where there is not enough to halve. */
static void put_left(struct generator_call *call, double left)
{
    const double tiny = 0x1p-140, least = 0x1p-149;
    const double rounded = (float)left > 0 ? (double)(float)left : least;
    const bool halves = call->n % 2 == 0;
    const double first = !halves ? rounded : left > tiny ? left / 2 : 2 * rounded;
    const double last = !halves ? rounded : left > tiny ? left / 2 : -rounded;
    call->whole[GENDOT2_LEFT] = (uint64_t)float_bits((float)last) << 32 | float_bits((float)first);
}

/* cond = (pairs + left) / left; near 1, left is as large as binary32 tells from infinite. */
static enum status prepare(struct generator_call *call)
{
    const double cond = call->values[0];
    const int levels = conditioned_binades(cond) / GENDOT2_LEVEL;
    call->whole[GENDOT2_LEVELS] = levels > 0 ? (uint64_t)levels : 1;
    call->whole[GENDOT2_ONE] = 0;
    call->whole[GENDOT2_RECIPROCAL] = levels > 1 ? UINT64_MAX / (uint64_t)levels + 1 : 0;
    call->whole[GENDOT2_COUNT] = (call->n - 1) / 2;
    call->whole[GENDOT2_BACK] = call->whole[GENDOT2_COUNT] + call->whole[GENDOT2_COUNT] % 2;
    const double pairs = sum_abs_of_pairs(call);
    const double left = cond - 1 > 0x1p-24 ? pairs / (cond - 1) : pairs * 0x1p24;
    if (left < 0x1p-100)
        call->whole[GENDOT2_ONE] = (uint64_t)(127 - conditioned_binades(pairs));
    put_left(call, ldexp(left, (int)call->whole[GENDOT2_ONE]));
    return OK;
}

static const char *refuses(const struct format *format)
{
    return format->precision == FORMAT_BINARY32.precision ? NULL : "its levels are as many bits apart as binary32 has";
}

const struct generator generator_gendot2 = {
    .id = "gendot2",
    .summary = "levels of numbers that cancel, and a small one that stays",
    .formula = "1, 2^(-24 (i mod l)) r, ..., their negatives, and sum |x| / cond",
    .source = "gendot2 of the tests of the Rust crate accurate (examples/testsuite.rs), its vector x, where what stays "
              "is always between the halves",
    .effects =
        EFFECTS({"n=4Ki,cond=1e2", "compensated/*,wider/*,exact/*,!kahan/*", AT_MOST, 0},
                {"n=4Ki,cond=1e2", "plain/*", AT_MOST, 4000}, {"n=4Ki,cond=1e8", "plain/*", AT_LEAST, 2000},
                {"n=4Ki,cond=1e8", "klein/*,binary64*,binned/*,binned_4x20/*,superacc/*", AT_MOST, 0},
                {"n=4Ki,cond=1e14", "plain/*", AT_LEAST, 7e5},
                {"n=4Ki,cond=1e14", "neumaier/serial,double_float/serial", AT_LEAST, 1e4},
                {"n=4Ki,cond=1e14", "klein/*,binned_4x20/*,superacc/*", AT_MOST, 0},
                {"n=4Ki,cond=1e80", "plain/*,kahan*,neumaier/*,sum2/*,klein/*,double_float/*,binary64*,fabsum*,binned*",
                 AT_LEAST, 40},
                {"n=1Mi,cond=1e8", "plain/*", AT_LEAST, 500}, {"n=1Mi,cond=1e8", "neumaier/serial", AT_LEAST, 2000},
                {"n=1Mi,cond=1e8", "klein/*,binary64*,binned*,superacc/*", AT_MOST, 0}),
    .exact = "sum |x| / cond; condition within a factor of 3 of cond",
    .showcase = {"gendot2:n=4096,cond=1e2..1e14*1e6", "gendot2:n=4096,cond=1e80"},
    .parameters = PARAMETERS({"cond", REAL, 1e8, 1, CONDITION_MOST, "condition number, sum |x| / |sum x|", NULL}),
    .least_n = 3,
    .random = true,
    .refuses = refuses,
    .prepare = prepare,
    .elements = gendot2_elements,
};
#endif

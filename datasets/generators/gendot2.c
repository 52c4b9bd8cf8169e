/* gendot2: levels of numbers, each 2^-24 of the one above, that go as they came, and a small one that stays.
 *
 *   odd n    one, c_1, ..., c_(m-1), left,      -one, -c_1, ..., -c_(m-1)
 *   even n   one, c_1, ..., c_(m-2), left / 2,  -one, -c_1, ..., -c_(m-2), left / 2        m = n / 2
 *   c_i      one 2^(-24 (i mod l)) r, r in (0, 1), l = log2(cond) / 24
 *
 * A significand of binary32 holds one level; what stays is below the last.  Every level that a method keeps beside its
 * sum is filled by data that will cancel: k words lose it beyond cond = 2^(24 k).
 *
 *   cond = 1e10, n = 5:  1, r, 3e-10, -1, -r
 *
 * `one` is 1 as long as what stays is above 2^-100, else as large as fits.  Near 2^-149, left is 2 u and -u for an even
 * n.
 */
#include "../random.h"

#define FAMILY gendot2

enum { GENDOT2_LEVEL = 24, GENDOT2_LEAST = -125 }; /* r 2^-125 is a multiple of 2^-149 */

/* i mod l, where whole[2] is 2^64 / l rounded up, and 0 for l = 1: no division. */
PORTABLE int gendot2_level(const struct generator_call *call, uint64_t i)
{
    return call->whole[2] == 0 ? 0 : (int)(i - call->whole[0] * random_below(i, call->whole[2]));
}

PORTABLE float gendot2_body(const struct generator_call *call, uint64_t i, uint64_t random)
{
    const int e = (int)call->whole[1] - GENDOT2_LEVEL * gendot2_level(call, i);
    const float r = (float)((uint32_t)(random >> 40) | 1) * 0x1p-24f;
    return r * two_to(e > GENDOT2_LEAST ? e : GENDOT2_LEAST);
}

PORTABLE float gendot2_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    const uint64_t first_part = call->n - call->n / 2;
    const bool second = i >= first_part;
    const uint64_t place = second ? i - first_part : i;
    if (place == first_part - 1)
        return (float)call->real[second ? 1 : 0];
    if (second)
        random = random_of_element(call, place);
    const float x = place == 0 ? two_to((int)call->whole[1]) : gendot2_body(call, place, random);
    return second ? -x : x;
}

#include "../element_loop.h"

#ifndef __CUDACC__
#include "../conditioned.h"

#include <math.h>

/* Of all pairs, with one = 1; beyond 2^16 pairs, as of the first 2^16. */
static double sum_abs_of_pairs(const struct generator_call *call)
{
    const uint64_t first_part = call->n - call->n / 2, count = first_part > 2 ? first_part - 2 : 0;
    const uint64_t counted = count < 1 << 16 ? count : 1 << 16;
    double sum = 0;
    for (uint64_t i = 1; i <= counted; i++)
        sum += (double)gendot2_body(call, i, random_of_element(call, i));
    return 2 + (count ? 2 * sum / (double)counted * (double)count : 0);
}

/* What stays: left, or its two parts.  2u - u where there is not enough to halve. */
static void put_left(struct generator_call *call, double left)
{
    const double tiny = 0x1p-140, least = 0x1p-149;
    const double rounded = (float)left > 0 ? (double)(float)left : least;
    const bool halves = call->n % 2 == 0;
    call->real[0] = !halves ? rounded : left > tiny ? left / 2 : 2 * rounded;
    call->real[1] = !halves ? 0 : left > tiny ? left / 2 : -rounded;
}

/* cond = (pairs + left) / left; near 1, left is as large as binary32 tells from infinite. */
static enum status prepare(struct generator_call *call)
{
    const double cond = call->values[0];
    const int levels = conditioned_binades(cond) / GENDOT2_LEVEL;
    call->whole[0] = levels > 0 ? (uint64_t)levels : 1;
    call->whole[1] = 0;
    call->whole[2] = levels > 1 ? UINT64_MAX / (uint64_t)levels + 1 : 0;
    const double pairs = sum_abs_of_pairs(call);
    const double left = cond - 1 > 0x1p-24 ? pairs / (cond - 1) : pairs * 0x1p24;
    if (left < 0x1p-100)
        call->whole[1] = (uint64_t)(127 - conditioned_binades(pairs));
    put_left(call, ldexp(left, (int)call->whole[1]));
    return OK;
}

static const struct parameter parameters[] = {
    {"cond", REAL, 1e8, 1, CONDITION_MOST, "condition number, sum |x| / |sum x|", NULL},
    {0},
};

const struct generator generator_gendot2 = {
    .id = "gendot2",
    .summary = "levels of numbers that cancel, and a small one that stays",
    .formula = "1, 2^(-24 (i mod l)) r, ..., their negatives, and sum |x| / cond",
    .source = "gendot2 of the tests of the Rust crate accurate (examples/testsuite.rs), its vector x",
    .hurts = "by cond: one word from about 2^24, Neumaier and double-float from 2^48, binary64 from 2^53, "
             "Klein from 2^72",
    .spares = "exact summation",
    .exact = "sum |x| / cond; condition within a factor of 3 of cond",
    .showcase = {"gendot2:n=4096,cond=1e2..1e14*1e6", "gendot2:n=4096,cond=1e80"},
    .parameters = parameters,
    .least_n = 3,
    .random = true,
    .prepare = prepare,
    .elements = gendot2_elements,
};
#endif

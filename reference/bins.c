#include "bins.h"

#include "src/base/fp.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

__extension__ typedef unsigned __int128 wide;

enum {
    BANKS = 4,
    BLOCK = 2048, /* terms of binary32 after which specials are looked for: 8 KB, read a second time from L1 */
};

uint64_t bins_fold_after;

/* ---- integers of limbs ---- */

static void add_limbs(uint64_t *sum, const uint64_t *term, unsigned limbs)
{
    wide carry = 0;
    for (unsigned i = 0; i < limbs; i++) {
        carry += (wide)sum[i] + term[i];
        sum[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

static void multiply_limbs(uint64_t *product, unsigned limbs, uint64_t times)
{
    wide carry = 0;
    for (unsigned i = 0; i < limbs; i++) {
        carry += (wide)product[i] * times;
        product[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

/* Adds term 2^bit. */
static void add_shifted(uint64_t *sum, wide term, unsigned bit)
{
    const unsigned shift = bit % 64;
    const uint64_t low = (uint64_t)term, high = (uint64_t)(term >> 64);
    const uint64_t words[] = {low << shift, high << shift | low >> 1 >> (63 - shift), high >> 1 >> (63 - shift)};
    wide carry = 0;
    sum += bit / 64;
    for (unsigned i = 0; i < 3 || carry > 0; i++) {
        carry += (wide)sum[i] + (i < 3 ? words[i] : 0);
        sum[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

static void note_exponents(struct bins *bins, int exponent)
{
    if (exponent < bins->least_exponent)
        bins->least_exponent = exponent;
    if (exponent > bins->largest_exponent)
        bins->largest_exponent = exponent;
}

/* ---- the two formats ---- */

#include "bins32.h"
#include "bins64.h"

/* ---- products ---- */

/* 24 bits times 24 bits are 48, no more than 53, and 2^-298 <= |x y| < 2^256 lies within binary64's normal range: the
 * product is exact, and no product of numbers that are not 0 is 0 or subnormal. */
static void add_products32(struct bins *bins, const float *x, const float *y, uint64_t n)
{
    double products[BLOCK];
    const double least_normal = ldexp(1, bins->least_normal);
    while (n > 0) {
        const size_t block = n < BLOCK ? (size_t)n : BLOCK;
        for (size_t i = 0; i < block; i++)
            products[i] = (double)x[i] * (double)y[i];
        add64(bins, products, block);
        const bool any = bins->least_exponent < bins->least_normal; /* most data have none to count */
        for (size_t i = 0; i < block && any; i++)
            bins->subnormals += products[i] != 0 && fabs(products[i]) < least_normal;
        x += block;
        y += block;
        n -= block;
    }
}

/* |x| = significand 2^(shift - 1074) */
static uint64_t decode64(uint64_t word, unsigned *shift)
{
    const unsigned field = word >> 52 & 0x7ff;
    const uint64_t fraction = word & 0xfffffffffffff;
    *shift = field == 0 ? 0 : field - 1;
    return field == 0 ? fraction : fraction | (uint64_t)1 << 52;
}

static unsigned length_of(wide integer)
{
    const uint64_t high = (uint64_t)(integer >> 64);
    return high ? 128 - (unsigned)__builtin_clzll(high) : 64 - (unsigned)__builtin_clzll((uint64_t)integer);
}

/* product 2^exponent, at most 106 bits, rounded up to binary64; above DBL_MAX: INFINITY. */
static double rounded_up(wide product, int exponent)
{
    const int last = (int)length_of(product) + exponent - 53; /* bit, but subnormals end at -1074 */
    const int drop = (last < -1074 ? -1074 : last) - exponent;
    if (drop <= 0)
        return ldexp((double)(uint64_t)product, exponent);
    const wide kept = drop > 127 ? 0 : product >> drop;
    const bool rest = drop > 127 || (product & (((wide)1 << drop) - 1)) != 0;
    return ldexp((double)((uint64_t)kept + rest), exponent + drop);
}

/* A NaN, an infinity or a zero: what x y is, binary64 multiplication says exactly. */
static void add_special_product(struct bins *bins, double product)
{
    bins->nans += isnan(product) != 0;
    bins->infinities[0] += product == INFINITY;
    bins->infinities[1] += product == -INFINITY;
    bins->negative_zeros += product == 0 && signbit(product);
}

static void add_products64(struct bins *bins, const double *x, const double *y, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i]) || x[i] == 0 || y[i] == 0) {
            add_special_product(bins, x[i] * y[i]);
            continue;
        }
        unsigned shift_x, shift_y;
        uint64_t word_x, word_y;
        memcpy(&word_x, &x[i], sizeof word_x);
        memcpy(&word_y, &y[i], sizeof word_y);
        const wide product = (wide)decode64(word_x, &shift_x) * decode64(word_y, &shift_y);
        const unsigned shift = shift_x + shift_y;
        const int exponent = (int)(shift + length_of(product)) - 1 + bins->unit;
        add_shifted(bins->totals[(word_x ^ word_y) >> 63], product, shift);
        note_exponents(bins, exponent);
        bins->subnormals += exponent < DBL_MIN_EXP - 1;
        /* A product that rounds to less than max_abs is, rounded up, no more than the next number: no more than
         * max_abs. */
        if (bins->max_abs < INFINITY && bins->max_abs <= fabs(x[i] * y[i]))
            bins->max_abs = rounded_up(product, (int)shift + bins->unit); /* which is no less */
    }
}

/* ---- formats that are narrower than binary32, whose numbers it holds ---- */

/* Their subnormals are normal there. */
static void count_subnormals(struct bins *bins, const float *x, uint64_t n)
{
    const float least_normal = ldexpf(1, bins->least_normal);
    if (least_normal == FLT_MIN)
        return;
    uint64_t subnormals = 0;
    for (uint64_t i = 0; i < n; i++)
        subnormals += x[i] != 0 && fabsf(x[i]) < least_normal;
    bins->subnormals += subnormals;
}

/* ---- whatever they are of ---- */

enum status bins_init(struct bins *bins, enum bins_of of, int least_normal)
{
    static const struct {
        int unit;
        unsigned bits; /* of a total: the format's, and 64 for 2^64 terms */
        size_t counters;
    } shapes[] = {
        [BINS_OF_BINARY32] = {-149, 277 + 64, BANKS * sizeof(bank32)},
        [BINS_OF_BINARY64] = {-1074, 2098 + 64, BANKS * sizeof(bank64)},
        [BINS_OF_PRODUCTS32] = {-1074, 2098 + 64, BANKS * sizeof(bank64)},
        [BINS_OF_PRODUCTS64] = {-2148, 4196 + 64, 1},
    };
    *bins = (struct bins){.of = of,
                          .least_normal = least_normal,
                          .unit = shapes[of].unit,
                          .limbs = (shapes[of].bits + 63) / 64,
                          .least_exponent = INT_MAX,
                          .largest_exponent = INT_MIN,
                          .first = FIELDS32};
    bins->counters = malloc(shapes[of].counters);
    if (!bins->counters)
        return out_of_memory("an exact sum");
    return OK;
}

void bins_free(struct bins *bins)
{
    free(bins->counters);
    bins->counters = NULL;
}

void bins_add(struct bins *bins, const void *x, const void *y, uint64_t n)
{
    switch (bins->of) {
    case BINS_OF_BINARY32:
        add32(bins, x, n);
        count_subnormals(bins, x, n);
        break;
    case BINS_OF_BINARY64:
        add64(bins, x, n);
        break;
    case BINS_OF_PRODUCTS32:
        add_products32(bins, x, y, n);
        break;
    case BINS_OF_PRODUCTS64:
        add_products64(bins, x, y, n);
        break;
    }
}

void bins_fold(struct bins *bins)
{
    if (bins->held == 0)
        return;
    if (bins->of == BINS_OF_BINARY32)
        fold32(bins);
    else
        fold64(bins);
    bins->held = 0;
}

void bins_merge(struct bins *into, const struct bins *from)
{
    for (int sign = 0; sign < 2; sign++) {
        add_limbs(into->totals[sign], from->totals[sign], into->limbs);
        into->infinities[sign] += from->infinities[sign];
    }
    into->nans += from->nans;
    into->negative_zeros += from->negative_zeros;
    into->subnormals += from->subnormals;
    into->max_abs = fmax(into->max_abs, from->max_abs);
    if (from->least_exponent <= from->largest_exponent) {
        note_exponents(into, from->least_exponent);
        note_exponents(into, from->largest_exponent);
    }
}

void bins_multiply(struct bins *bins, uint64_t times)
{
    for (int sign = 0; sign < 2; sign++) {
        multiply_limbs(bins->totals[sign], bins->limbs, times);
        bins->infinities[sign] *= times;
    }
    bins->nans *= times;
    bins->negative_zeros *= times;
    bins->subnormals *= times;
}

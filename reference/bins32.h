/* Counters of binary32; of bins.c alone.
 *
 * A counter counts terms from bit 48 up and sums their words below, so it holds 2^16 - 1 of them, 65,535: so many words
 * are less than 2^48, and their number fits into the 16 bits from there up.  One term more, and the number runs over.
 */

typedef uint32_t __attribute__((may_alias)) word32;

/* An index is the sign and the exponent field of a number. */
enum {
    FIELDS32 = 256,
    SKEW =
        8, /* counters between banks, so that a field has another cache set in each: a tenth faster on uniform data */
    COLUMNS = 16, /* exponents that are folded at a time */
};

typedef uint64_t bank32[2 * FIELDS32 + SKEW];

static const uint64_t one_term = (uint64_t)1 << 48, terms_most32 = 65535;
static const uint32_t sign32 = (uint32_t)1 << 31, least_normal32 = (uint32_t)1 << 23, infinite32 = (uint32_t)255 << 23;

/* ---- the least and the largest |x_i| of a block; NaNs are passed over ---- */

static void range32_from(const float *x, size_t i, size_t n, float *least, float *largest)
{
    for (; i < n; i++) {
        *largest = fabsf(x[i]) > *largest ? fabsf(x[i]) : *largest;
        *least = fabsf(x[i]) < *least ? fabsf(x[i]) : *least;
    }
}

#ifdef __SSE2__
/* gcc does not make these instructions of the loops above; their second operand is what a NaN leaves as it was. */
static void range32(const float *x, size_t n, float *least, float *largest)
{
    const __m128 sign = _mm_set1_ps(-0.0f), infinity = _mm_set1_ps(INFINITY), zero = _mm_setzero_ps();
    __m128 low[2] = {infinity, infinity}, high[2] = {zero, zero};
    float lows[8], highs[8];
    const size_t whole = n - n % 8;
    for (size_t i = 0; i < whole; i += 8)
        for (size_t k = 0; k < 2; k++) {
            const __m128 magnitude = _mm_andnot_ps(sign, _mm_loadu_ps(x + i + 4 * k));
            low[k] = _mm_min_ps(magnitude, low[k]);
            high[k] = _mm_max_ps(magnitude, high[k]);
        }
    for (size_t k = 0; k < 2; k++) {
        _mm_storeu_ps(lows + 4 * k, low[k]);
        _mm_storeu_ps(highs + 4 * k, high[k]);
    }
    *least = INFINITY;
    *largest = 0;
    range32_from(lows, 0, 8, least, &(float){0});
    range32_from(highs, 0, 8, &(float){0}, largest);
    range32_from(x, whole, n, least, largest);
}
#else
static void range32(const float *x, size_t n, float *least, float *largest)
{
    *least = INFINITY;
    *largest = 0;
    range32_from(x, 0, n, least, largest);
}
#endif

/* ---- counting ---- */

/* Element i goes to bank i mod BANKS: adding to a counter waits for the last store to it, and equal exponents follow
 * each other in real data. */
static void count32(bank32 *restrict banks, const word32 *x, size_t n)
{
    size_t i = 0;
    for (; i + BANKS <= n; i += BANKS) {
        __builtin_prefetch((const void *)((uintptr_t)(x + i) + BLOCK * sizeof *x)); /* perhaps beyond the data */
        for (size_t b = 0; b < BANKS; b++)
            banks[b][x[i + b] >> 23] += x[i + b] + one_term;
    }
    for (size_t b = 0; i < n; i++, b++)
        banks[b][x[i] >> 23] += x[i] + one_term;
}

/* Terms of an exponent field that are in the counters, of both signs. */
static uint64_t terms_of32(bank32 *banks, unsigned field)
{
    uint64_t terms = 0;
    for (size_t b = 0; b < BANKS; b++)
        terms += (banks[b][field] >> 48) + (banks[b][FIELDS32 + field] >> 48);
    return terms;
}

static void classify_zero_field32(struct bins *bins, const word32 *x, size_t n)
{
    uint32_t zeros = 0, subnormals = 0; /* as wide as the data, so that the loop vectorises */
    for (size_t i = 0; i < n; i++) {
        zeros += x[i] == sign32;
        subnormals += (x[i] & ~sign32) - 1 < least_normal32 - 1;
    }
    bins->negative_zeros += zeros;
    bins->subnormals += subnormals;
}

/* The largest |x| of the others. */
static float classify_last_field32(struct bins *bins, const word32 *x, size_t n)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t magnitude = x[i] & ~sign32;
        bins->nans += magnitude > infinite32;
        bins->infinities[0] += x[i] == infinite32;
        bins->infinities[1] += x[i] == (infinite32 | sign32);
        largest = magnitude < infinite32 && magnitude > largest ? magnitude : largest;
    }
    float value;
    memcpy(&value, &largest, sizeof value);
    return value;
}

#include "lanes32.h"

static unsigned field32(float magnitude)
{
    uint32_t word;
    memcpy(&word, &magnitude, sizeof word);
    return word >> 23;
}

/* At most BLOCK terms, and no more than the counters still hold. */
static void add_block32(struct bins *bins, const void *data, size_t n)
{
    bank32 *const banks = bins->counters;
    const word32 *const x = data;
    const unsigned last_field = FIELDS32 - 1;
    const uint64_t small_before = terms_of32(banks, 0), special_before = terms_of32(banks, last_field);
    float least, largest;
    range32(data, n, &least, &largest);
    count32(banks, x, n);
    const uint64_t small = terms_of32(banks, 0) - small_before;
    const uint64_t special = terms_of32(banks, last_field) - special_before;
    if (least > 0)
        bins->subnormals += small; /* what has the field 0 and is no 0 */
    else if (small > 0)
        classify_zero_field32(bins, x, n);
    if (special > 0)
        largest = classify_last_field32(bins, x, n);
    if (field32(least) < bins->first)
        bins->first = field32(least);
    if (field32(largest) > bins->last)
        bins->last = field32(largest);
    if ((double)largest > bins->max_abs)
        bins->max_abs = (double)largest;
}

static void add32(struct bins *bins, const void *data, uint64_t n)
{
    const uint64_t most = bins_fold_after ? bins_fold_after : terms_most32;
    const word32 *x = data;
    while (n > 0) {
        const uint64_t block = n < BLOCK ? n : BLOCK < most * BANKS ? BLOCK : most * BANKS;
        const uint64_t arriving = (block + BANKS - 1) / BANKS; /* in a bank */
        if (bins_fold_after > 0 || !add_close32(bins, (const float *)x, (size_t)block)) {
            if (bins->held + arriving > most)
                bins_fold(bins);
            if (bins->held == 0)
                memset(bins->counters, 0, BANKS * sizeof(bank32));
            add_block32(bins, x, (size_t)block);
            bins->held += arriving;
        }
        x += block;
        n -= block;
    }
}

/* The sign and exponent that stood in every word are taken away; the hidden bit, which normal words did not show, is
 * added. */
static uint64_t value32(const struct bins *bins, unsigned index)
{
    bank32 *const banks = bins->counters;
    uint64_t words = 0, terms = 0;
    for (size_t b = 0; b < BANKS; b++) {
        words += banks[b][index] & (one_term - 1);
        terms += banks[b][index] >> 48;
    }
    const uint64_t hidden = index % FIELDS32 == 0 ? 0 : least_normal32;
    return words - ((uint64_t)index << 23) * terms + hidden * terms;
}

/* The counters of one sign as one integer: long addition in which column k, bit k, is that of field k + 1; field 0 has
 * the exponent of field 1.  Four counters are less than 2^42, sixteen columns and the carry less than 2^59. */
static void fold_sign32(struct bins *bins, unsigned sign)
{
    uint64_t sum[BINS_LIMBS_MOST] = {0}, carry = value32(bins, sign * FIELDS32);
    if (carry > 0)
        note_exponents(bins, -126);
    const unsigned first = bins->first > 1 ? bins->first - 1 : 0;
    for (unsigned column = first / COLUMNS * COLUMNS; column < bins->last || carry > 0; column += COLUMNS) {
        uint64_t columns = 0;
        for (unsigned field = column + COLUMNS; field > column; field--) {
            const uint64_t value = field <= bins->last ? value32(bins, sign * FIELDS32 + field) : 0;
            if (value > 0)
                note_exponents(bins, (int)field - 127);
            columns = 2 * columns + value;
        }
        carry += columns;
        sum[column / 64] |= (carry & ((1 << COLUMNS) - 1)) << column % 64;
        carry >>= COLUMNS;
    }
    add_limbs(bins->totals[sign], sum, bins->limbs);
}

static void fold32(struct bins *bins)
{
    fold_sign32(bins, 0);
    fold_sign32(bins, 1);
    bins->first = FIELDS32;
    bins->last = 0;
}

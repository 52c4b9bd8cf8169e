/* Counters of binary64; of bins.c alone.
 *
 * A word has 64 bits, so that nothing fits above it in a counter of 64 bits.  What is added is the significand, and
 * where a counter runs over, once in 2,048 terms or less often, the carry goes to the total at once:
 *
 *   counter[w >> 52] += fraction of w + 2^52; total += 2^64 units of that counter if it ran over
 *
 *   4,096 times 1.5    w = 0x3ff8000000000000, significand 0x18000000000000 = 3 2^51, units 2^(1023 - 1075)
 *                      2,731 of them are more than 2^64: the total gets 2^64 units, which is 4096
 *                      4,096 of them are 3 2^63 units; 2^63 are left in the counter: 2048
 *
 * The banks have 128 KB, half of what counters of 128 bits would take.
 */

#define NAME(verb) verb##64
#define WORD uint64_t
#define REAL double
#define FRACTION_BITS 52
#define SUM wide
#include "bins_by_field.h"

enum {
    BLOCK64 = 1024, /* terms: 8 KB; two blocks and the counters in use fit the first cache */
    BYTES64 = BLOCK64 * sizeof(double),
    EIGHT = 8,    /* terms of a step through a block */
    RUN64 = 64,   /* terms that are looked at together for zeros and subnormals, which in some data are rare */
    AHEAD = 2048, /* bytes that are fetched before their range is looked for */
    PAGE = 4096,  /* bytes */
};

static const uint64_t sign64 = (uint64_t)1 << 63, hidden64 = (uint64_t)1 << 52, infinite64 = (uint64_t)2047 << 52;

/* ---- the least normal and the largest |x_i| of a block; NaNs are passed over ---- */

struct range64 {
    double least, largest; /* least: infinite if none is normal */
};

static void widen64(struct range64 *range, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double magnitude = fabs(x[i]);
        range->largest = magnitude > range->largest ? magnitude : range->largest;
        range->least = magnitude >= DBL_MIN && magnitude < range->least ? magnitude : range->least;
    }
}

#ifdef __SSE2__
/* gcc does not make these instructions of the loop above; their second operand is what a NaN leaves as it was. */
struct lanes64 {
    __m128d least[2], largest[2];
};

static struct lanes64 no_lanes64(void)
{
    const __m128d infinity = _mm_set1_pd(INFINITY), zero = _mm_setzero_pd();
    return (struct lanes64){{infinity, infinity}, {zero, zero}};
}

static inline void widen_lanes64(struct lanes64 *lanes, const double x[EIGHT])
{
    for (size_t k = 0; k < EIGHT / 2; k++) {
        const __m128d magnitude = _mm_andnot_pd(_mm_set1_pd(-0.0), _mm_loadu_pd(x + 2 * k));
        const __m128d small = _mm_cmplt_pd(magnitude, _mm_set1_pd(DBL_MIN)); /* all bits: with any number a NaN */
        lanes->least[k % 2] = _mm_min_pd(_mm_or_pd(magnitude, small), lanes->least[k % 2]);
        lanes->largest[k % 2] = _mm_max_pd(magnitude, lanes->largest[k % 2]);
    }
}

static struct range64 range_of_lanes64(const struct lanes64 *lanes)
{
    struct range64 range = {INFINITY, 0};
    double least[4], largest[4];
    for (size_t k = 0; k < 2; k++) {
        _mm_storeu_pd(least + 2 * k, lanes->least[k]);
        _mm_storeu_pd(largest + 2 * k, lanes->largest[k]);
    }
    for (size_t k = 0; k < 4; k++) {
        range.least = least[k] < range.least ? least[k] : range.least;
        range.largest = largest[k] > range.largest ? largest[k] : range.largest;
    }
    return range;
}
#else
struct lanes64 {
    struct range64 range;
};

static struct lanes64 no_lanes64(void)
{
    return (struct lanes64){{INFINITY, 0}};
}

static inline void widen_lanes64(struct lanes64 *lanes, const double x[EIGHT])
{
    widen64(&lanes->range, x, EIGHT);
}

static struct range64 range_of_lanes64(const struct lanes64 *lanes)
{
    return lanes->range;
}
#endif

/* Of x[0..n), whose whole eights the lanes have seen. */
static struct range64 with_the_rest64(const struct lanes64 *lanes, const double *x, size_t n)
{
    struct range64 range = range_of_lanes64(lanes);
    widen64(&range, x + (n - n % EIGHT), n % EIGHT);
    return range;
}

static struct range64 range64(const double *x, size_t n)
{
    struct lanes64 lanes = no_lanes64();
    for (size_t i = 0; i + EIGHT <= n; i += EIGHT)
        widen_lanes64(&lanes, x + i);
    return with_the_rest64(&lanes, x, n);
}

/* ---- counting ---- */

/* The indices of counters that ran over, none twice: a block adds less than 2^61 to each. */
struct over64 {
    size_t count;
    uint16_t indices[BLOCK64];
};

/* Prefetches may lie beyond the data. */
static inline void fetch64(const word64 *x, size_t bytes_behind)
{
    __builtin_prefetch((const void *)((uintptr_t)x + bytes_behind));
}

/* Counts x[0..n) and meanwhile, as nothing else uses the arithmetic of floating point, finds the range of the `next`
 * terms behind them: a tenth faster than one after the other.  Element i goes to bank i mod BANKS, as in bins32.h. */
static struct range64 count64(bank64 *restrict banks, const double *data, size_t n, size_t next,
                              struct over64 *restrict over)
{
    const word64 *const x = (const word64 *)data;
    const double *const behind = data + n;
    struct lanes64 lanes = no_lanes64();
    size_t ran_over = 0;
    /* The pages of the block after the next are looked up now, both at once: left to the lines, that takes 0.1 ns a
     * term of data that are in no cache. */
    for (size_t page = 0; page < BYTES64; page += PAGE)
        fetch64(x, 2 * BYTES64 + page);
    for (size_t i = 0; i < n; i += EIGHT) {
        fetch64(x + i, BYTES64 + AHEAD);
        if (i + EIGHT <= next)
            widen_lanes64(&lanes, behind + i);
        const size_t terms = n - i < EIGHT ? n - i : EIGHT;
        for (size_t k = 0; k < terms; k++) {
            const uint64_t index = x[i + k] >> 52, significand = (x[i + k] & (hidden64 - 1)) | hidden64;
            uint64_t *const counter = &banks[k % BANKS][index];
            if (__builtin_expect(__builtin_add_overflow(*counter, significand, counter), 0))
                over->indices[ran_over++] = (uint16_t)index;
        }
    }
    over->count = ran_over;
    return with_the_rest64(&lanes, behind, next);
}

/* 2^64 units of each counter that ran over. */
static void carry64(struct bins *bins, const struct over64 *over)
{
    for (size_t i = 0; i < over->count; i++) {
        const unsigned sign = over->indices[i] / FIELDS64, field = over->indices[i] % FIELDS64;
        add_shifted(bins->totals[sign], (wide)1 << 64, field - 1);
        note_exponents(bins, (int)field - 1 + bins->unit + 52);
    }
}

/* Of the terms of one sign and exponent, without what was carried. */
static wide value64(const struct bins *bins, unsigned index)
{
    bank64 *const banks = bins->counters;
    uint64_t sum = 0, carries = 0;
    for (size_t b = 0; b < BANKS; b++)
        carries += __builtin_add_overflow(sum, banks[b][index], &sum);
    return (wide)carries << 64 | sum;
}

/* ---- fields 0 and 2047: their counters are empty again after each block ---- */

static bool any_of64(bank64 *banks, unsigned field)
{
    uint64_t any = 0;
    for (size_t b = 0; b < BANKS; b++)
        any |= banks[b][field] | banks[b][FIELDS64 + field];
    return any != 0;
}

/* Zeros and subnormals. */
struct small64 {
    uint64_t zeros, negative_zeros, all, negative;
};

/* Nothing but additions and shifts, so that the loops vectorise: the difference of a smaller number and a larger one,
 * both below 2^63, has bit 63. */
static bool any_small64(const word64 *x, size_t n)
{
    uint64_t differences = 0;
    for (size_t i = 0; i < n; i++)
        differences |= (x[i] & ~sign64) - hidden64;
    return differences >> 63;
}

static void count_small64(struct small64 *small, const word64 *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint64_t magnitude = x[i] & ~sign64, negative = x[i] >> 63;
        const uint64_t is_zero = (magnitude - 1) >> 63, is_small = (magnitude - hidden64) >> 63;
        small->zeros += is_zero;
        small->negative_zeros += is_zero & negative;
        small->all += is_small;
        small->negative += is_small & negative;
    }
}

/* They have no hidden bit, but it was added. */
static void add_small64(struct bins *bins, const word64 *x, size_t n)
{
    struct small64 small = {0};
    for (size_t i = 0; i < n; i += RUN64) {
        const size_t run = n - i < RUN64 ? n - i : RUN64;
        if (any_small64(x + i, run))
            count_small64(&small, x + i, run);
    }
    const uint64_t of_sign[] = {small.all - small.negative, small.negative};
    bins->negative_zeros += small.negative_zeros;
    bins->subnormals += small.all - small.zeros;
    for (unsigned sign = 0; sign < 2; sign++) {
        const wide sum = value64(bins, sign * FIELDS64) - (wide)of_sign[sign] * hidden64;
        if (sum > 0) {
            add_shifted(bins->totals[sign], sum, 0);
            note_exponents(bins, bins->unit + 52);
        }
    }
    clear64(bins->counters, 0, 0);
}

/* Infinities and NaN. */
static void classify_specials64(struct bins *bins, const word64 *x, size_t n)
{
    uint64_t infinities = 0, negative_infinities = 0, special = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t magnitude = x[i] & ~sign64, negative = x[i] >> 63;
        const uint64_t is_infinite = ((magnitude ^ infinite64) - 1) >> 63;
        infinities += is_infinite;
        negative_infinities += is_infinite & negative;
        special += (magnitude + hidden64) >> 63;
    }
    bins->nans += special - infinities;
    bins->infinities[0] += infinities - negative_infinities;
    bins->infinities[1] += negative_infinities;
    clear64(bins->counters, FIELDS64 - 1, FIELDS64 - 1);
}

/* ---- blocks ---- */

/* Counts a block of this range; the result is the range of the `next` terms behind it. */
static struct range64 add_block64(struct bins *bins, struct range64 range, const double *data, size_t n, size_t next)
{
    const word64 *const x = (const word64 *)data;
    struct over64 over;
    make_room64(bins, range.least, range.largest);
    const struct range64 range_of_next = count64(bins->counters, data, n, next, &over);
    carry64(bins, &over);
    if (any_of64(bins->counters, 0))
        add_small64(bins, x, n);
    if (any_of64(bins->counters, FIELDS64 - 1)) {
        classify_specials64(bins, x, n);
        range.largest = largest_finite64(x, n);
    }
    if (range.largest > bins->max_abs)
        bins->max_abs = range.largest;
    return range_of_next;
}

static void add64(struct bins *bins, const double *x, uint64_t n)
{
    size_t block = n < BLOCK64 ? (size_t)n : BLOCK64;
    struct range64 range = range64(x, block);
    bins->held += n;
    while (n > 0) {
        n -= block;
        const size_t next = n < BLOCK64 ? (size_t)n : BLOCK64;
        range = add_block64(bins, range, x, block, next);
        x += block;
        block = next;
    }
}

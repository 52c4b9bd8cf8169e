/* Counters of binary64, which numbers of all kinds are added to; of bins.c alone.
 *
 * A number is m 2^(field - 1075), m its significand; subnormals have the field 1.  The sign and the top six bits of the
 * field name one of 128 cells, the other five say how far m is shifted there: m 2^shift < 2^84.  A cell has two words:
 *
 *   low += m 2^shift, modulo 2^64        high += m 2^shift / 2^42, rounded down
 *
 *   1.5    m = 3 2^51, field 1023 = 31 32 + 31:  3 2^82 in cell 31, low += 0, high += 3 2^40
 *
 * The sum T of n numbers m 2^shift is 2^42 high + R, where R, of n remainders below 2^42, is below 2^64 if n <= 2^22.
 * So R is low - 2^42 high modulo 2^64, and high, of n quotients below 2^42, has not run over either.  Nothing else is
 * needed of low, which may run over as often as it likes; nor need either word of a bank be right alone: what was added
 * to one may be taken away from another.
 *
 * Where the processor has AVX2, four numbers are shifted at a time, and their range is found meanwhile.
 */

typedef uint64_t __attribute__((may_alias)) word64;

enum {
    CELLS = 128,
    WIDTH = 32, /* exponent fields of a cell */
    SPLIT = 42, /* bits of a remainder */
    BLOCK64 = 4096,
    LANES64 = 4,
    FEW = 64,     /* terms that are counted one by one */
    AHEAD = 2048, /* bytes that are fetched before they are needed: 4 % less time at 2^17 terms, a seventh at 2^22 */
};

/* 64 bytes more than 2 KB: cells of two banks that are 4 KB apart would wait for each other. */
typedef uint64_t bank64[2 * CELLS + 8];

static const uint64_t terms_most64 = (uint64_t)1 << 22, sign64 = (uint64_t)1 << 63, hidden64 = (uint64_t)1 << 52;
static const unsigned infinite64 = 2047;

static word64 word_of(double x)
{
    word64 word;
    memcpy(&word, &x, sizeof word);
    return word;
}

static unsigned field64(word64 word)
{
    return word >> 52 & infinite64;
}

static void note_magnitude(struct bins *bins, word64 magnitude)
{
    const unsigned field = field64(magnitude);
    double value;
    memcpy(&value, &magnitude, sizeof value);
    note_exponents(bins, (int)(field > 0 ? field : 1) - 1023);
    bins->max_abs = value > bins->max_abs ? value : bins->max_abs;
}

/* One by one, and whatever they are. */
static void count64(struct bins *bins, const double *x, size_t n)
{
    bank64 *const banks = bins->counters;
    uint64_t least_less_1 = UINT64_MAX, largest = 0, negative_zeros = 0, subnormals = 0;
    for (size_t i = 0; i < n; i++) {
        const word64 word = word_of(x[i]), magnitude = word & ~sign64, fraction = word & (hidden64 - 1);
        const unsigned field = field64(word), is_normal = field > 0, shift = (field + !is_normal) % WIDTH;
        const uint64_t significand = fraction | (uint64_t)is_normal << 52;
        uint64_t *const cell = &banks[i % BANKS][word >> 56 & 0xfe];
        if (field == infinite64) {
            bins->nans += fraction != 0;
            bins->infinities[word >> 63] += fraction == 0;
            continue;
        }
        cell[0] += significand << shift;
        cell[1] += significand >> (SPLIT - shift);
        negative_zeros += word == sign64;
        subnormals += !is_normal && fraction > 0;
        least_less_1 = magnitude - 1 < least_less_1 ? magnitude - 1 : least_less_1; /* zeros are passed over */
        largest = magnitude > largest ? magnitude : largest;
    }
    bins->negative_zeros += negative_zeros;
    bins->subnormals += subnormals;
    if (largest > 0) {
        note_magnitude(bins, least_less_1 + 1);
        note_magnitude(bins, largest);
    }
}

#if defined __SSE2__ && defined __x86_64__

/* What a block is beside its sum. */
struct seen64 {
    double least, largest;                 /* least: normal; INFINITY: there is none */
    uint64_t small, zeros, negative_zeros; /* small: zeros and subnormals */
    bool special;                          /* an infinity or a NaN is there */
};

struct lanes64 {
    __m256d least, largest;
    __m256i high, small, zeros;
};

__attribute__((target("avx2"))) static void range_of_lanes64(const struct lanes64 *lanes, struct seen64 *seen)
{
    double least[LANES64], largest[LANES64];
    _mm256_storeu_pd(least, lanes->least);
    _mm256_storeu_pd(largest, lanes->largest);
    seen->least = INFINITY;
    seen->largest = 0;
    for (size_t k = 0; k < LANES64; k++) {
        seen->least = least[k] < seen->least ? least[k] : seen->least;
        seen->largest = largest[k] > seen->largest ? largest[k] : seen->largest;
    }
}

__attribute__((target("avx2"))) static struct seen64 seen_by_lanes64(const struct lanes64 *lanes)
{
    uint64_t high[LANES64], small[LANES64], zeros[LANES64];
    struct seen64 seen = {0};
    range_of_lanes64(lanes, &seen);
    _mm256_storeu_si256((__m256i *)(void *)high, lanes->high);
    _mm256_storeu_si256((__m256i *)(void *)small, lanes->small);
    _mm256_storeu_si256((__m256i *)(void *)zeros, lanes->zeros);
    for (size_t k = 0; k < LANES64; k++) {
        seen.small += small[k];
        seen.zeros += zeros[k] % 2048;
        seen.negative_zeros += zeros[k] / 2048;
        seen.special |= high[k] >> 52 == infinite64;
    }
    return seen;
}

/* The second operand of min and max is what a NaN leaves as it was. */
__attribute__((target("avx2"))) static inline void widen64(struct lanes64 *lanes, __m256d least, __m256d largest)
{
    lanes->least = _mm256_min_pd(least, lanes->least);
    lanes->largest = _mm256_max_pd(largest, lanes->largest);
}

__attribute__((target("avx2"))) static inline void add_pair64(uint64_t *bank, word64 word, __m128i pair)
{
    __m128i *const cell = (__m128i *)(void *)(bank + (word >> 56 & 0xfe));
    _mm_store_si128(cell, _mm_add_epi64(_mm_load_si128(cell), pair));
}

_Static_assert(BLOCK64 / LANES64 < 2048, "a lane counts zeros in 11 bits, and negative ones above them");

/* n a multiple of the lanes.  Unless small ones are expected they get a hidden bit, too, and their least |x| says that
 * there are any. */
__attribute__((target("avx2"), always_inline)) static inline struct seen64 count_lanes64(bank64 *banks, const double *x,
                                                                                         size_t n, bool small)
{
    const word64 *const words = (const word64 *)x;
    const __m256i fractions = _mm256_set1_epi64x((1LL << 52) - 1), hidden = _mm256_set1_epi64x(1LL << 52);
    const __m256i shifts = _mm256_set1_epi64x(WIDTH - 1), split = _mm256_set1_epi64x(SPLIT);
    const __m256i zero = _mm256_setzero_si256();
    struct lanes64 lanes = {_mm256_set1_pd(INFINITY), _mm256_setzero_pd(), zero, zero, zero};
    for (size_t i = 0; i < n; i += LANES64) {
        const __m256i word = _mm256_loadu_si256((const __m256i *)(const void *)(x + i));
        __builtin_prefetch((const void *)((uintptr_t)(x + i) + AHEAD)); /* perhaps beyond the data */
        const __m256i magnitude = _mm256_andnot_si256(_mm256_set1_epi64x(INT64_MIN), word);
        const __m256d size = _mm256_castsi256_pd(magnitude);
        __m256i field = _mm256_srli_epi64(word, 52), normal = hidden;
        __m256d least = size;
        if (small) {
            const __m256d is_small = _mm256_cmp_pd(size, _mm256_set1_pd(DBL_MIN), _CMP_LT_OQ);
            const __m256i minus_one = _mm256_castpd_si256(is_small), is_zero = _mm256_cmpeq_epi64(magnitude, zero);
            normal = _mm256_andnot_si256(minus_one, hidden);
            field = _mm256_sub_epi64(field, minus_one);
            least = _mm256_or_pd(size, is_small); /* a NaN */
            lanes.small = _mm256_sub_epi64(lanes.small, minus_one);
            lanes.zeros = _mm256_add_epi64(lanes.zeros, _mm256_and_si256(is_zero, field)); /* 1, or 2049 */
        }
        widen64(&lanes, least, size);
        lanes.high = _mm256_max_epu32(lanes.high, magnitude);
        const __m256i significand = _mm256_or_si256(_mm256_and_si256(word, fractions), normal);
        const __m256i shift = _mm256_and_si256(field, shifts);
        const __m256i low = _mm256_sllv_epi64(significand, shift);
        const __m256i high = _mm256_srlv_epi64(significand, _mm256_sub_epi64(split, shift));
        const __m256i even = _mm256_unpacklo_epi64(low, high), odd = _mm256_unpackhi_epi64(low, high);
        add_pair64(banks[0], words[i], _mm256_castsi256_si128(even));
        add_pair64(banks[1], words[i + 1], _mm256_castsi256_si128(odd));
        add_pair64(banks[2], words[i + 2], _mm256_extracti128_si256(even, 1));
        add_pair64(banks[3], words[i + 3], _mm256_extracti128_si256(odd, 1));
    }
    return seen_by_lanes64(&lanes);
}

/* Counts what the lanes took for a normal number, and takes away what they added.  Inlined, it would take the registers
 * of the loop that looks for such. */
__attribute__((target("avx2"), noinline)) static void mend_one64(struct bins *bins, const double *x)
{
    const word64 word = word_of(*x);
    const uint64_t significand = (word & (hidden64 - 1)) | hidden64;
    const unsigned shift = field64(word) % WIDTH;
    uint64_t *const cell = &((bank64 *)bins->counters)[0][word >> 56 & 0xfe];
    cell[0] -= significand << shift;
    cell[1] -= significand >> (SPLIT - shift);
    count64(bins, x, 1);
}

/* Mends specials and, unless they were expected, small ones, and finds the range of the others. */
__attribute__((target("avx2"))) static void mend64(struct bins *bins, const double *x, size_t n, bool small,
                                                   struct seen64 *seen)
{
    struct lanes64 lanes = {.least = _mm256_set1_pd(INFINITY), .largest = _mm256_setzero_pd()};
    for (size_t i = 0; i < n; i += LANES64) {
        const __m256d size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), _mm256_loadu_pd(x + i));
        const __m256d special = _mm256_cmp_pd(size, _mm256_set1_pd(DBL_MAX), _CMP_NLE_UQ);
        const __m256d odd = _mm256_or_pd(special, _mm256_cmp_pd(size, _mm256_set1_pd(DBL_MIN), _CMP_LT_OQ));
        widen64(&lanes, _mm256_or_pd(size, odd), _mm256_andnot_pd(special, size));
        for (int left = _mm256_movemask_pd(small ? special : odd); left > 0; left &= left - 1)
            mend_one64(bins, x + i + __builtin_ctz((unsigned)left));
    }
    range_of_lanes64(&lanes, seen);
}

/* Whether some of the first numbers are small. */
__attribute__((target("avx2"))) static bool expects_small64(const double *x)
{
    __m256d least = _mm256_set1_pd(INFINITY);
    for (size_t i = 0; i < FEW; i += LANES64)
        least = _mm256_min_pd(_mm256_andnot_pd(_mm256_set1_pd(-0.0), _mm256_loadu_pd(x + i)), least);
    return _mm256_movemask_pd(_mm256_cmp_pd(least, _mm256_set1_pd(DBL_MIN), _CMP_LT_OQ)) != 0;
}

__attribute__((target("avx2"))) static void add_lanes64(struct bins *bins, const double *x, size_t n)
{
    const bool small = expects_small64(x);
    struct seen64 seen = small ? count_lanes64(bins->counters, x, n, true) : count_lanes64(bins->counters, x, n, false);
    if (seen.special || (!small && seen.least < DBL_MIN))
        mend64(bins, x, n, small, &seen);
    const uint64_t subnormals = seen.small - seen.zeros;
    bins->negative_zeros += seen.negative_zeros;
    bins->subnormals += subnormals;
    if (subnormals > 0)
        note_exponents(bins, -1022);
    if (seen.least < INFINITY)
        note_magnitude(bins, word_of(seen.least));
    if (seen.largest > 0)
        note_magnitude(bins, word_of(seen.largest));
}

/* How many were counted. */
static size_t try_lanes64(struct bins *bins, const double *x, size_t n)
{
    const size_t whole = n - n % BANKS;
    if (n < FEW || !__builtin_cpu_supports("avx2"))
        return 0;
    add_lanes64(bins, x, whole);
    return whole;
}
#else
static size_t try_lanes64(struct bins *bins, const double *x, size_t n)
{
    (void)bins, (void)x, (void)n;
    return 0;
}
#endif

static void add64(struct bins *bins, const double *x, uint64_t n)
{
    const uint64_t most = bins_fold_after ? bins_fold_after : terms_most64;
    while (n > 0) {
        const uint64_t block = n < BLOCK64 ? n : BLOCK64;
        if (bins->held + block > most)
            bins_fold(bins);
        if (bins->held == 0)
            memset(bins->counters, 0, BANKS * sizeof(bank64));
        bins->held += block;
        const size_t counted = try_lanes64(bins, x, (size_t)block);
        count64(bins, x + counted, (size_t)block - counted);
        x += block;
        n -= block;
    }
}

/* All banks of a cell. */
static wide value64(const bank64 *banks, unsigned cell)
{
    uint64_t low = 0, high = 0;
    for (unsigned b = 0; b < BANKS; b++) {
        low += banks[b][2 * cell];
        high += banks[b][2 * cell + 1];
    }
    return ((wide)high << SPLIT) + (low - (high << SPLIT));
}

/* The cells of each sign as one integer: long addition, in which cell c begins at bit 32 c.  Its unit is 2^-1075; no
 * bit is there below that of the totals. */
static void fold64(struct bins *bins)
{
    const bool any = bins->least_exponent <= bins->largest_exponent;
    const unsigned first = any ? (unsigned)(bins->least_exponent + 1023) / WIDTH : CELLS / 2;
    const unsigned last = any ? (unsigned)(bins->largest_exponent + 1023) / WIDTH : 0;
    const unsigned limb = (unsigned)(bins->unit + 1075) / 64, bit = (unsigned)(bins->unit + 1075) % 64;
    uint64_t sums[2][CELLS / 4 + 4] = {{0}};
    wide carries[2] = {0, 0};
    unsigned cell = first;
    for (; cell <= last || carries[0] > 0 || carries[1] > 0; cell++)
        for (unsigned sign = 0; sign < 2; sign++) {
            carries[sign] += cell <= last ? value64(bins->counters, sign * CELLS / 2 + cell) : 0;
            sums[sign][cell / 2] |= (uint64_t)(carries[sign] & UINT32_MAX) << cell % 2 * WIDTH;
            carries[sign] >>= WIDTH;
        }
    for (unsigned sign = 0; sign < 2; sign++) {
        const uint64_t *const sum = sums[sign] + limb;
        wide carry = 0;
        for (unsigned i = first / 2 > limb ? first / 2 - limb - 1 : 0; i + limb <= cell / 2 || carry > 0; i++) {
            carry += (wide)bins->totals[sign][i] + (sum[i] >> bit | sum[i + 1] << 1 << (63 - bit));
            bins->totals[sign][i] = (uint64_t)carry;
            carry >>= 64;
        }
    }
}

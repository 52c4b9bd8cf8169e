/* Blocks of binary32 whose exponents lie close together, where the processor has AVX2; of bins.c alone.
 *
 * A sum of multiples of 2^u whose magnitudes together are at most 2^(u + 53) is a binary64, and so is every sum on the
 * way to it: nothing is rounded, in whatever order and rounding mode.  A block is added up in eight lanes, 256 terms in
 * each at most.  Let f be the exponent field of its least |x|, g that of its largest.  All x are multiples of a
 * unit, 2^(f - 150), and less than 2^(g - 126), which is 2^(24 + g - f) units:
 *
 *   256 2^(24 + g - f) <= 2^53        if g - f <= 21
 *
 *   1 and -0.75    f = 126, g = 127, units of 2^-24; the lanes' sums are 2^22 of them, of magnitudes 7 2^22
 *                  P = (7 + 1) 2^22 / 2 = 2^24, N = (7 - 1) 2^22 / 2 = 3 2^22
 *
 * Sums, f and g are found in one pass, which is believed only if g - f <= 21 and no zero, subnormal, infinity or NaN is
 * there.  Otherwise the block goes to the counters; after each further one in a row, as data are alike, more do
 * untried, up to 15.
 */

enum { LANES = 8, FIELDS_APART_MOST = 53 - 24 - 8, MISSES_MOST = 4 };
_Static_assert(BLOCK <= 256 * LANES, "a lane gets 256 terms at most");

int bins_fields_apart_most = FIELDS_APART_MOST;

#if defined __SSE2__ && defined __x86_64__

struct lanes32 {
    uint32_t least, largest; /* |x|, as words */
    double sums[LANES], sums_abs[LANES];
};

/* The last terms, less than one for each lane. */
static void add_rest32(struct lanes32 *lanes, const float *x, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        uint32_t word;
        memcpy(&word, &x[k], sizeof word);
        word &= ~sign32;
        lanes->least = word < lanes->least ? word : lanes->least;
        lanes->largest = word > lanes->largest ? word : lanes->largest;
        lanes->sums[k] += (double)x[k];
        lanes->sums_abs[k] += fabs((double)x[k]);
    }
}

__attribute__((target("avx2"))) static uint32_t least_of32(__m256i words)
{
    __m128i least = _mm_min_epu32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    least = _mm_min_epu32(least, _mm_shuffle_epi32(least, 0x4e));
    return (uint32_t)_mm_cvtsi128_si32(_mm_min_epu32(least, _mm_shuffle_epi32(least, 0xb1)));
}

/* Twice four lanes of each sum: with more, gcc 12 runs out of registers. */
__attribute__((target("avx2"))) static void add_whole32(struct lanes32 *lanes, const float *x, size_t n)
{
    const __m256i magnitude = _mm256_set1_epi32(INT32_MAX);
    const __m256d sign = _mm256_set1_pd(-0.0);
    __m256i least = _mm256_set1_epi32(-1), largest = _mm256_setzero_si256();
    __m256d low = _mm256_setzero_pd(), high = low, low_abs = low, high_abs = low;
    for (size_t i = 0; i + LANES <= n; i += LANES) {
        const __m256i words = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(const void *)(x + i)), magnitude);
        const __m256d first = _mm256_cvtps_pd(_mm_loadu_ps(x + i)), second = _mm256_cvtps_pd(_mm_loadu_ps(x + i + 4));
        least = _mm256_min_epu32(least, words);
        largest = _mm256_max_epu32(largest, words);
        low = _mm256_add_pd(low, first);
        high = _mm256_add_pd(high, second);
        low_abs = _mm256_add_pd(low_abs, _mm256_andnot_pd(sign, first));
        high_abs = _mm256_add_pd(high_abs, _mm256_andnot_pd(sign, second));
    }
    lanes->least = least_of32(least);
    lanes->largest = ~least_of32(_mm256_xor_si256(largest, _mm256_set1_epi32(-1)));
    _mm256_storeu_pd(lanes->sums, low);
    _mm256_storeu_pd(lanes->sums + 4, high);
    _mm256_storeu_pd(lanes->sums_abs, low_abs);
    _mm256_storeu_pd(lanes->sums_abs + 4, high_abs);
}

static void take_sums32(struct bins *bins, const struct lanes32 *lanes, unsigned first)
{
    const double units = ldexp(1, 150 - (int)first); /* in 1 */
    int64_t sum = 0, sum_abs = 0;
    for (size_t k = 0; k < LANES; k++) {
        sum += (int64_t)(lanes->sums[k] * units);
        sum_abs += (int64_t)(lanes->sums_abs[k] * units);
    }
    add_shifted(bins->totals[0], (wide)(sum_abs + sum) / 2, first - 1);
    add_shifted(bins->totals[1], (wide)(sum_abs - sum) / 2, first - 1);
}

/* Whether a block could be added in this way. */
static bool add_close32(struct bins *bins, const float *x, size_t n)
{
    struct lanes32 lanes;
    if (bins->untried > 0) {
        bins->untried--;
        return false;
    }
    if (!__builtin_cpu_supports("avx2"))
        return false;
    add_whole32(&lanes, x, n);
    add_rest32(&lanes, x + (n - n % LANES), n % LANES);
    const unsigned first = lanes.least >> 23, last = lanes.largest >> 23;
    if (first < 1 || last > FIELDS32 - 2 || (int)(last - first) > bins_fields_apart_most) {
        bins->untried = (1U << bins->misses) - 1;
        bins->misses += bins->misses < MISSES_MOST;
        return false;
    }
    bins->misses = 0;
    float largest;
    memcpy(&largest, &lanes.largest, sizeof largest);
    bins->max_abs = fmax(bins->max_abs, (double)largest);
    note_exponents(bins, (int)first - 127);
    note_exponents(bins, (int)last - 127);
    take_sums32(bins, &lanes, first);
    return true;
}

#else
static bool add_close32(struct bins *bins, const float *x, size_t n)
{
    (void)bins, (void)x, (void)n;
    return false;
}
#endif

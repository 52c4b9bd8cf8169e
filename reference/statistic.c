#include "statistic.h"

#include "odd.h"
#include "src/base/format.h"
#include "src/base/workers.h"

#include <float.h>
#include <math.h>

/* ---- the sums that each is made of ---- */

enum { X = EXACT_X, Y, XX, XY, YY, PARTS };

static const struct statistic {
    unsigned parts, finite; /* which there are, and which must be finite: of the others the last formula makes an Inf */
    unsigned over;          /* the numerator's */
    bool is_root, has_mean;
} statistics[] = {
    [EXACT_MEAN] = {1 << X, 0, X, false, true},
    [EXACT_MEAN_SQUARE] = {1 << X | 1 << XX, 0, XX, false, false},
    [EXACT_RMS] = {1 << X | 1 << XX, 0, XX, true, false},
    [EXACT_VARIANCE] = {1 << X | 1 << XX, 1 << XX, XX, false, true},
    [EXACT_STD] = {1 << X | 1 << XX, 1 << XX, XX, true, true},
    [EXACT_MEAN_WEIGHTED] = {1 << XY | 1 << Y, 1 << Y, XY, false, false},
    [EXACT_COSINE] = {1 << XY | 1 << XX | 1 << YY, 1 << XX | 1 << YY, XY, true, false},
};

static bool has_spread(enum exact_statistic of)
{
    return of == EXACT_VARIANCE || of == EXACT_STD;
}

struct data {
    const struct format *format;
    struct exact_how how;
    const void *x, *y;
    uint64_t period, n; /* period < n: repeated */
};

unsigned exact_statistic_parts(enum exact_statistic of)
{
    return statistics[of].parts | (unsigned)statistics[of].has_mean << EXACT_ENDS;
}

static enum status sum_part(const struct data *data, unsigned part, struct exact_sum *sum)
{
    const void *const first = part == Y || part == YY ? data->y : data->x;
    const void *const second = part == XX ? data->x : data->y;
    if (data->period < data->n)
        return part <= Y ? exact_sum_repeated(data->format, first, data->period, data->n, sum)
                         : exact_dot_repeated(data->format, first, second, data->period, data->n, sum);
    return part <= Y ? exact_sum_how(data->format, data->how, first, data->n, sum)
                     : exact_dot(data->format, data->how, first, second, data->n, sum);
}

static void free_parts(struct exact_sum parts[PARTS])
{
    for (unsigned p = 0; p < PARTS; p++)
        exact_free(&parts[p]);
}

static enum status sum_parts(const struct data *data, unsigned wanted, struct exact_sum parts[PARTS])
{
    enum status status = OK;
    for (unsigned p = 0; p < PARTS && status == OK; p++)
        if (wanted >> p & 1)
            status = sum_part(data, p, &parts[p]);
    if (status != OK)
        free_parts(parts);
    return status;
}

/* A divisor that is 0, n and N aside. */
static bool divides_by_zero(enum exact_statistic of, const struct exact_sum parts[PARTS])
{
    return (of == EXACT_MEAN_WEIGHTED && mpfr_zero_p(parts[Y].sum)) ||
           (of == EXACT_COSINE && (mpfr_zero_p(parts[XX].sum) || mpfr_zero_p(parts[YY].sum)));
}

static enum exact_kind kind_of(enum exact_statistic of, uint64_t ddof, uint64_t n, const struct exact_sum parts[PARTS])
{
    if (n == 0 || (has_spread(of) && n <= ddof) || divides_by_zero(of, parts))
        return EXACT_NAN;
    for (unsigned p = 0; p < PARTS; p++)
        if (statistics[of].finite >> p & 1 && parts[p].kind != EXACT_FINITE)
            return EXACT_NAN;
    return parts[statistics[of].over].kind;
}

/* ---- what is divided ---- */

/* |a / b| in binary64, up or down: twice up, where it is subnormal, is up once. */
static double quotient(const mpfr_t a, const mpfr_t b, mpfr_rnd_t direction)
{
    mpfr_t quotient;
    mpfr_init2(quotient, DBL_MANT_DIG);
    mpfr_div(quotient, a, b, direction == MPFR_RNDU ? MPFR_RNDA : MPFR_RNDZ);
    mpfr_abs(quotient, quotient, MPFR_RNDN);
    const double value = mpfr_get_d(quotient, direction);
    mpfr_clear(quotient);
    return value;
}

/* The value is numerator / denominator, its scale likewise; or the roots of both. */
struct quotients {
    mpfr_t numerator, scale, denominator;
    bool is_root, is_negative; /* what a root does not say */
};

static void copy(int *rounded, mpfr_t result, const mpfr_t value)
{
    mpfr_init2(result, exact_bits(value));
    *rounded |= mpfr_set(result, value, MPFR_RNDN);
}

static void make_quotients(int *rounded, enum exact_statistic of, uint64_t ddof, uint64_t n,
                           const struct exact_sum parts[PARTS], struct quotients *quotients)
{
    const struct exact_sum *const over = &parts[statistics[of].over];
    mpfr_t count, other;
    *quotients = (struct quotients){.is_root = statistics[of].is_root};
    exact_set_count(count, n);
    if (has_spread(of)) {
        exact_multiply(rounded, quotients->scale, count, over->sum);
        exact_multiply(rounded, other, parts[X].sum, parts[X].sum);
        exact_subtract(rounded, quotients->numerator, quotients->scale, other);
        mpfr_clear(other);
        exact_set_count(other, n - ddof);
        exact_multiply(rounded, quotients->denominator, count, other);
        mpfr_clear(other);
    } else if (of == EXACT_COSINE) {
        quotients->is_negative = mpfr_signbit(over->sum) != 0;
        exact_multiply(rounded, quotients->numerator, over->sum, over->sum);
        exact_multiply(rounded, quotients->scale, over->sum_abs, over->sum_abs);
        exact_multiply(rounded, quotients->denominator, parts[XX].sum, parts[YY].sum);
    } else {
        copy(rounded, quotients->numerator, over->sum);
        copy(rounded, quotients->scale, over->sum_abs);
        copy(rounded, quotients->denominator, of == EXACT_MEAN_WEIGHTED ? parts[Y].sum : count);
    }
    mpfr_clear(count);
}

static void free_quotients(struct quotients *quotients)
{
    mpfr_clears(quotients->numerator, quotients->scale, quotients->denominator, (mpfr_ptr)0);
}

/* The denominators cancel; a scale over 0 is infinite.  128 bits: a middle of two numbers has 54, its square 108. */
static double condition_of(const struct quotients *quotients)
{
    mpfr_t condition;
    if (mpfr_cmpabs(quotients->scale, quotients->numerator) == 0)
        return 1;
    mpfr_init2(condition, 128);
    (void)odd_quotient(condition, quotients->scale, quotients->numerator, false);
    if (quotients->is_root)
        (void)odd_rounded(condition, mpfr_sqrt(condition, condition, MPFR_RNDZ));
    const double value = fabs(mpfr_get_d(condition, MPFR_RNDN));
    mpfr_clear(condition);
    return value;
}

/* ---- what bounds take ---- */

/* The ends of x, by their words: flipped where they are negative, they are integers of the same order.
 * AVX2 has 0.07 ns a number of binary32 and 0.2 of binary64; without, 0.25 and 0.9. */
#define EXTREMES_OF(name, real, word, attributes)                                                                      \
    attributes static struct exact_ends name(const void *x, uint64_t n)                                                \
    {                                                                                                                  \
        const word magnitude = (word)((~(uint64_t)0 >> 1) >> (64 - 8 * sizeof(word)));                                 \
        word least = magnitude, largest = -magnitude - 1;                                                              \
        real numbers[2];                                                                                               \
        for (uint64_t i = 0; i < n; i++) {                                                                             \
            word key;                                                                                                  \
            memcpy(&key, (const real *)x + i, sizeof key);                                                             \
            key ^= key < 0 ? magnitude : 0;                                                                            \
            least = key < least ? key : least;                                                                         \
            largest = key > largest ? key : largest;                                                                   \
        }                                                                                                              \
        least ^= least < 0 ? magnitude : 0;                                                                            \
        largest ^= largest < 0 ? magnitude : 0;                                                                        \
        memcpy(&numbers[0], &least, sizeof least);                                                                     \
        memcpy(&numbers[1], &largest, sizeof largest);                                                                 \
        return (struct exact_ends){(double)*(const real *)x, (double)numbers[0], (double)numbers[1]};                  \
    }
EXTREMES_OF(extremes32, float, int32_t, )
EXTREMES_OF(extremes64, double, int64_t, )

#if defined __SSE2__ && defined __x86_64__
EXTREMES_OF(wide_extremes32, float, int32_t, __attribute__((target("avx2"))))
EXTREMES_OF(wide_extremes64, double, int64_t, __attribute__((target("avx2"))))

static struct exact_ends extremes_of(const struct format *held, const void *x, uint64_t n)
{
    const bool is_wide = held->bytes == sizeof(double);
    if (__builtin_cpu_supports("avx2"))
        return (is_wide ? wide_extremes64 : wide_extremes32)(x, n);
    return (is_wide ? extremes64 : extremes32)(x, n);
}
#else
static struct exact_ends extremes_of(const struct format *held, const void *x, uint64_t n)
{
    return (held->bytes == sizeof(double) ? extremes64 : extremes32)(x, n);
}
#endif

struct range_search {
    const struct format *held;
    const char *x;
    uint64_t n;
    unsigned workers;
    struct exact_ends *found; /* one of each worker */
};

static void search_part(void *context, unsigned worker)
{
    const struct range_search *search = context;
    const uint64_t share = search->n / search->workers;
    const uint64_t from = worker * share, n = worker + 1 == search->workers ? search->n - from : share;
    search->found[worker] = extremes_of(search->held, search->x + from * search->held->bytes, n);
}

enum { WORKERS_MOST = 64, NUMBERS_OF_A_WORKER = 1 << 18 };

struct exact_ends exact_ends_of(const struct format *format, unsigned workers, const void *x, uint64_t n)
{
    const uint64_t useful = n / NUMBERS_OF_A_WORKER;
    struct exact_ends found[WORKERS_MOST];
    struct range_search search = {format_held(format), x, n, 1, found};
    while (search.workers < workers && search.workers < useful && search.workers < WORKERS_MOST)
        search.workers++;
    workers_run(search.workers, search_part, &search);
    for (unsigned w = 1; w < search.workers; w++) {
        found->least = found[w].least < found->least ? found[w].least : found->least;
        found->largest = found[w].largest > found->largest ? found[w].largest : found->largest;
    }
    return found[0];
}

/* max - min, rounded up. */
static double range_of(const struct exact_ends *ends)
{
    mpfr_t range;
    mpfr_init2(range, DBL_MANT_DIG);
    mpfr_set_d(range, ends->largest, MPFR_RNDN);
    mpfr_sub_d(range, range, ends->least, MPFR_RNDU);
    const double value = mpfr_get_d(range, MPFR_RNDU);
    mpfr_clear(range);
    return value;
}

/* |x_0 - s/n| */
static double first_offset(int *rounded, double x, const mpfr_t count, const mpfr_t sum)
{
    mpfr_t first, times, offset;
    mpfr_init2(first, DBL_MANT_DIG);
    mpfr_set_d(first, x, MPFR_RNDN);
    exact_multiply(rounded, times, first, count);
    exact_subtract(rounded, offset, times, sum);
    const double value = quotient(offset, count, MPFR_RNDU);
    mpfr_clears(first, times, offset, (mpfr_ptr)0);
    return value;
}

static void moments_of_one(int *rounded, enum exact_statistic of, uint64_t n, const struct exact_sum parts[PARTS],
                           const struct exact_ends *ends, const struct quotients *quotients, struct moments *moments)
{
    mpfr_t count;
    exact_set_count(count, n);
    moments->sum_abs = parts[X].sum_abs_above;
    moments->abs_sum = parts[X].abs_above;
    moments->max_abs = parts[X].max_abs;
    if (statistics[of].has_mean) {
        moments->abs_mean = quotient(parts[X].sum, count, MPFR_RNDU);
        moments->range = range_of(ends);
        moments->first_offset = first_offset(rounded, ends->first, count, parts[X].sum);
    }
    if (has_spread(of)) {
        moments->centred = quotient(quotients->numerator, count, MPFR_RNDU);
        moments->centred_below = quotient(quotients->numerator, count, MPFR_RNDD);
    }
    mpfr_clear(count);
}

static void moments_of_sums(const struct exact_sum parts[PARTS], struct moments *moments)
{
    if (parts[XX].format) {
        moments->sum_squares = parts[XX].abs_above;
        moments->sum_squares_below = mpfr_get_d(parts[XX].sum, MPFR_RNDD);
    }
    if (parts[XY].format) {
        moments->sum_products_abs = parts[XY].sum_abs_above;
        moments->abs_products = parts[XY].abs_above;
    }
    if (parts[YY].format) {
        moments->sum_squares_2 = parts[YY].abs_above;
        moments->sum_squares_2_below = mpfr_get_d(parts[YY].sum, MPFR_RNDD);
    }
    if (parts[Y].format) {
        moments->weights_below = fabs(mpfr_get_d(parts[Y].sum, MPFR_RNDZ));
        moments->sum_weights_abs = parts[Y].sum_abs_above;
        moments->negative_weights = !mpfr_equal_p(parts[Y].sum, parts[Y].sum_abs);
    }
}

struct moments no_moments(uint64_t n)
{
    double fields[sizeof(struct moments) / sizeof(double)];
    struct moments moments;
    mpfr_t count;
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        fields[f] = NAN;
    memcpy(&moments, fields, sizeof moments);
    exact_set_count(count, n);
    moments.n = mpfr_get_d(count, MPFR_RNDU);
    mpfr_clear(count);
    return moments;
}

/* ---- the statistic ---- */

static void set_sums(const struct quotients *quotients, struct exact_sum *exact)
{
    const mpfr_prec_t one = odd_bits(quotients->numerator, quotients->denominator, quotients->is_root),
                      other = odd_bits(quotients->scale, quotients->denominator, quotients->is_root);
    mpfr_set_prec(exact->sum, one > other ? one : other);
    mpfr_set_prec(exact->sum_abs, one > other ? one : other);
    exact->is_rounded = odd_quotient(exact->sum, quotients->numerator, quotients->denominator, quotients->is_root);
    exact->sum_abs_is_rounded =
        odd_quotient(exact->sum_abs, quotients->scale, quotients->denominator, quotients->is_root);
    mpfr_abs(exact->sum_abs, exact->sum_abs, MPFR_RNDN);
    if (quotients->is_negative)
        mpfr_neg(exact->sum, exact->sum, MPFR_RNDN);
    exact->condition = condition_of(quotients);
}

static void set_not_finite(enum exact_statistic of, const struct exact_sum parts[PARTS], struct exact_sum *exact)
{
    mpfr_set_nan(exact->sum_abs);
    if (exact->kind == EXACT_NAN)
        mpfr_set_nan(exact->sum);
    else
        mpfr_set_inf(exact->sum, mpfr_sgn(parts[statistics[of].over].sum) *
                                     (of == EXACT_MEAN_WEIGHTED ? mpfr_sgn(parts[Y].sum) : 1));
    exact->condition = NAN;
}

/* *exact has the counts of x, or of the products, and is freed after a failure. */
static enum status conclude(enum exact_statistic of, uint64_t ddof, uint64_t n, const struct exact_sum parts[PARTS],
                            const struct exact_ends *ends, struct exact_sum *exact, struct moments *moments)
{
    int rounded = 0;
    *moments = no_moments(n);
    exact->kind = kind_of(of, ddof, n, parts);
    if (exact->kind == EXACT_FINITE) {
        struct quotients quotients;
        make_quotients(&rounded, of, ddof, n, parts, &quotients);
        set_sums(&quotients, exact);
        moments_of_sums(parts, moments);
        if (parts[X].format)
            moments_of_one(&rounded, of, n, parts, ends, &quotients, moments);
        free_quotients(&quotients);
    } else {
        set_not_finite(of, parts, exact);
    }
    exact->nearest = exact_round(exact->sum, exact->format);
    exact->ulp = exact_ulp(exact->sum, exact->format);
    exact->abs_above = fabs(mpfr_get_d(exact->sum, MPFR_RNDA));
    exact->sum_abs_above = mpfr_get_d(exact->sum_abs, MPFR_RNDU);
    if (rounded == 0)
        return OK;
    exact_free(exact);
    return not_measured("the exact reference rounded in a statistic: its precision is too small; this is a bug, please "
                        "report it with the data");
}

enum status exact_statistic_of_sums(enum exact_statistic of, uint64_t ddof, uint64_t n,
                                    struct exact_sum sums[EXACT_SUMS], const struct exact_ends *ends,
                                    struct exact_sum *exact, struct moments *moments)
{
    for (unsigned p = 0; p < PARTS; p++)
        if (sums[p].format) {
            exact_shorten(sums[p].sum);
            exact_shorten(sums[p].sum_abs);
        }
    *exact = sums[sums[X].format ? X : XY];
    mpfr_inits2(DBL_MANT_DIG, exact->sum, exact->sum_abs, (mpfr_ptr)0);
    const enum status status = conclude(of, ddof, n, sums, ends, exact, moments);
    free_parts(sums);
    return status;
}

static enum status make(enum exact_statistic of, uint64_t ddof, const struct data *data, struct exact_sum *exact,
                        struct moments *moments)
{
    struct exact_sum parts[PARTS] = {0};
    struct exact_ends ends = {0};
    *exact = (struct exact_sum){0};
    TRY(sum_parts(data, statistics[of].parts, parts));
    if (statistics[of].has_mean && data->n > 0 && parts[X].kind == EXACT_FINITE)
        ends = exact_ends_of(data->format, data->how.workers, data->x, data->period < data->n ? data->period : data->n);
    return exact_statistic_of_sums(of, ddof, data->n, parts, &ends, exact, moments);
}

enum status exact_statistic(enum exact_statistic of, uint64_t ddof, const struct format *format, struct exact_how how,
                            const void *x, const void *y, uint64_t n, struct exact_sum *exact, struct moments *moments)
{
    const struct data data = {format, how, x, y, n, n};
    return make(of, ddof, &data, exact, moments);
}

enum status exact_statistic_repeated(enum exact_statistic of, uint64_t ddof, const struct format *format, const void *x,
                                     const void *y, uint64_t period, uint64_t n, struct exact_sum *exact,
                                     struct moments *moments)
{
    const struct data data = {format, {0}, x, y, period, n};
    return make(of, ddof, &data, exact, moments);
}

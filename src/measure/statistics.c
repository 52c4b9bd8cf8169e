#include "statistics.h"

#include "reference/exact.h"

#include <assert.h>
#include <math.h>

/* ---- sorting: a radix sort of the bits, four times as fast as qsort ---- */

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, PASSES = (64 + DIGIT_BITS - 1) / DIGIT_BITS };

/* Integers that are ordered as the numbers are, with every NaN, which becomes one, behind them. */
static uint64_t key_of(double value)
{
    const uint64_t bits = isnan(value) ? UINT64_C(0x7ff8000000000000) : double_bits(value);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double value_of(uint64_t key)
{
    return double_from_bits(key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key);
}

static unsigned digit_of(uint64_t key, unsigned pass)
{
    return (unsigned)(key >> (pass * DIGIT_BITS)) & (DIGITS - 1);
}

/* From `keys` to `sorted`, by one digit; keys of one digit keep their order. */
static void sort_by_digit(const uint64_t *keys, uint64_t *sorted, size_t count, unsigned pass)
{
    size_t next[DIGITS] = {0}, before = 0;
    for (size_t i = 0; i < count; i++)
        next[digit_of(keys[i], pass)]++;
    for (int digit = 0; digit < DIGITS; digit++) {
        const size_t here = next[digit];
        next[digit] = before;
        before += here;
    }
    for (size_t i = 0; i < count; i++)
        sorted[next[digit_of(keys[i], pass)]++] = keys[i];
}

static int by_value_nan_last(const void *left, const void *right)
{
    const uint64_t a = key_of(*(const double *)left), b = key_of(*(const double *)right);
    return (a > b) - (a < b);
}

/* Few values are sorted faster by qsort, and all where memory is short. */
static void sort(double *values, size_t count)
{
    uint64_t *keys = count < DIGITS ? NULL : calloc(2 * count, sizeof *keys);
    if (!keys) {
        qsort(values, count, sizeof *values, by_value_nan_last);
        return;
    }
    static_assert(PASSES % 2 == 0, "the last pass writes where the first one read");
    for (size_t i = 0; i < count; i++)
        keys[i] = key_of(values[i]);
    for (unsigned pass = 0; pass < PASSES; pass++)
        sort_by_digit(keys + (pass % 2) * count, keys + (1 - pass % 2) * count, count, pass);
    for (size_t i = 0; i < count; i++)
        values[i] = value_of(keys[i]);
    free(keys);
}

/* ---- what they say ---- */

int error_order(double a, double b)
{
    if (isnan(a) || isnan(b))
        return (isnan(a) != 0) - (isnan(b) != 0);
    return (a > b) - (a < b);
}

/* Nearest rank: index ceil(q count) - 1, in integers. */
static double quantile(const double *sorted, size_t count, size_t percent)
{
    const size_t rank = (count * percent + 99) / 100;
    return sorted[rank == 0 ? 0 : rank - 1];
}

/* Rounded once.  Frees the sum. */
static double quotient_of(struct exact_sum *exact, uint64_t count)
{
    mpfr_t quotient;
    mpfr_init2(quotient, 53);
    mpfr_div_ui(quotient, exact->sum, count, MPFR_RNDN);
    const double rounded = mpfr_get_d(quotient, MPFR_RNDN);
    mpfr_clear(quotient);
    exact_free(exact);
    return rounded;
}

static double mean_of(const double *values, size_t count)
{
    struct exact_sum exact;
    if (exact_sum(&FORMAT_BINARY64, values, count, &exact) != OK)
        memory_end();
    return quotient_of(&exact, count);
}

/* ---- what a quantile may be ---- */

/* How likely it is that k + 1 of n values are below the quantile, as a multiple of k: libm has no part in the ranks. */
static double next_weight(size_t n, size_t k, double below)
{
    return (double)(n - k) / (double)(k + 1) * below / (1 - below);
}

/* From 1 on; 0 and n + 1: none is low, or high, enough.  Weights are relative to the likeliest count. */
static void ranks_around(size_t n, unsigned percent, size_t *low, size_t *high)
{
    static const double NOTHING = 1e-20, TAIL = 0.025;
    const double below = percent / 100.0;
    const size_t mode = (n + 1) * percent / 100 < n ? (n + 1) * percent / 100 : n;
    size_t first = mode, last = mode;
    double all = 1, left = 1, right = 1, tail = 0;
    for (; first > 0 && left > NOTHING; all += left)
        left /= next_weight(n, --first, below);
    for (; last < n && right > NOTHING; all += right)
        right *= next_weight(n, last++, below);
    for (*low = first; (tail += left) <= TAIL * all; left *= next_weight(n, (*low)++, below))
        ;
    tail = 0;
    for (*high = last + 1; (tail += right) <= TAIL * all; right /= next_weight(n, --*high - 1, below))
        ;
}

static double number_of(double value)
{
    return isnan(value) ? (double)INFINITY : value;
}

struct interval statistics_interval(const double *sorted, size_t count, size_t repeats, unsigned percent)
{
    const size_t draws = count / repeats;
    size_t low, high;
    ranks_around(draws, percent, &low, &high);
    return (struct interval){low > 0 ? number_of(sorted[(low - 1) * repeats]) : (double)NAN,
                             high <= draws ? number_of(sorted[high * repeats - 1]) : (double)NAN};
}

/* ---- of values that occur several times ---- */

struct weighted {
    double value;
    uint64_t weight;
};

static int by_weighted_value(const void *left, const void *right)
{
    return by_value_nan_last(&((const struct weighted *)left)->value, &((const struct weighted *)right)->value);
}

/* As quantile() of the list in which each value stands as often as it occurs. */
static double weighted_quantile(const struct weighted *sorted, uint64_t total, uint64_t percent)
{
    const uint64_t rank = total / 100 * percent + (total % 100 * percent + 99) / 100;
    uint64_t passed = sorted->weight;
    while (passed < rank)
        passed += (++sorted)->weight;
    return sorted->value;
}

/* The exact sum of value times weight: a dot product, whose weights are exact up to 2^53. */
double statistics_weighted_mean(const double *values, const uint64_t *weights, size_t count)
{
    struct exact_sum exact;
    uint64_t total = 0;
    OWNED double *factors = memory_cleared(count, sizeof *factors);
    for (size_t i = 0; i < count; i++) {
        factors[i] = (double)weights[i];
        total += weights[i];
    }
    if (exact_dot(&FORMAT_BINARY64, (struct exact_how){0}, values, factors, count, &exact) != OK)
        memory_end();
    return quotient_of(&exact, total);
}

static struct statistics weighted_statistics(const double *values, const uint64_t *weights, size_t count)
{
    uint64_t total = 0;
    OWNED struct weighted *sorted = memory_cleared(count, sizeof *sorted);
    for (size_t i = 0; i < count; i++) {
        sorted[i] = (struct weighted){values[i], weights[i]};
        total += weights[i];
    }
    qsort(sorted, count, sizeof *sorted, by_weighted_value);
    const struct statistics statistics = {
        .min = sorted[0].value,
        .p50 = weighted_quantile(sorted, total, 50),
        .p90 = weighted_quantile(sorted, total, 90),
        .p99 = weighted_quantile(sorted, total, 99),
        .max = sorted[count - 1].value,
        .mean = statistics_weighted_mean(values, weights, count),
    };
    return statistics;
}

/* ---- of any ---- */

struct statistics statistics_of(double *values, const uint64_t *weights, size_t count)
{
    if (count == 0)
        return (struct statistics){NAN, NAN, NAN, NAN, NAN, NAN};
    if (weights)
        return weighted_statistics(values, weights, count);
    sort(values, count);
    return (struct statistics){
        .min = values[0],
        .p50 = quantile(values, count, 50),
        .p90 = quantile(values, count, 90),
        .p99 = quantile(values, count, 99),
        .max = values[count - 1],
        .mean = mean_of(values, count),
    };
}

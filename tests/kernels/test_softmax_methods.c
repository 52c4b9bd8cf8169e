/* Softmax and its like: what each method computes, operation by operation, written down once more.  exp and log are
 * MPFR's where they are rounded to 24 bits or fewer. */
#include "kernels/statistic.h"
#include "src/base/elementary.h"
#include "src/base/format.h"
#include "tests/support/methods.h"
#include "tests/support/random.h"

#include <mpfr.h>

enum { MOST = 700, ROUNDS = 12 };

struct numbers {
    const struct format *format;
    uint64_t n;
    double x[MOST], y[MOST];
    float x32[MOST], y32[MOST];
};

static const struct launch launch = {3, 32};

static double drawn(void)
{
    return (double)(next_random() >> 11) * 0x1p-53;
}

static void put(struct numbers *numbers, uint64_t i, double x)
{
    numbers->x[i] = rounded_to(x, numbers->format);
    numbers->x32[i] = (float)numbers->x[i];
    numbers->y[i] = rounded_to(drawn(), numbers->format);
    numbers->y32[i] = (float)numbers->y[i];
}

/* Small and large ones, close to each other and far from 0, some of them masked. */
static void fill(struct numbers *numbers, const struct format *format, bool masks)
{
    static const double scales[] = {1, 4, 60, 0.01};
    const double scale = scales[below(COUNT_OF(scales))], offset = below(3) ? 0 : 40 * drawn() - 20;
    const bool is_masked = masks && !format->finite_only && below(2);
    numbers->format = format;
    numbers->n = below(4) ? 1 + below(20) : 1 + below(200);
    for (uint64_t i = 0; i < numbers->n; i++)
        put(numbers, i, is_masked && below(2) ? -(double)INFINITY : offset + scale * (2 * drawn() - 1));
}

static struct operands operands_of(const struct numbers *numbers, enum operation operation)
{
    const bool is_wide = format_held(numbers->format)->bytes == sizeof(double);
    return (struct operands){
        numbers->format,
        operation,
        {is_wide ? (const void *)numbers->x : numbers->x32, is_wide ? (const void *)numbers->y : numbers->y32},
        shape_of_one(numbers->n)};
}

static uint64_t take_bits(const struct method *method, const struct numbers *numbers, uint64_t *bits)
{
    const struct operands of = operands_of(numbers, method->operation);
    assert_int_equal(method_replay(method, &of, launch, 1, bits), OK);
    return operation_results(method->operation, of.shape);
}

/* ---- the model ---- */

enum wrong { NOTHING, NO_MAXIMUM, UNROUNDED_ARGUMENT, ROUNDED_TWICE, LOG_FIRST, FORGETS_RESCALING, WRONGS };

struct model {
    const struct method *sums; /* A(): its sum of numbers of the format that is added, as binary64; NULL: online */
    const struct format *added, *formula;
    enum wrong wrong;
};

typedef int by_mpfr(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding);

/* Rounded to odd, then once more. */
static double of_mpfr(by_mpfr *f, double x, const struct format *format)
{
    mpfr_t value;
    mpfr_init2(value, 53);
    mpfr_set_d(value, x, MPFR_RNDN);
    const int off = f(value, value, MPFR_RNDZ);
    double rounded = mpfr_get_d(value, MPFR_RNDN);
    uint64_t bits = double_bits(rounded);
    if (off != 0 && isfinite(rounded) && bits % 2 == 0)
        rounded = double_from_bits(bits + 1);
    mpfr_clear(value);
    return rounded_to(rounded, format);
}

static double exp_in(const struct format *format, double x)
{
    return format->precision == 53 || isnan(x) ? exp_any(x) : of_mpfr(mpfr_exp, x, format);
}

/* log_any() is within 4 of 2^53, and rounding it could differ where MPFR's rounds elsewhere: binary64 is its own. */
static double log_in(const struct format *format, double x)
{
    return format->precision == 53 || !(x > 0) ? log_any(x) : of_mpfr(mpfr_log, x, format);
}

static double fast_exp_in(const struct format *format, double x)
{
    const double y = x * 0x1.71547652b82fep+0;
    return rounded_to(y < -126 ? 0 : y <= 126 ? (double)exp2_of(EXP2_SHIFT + y) : x, format);
}

static double sum_of(const struct model *model, enum operation operation, const struct format *stored, const double *x,
                     const double *y, uint64_t n)
{
    struct method method = *model->sums;
    float x32[MOST], y32[MOST];
    for (uint64_t i = 0; i < n; i++)
        x32[i] = (float)x[i], y32[i] = (float)(y ? y[i] : 0);
    method.operation = operation;
    method.sum_format = sum_format_of(stored, model->added);
    method.format = &FORMAT_BINARY64;
    const bool is_wide = format_held(stored)->bytes == sizeof(double);
    const struct operands of = {
        stored, operation, {is_wide ? (const void *)x : x32, is_wide ? (const void *)y : y32}, shape_of_one(n)};
    uint64_t bits;
    assert_int_equal(method_replay(&method, &of, launch, 1, &bits), OK);
    return format_value(&FORMAT_BINARY64, bits);
}

/* In one loop; {0, -inf}: nothing yet. */
static double online_sum(const struct model *model, const struct numbers *of)
{
    const struct format *in = model->added;
    double most = -(double)INFINITY, sum = 0;
    for (uint64_t i = 0; i < of->n; i++) {
        const double x = of->x[i];
        if (x == -(double)INFINITY)
            continue;
        if (sum == 0)
            sum = 1;
        else if (x >= most)
            sum = rounded_to(
                rounded_to(sum * (model->wrong == FORGETS_RESCALING ? 1 : exp_in(in, rounded_to(most - x, in))), in) +
                    1,
                in);
        else
            sum = rounded_to(exp_in(in, rounded_to(x - most, in)) + sum, in);
        most = x > most ? x : most;
    }
    return sum;
}

static double sum_of_exponentials(const struct model *model, const struct statistic *statistic,
                                  const struct numbers *of, double from)
{
    const struct format *added = model->added;
    double terms[MOST];
    if (statistic->algorithm == BY_ONLINE)
        return online_sum(model, of);
    for (uint64_t i = 0; i < of->n; i++) {
        const double z = of->x[i] - from, rounded = model->wrong == UNROUNDED_ARGUMENT ? z : rounded_to(z, added);
        terms[i] = statistic->algorithm == BY_FAST_EXP ? fast_exp_in(added, rounded) : exp_in(added, rounded);
        if (model->wrong == ROUNDED_TWICE)
            terms[i] = rounded_to(rounded_to(exp_any(rounded), &FORMAT_BFLOAT16), added);
    }
    return sum_of(model, OPERATION_sum, added, terms, NULL, of->n);
}

static void take_values(const struct model *model, const struct statistic *statistic, const struct numbers *of,
                        double *values)
{
    const struct format *in = model->formula;
    double most = -(double)INFINITY;
    for (uint64_t i = 0; i < of->n; i++)
        most = of->x[i] > most ? of->x[i] : most;
    const double from = statistic->algorithm == BY_EXP || model->wrong == NO_MAXIMUM ? 0 : most;
    const double undefined = statistic->algorithm == BY_ONLINE && isinf(most) ? (double)NAN : 0;
    const double sum = sum_of_exponentials(model, statistic, of, from) + undefined, log_sum = log_in(in, sum),
                 lse = rounded_to(from + log_sum, in);
    const bool by_lse = statistic->algorithm == BY_LOGSUMEXP;
    if (statistic->of == LOGSUMEXP)
        values[0] = lse;
    else if (statistic->of == CROSS_ENTROPY)
        values[0] = rounded_to(rounded_to(lse * sum_of(model, OPERATION_sum, of->format, of->y, NULL, of->n), in) -
                                   sum_of(model, OPERATION_dot, of->format, of->x, of->y, of->n),
                               in);
    for (uint64_t i = 0; i < of->n && statistic->normalizes; i++) {
        const double z = rounded_to(of->x[i] - (by_lse ? lse : from), in);
        const double e = statistic->algorithm == BY_FAST_EXP ? fast_exp_in(in, z) : exp_in(in, z);
        values[i] = statistic->of == SOFTMAX    ? (by_lse ? e : rounded_to(e / sum, in))
                    : by_lse                    ? z
                    : model->wrong == LOG_FIRST ? rounded_to(of->x[i] - lse, in)
                                                : rounded_to(z - log_sum, in);
    }
}

/* ---- bits ---- */

static const char *const methods[] = {"plain/serial",
                                      "plain/tree_two_pass",
                                      "kahan/pairwise",
                                      "neumaier/blocked",
                                      "binary64/tree_two_pass",
                                      "superacc/shuffle_two_pass",
                                      "double_float/strided_serial"};

static size_t differing(const struct method *method, const struct numbers *numbers, const double *expected, bool tells)
{
    uint64_t bits[MOST];
    size_t differ = 0;
    const uint64_t results = take_bits(method, numbers, bits);
    for (uint64_t i = 0; i < results; i++) {
        const double value = rounded_to(expected[i], method->format);
        const bool same = format_same(method->format, bits[i], format_bits(method->format, value));
        if (!same && tells && differ == 0)
            print_message("%s, n = %llu, result %llu: %a, expected %a\n", method->id, (unsigned long long)numbers->n,
                          (unsigned long long)i, format_value(method->format, bits[i]), value);
        differ += !same;
    }
    return differ;
}

static size_t compare(enum wrong wrong, size_t *compared)
{
    static struct numbers numbers;
    size_t differ = 0;
    seed_random(7);
    for (int operation = FIRST_STATISTIC; operation < (int)VECTOR_OPERATIONS; operation++) {
        const struct statistic *statistic = statistic_of((enum operation)operation);
        const bool is_online = statistic->algorithm == BY_ONLINE;
        for (int f = 0; f < SUM_FORMATS && statistic->algorithm >= BY_EXP; f++)
            for (size_t m = 0; m < (is_online ? 1 : COUNT_OF(methods)); m++) {
                const struct method *sums = method_in(method_find(methods[m]), sum_formats[f]);
                const struct method *method = sums ? method_of_operation(sums, (enum operation)operation) : NULL;
                if (!method)
                    continue;
                const struct format *added = sum_formats[f]->added;
                const bool is_wide = strncmp(methods[m], "binary64", 8) == 0 ||
                                     (strncmp(methods[m], "superacc", 8) == 0 && added->precision == 24);
                const struct model model = {sums, added, is_wide ? &FORMAT_BINARY64 : added, wrong};
                for (int round = 0; round < ROUNDS; round++) {
                    double values[MOST];
                    fill(&numbers, sum_formats[f]->stored, statistic->of != CROSS_ENTROPY);
                    take_values(&model, statistic, &numbers, values);
                    differ += differing(method, &numbers, values, wrong == NOTHING && differ < 10);
                    *compared += statistic->normalizes ? numbers.n : 1;
                }
            }
    }
    return differ;
}

static void a_softmax_is_its_sums_and_its_formula(void **state)
{
    size_t compared = 0, twins = 0;
    (void)state;
    assert_int_equal(compare(NOTHING, &compared), 0);
    print_message("%zu results compared\n", compared);
    assert_true(compared > 100000);
    for (enum wrong wrong = NO_MAXIMUM; wrong < WRONGS; wrong++) {
        const size_t differ = compare(wrong, &twins);
        print_message("twin %d: %zu differ\n", wrong, differ);
        assert_true(differ > 100);
    }
}

/* ---- merges ---- */

struct state {
    double most, sum;
};

static struct state merged(struct state a, struct state b, const struct format *in)
{
    if (a.sum == 0 || b.sum == 0)
        return a.sum == 0 ? b : a;
    const struct state high = b.most >= a.most ? b : a, low = b.most >= a.most ? a : b;
    const double scaled = rounded_to(low.sum * exp_in(in, rounded_to(low.most - high.most, in)), in);
    return (struct state){high.most, rounded_to(scaled + high.sum, in)};
}

static struct state halved(const struct numbers *of, uint64_t first, uint64_t n, const struct format *in)
{
    const struct state empty = {-(double)INFINITY, 0}, one = {of->x[first], 1};
    if (n == 1)
        return one.most == empty.most ? empty : one;
    return merged(halved(of, first, n / 2, in), halved(of, first + n / 2, n - n / 2, in), in);
}

static void a_split_softmax_rescales_the_smaller_side(void **state)
{
    static struct numbers numbers;
    size_t compared = 0, differ = 0, twins = 0;
    (void)state;
    seed_random(11);
    for (int f = 0; f < SUM_FORMATS; f++) {
        char id[128];
        snprintf(id, sizeof id, "logsumexp.online:plain/pairwise_1@%s", sum_formats[f]->id);
        const struct method *method = method_find(id);
        for (int round = 0; method && round < 60; round++) {
            const struct format *added = sum_formats[f]->added;
            fill(&numbers, sum_formats[f]->stored, true);
            const struct state all = halved(&numbers, 0, numbers.n, added);
            double value = rounded_to(all.most + log_in(added, all.sum), added);
            value = all.sum == 0 ? (double)NAN : value;
            differ += differing(method, &numbers, &value, true);
            compared++;
            if (all.sum == 0)
                continue;
            value = rounded_to(all.most + log_in(added, online_sum(&(struct model){.added = added}, &numbers)), added);
            twins += differing(method, &numbers, &value, false);
        }
    }
    assert_true(compared > 500);
    assert_int_equal(differ, 0);
    assert_true(twins > 20); /* in one loop */
}

/* ---- known numbers ---- */

static void take_results(const char *id, const struct numbers *numbers, double *results)
{
    uint64_t bits[MOST];
    const struct method *method = method_find(id);
    assert_non_null(method);
    const uint64_t count = take_bits(method, numbers, bits);
    for (uint64_t i = 0; i < count; i++)
        results[i] = format_value(method->format, bits[i]);
}

static void a_row_of_bfloat16_sums_to_2(void **state)
{
    static struct numbers numbers = {.format = &FORMAT_BFLOAT16, .n = 512};
    double p[MOST], sum = 0;
    (void)state;
    for (uint64_t i = 0; i < numbers.n; i++)
        put(&numbers, i, 1.5);
    for (int online = 0; online < 2; online++) {
        take_results(online ? "softmax.online:plain/serial@bfloat16_in_bfloat16"
                            : "softmax.shifted:plain/serial@bfloat16_in_bfloat16",
                     &numbers, p);
        sum = 0;
        for (uint64_t i = 0; i < numbers.n; i++) {
            assert_true(p[i] == 1. / 256);
            sum += p[i];
        }
        assert_true(sum == 2);
    }
    take_results("softmax.shifted:plain/serial@bfloat16", &numbers, p); /* the twin */
    assert_true(p[0] == 1. / 512);
}

/* ---- edges ---- */

static double result_of(const char *id, const double *x, uint64_t n, uint64_t i)
{
    static struct numbers numbers = {.format = &FORMAT_BINARY32};
    double results[MOST];
    numbers.n = n;
    for (uint64_t k = 0; k < n; k++) {
        put(&numbers, k, x[k]);
        numbers.y32[k] = k == 0;
    }
    take_results(id, &numbers, results);
    return results[i];
}

#define INF ((double)INFINITY)

static void masks_and_what_is_not_defined(void **state)
{
    static const struct {
        double x[3];
        uint64_t n;
        double lse, p, log_p; /* of x_0 */
    } rows[] = {
        {{3, -INF, -INF}, 3, 3, 1, 0},
        {{-INF, 3, -INF}, 3, 3, 0, -INF},
        {{-INF, 3, 3}, 3, 0x1.d8b90cp+1, 0, -INF},
        {{-INF, -INF, -INF}, 3, NAN, NAN, NAN},
        {{-INF, 0, 0}, 1, NAN, NAN, NAN},
        {{NAN, 3, -INF}, 3, NAN, NAN, NAN},
        {{3, NAN, 5}, 3, NAN, NAN, NAN},
        {{1e30, 0, -1e30}, 3, 1e30f, 1, 0},
        {{-1e30, 0, 0}, 3, 0x1.62e43p-1, 0, -1e30f},
    };
    static const char *const algorithms[] = {"shifted", "online", "naive", "fast", "division_free", "from_lse"};
    size_t compared = 0;
    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++)
        for (size_t a = 0; a < COUNT_OF(algorithms); a++)
            for (int order = 0; order < 3; order++) {
                static const struct {
                    const char *name;
                    int part;
                } operations[] = {{"logsumexp", 0}, {"softmax", 1}, {"log_softmax", 2}};
                for (size_t o = 0; o < COUNT_OF(operations); o++) {
                    char id[128];
                    snprintf(id, sizeof id, "%s.%s:plain/%s", operations[o].name, algorithms[a],
                             order == 0   ? "serial"
                             : order == 1 ? "pairwise_1"
                                          : "tree_two_pass");
                    const double of_row[] = {rows[r].lse, rows[r].p, rows[r].log_p}, expected = of_row[o];
                    const bool is_beyond =
                        strcmp(algorithms[a], "naive") == 0 && (fabs(rows[r].x[0]) == 1e30 || r == 3 || r == 4);
                    if (!method_find(id) || is_beyond)
                        continue;
                    const double result = result_of(id, rows[r].x, rows[r].n, 0);
                    if (!(result == expected || (isnan(result) && isnan(expected))))
                        fail_msg("%s, row %zu: %a, expected %a", id, r, result, expected);
                    compared++;
                }
            }
    print_message("%zu results compared\n", compared);
    assert_true(compared > 250);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_softmax_is_its_sums_and_its_formula),
        cmocka_unit_test(a_split_softmax_rescales_the_smaller_side),
        cmocka_unit_test(a_row_of_bfloat16_sums_to_2),
        cmocka_unit_test(masks_and_what_is_not_defined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

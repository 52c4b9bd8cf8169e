/* Means, variances and their like: what each method computes, operation by operation, written down once more. */
#include "kernels/statistic.h"
#include "reference/normalization.h"
#include "src/base/format.h"
#include "tests/support/methods.h"
#include "tests/support/random.h"

enum { MOST = 200, ROUNDS = 40 };

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

/* Numbers around an offset, often far from 0, with a spread of their own; positive weights. */
static void fill(struct numbers *numbers, const struct format *format)
{
    const double offset = below(2) ? ldexp(1, (int)below((uint64_t)format->precision)) : 0;
    const double scale = below(4) ? 1 : 0x1p-9; /* of squares that are no larger than eps */
    numbers->format = format;
    numbers->n = below(4) ? 1 + below(20) : 1 + below(MOST - 1);
    for (uint64_t i = 0; i < numbers->n; i++) {
        numbers->x[i] = rounded_to(scale * (offset + 4 * drawn() - 2), format);
        numbers->y[i] = rounded_to(0.25 + drawn(), format);
        numbers->x32[i] = (float)numbers->x[i];
        numbers->y32[i] = (float)numbers->y[i];
    }
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

/* How many results there are: bits[MOST]. */
static uint64_t take_bits(const struct method *method, const struct numbers *numbers, uint64_t *bits)
{
    const struct operands of = operands_of(numbers, method->operation);
    assert_int_equal(method_replay(method, &of, launch, 1, bits), OK);
    return operation_results(method->operation, of.shape);
}

/* How many results of a method are not these, each of which is rounded once more. */
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

/* ---- the model ---- */

/* What a test can get wrong on purpose. */
enum wrong {
    NOTHING,
    COUNT_OF_A_SAMPLE,
    UNROUNDED_FORMULA,
    UNROUNDED_TERMS,
    NO_EPS, /* from here on of what is normalized alone */
    EPS_AS_IT_IS,
    DIVIDED,
    WRONGS
};

struct model {
    const struct method *sums; /* A(): its sum of numbers of the format that is added, as binary64 */
    const struct format *added, *formula;
    enum wrong wrong;
};

static double in(const struct model *model, double value)
{
    return model->wrong == UNROUNDED_FORMULA ? value : rounded_to(value, model->formula);
}

static double term(const struct model *model, double value)
{
    return model->wrong == UNROUNDED_TERMS ? value : rounded_to(value, model->added);
}

/* A(terms), of numbers stored in `stored`. */
static double sum_of(const struct model *model, const struct format *stored, const double *terms, uint64_t n)
{
    struct method method = *model->sums;
    float narrow[MOST];
    for (uint64_t i = 0; i < n; i++)
        narrow[i] = (float)terms[i];
    method.sum_format = sum_format_of(stored, model->added);
    method.format = &FORMAT_BINARY64;
    const bool is_wide = format_held(stored)->bytes == sizeof(double);
    const struct operands of = operands_of_sum(stored, is_wide ? (const void *)terms : narrow, n);
    uint64_t bits;
    assert_int_equal(method_replay(&method, &of, launch, 1, &bits), OK);
    return format_value(&FORMAT_BINARY64, bits);
}

/* Sums of products, whose terms are made of what is stored, in its order: of a launch that reads numbers one by one. */
static double products(const struct model *model, const double *x, const double *y, uint64_t n)
{
    double terms[MOST];
    for (uint64_t i = 0; i < n; i++)
        terms[i] = rounded_to(x[i] * y[i], model->added);
    return sum_of(model, model->added, terms, n);
}

static double offsets(const struct model *model, const struct numbers *of, double c, bool squared)
{
    double terms[MOST];
    for (uint64_t i = 0; i < of->n; i++) {
        const double d = term(model, of->x[i] - c);
        terms[i] = rounded_to(squared ? d * d : d, model->added);
    }
    return sum_of(model, model->added, terms, of->n);
}

static double variance(const struct model *model, enum statistic_algorithm algorithm, const struct numbers *of,
                       double n, double left, bool of_sample)
{
    const double *x = of->x, s = sum_of(model, of->format, x, of->n), mean = in(model, s / n);
    const double c = algorithm == BY_SHIFTED ? x[0] : rounded_to(mean, model->added);
    if (algorithm == BY_TEXTBOOK) {
        const double v = in(model, in(model, products(model, x, x, of->n) / n) - in(model, mean * mean));
        return of_sample ? in(model, in(model, v * n) / left) : v;
    }
    if (algorithm == BY_TWO_PASS)
        return in(model, offsets(model, of, c, true) / left);
    const double squares = algorithm == BY_TEXTBOOK_SUMS ? products(model, x, x, of->n) : offsets(model, of, c, true);
    const double rest = algorithm == BY_TEXTBOOK_SUMS ? s : offsets(model, of, c, false);
    return in(model, in(model, squares - in(model, in(model, rest * rest) / n)) / left);
}

static double value_of(const struct model *model, const struct statistic *statistic, const struct numbers *of)
{
    const bool of_sample = model->wrong == COUNT_OF_A_SAMPLE ? !statistic->of_sample : statistic->of_sample;
    const double *x = of->x, *y = of->y, n = in(model, (double)of->n),
                 left = in(model, (double)of->n - (of_sample ? 1 : 0));
    double terms[MOST], value;
    switch (statistic->algorithm) {
    case BY_SUM_THEN_DIVIDE:
        value = in(model, sum_of(model, of->format, x, of->n) / n);
        break;
    case BY_TIMES_RECIPROCAL:
        value = in(model, sum_of(model, of->format, x, of->n) * in(model, 1 / n));
        break;
    case BY_SCALED_FIRST:
        for (uint64_t i = 0; i < of->n; i++)
            terms[i] = rounded_to(x[i] / rounded_to((double)of->n, model->added), model->added);
        value = sum_of(model, model->added, terms, of->n);
        break;
    case BY_SQUARES:
        value = in(model, products(model, x, x, of->n) / n);
        break;
    case BY_WEIGHTS:
        value = in(model, products(model, x, y, of->n) / sum_of(model, of->format, y, of->n));
        break;
    case BY_COSINE:
        value = in(model, products(model, x, y, of->n) / in(model, in(model, sqrt(products(model, x, x, of->n))) *
                                                                       in(model, sqrt(products(model, y, y, of->n)))));
        break;
    default:
        value = variance(model, statistic->algorithm, of, n, left, of_sample);
    }
    return statistic->is_root ? in(model, sqrt(value)) : value;
}

/* ---- what is normalized ---- */

static void normalize(const struct model *model, const struct numbers *of, double mean, double variance, double *values)
{
    const double eps = model->wrong == NO_EPS         ? 0
                       : model->wrong == EPS_AS_IT_IS ? 1e-5
                                                      : rounded_to(1e-5, model->formula);
    const double root = in(model, sqrt(in(model, variance + eps)));
    for (uint64_t i = 0; i < of->n; i++) {
        const double deviation = in(model, of->x[i] - mean);
        values[i] = in(model, model->wrong == DIVIDED ? deviation / root : deviation * in(model, 1 / root));
    }
}

/* All results of a statistic of sums. */
static void take_values(const struct model *model, const struct statistic *statistic, const struct numbers *of,
                        double *values)
{
    const double value = value_of(model, statistic, of);
    const double sum = statistic->normalizes ? sum_of(model, of->format, of->x, of->n) : 0;
    if (statistic->normalizes)
        normalize(model, of, statistic->algorithm == BY_SQUARES ? 0 : in(model, sum / in(model, (double)of->n)), value,
                  values);
    else
        values[0] = value;
}

/* ---- sums and formulas ---- */

/* Orders whose trees do not depend on how many numbers a load brings; and accumulators of each kind. */
static const char *const methods[] = {"plain/serial",
                                      "plain/tree_two_pass",
                                      "kahan/pairwise",
                                      "neumaier/blocked",
                                      "binary64/tree_two_pass",
                                      "superacc/shuffle_two_pass",
                                      "double_float/strided_serial"};

struct counts {
    size_t compared, differ;
};

/* Of statistics, and of what is normalized. */
struct comparison {
    struct counts single, normalized;
};

static struct comparison compare(enum wrong wrong)
{
    static struct numbers numbers;
    struct comparison comparison = {{0, 0}, {0, 0}};
    seed_random(7);
    for (int operation = FIRST_STATISTIC; operation < (int)VECTOR_OPERATIONS; operation++) {
        const struct statistic *statistic = statistic_of((enum operation)operation);
        struct counts *const counts = statistic->normalizes ? &comparison.normalized : &comparison.single;
        const bool is_told =
            !statistic_moments(statistic->algorithm) && statistic->algorithm < BY_EXP; /* test_softmax_methods.c */
        for (int f = 0; f < SUM_FORMATS && is_told; f++)
            for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
                const struct method *sums = method_in(method_find(methods[m]), sum_formats[f]);
                const struct method *method = sums ? method_of_operation(sums, (enum operation)operation) : NULL;
                if (!method)
                    continue;
                const struct format *added = sum_formats[f]->added;
                const bool is_wide = strncmp(methods[m], "binary64", 8) == 0 ||
                                     (strncmp(methods[m], "superacc", 8) == 0 && added->precision == 24);
                const struct model model = {sums, added, is_wide ? &FORMAT_BINARY64 : added, wrong};
                for (int round = 0; round < ROUNDS / 4; round++) {
                    fill(&numbers, sum_formats[f]->stored);
                    double values[MOST];
                    take_values(&model, statistic, &numbers, values);
                    counts->differ += differing(method, &numbers, values, wrong == NOTHING && counts->differ < 10);
                    counts->compared += statistic->normalizes ? numbers.n : 1;
                }
            }
    }
    return comparison;
}

static void a_statistic_is_its_sums_and_its_formula(void **state)
{
    const struct comparison right = compare(NOTHING);
    (void)state;
    print_message("%zu results compared, and %zu of what is normalized\n", right.single.compared,
                  right.normalized.compared);
    assert_int_equal(right.single.differ, 0);
    assert_int_equal(right.normalized.differ, 0);
    assert_true(right.single.compared > 20000);
    assert_true(right.normalized.compared > 50000);
    for (enum wrong wrong = COUNT_OF_A_SAMPLE; wrong < WRONGS; wrong++) { /* the twins */
        const struct comparison twin = compare(wrong);
        assert_true(twin.single.differ > (wrong < NO_EPS ? 100 : 0) || (wrong >= NO_EPS && twin.single.differ == 0));
        print_message("twin %d: %zu and %zu differ\n", wrong, twin.single.differ, twin.normalized.differ);
        assert_true(twin.normalized.differ > 100);
    }
}

/* ---- moments ---- */

struct moment {
    double n, mean, squares;
};

static struct moment step(struct moment m, double x, const struct format *format)
{
    const double before = rounded_to(x - m.mean, format);
    m.n += 1;
    m.mean = rounded_to(m.mean + rounded_to(before / rounded_to(m.n, format), format), format);
    m.squares = rounded_to(m.squares + rounded_to(before * rounded_to(x - m.mean, format), format), format);
    return m;
}

static struct moment merged(struct moment a, struct moment b, const struct format *format, bool forgets)
{
    if (a.n == 0 || b.n == 0)
        return a.n == 0 ? b : a;
    const double n = a.n + b.n, apart = rounded_to(b.mean - a.mean, format);
    const double share = rounded_to(rounded_to(b.n, format) / rounded_to(n, format), format);
    const double square = rounded_to(apart * apart, format),
                 weighted = rounded_to(square * rounded_to(a.n, format), format);
    const double between = forgets ? 0 : rounded_to(weighted * share, format);
    a.mean = rounded_to(a.mean + rounded_to(apart * share, format), format);
    a.squares = rounded_to(rounded_to(a.squares + b.squares, format) + between, format);
    a.n = n;
    return a;
}

/* Halves down to single elements, the left one the larger power of two: pairwise_1. */
static struct moment halved(const struct numbers *of, uint64_t first, uint64_t n, const struct format *format,
                            bool forgets)
{
    if (n <= 1)
        return n == 0 ? (struct moment){0} : step((struct moment){0}, of->x[first], format);
    const uint64_t left = n / 2;
    return merged(halved(of, first, left, format, forgets), halved(of, first + left, n - left, format, forgets), format,
                  forgets);
}

static size_t compare_moments(const char *operation, const char *order, bool forgets, size_t *compared)
{
    static struct numbers numbers;
    size_t differ = 0;
    seed_random(8);
    for (int f = 0; f < SUM_FORMATS; f++) {
        char id[128];
        snprintf(id, sizeof id, "%s:plain/%s@%s", operation, order, sum_formats[f]->id);
        const struct method *method = method_find(id);
        for (int round = 0; method && round < ROUNDS; round++) {
            const struct format *added = sum_formats[f]->added;
            struct moment m = {0};
            fill(&numbers, sum_formats[f]->stored);
            for (uint64_t i = 0; i < numbers.n && strcmp(order, "serial") == 0; i++)
                m = step(m, numbers.x[i], added);
            if (strcmp(order, "serial") != 0)
                m = halved(&numbers, 0, numbers.n, added, forgets);
            const double n = rounded_to(m.n, added), v = rounded_to(m.squares / n, added);
            const struct model model = {.formula = added};
            double values[MOST] = {operation[0] == 'm' ? m.mean : operation[0] == 's' ? rounded_to(sqrt(v), added) : v};
            if (operation[0] == 'l')
                normalize(&model, &numbers, m.mean, v, values);
            differ += differing(method, &numbers, values, !forgets && differ < 10);
            ++*compared;
        }
    }
    return differ;
}

static void moments_are_added_and_merged_as_said(void **state)
{
    size_t compared = 0;
    (void)state;
    assert_int_equal(compare_moments("mean.running", "serial", false, &compared), 0);
    assert_int_equal(compare_moments("mean.running", "pairwise_1", false, &compared), 0);
    assert_int_equal(compare_moments("variance.welford", "serial", false, &compared), 0);
    assert_int_equal(compare_moments("variance.chan", "pairwise_1", false, &compared), 0);
    assert_int_equal(compare_moments("std.chan", "pairwise_1", false, &compared), 0);
    assert_int_equal(compare_moments("layer_norm.welford", "serial", false, &compared), 0);
    assert_int_equal(compare_moments("layer_norm.chan", "pairwise_1", false, &compared), 0);
    print_message("%zu rows compared\n", compared);
    assert_true(compared > 2800);
    assert_true(compare_moments("variance.chan", "pairwise_1", true, &compared) > 200); /* twins */
    assert_true(compare_moments("layer_norm.chan", "pairwise_1", true, &compared) > 200);
    assert_null(method_find("variance.welford:plain/pairwise_1"));
    assert_null(method_find("variance.chan:plain/serial"));
    assert_null(method_find("welford/serial"));
    assert_null(method_find("variance.two_pass:welford/serial"));
}

/* ---- bounds of what is normalized ---- */

/* src/measure/measure_elements.c asks for the bound of 0 and of the largest element alone. */
static void a_bound_grows_evenly_with_the_element(void **state)
{
    static struct numbers numbers;
    size_t compared = 0, twins = 0, claims = 0;
    (void)state;
    seed_random(9);
    for (int operation = FIRST_STATISTIC; operation < (int)VECTOR_OPERATIONS; operation++)
        for (int f = 0; f < SUM_FORMATS && statistic_of((enum operation)operation)->normalizes &&
                        statistic_of((enum operation)operation)->algorithm < BY_EXP;
             f++) {
            size_t count;
            const struct method *const *table = method_table_for((enum operation)operation, sum_formats[f], &count);
            for (size_t m = 0; m < count; m++) {
                struct exact_row *row;
                fill(&numbers, sum_formats[f]->stored);
                const struct operands of = operands_of(&numbers, (enum operation)operation);
                if (!can_do(table[m], launch))
                    continue;
                assert_int_equal(exact_norm_row(operation_table[operation].of == LAYER_NORM, NORMALIZATION_EPS,
                                                numbers.format, (struct exact_how){.verify = false}, of.arrays[0],
                                                numbers.n, &row),
                                 OK);
                struct magnitudes magnitudes = {.moments = exact_row_moments(row)};
                const double most = sqrt((double)numbers.n) + 1,
                             of_0 = table[m]->bound(table[m], of.shape, launch, &magnitudes);
                magnitudes.abs_s = most;
                const double growth = (table[m]->bound(table[m], of.shape, launch, &magnitudes) - of_0) / most;
                claims += isfinite(growth) != 0;
                for (uint64_t i = 0; i < numbers.n && i < 8 && isfinite(growth); i++) {
                    struct exact_sum exact;
                    assert_int_equal(exact_row_element(row, i, &exact), OK);
                    magnitudes.abs_s = exact.abs_above;
                    exact_free(&exact);
                    const double bound = table[m]->bound(table[m], of.shape, launch, &magnitudes);
                    const double evenly = (of_0 + growth * magnitudes.abs_s) * (1 + 0x1p-40);
                    assert_true(bound <= evenly && evenly <= bound * (1 + 0x1p-39));
                    twins += bound > of_0 + growth / 2 * magnitudes.abs_s;
                    compared++;
                }
                exact_row_free(row);
            }
        }
    print_message("%zu bounds compared, of %zu rows\n", compared, claims);
    assert_true(compared > 10000);
    assert_true(twins > compared / 2);
}

/* ---- edges ---- */

static void what_is_not_defined_is_nan(void **state)
{
    static struct numbers numbers = {.format = &FORMAT_BINARY32};
    size_t checked = 0;
    (void)state;
    for (int operation = FIRST_STATISTIC; operation < (int)VECTOR_OPERATIONS; operation++) {
        const struct statistic *statistic = statistic_of((enum operation)operation);
        size_t count;
        const struct method *const *table = method_table_for((enum operation)operation, sum_formats[0], &count);
        for (size_t m = 0; m < count; m++) {
            if (!can_do(table[m], launch))
                continue;
            uint64_t bits[2] = {7, 7};
            numbers.n = 0;
            assert_int_equal(take_bits(table[m], &numbers, bits), !statistic->normalizes);
            if (statistic->normalizes)
                assert_int_equal(bits[0], 7);
            else
                assert_true(isnan(format_value(&FORMAT_BINARY32, bits[0])));
            numbers.n = 1;
            numbers.x32[0] = numbers.y32[0] = 3;
            assert_int_equal(take_bits(table[m], &numbers, bits), 1);
            assert_true(isnan(format_value(&FORMAT_BINARY32, bits[0])) == statistic->of_sample);
            assert_int_equal(bits[1], 7);
            checked++;
        }
    }
    assert_true(checked > 5000);
}

/* The numbers are not looked at: there are not so many. */
static void more_numbers_than_states_count_are_refused(void **state)
{
    static const struct {
        const char *id;
        bool counts;
    } counting[] = {
        {"mean.running:plain/serial", true},
        {"variance.welford:plain/serial", true},
        {"sample_std.chan:plain/vector_two_pass", true},
        {"mean.sum_then_divide:plain/serial", false},
        {"variance.two_pass:plain/vector_two_pass", false},
        {"plain/serial", false},
    };
    static const float x[] = {1, 2};
    const struct moments moments = {.sum_abs = 3, .abs_sum = 3, .max_abs = 2, .range = 1, .centred = 0.5};
    const struct magnitudes magnitudes = {3, 3, 2, &moments};
    char why[REASON_SIZE] = "";
    (void)state;
    for (size_t m = 0; m < COUNT_OF(counting); m++) {
        const struct method *const method = method_find(counting[m].id);
        assert_non_null(method);
        assert_true(statistic_can_count(method, UINT32_MAX, why));
        assert_int_equal(statistic_can_count(method, UINT64_C(1) << 32, why), !counting[m].counts);
        if (!counting[m].counts)
            continue;
        const struct operands many = {&FORMAT_BINARY32, method->operation, {x, x}, shape_of_one(UINT64_C(1) << 32)};
        struct operands two = many;
        uint64_t bits;
        two.shape = shape_of_one(2);
        assert_int_equal(method_compute(method, &two, launch, 1, &bits), OK);
        assert_int_equal(method_compute(method, &many, launch, 1, &bits), NOT_MEASURED);
        assert_true(isinf(method_bound(method, UINT64_C(1) << 32, launch, &magnitudes)));
    }
    assert_string_equal(why, "4294967296 numbers, and it counts them in 32 bits; take fewer, or an algorithm of sums");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_statistic_is_its_sums_and_its_formula),
        cmocka_unit_test(moments_are_added_and_merged_as_said),
        cmocka_unit_test(a_bound_grows_evenly_with_the_element),
        cmocka_unit_test(what_is_not_defined_is_nan),
        cmocka_unit_test(more_numbers_than_states_count_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Methods against their claims: the height of the tree, the error bound, the special values, the order of addition.
 *
 * A new accumulator is one file and one row, and nothing here: what holds for every accumulator is asked of it at once,
 * its bound on adversarial data above all.  A row in claims[] holds its bound to the formula of docs/bounds.md too;
 * until there is one, the test names the accumulator and holds the bound to the shape that every bound has. */
#define FORMAT_FILE "formats/binary32.h"
#define OPERATION_FILE "operations/sum.h"
#include "../kernels/bound.h"

#include "../kernels/accumulators/binary64.h"
#include "../kernels/accumulators/kahan.h"
#include "../kernels/accumulators/neumaier.h"
#include "../kernels/accumulators/plain.h"
#include "../kernels/tape.h"

#include "../datasets/dataset.h"
#include "../src/method.h"
#include "../src/metric.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVERY_N = 4097, TEXT_SIZE = 4096, BITS = 600 };

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define TERMS(...) ((const float[]){__VA_ARGS__}), COUNT_OF(((const float[]){__VA_ARGS__}))

static const double u = 0x1p-24;

/* [0, 1) */
static double random_unit_double(void)
{
    return (double)(next_random() >> 11) * 0x1p-53;
}

/* ---- methods ---- */

/* Blocks fewer and more than threads, threads that are no power of two, a single thread. */
static const struct launch launches[] = {{1, 32},  {3, 64},   {100, 32}, {5, 2},    {3, 96},
                                         {7, 128}, {2, 1024}, {1, 1},    {120, 256}};
enum { LAUNCHES = COUNT_OF(launches), LITTLE_LAUNCHES = 5, FULL_GRID = LAUNCHES - 1 };

static bool can_do(const struct method *method, struct launch launch)
{
    char why[REASON_SIZE];
    return method->can_do(launch, why);
}

static float replay(const struct method *method, const float *x, uint64_t n, struct launch launch)
{
    float result = NAN;
    assert_int_equal(method->replay(x, n, launch, 1, &result), OK);
    return result;
}

static const struct method *find(const char *accumulator, const char *order)
{
    char id[TEXT_SIZE];
    snprintf(id, sizeof id, "%s/%s", accumulator, order);
    const struct method *method = method_find(id);
    assert_non_null(method);
    return method;
}

/* Calls visit(method, launch, context) for every method that sums and every one of the first `count` launches it can
 * do. */
typedef void visitor(const struct method *method, struct launch launch, void *context);

static size_t for_each_sum(size_t count, visitor *visit, void *context)
{
    size_t methods, visits = 0;
    const struct method *table = method_table(&methods);
    for (size_t l = 0; l < count; l++)
        for (size_t m = 0; m < methods; m++) {
            if (table[m].role != SUMS || !can_do(&table[m], launches[l]))
                continue;
            visit(&table[m], launches[l], context);
            visits++;
        }
    return visits;
}

/* ---- heights ---- */

static bool height_is(const struct method *method, uint64_t n, struct launch launch, float measured)
{
    return (double)method->height(n, launch) == (double)measured;
}

/* Measures each order's tree once and holds every accumulator's method to it. */
static void assert_heights(const float *x, uint64_t n, struct launch launch)
{
    size_t methods;
    const struct method *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++) {
        if (strcmp(table[m].accumulator, "height") != 0 || !can_do(&table[m], launch))
            continue;
        const float measured = replay(&table[m], x, n, launch);
        for (size_t k = 0; k < methods; k++)
            if (strcmp(table[k].order, table[m].order) == 0 && !height_is(&table[k], n, launch, measured))
                fail_msg("%s, n = %llu, %u x %u: height %llu, measured %g", table[k].id, (unsigned long long)n,
                         launch.blocks, launch.threads, (unsigned long long)table[k].height(n, launch),
                         (double)measured);
    }
}

static void height_formula_is_the_height_of_the_tree_for_every_n_to_4097(void **state)
{
    (void)state;
    static const float x[EVERY_N];
    for (size_t l = 0; l < LITTLE_LAUNCHES; l++)
        for (uint64_t n = 0; n <= EVERY_N; n++)
            assert_heights(x, n, launches[l]);
}

static void height_formula_is_the_height_of_the_tree_around_multiples_of_the_grid(void **state)
{
    (void)state;
    enum { MOST = 1 << 20 };
    float *x = calloc(MOST, sizeof *x);
    assert_non_null(x);
    for (size_t l = 0; l < LAUNCHES; l++) {
        const uint64_t units[] = {launches[l].threads, (uint64_t)launches[l].threads * launches[l].blocks};
        const uint64_t multiples[] = {0, 1, 2, 3, 5, 8, 17, 31};
        for (size_t k = 0; k < COUNT_OF(units); k++)
            for (size_t m = 0; m < COUNT_OF(multiples); m++)
                for (uint64_t around = 0; around < 5; around++) {
                    const uint64_t n = units[k] * multiples[m] + around;
                    if (n >= 2 && n - 2 <= MOST)
                        assert_heights(x, n - 2, launches[l]);
                }
        assert_heights(x, MOST, launches[l]);
    }
    free(x);
}

static uint64_t height_too_large_by_one(uint64_t n, struct launch launch)
{
    return method_find("plain/tree_two_pass")->height(n, launch) + 1;
}

/* The twin. */
static void height_comparison_sees_one_level(void **state)
{
    (void)state;
    static const float x[1000];
    const struct launch launch = {3, 64};
    struct method method = *find("plain", "tree_two_pass");
    const float measured = replay(find("height", "tree_two_pass"), x, 1000, launch);
    assert_true(measured == 6 + 6 + 2); /* ceil(1000/192) elements, 64 threads, 3 blocks */
    assert_true(height_is(&method, 1000, launch, measured));
    method.height = height_too_large_by_one;
    assert_false(height_is(&method, 1000, launch, measured));
}

/* ---- error bounds ---- */

static double metric_of(enum metric metric, const struct exact_sum *exact, double computed, double bound)
{
    return metric_table[metric].measure(&(struct judged){.exact = exact, .computed = computed, .bound = bound});
}

static double bound_of(const struct method *method, struct launch launch, const struct exact_sum *exact)
{
    return method->bound(exact->n, launch,
                         &(struct magnitudes){exact->abs_above, exact->sum_abs_above, exact->max_abs});
}

/* A set of numbers, their exact sum, and what has been seen of the methods on it. */
struct trial {
    const char *name;
    const float *x;
    struct exact_sum exact;
    double worst;   /* bound_ratio */
    size_t claimed; /* bounds that were finite */
};

static struct trial trial_of(const char *name, const float *x, uint64_t n)
{
    struct trial trial = {.name = name, .x = x};
    assert_int_equal(exact_sum(&FORMAT_BINARY32, x, n, &trial.exact), OK);
    return trial;
}

static double ratio_of(const struct method *method, struct launch launch, const struct trial *trial)
{
    const float computed = replay(method, trial->x, trial->exact.n, launch);
    return metric_of(METRIC_bound_ratio, &trial->exact, (double)computed, bound_of(method, launch, &trial->exact));
}

static void hold_to_its_bound(const struct method *method, struct launch launch, void *context)
{
    struct trial *trial = context;
    const double ratio = ratio_of(method, launch, trial);
    const bool claimed = isfinite(bound_of(method, launch, &trial->exact));
    if (claimed ? !(ratio <= 1) : !isnan(ratio))
        fail_msg("%s on %s, n = %llu, %u x %u: bound_ratio %.17g", method->id, trial->name,
                 (unsigned long long)trial->exact.n, launch.blocks, launch.threads, ratio);
    trial->claimed += claimed;
    if (ratio > trial->worst)
        trial->worst = ratio;
}

static double hold_all_to_their_bounds(const char *name, const float *x, uint64_t n, size_t launch_count)
{
    struct trial trial = trial_of(name, x, n);
    assert_true(for_each_sum(launch_count, hold_to_its_bound, &trial) > 0);
    assert_true(trial.claimed > 0 || !(trial.exact.sum_abs_above <= 0x1p100)); /* no claim where nothing overflows */
    exact_free(&trial.exact);
    return trial.worst;
}

static void with_generated(const char *family, const char *rest, uint64_t n, uint64_t seed,
                           void (*use)(const char *name, const float *x, uint64_t n))
{
    char text[TEXT_SIZE];
    struct data_spec *specs;
    size_t count;
    struct dataset data;
    snprintf(text, sizeof text, "%s:n=%llu%s", family, (unsigned long long)n, rest);
    assert_int_equal(data_specs_read(text, "test", NONFINITE_REFUSE, &specs, &count), OK);
    assert_int_equal(count, 1);
    assert_int_equal(dataset_make(specs, seed, 0, &data), OK);
    use(text, data.x, data.n);
    dataset_free(&data);
    data_specs_free(specs, count);
}

static const struct {
    const char *family, *rest;
} families[] = {
    {"uniform", ""},
    {"uniform", ",low=-1"},
    {"uniform", ",low=0.5"},
    {"normal", ""},
    {"normal", ",mean=1000"},
    {"const", ""},
    {"const", ",value=1e5"},
    {"const", ",value=0.3333333333"},
    {"const", ",value=-1.125"},
    {"swamp", ""},
    {"swamp", ",big=0x1p60"},
    {"kahan_killer", ""},
    {"kahan_killer", ",big=0x1p26"},
    {"mirror", ""},
    {"mirror", ",binades=100"},
    {"gensum", ",cond=1e4"},
    {"gensum", ",cond=1e8"},
    {"gensum", ",cond=1e16"},
    {"gensum", ",cond=1e40"},
    {"integers", ""},
    {"integers", ",most=16777216"},
    {"subnormal", ""},
    {"subnormal", ",most=8388607"},
    {"specials", ""},
};

static void hold_on_all_launches(const char *name, const float *x, uint64_t n)
{
    hold_all_to_their_bounds(name, x, n, LAUNCHES);
}

static void hold_on_little_launches(const char *name, const float *x, uint64_t n)
{
    hold_all_to_their_bounds(name, x, n, LITTLE_LAUNCHES);
}

static void every_method_keeps_its_bound_on_every_family(void **state)
{
    (void)state;
    const uint64_t sizes[] = {3, 5, 17, 31, 32, 33, 64, 65, 100, 191, 192, 193, 385, 1000, 1025, 4096, 4097};
    for (size_t f = 0; f < COUNT_OF(families); f++)
        for (size_t k = 0; k < COUNT_OF(sizes); k++) {
            with_generated(families[f].family, families[f].rest, sizes[k], 1, hold_on_all_launches);
            for (uint64_t seed = 2; seed < 6; seed++)
                with_generated(families[f].family, families[f].rest, sizes[k], seed, hold_on_little_launches);
        }
}

static void every_method_keeps_its_bound_at_large_n(void **state)
{
    (void)state;
    const char *const large[] = {"uniform", "const", "swamp", "gensum", "mirror"};
    for (size_t f = 0; f < COUNT_OF(large); f++) {
        with_generated(large[f], "", 100000, 1, hold_on_all_launches);
        with_generated(large[f], "", 1000003, 1, hold_on_little_launches);
    }
}

/* Few numbers of few exponents and few significands, so that ties and exact cancellations are common. */
static uint64_t fill_few(float x[64])
{
    const uint64_t n = below(8) ? below(9) : below(65);
    const int low = (int)below(120) - 60, span = 1 + (int)below(below(2) ? 4 : 60);
    const uint64_t mask = below(3) ? 0x800003 : 0x7fffff;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t fraction = below(2) ? next_random() & mask & 0x7fffff : 0x7fffff & ~(next_random() & 3);
        const double significand = 1 + (double)fraction * 0x1p-23;
        x[i] = (float)ldexp(below(2) ? significand : -significand, low + (int)below((uint64_t)span));
        if (i > 0 && below(6) == 0)
            x[i] = -x[below(i)];
    }
    return n;
}

static void every_method_keeps_its_bound_on_few_wild_numbers(void **state)
{
    (void)state;
    float x[64];
    double worst = 0;
    seed_random(1);
    for (int round = 0; round < 100000; round++) {
        const uint64_t n = fill_few(x);
        const double ratio = hold_all_to_their_bounds("few wild numbers", x, n, 2);
        worst = ratio > worst ? ratio : worst;
    }
    assert_true(worst > 0.99); /* a bound of twice the size would not be reached */
}

/* Every number is half an ulp of the running sum, up or down: each addition of plain/serial is a tie. */
static uint64_t fill_ties(float x[64])
{
    float sum = (float)ldexp(1 + (double)(next_random() & 0x7fffff) * 0x1p-23, (int)below(40) - 20);
    x[0] = sum;
    for (int i = 1; i < 64; i++) {
        const float half = (nextafterf(sum, INFINITY) - sum) / 2;
        x[i] = below(3) ? half : -half;
        sum += x[i];
    }
    return 2 + below(63);
}

static void every_method_keeps_its_bound_where_every_addition_is_a_tie(void **state)
{
    (void)state;
    float x[64];
    seed_random(2);
    for (int round = 0; round < 20000; round++) {
        const uint64_t n = fill_ties(x);
        hold_all_to_their_bounds("ties", x, n, 2);
    }
}

/* Multiples of 2^-149 below 2^-125 add exactly: gradual underflow needs no term of its own. */
static void every_method_keeps_its_bound_around_the_least_numbers(void **state)
{
    (void)state;
    float x[64];
    seed_random(3);
    for (int round = 0; round < 5000; round++) {
        const uint64_t n = 1 + below(64);
        for (uint64_t i = 0; i < n; i++)
            x[i] = float_from_bits((uint32_t)(next_random() & 0x80000000) | (uint32_t)below(UINT32_C(30) << 23));
        hold_all_to_their_bounds("least numbers", x, n, 2);
    }
}

/* ---- twins: the bounds are attained, and what is wrong breaks them ---- */

static const struct launch one_warp = {1, 32};

/* 1 + u is a tie that goes back to 1, n - 1 times. */
static void plain_serial_attains_n_minus_1_u(void **state)
{
    (void)state;
    enum { N = 1000 };
    static float x[N];
    x[0] = 1;
    for (int i = 1; i < N; i++)
        x[i] = (float)u;
    struct trial trial = trial_of("ties", x, N);
    const struct method *method = find("plain", "serial");
    const float computed = replay(method, x, N, one_warp);
    assert_true(computed == 1);
    assert_true(metric_of(METRIC_abs_error, &trial.exact, (double)computed, 1) == (N - 1) * u);
    const double ratio = ratio_of(method, one_warp, &trial);
    assert_true(ratio > 0.99 && ratio <= 1);
    exact_free(&trial.exact);
}

/* The last rounding, half an ulp, is all that these lose. */
static void last_rounding_of_neumaier_and_binary64_attains_their_bound(void **state)
{
    (void)state;
    const char *const accumulators[] = {"neumaier", "binary64"};
    struct trial trial = trial_of("1 + u", TERMS(1, (float)u));
    for (size_t a = 0; a < COUNT_OF(accumulators); a++) {
        const double ratio = ratio_of(find(accumulators[a], "serial"), one_warp, &trial);
        assert_true(ratio > 0.9999999 && ratio <= 1);
    }
    exact_free(&trial.exact);
}

/* docs/bounds.md: the textbook's constant of 2 is not a theorem. */
static void five_numbers_cost_serial_kahan_more_than_2_u(void **state)
{
    (void)state;
    struct trial trial =
        trial_of("five numbers", TERMS(0x1.000002p26f, 0x1p50f, -0x1.bffffep27f, 0x1.000006p50f, -0x1p2f));
    const struct method *method = find("kahan", "serial");
    const float computed = replay(method, trial.x, trial.exact.n, one_warp);
    const double constant = metric_of(METRIC_backward_error, &trial.exact, (double)computed, 1) / u;
    assert_true(constant > 2.2499 && constant < 2.25);
    const double ratio = ratio_of(method, one_warp, &trial);
    assert_true(ratio > 0.74 && ratio <= 1);
    exact_free(&trial.exact);
}

static void hold_wrong_sums_to_break_the_bound(const struct method *method, struct launch launch, void *context)
{
    const struct trial *trial = context;
    const uint64_t n = trial->exact.n;
    const double bound = bound_of(method, launch, &trial->exact), s = mpfr_get_d(trial->exact.sum, MPFR_RNDN);
    if (isinf(bound))
        return;
    float *other = malloc((n + 1) * sizeof *other);
    assert_non_null(other);
    const float first_left_out = replay(method, trial->x + 1, n - 1, launch);
    const float last_left_out = replay(method, trial->x, n - 1, launch);
    memcpy(other, trial->x, n * sizeof *other);
    other[n] = trial->x[n / 2];
    const float one_twice = replay(method, other, n + 1, launch);
    free(other);
    const double wrong[] = {(double)first_left_out,
                            (double)last_left_out,
                            (double)one_twice,
                            s + 2 * bound,
                            s - 2 * bound,
                            NAN,
                            INFINITY,
                            -INFINITY};
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        if (!(metric_of(METRIC_bound_ratio, &trial->exact, wrong[i], bound) > 1))
            fail_msg("%s, %u x %u: wrong sum %zu, %a, keeps the bound", method->id, launch.blocks, launch.threads, i,
                     wrong[i]);
}

static void plant_wrong_sums(const char *name, const float *x, uint64_t n)
{
    struct trial trial = trial_of(name, x, n);
    assert_true(for_each_sum(LAUNCHES, hold_wrong_sums_to_break_the_bound, &trial) > 0);
    exact_free(&trial.exact);
}

static void wrong_sum_breaks_the_bound_of_every_method(void **state)
{
    (void)state;
    with_generated("uniform", ",low=0.5", 1000, 1, plant_wrong_sums);
    with_generated("uniform", ",low=0.5", 193, 2, plant_wrong_sums);
    with_generated("normal", ",mean=10", 500, 1, plant_wrong_sums);
}

/* ---- bound.h against MPFR ---- */

/* What keeps the value from being an upper bound of the exact one, and no loose one; NULL: nothing. */
static const char *fault_of(double value, const mpfr_t exact)
{
    mpfr_t limit;
    mpfr_init2(limit, BITS);
    mpfr_mul_d(limit, exact, 1 + 1e-9, MPFR_RNDN);
    const bool close = isinf(value) ? mpfr_cmp_d(limit, DBL_MAX) > 0 : mpfr_cmp_d(limit, value) >= 0;
    mpfr_clear(limit);
    if (isnan(value) || mpfr_cmp_d(exact, value) > 0)
        return "is below its formula";
    return close ? NULL : "is far above its formula";
}

static void assert_just_above(const char *what, double value, const mpfr_t exact)
{
    const char *fault = fault_of(value, exact);
    if (fault)
        fail_msg("%s = %.17g %s, which gives %.17g", what, value, fault, mpfr_get_d(exact, MPFR_RNDN));
}

/* (1+e)^k - 1 */
static void exact_growth(mpfr_t r, uint64_t k, const mpfr_t e)
{
    mpfr_add_ui(r, e, 1, MPFR_RNDN);
    mpfr_pow_ui(r, r, k, MPFR_RNDN);
    mpfr_sub_ui(r, r, 1, MPFR_RNDN);
}

/* v/(1+v) */
static void exact_one_rounding(mpfr_t r, double v)
{
    mpfr_t below;
    mpfr_init2(below, BITS);
    mpfr_set_d(below, v, MPFR_RNDN);
    mpfr_add_ui(below, below, 1, MPFR_RNDN);
    mpfr_d_div(r, v, below, MPFR_RNDN);
    mpfr_clear(below);
}

/* G1 */
static void exact_first_order(mpfr_t r, uint64_t n, uint64_t h, double v)
{
    mpfr_set_zero(r, 1);
    if (n <= 1 || h <= 1)
        return;
    mpfr_t linear;
    mpfr_init2(linear, BITS);
    exact_one_rounding(linear, v);
    exact_growth(r, h - 1, linear);
    mpfr_set_ui(linear, n - 1, MPFR_RNDN);
    mpfr_mul_d(linear, linear, v, MPFR_RNDN);
    mpfr_min(r, r, linear, MPFR_RNDN);
    mpfr_clear(linear);
}

/* D2 */
static void exact_second_order(mpfr_t r, uint64_t n, uint64_t h, double v)
{
    mpfr_set_zero(r, 1);
    if (n <= 2 || h <= 2)
        return;
    mpfr_t product;
    mpfr_init2(product, BITS);
    exact_one_rounding(product, v);
    exact_growth(r, h - 1, product);
    mpfr_sqr(r, r, MPFR_RNDN);
    mpfr_set_ui(product, n - 1, MPFR_RNDN);
    mpfr_mul_ui(product, product, n - 2, MPFR_RNDN);
    mpfr_mul_d(product, product, v * v, MPFR_RNDN);
    mpfr_min(r, r, product, MPFR_RNDN);
    mpfr_clear(product);
}

/* (1+first)(1+each)^(h-1) - 1 */
static void exact_compensated(mpfr_t r, uint64_t h, double first, double each)
{
    mpfr_set_zero(r, 1);
    if (h <= 1)
        return;
    mpfr_t factor;
    mpfr_init2(factor, BITS);
    mpfr_set_d(factor, each, MPFR_RNDN);
    exact_growth(r, h - 1, factor);
    mpfr_add_ui(r, r, 1, MPFR_RNDN);
    mpfr_set_d(factor, first, MPFR_RNDN);
    mpfr_add_ui(factor, factor, 1, MPFR_RNDN);
    mpfr_mul(r, r, factor, MPFR_RNDN);
    mpfr_sub_ui(r, r, 1, MPFR_RNDN);
    mpfr_clear(factor);
}

/* v/(1+v) |s| + (1+v) inner S, in place of inner */
static void exact_last_rounding(mpfr_t inner, uint64_t n, double abs_s, double sum_abs, double v)
{
    if (n <= 1 || sum_abs == 0) {
        mpfr_set_zero(inner, 1);
        return;
    }
    mpfr_t part;
    mpfr_init2(part, BITS);
    mpfr_set_d(part, v, MPFR_RNDN);
    mpfr_add_ui(part, part, 1, MPFR_RNDN);
    mpfr_mul(inner, inner, part, MPFR_RNDN);
    mpfr_mul_d(inner, inner, sum_abs, MPFR_RNDN);
    exact_one_rounding(part, v);
    mpfr_mul_d(part, part, abs_s, MPFR_RNDN);
    mpfr_add(inner, inner, part, MPFR_RNDN);
    mpfr_clear(part);
}

/* All magnitudes of n and h alike, powers of two among them; h <= n + 1. */
struct shape {
    uint64_t n, h;
    double v; /* unit roundoff */
};

static struct shape some_shape(void)
{
    const double roundoffs[] = {0x1p-24, 0x1p-24, 0x1p-53, 0x1p-11, 0x1p-8};
    const uint64_t n = below(UINT64_C(1) << below(42)) + below(3);
    const uint64_t power = (UINT64_C(1) << below(41)) + below(3);
    const uint64_t h = below(4) == 0 ? n : below(2) ? power : below(n + 2);
    return (struct shape){n, h <= n ? h : n, roundoffs[below(COUNT_OF(roundoffs))]};
}

static void parts_of_bounds_are_just_above_their_formulas(void **state)
{
    (void)state;
    mpfr_t exact;
    mpfr_init2(exact, BITS);
    seed_random(4);
    for (int round = 0; round < 20000; round++) {
        const struct shape shape = some_shape();
        const double n = (double)shape.n, h = (double)shape.h, v = shape.v;
        exact_one_rounding(exact, v);
        assert_just_above("bound_one_rounding", bound_one_rounding(v), exact);
        exact_first_order(exact, shape.n, shape.h, v);
        assert_just_above("bound_first_order", bound_first_order(n, h, v), exact);
        exact_second_order(exact, shape.n, shape.h, v);
        assert_just_above("bound_second_order", bound_second_order(n, h, v), exact);
        const double first = 2 * v * (1 + v), each = 5 * v * v;
        exact_compensated(exact, shape.h, first, each);
        assert_just_above("bound_compensated", bound_compensated(h, first, each), exact);
        const double inner = random_unit_double(), sum_abs = ldexp(random_unit_double(), (int)below(270) - 140);
        const double abs_s = sum_abs * (below(2) ? random_unit_double() : ldexp(1, -(int)below(60)));
        mpfr_set_d(exact, inner, MPFR_RNDN);
        exact_last_rounding(exact, shape.n, abs_s, sum_abs, v);
        assert_just_above("bound_last_rounding",
                          bound_last_rounding(&(struct claim){.n = n, .abs_s = abs_s, .sum_abs = sum_abs}, v, inner),
                          exact);
    }
    mpfr_clear(exact);
}

static void growth_is_just_above_its_formula(void **state)
{
    (void)state;
    mpfr_t exact, e;
    mpfr_inits2(BITS, exact, e, (mpfr_ptr)0);
    seed_random(5);
    for (int round = 0; round < 20000; round++) {
        const uint64_t k = below(UINT64_C(1) << below(42));
        const double each = ldexp(random_unit_double(), -(int)below(110));
        mpfr_set_d(e, each, MPFR_RNDN);
        exact_growth(exact, k, e);
        assert_just_above("bound_growth", bound_growth((double)k, each), exact);
    }
    assert_true(bound_growth(0, 1) == 0 && bound_growth(-1, 1) == 0);
    mpfr_clears(exact, e, (mpfr_ptr)0);
}

/* At h - 1 = 2^34 the first and only bit of the exponent meets a square that has overflowed. */
static void growth_beyond_the_range_is_infinite_and_the_linear_form_stays(void **state)
{
    (void)state;
    for (int k = 34; k <= 52; k++) {
        const double n = ldexp(1, k);
        assert_true(bound_growth(n, u) == INFINITY);
        assert_true(bound_first_order(n + 1, n + 1, u) == n * u);
        assert_true(bound_second_order(n + 1, n + 1, u) >= n * (n - 1) * u * u);
    }
}

static void round_up_pays_for_four_roundings(void **state)
{
    (void)state;
    mpfr_t exact;
    mpfr_init2(exact, BITS);
    seed_random(6);
    for (int round = 0; round < 20000; round++) {
        double product = 1;
        mpfr_set_ui(exact, 1, MPFR_RNDN);
        for (int i = 0; i < 5; i++) { /* the first product is exact */
            const double factor = 1 + random_unit_double();
            product *= factor;
            mpfr_mul_d(exact, exact, factor, MPFR_RNDN);
        }
        assert_just_above("round_up", round_up(product), exact);
    }
    mpfr_clear(exact);
}

/* The twin. */
static void comparison_with_a_formula_sees_either_side(void **state)
{
    (void)state;
    mpfr_t exact;
    mpfr_init2(exact, BITS);
    mpfr_set_ui(exact, 1, MPFR_RNDN);
    assert_null(fault_of(1, exact));
    assert_null(fault_of(1 + 0.9e-9, exact));
    assert_non_null(fault_of(nextafter(1, 0), exact));
    assert_non_null(fault_of(1 + 1.1e-9, exact));
    assert_non_null(fault_of(NAN, exact));
    assert_non_null(fault_of(INFINITY, exact));
    mpfr_clear(exact);
}

/* The formulas of docs/bounds.md, section 2, written a second time. */
static void exact_plain(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    exact_first_order(r, n, h, u);
    mpfr_mul_d(r, r, of->sum_abs, MPFR_RNDN);
}

static void exact_kahan(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    exact_compensated(r, h, 2 * u + 2 * u * u, 5 * u * u);
    exact_last_rounding(r, n, of->abs_s, of->sum_abs, u);
}

static void exact_neumaier(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    exact_second_order(r, n, h, u);
    exact_last_rounding(r, n, of->abs_s, of->sum_abs, u);
}

static void exact_binary64(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    exact_first_order(r, n, h, 0x1p-53);
    exact_last_rounding(r, n, of->abs_s, of->sum_abs, u);
}

static const struct {
    const char *accumulator;
    void (*formula)(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of);
    double atomic_loss; /* of a block */
} claims[] = {
    {"plain", exact_plain, 0x1p-125}, /* an operand and a result flushed, each below 2^-126 */
    {"kahan", exact_kahan, 0},
    {"neumaier", exact_neumaier, 0},
    {"binary64", exact_binary64, 0},
};

/* Its row of claims[], or COUNT_OF(claims). */
static size_t claim_of(const struct method *method)
{
    size_t c = 0;
    while (c < COUNT_OF(claims) && strcmp(claims[c].accumulator, method->accumulator) != 0)
        c++;
    return c;
}

static void hold_bound_to_its_formula(const struct method *method, struct launch launch, void *context)
{
    size_t *held = context;
    const size_t c = claim_of(method);
    if (c == COUNT_OF(claims))
        return;
    const double loss = method->determinism == ORDER_OF_ARRIVAL ? claims[c].atomic_loss * launch.blocks : 0;
    mpfr_t exact;
    mpfr_init2(exact, BITS);
    for (int round = 0; round < 100; round++) {
        const uint64_t n = below(UINT64_C(1) << below(41)) + 1, h = method->height(n, launch);
        const double sum_abs = ldexp(random_unit_double(), (int)below(200) - 130);
        const double abs_s = sum_abs * (below(2) ? random_unit_double() : ldexp(1, -(int)below(60)));
        const struct magnitudes of = {abs_s, sum_abs, sum_abs * random_unit_double()};
        const double bound = method->bound(n, launch, &of);
        if (isinf(bound)) /* the next test's */
            continue;
        claims[c].formula(exact, n, h, &of);
        mpfr_add_d(exact, exact, loss, MPFR_RNDN);
        assert_just_above(method->id, bound, exact);
        ++*held;
    }
    mpfr_clear(exact);
}

static void bound_of_a_method_is_the_formula_of_its_accumulator(void **state)
{
    (void)state;
    size_t held = 0;
    seed_random(7);
    const size_t visits = for_each_sum(LAUNCHES, hold_bound_to_its_formula, &held);
    assert_true(visits >= 80 && held >= 7000);
}

static void every_accumulator_without_a_formula_is_named(void **state)
{
    (void)state;
    size_t methods;
    const struct method *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++) {
        const bool first = m == 0 || strcmp(table[m].accumulator, table[m - 1].accumulator) != 0;
        if (first && table[m].role == SUMS && claim_of(&table[m]) == COUNT_OF(claims))
            print_message("%s: its bound is held to no formula yet, only to its shape and to the data of this file; "
                          "write the formula of docs/bounds.md a second time, here, and add it to claims[]\n",
                          table[m].accumulator);
    }
}

/* The five numbers of docs/bounds.md, parts of an ulp beside a one, and the large ones again, away. */
static const float adversarial[] = {0x1.000002p26f, 0x1p50f,         -0x1.bffffep27f, 0x1.000006p50f,  -0x1p2f,
                                    0x1p0f,         0x1.fffffep-25f, 0x1.555556p-24f, -0x1.000006p50f, -0x1p50f};

static double bound_at(const struct method *method, uint64_t n, struct launch launch, double abs_s, double sum_abs)
{
    return method->bound(n, launch, &(struct magnitudes){abs_s, sum_abs, sum_abs});
}

/* What no bound of a sum does, or NULL: not below 0; where the tree is higher or the numbers are larger, not smaller;
 * and not below the error on the adversarial data, whole and its beginnings. */
static const char *fault_of_shape(const struct method *method, struct launch launch)
{
    for (uint64_t n = 2, before = 1; n < UINT64_C(1) << 40; before = n, n = 3 * n + 1) {
        const double low = bound_at(method, n, launch, 0.25, 1), lower = bound_at(method, before, launch, 0.25, 1);
        if (!(low >= 0))
            return "is negative, or NaN";
        if (method->height(n, launch) > method->height(before, launch) && low < lower)
            return "falls where the tree is higher";
        for (double scale = 2; scale < 0x1p90; scale *= 8)
            if (bound_at(method, n, launch, 0.25, scale) < bound_at(method, n, launch, 0.25, scale / 2))
                return "falls where the sum of magnitudes is larger";
    }
    for (uint64_t n = 1; n <= COUNT_OF(adversarial); n++) {
        struct trial trial = trial_of("adversarial", adversarial, n);
        const bool broken = ratio_of(method, launch, &trial) > 1;
        exact_free(&trial.exact);
        if (broken)
            return "is below the error on the adversarial data";
    }
    return NULL;
}

static void hold_bound_to_its_shape(const struct method *method, struct launch launch, void *context)
{
    (void)context;
    const char *fault = fault_of_shape(method, launch);
    if (fault)
        fail_msg("%s, %u x %u: its bound %s", method->id, launch.blocks, launch.threads, fault);
}

static void bound_of_every_method_has_the_shape_of_a_bound(void **state)
{
    (void)state;
    assert_true(for_each_sum(LAUNCHES, hold_bound_to_its_shape, NULL) >= 80);
}

static double bound_of_no_claim(uint64_t n, struct launch launch, const struct magnitudes *of)
{
    (void)n, (void)launch, (void)of;
    return INFINITY;
}

static double bound_of_minus_one(uint64_t n, struct launch launch, const struct magnitudes *of)
{
    (void)n, (void)launch, (void)of;
    return -1;
}

static double bound_that_falls_with_n(uint64_t n, struct launch launch, const struct magnitudes *of)
{
    (void)launch;
    return of->sum_abs / (double)n;
}

static double bound_that_falls_with_the_magnitudes(uint64_t n, struct launch launch, const struct magnitudes *of)
{
    (void)n, (void)launch;
    return 1 / of->sum_abs;
}

static double bound_of_half_an_ulp_of_the_sum(uint64_t n, struct launch launch, const struct magnitudes *of)
{
    (void)n, (void)launch;
    return u * of->abs_s;
}

/* The twin. */
static void shape_check_sees_each_fault(void **state)
{
    (void)state;
    struct method method = *find("plain", "serial");
    assert_null(fault_of_shape(&method, one_warp));
    method.bound = bound_of_no_claim;
    assert_null(fault_of_shape(&method, one_warp));
    method.bound = bound_of_minus_one;
    assert_string_equal(fault_of_shape(&method, one_warp), "is negative, or NaN");
    method.bound = bound_that_falls_with_n;
    assert_string_equal(fault_of_shape(&method, one_warp), "falls where the tree is higher");
    method.bound = bound_that_falls_with_the_magnitudes;
    assert_string_equal(fault_of_shape(&method, one_warp), "falls where the sum of magnitudes is larger");
    method.bound = bound_of_half_an_ulp_of_the_sum;
    assert_string_equal(fault_of_shape(&method, one_warp), "is below the error on the adversarial data");
}

static void hold_to_no_claim(const struct method *method, struct launch launch, void *context)
{
    (void)context;
    assert_true(bound_at(method, 2, launch, 1, INFINITY) == INFINITY);
    assert_true(bound_at(method, 2, launch, NAN, NAN) == INFINITY);
    if (claim_of(method) == COUNT_OF(claims)) /* it may overflow elsewhere, or never */
        return;
    assert_true(bound_at(method, 2, launch, 0, (double)FLT_MAX) == INFINITY);
    assert_true(bound_at(method, 2, launch, 0, 0x1.00001p+127) == INFINITY);
    assert_true(bound_at(method, 2, launch, 0, 0x1.ffffp+126) < 0x1p110);
}

static void no_bound_is_claimed_where_a_sum_can_overflow(void **state)
{
    (void)state;
    assert_true(for_each_sum(LAUNCHES, hold_to_no_claim, NULL) > 0);
}

static void hold_to_zero(const struct method *method, struct launch launch, void *context)
{
    (void)context;
    if (claim_of(method) == COUNT_OF(claims)) /* it may claim less */
        return;
    const double loss = method->determinism == ORDER_OF_ARRIVAL ? 0x1p-125 * launch.blocks : 0;
    assert_true(bound_at(method, 0, launch, 0, 0) <= loss * (1 + 0x1p-49));
    assert_true(bound_at(method, 1, launch, 1, 1) <= loss * (1 + 0x1p-49));
    assert_true(bound_at(method, 1000, launch, 0, 0) <= loss * (1 + 0x1p-49));
}

static void one_number_and_zeros_are_summed_without_error(void **state)
{
    (void)state;
    assert_true(for_each_sum(LAUNCHES, hold_to_zero, NULL) > 0);
}

/* ---- exact sums ---- */

/* Small integers and multiples of 2^-149: no order rounds, so a difference is an element left out or taken twice. */
struct growing {
    const float *x;
    float scale;
};

static void hold_to_the_integer_sum(const struct method *method, struct launch launch, void *context)
{
    const struct growing *growing = context;
    int64_t sum = 0;
    for (uint64_t n = 0; n <= EVERY_N; n++) {
        const float computed = replay(method, growing->x, n, launch);
        const float expected = (float)sum * growing->scale;
        if (float_bits(computed) != float_bits(expected))
            fail_msg("%s, n = %llu, %u x %u: %a, expected %a", method->id, (unsigned long long)n, launch.blocks,
                     launch.threads, (double)computed, (double)expected);
        if (n < EVERY_N)
            sum += (int64_t)(growing->x[n] / growing->scale);
    }
}

static void integers_are_summed_exactly_for_every_n_to_4097(void **state)
{
    (void)state;
    static float x[EVERY_N];
    seed_random(8);
    for (size_t i = 0; i < EVERY_N; i++)
        x[i] = (float)(1 + below(1000));
    assert_true(for_each_sum(LITTLE_LAUNCHES, hold_to_the_integer_sum, &(struct growing){x, 1}) > 0);
}

static void subnormals_are_summed_exactly_for_every_n_to_4097(void **state)
{
    (void)state;
    static float x[EVERY_N];
    seed_random(9);
    for (size_t i = 0; i < EVERY_N; i++)
        x[i] = (float)(int64_t)below(2001) * 0x1p-149f;
    assert_true(for_each_sum(2, hold_to_the_integer_sum, &(struct growing){x, 0x1p-149f}) > 0);
}

/* ---- special values ---- */

enum kind { FINITE, PLUS_INFINITY, MINUS_INFINITY, NOT_A_NUMBER };

static enum kind kind_of(float v)
{
    return isnan(v) ? NOT_A_NUMBER : !isinf(v) ? FINITE : v > 0 ? PLUS_INFINITY : MINUS_INFINITY;
}

static void serial_sum_of_special_values_is_as_documented(void **state)
{
    (void)state;
    const float nan = float_from_bits(0x7fc00000);
    const struct {
        const float *x;
        size_t n;
        enum kind kind, in_binary64;
    } known[] = {
        {TERMS(INFINITY, 1, 2), PLUS_INFINITY, PLUS_INFINITY},
        {TERMS(1, INFINITY, -2), PLUS_INFINITY, PLUS_INFINITY},
        {TERMS(1, -INFINITY, FLT_MAX), MINUS_INFINITY, MINUS_INFINITY},
        {TERMS(INFINITY, INFINITY), PLUS_INFINITY, PLUS_INFINITY},
        {TERMS(FLT_MAX, FLT_MAX), PLUS_INFINITY, PLUS_INFINITY},
        {TERMS(-FLT_MAX, -FLT_MAX, -FLT_MAX), MINUS_INFINITY, MINUS_INFINITY},
        {TERMS(FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX, 1), PLUS_INFINITY, FINITE},
        {TERMS(INFINITY, -INFINITY), NOT_A_NUMBER, NOT_A_NUMBER},
        {TERMS(FLT_MAX, FLT_MAX, -INFINITY), NOT_A_NUMBER, MINUS_INFINITY},
        {TERMS(nan), NOT_A_NUMBER, NOT_A_NUMBER},
        {TERMS(1, nan, INFINITY), NOT_A_NUMBER, NOT_A_NUMBER},
    };
    for (size_t c = 0; c < COUNT_OF(claims); c++) {
        const struct method *method = find(claims[c].accumulator, "serial");
        const bool wide = strcmp(claims[c].accumulator, "binary64") == 0;
        for (size_t i = 0; i < COUNT_OF(known); i++) {
            const float computed = replay(method, known[i].x, known[i].n, one_warp);
            if (kind_of(computed) != (wide ? known[i].in_binary64 : known[i].kind))
                fail_msg("%s, row %zu: %a", method->id, i, (double)computed);
        }
    }
}

static void assert_serial_sum(const char *accumulator, const float *x, size_t n, float expected)
{
    const float computed = replay(find(accumulator, "serial"), x, n, one_warp);
    if (float_bits(computed) != float_bits(expected))
        fail_msg("%s: %a, expected %a", accumulator, (double)computed, (double)expected);
}

/* Chains and trees: with two threads an element is added to a sum, with 32 sums of one element are merged. */
static const struct launch special_launches[] = {{1, 32}, {1, 2}, {3, 2}, {2, 1}};

static void assert_as_plain(const float *x, uint64_t n)
{
    const char *const guarded[] = {"kahan", "neumaier"};
    const char *const orders[] = {"serial", "tree_two_pass", "shuffle_two_pass"};
    for (size_t o = 0; o < COUNT_OF(orders); o++)
        for (size_t l = 0; l < COUNT_OF(special_launches); l++) {
            const struct method *plain = find("plain", orders[o]);
            if (!can_do(plain, special_launches[l]))
                continue;
            const float expected = replay(plain, x, n, special_launches[l]);
            for (size_t g = 0; g < COUNT_OF(guarded); g++) {
                const float computed = replay(find(guarded[g], orders[o]), x, n, special_launches[l]);
                if (kind_of(computed) != kind_of(expected) || (computed == 0 && signbit(computed) != 0))
                    fail_msg("%s/%s, %u x %u: %a, plain %a, on {%a, %a, %a, %a, %a, %a, %a}, n = %llu", guarded[g],
                             orders[o], special_launches[l].blocks, special_launches[l].threads, (double)computed,
                             (double)expected, (double)x[0], (double)x[1], (double)x[2], (double)x[3], (double)x[4],
                             (double)x[5], (double)x[6], (unsigned long long)n);
            }
        }
}

static void compensated_sums_are_infinite_and_nan_where_plain_ones_are(void **state)
{
    (void)state;
    const float specials[] = {INFINITY,   -INFINITY, NAN, FLT_MAX, -FLT_MAX, FLT_MAX,  -FLT_MAX, 0x1p-149f,
                              -0x1p-149f, 1,         -1,  0,       -0.0f,    0x1p127f, 3};
    float x[7];
    seed_random(10);
    for (int round = 0; round < 30000; round++) {
        const uint64_t n = below(8);
        const bool finite = below(2);
        for (size_t i = 0; i < COUNT_OF(x); i++)
            x[i] = specials[finite ? 3 + below(COUNT_OF(specials) - 3) : below(COUNT_OF(specials))];
        assert_as_plain(x, n);
    }
}

/* TwoSum(-1.5 2^104, FLT_MAX): a_part is FLT_MAX and half an ulp, infinity, so that the error is NaN beside a finite
 * sum.  Of all b, 2^22 do this to FLT_MAX. */
static void neumaier_returns_the_sum_where_its_error_overflows(void **state)
{
    (void)state;
    real error;
    assert_true(two_sum(-0x1.8p+104f, FLT_MAX, &error) == 0x1.fffffcp+127f && isnan(error));
    assert_serial_sum("neumaier", TERMS(-0x1.8p+104f, FLT_MAX), 0x1.fffffcp+127f);
    assert_serial_sum("plain", TERMS(-0x1.8p+104f, FLT_MAX), 0x1.fffffcp+127f);
}

/* TwoSum(a, FLT_MAX) can have an infinite intermediate, so that its error is NaN beside a finite sum. */
static void kahan_merge_returns_the_sum_where_its_error_overflows(void **state)
{
    (void)state;
    const struct kahan left = {-0x1.8p+104f, 0}, right = {FLT_MAX, 0};
    const struct kahan merged = kahan_merge(left, right);
    assert_true(merged.sum == 0x1.fffffcp+127f && merged.excess == 0);
}

/* Plain stays at FLT_MAX; s = FLT_MAX + 1.5 2^103 rounds to infinity. */
static void neumaier_overflows_with_the_exact_sum_where_plain_does_not(void **state)
{
    (void)state;
    struct trial trial = trial_of("three quarters of half an ulp, twice", TERMS(FLT_MAX, 0x1.8p+102f, 0x1.8p+102f));
    assert_serial_sum("plain", trial.x, trial.exact.n, FLT_MAX);
    assert_serial_sum("neumaier", trial.x, trial.exact.n, INFINITY);
    assert_true(trial.exact.nearest == INFINITY);
    exact_free(&trial.exact);
}

static void hold_to_plus_zero(const struct method *method, struct launch launch, void *context)
{
    (void)context;
    const float zeros[] = {-0.0f, -0.0f, -0.0f};
    for (uint64_t n = 0; n <= COUNT_OF(zeros); n++)
        assert_int_equal(float_bits(replay(method, zeros, n, launch)), 0);
}

/* A sum starts at +0, and +0 + -0 = +0. */
static void sum_of_nothing_and_of_minus_zeros_is_plus_zero_everywhere(void **state)
{
    (void)state;
    assert_true(for_each_sum(LAUNCHES, hold_to_plus_zero, NULL) > 0);
}

/* ---- the worked examples of the accumulators' files ---- */

static void plain_loses_each_tie(void **state)
{
    (void)state;
    assert_serial_sum("plain", TERMS(1, (float)u, (float)u), 1);
}

static void neumaier_keeps_what_kahan_and_plain_lose_to_a_large_pair(void **state)
{
    (void)state;
    assert_serial_sum("neumaier", TERMS(1, 0x1p60f, 1, -0x1p60f), 2);
    assert_serial_sum("kahan", TERMS(1, 0x1p60f, 1, -0x1p60f), 0);
    assert_serial_sum("plain", TERMS(1, 0x1p60f, 1, -0x1p60f), 0);
    struct neumaier s = neumaier_zero();
    const float x[] = {1, 0x1p60f, 1, -0x1p60f}, sums[] = {1, 0x1p60f, 0x1p60f, 0}, lost[] = {0, 1, 2, 2};
    for (size_t i = 0; i < COUNT_OF(x); i++) {
        s = neumaier_add(s, x[i]);
        assert_true(s.sum == sums[i] && s.lost == lost[i]);
    }
}

static void kahan_brings_a_lost_one_back_with_the_next(void **state)
{
    (void)state;
    struct kahan s = kahan_add(kahan_zero(), 0x1p24f);
    assert_true(s.sum == 0x1p24f && s.excess == 0);
    s = kahan_add(s, 1);
    assert_true(s.sum == 0x1p24f && s.excess == -1);
    s = kahan_add(s, 1);
    assert_true(s.sum == 0x1.000002p24f && s.excess == 0);
    assert_serial_sum("plain", TERMS(0x1p24f, 1, 1), 0x1p24f);
}

static void binary64_has_29_more_bits_and_then_no_more(void **state)
{
    (void)state;
    assert_serial_sum("binary64", TERMS(0x1p52f, 1, -0x1p52f), 1);
    assert_serial_sum("binary64", TERMS(0x1p53f, 1, -0x1p53f), 0);
    assert_serial_sum("plain", TERMS(0x1p24f, 1, -0x1p24f), 0);
}

static void merge_with_an_empty_state_changes_nothing(void **state)
{
    (void)state;
    const struct kahan k = kahan_add(kahan_add(kahan_zero(), 0x1p24f), 1);
    const struct kahan k_left = kahan_merge(k, kahan_zero()), k_right = kahan_merge(kahan_zero(), k);
    assert_true(k_left.sum == k.sum && k_left.excess == k.excess && k_right.sum == k.sum && k_right.excess == k.excess);
    const struct neumaier m = neumaier_add(neumaier_add(neumaier_zero(), 0x1p24f), 1);
    const struct neumaier m_left = neumaier_merge(m, neumaier_zero()), m_right = neumaier_merge(neumaier_zero(), m);
    assert_true(m_left.sum == m.sum && m_left.lost == m.lost && m_right.sum == m.sum && m_right.lost == m.lost);
}

/* The obvious merge, which rounds b.sum - a.excess for good. */
static struct kahan merge_by_adding(struct kahan a, struct kahan b)
{
    return kahan_add(kahan_add(a, b.sum), -b.excess);
}

/* Plain summation in a Kahan state. */
static struct kahan merge_plainly(struct kahan a, struct kahan b)
{
    return (struct kahan){a.sum + b.sum, 0};
}

/* Leaves of 1 to 8 numbers, each merged with the running state on its right; the error in units of u S. */
static double merged_error(const struct trial *trial, struct kahan (*merge)(struct kahan, struct kahan))
{
    struct kahan running = kahan_zero();
    uint64_t i = 0;
    for (uint64_t leaf = 1; i < trial->exact.n; leaf = leaf % 8 + 1) {
        struct kahan state = kahan_zero();
        for (uint64_t end = i + leaf; i < end && i < trial->exact.n; i++)
            state = kahan_add(state, trial->x[i]);
        running = merge(state, running);
    }
    return metric_of(METRIC_backward_error, &trial->exact, (double)kahan_round(running), 1) / u;
}

static void compare_merges(const char *name, const float *x, uint64_t n)
{
    struct trial trial = trial_of(name, x, n);
    const double plain = merged_error(&trial, merge_plainly);
    assert_true(plain > 5);
    assert_true(merged_error(&trial, merge_by_adding) > plain / 2);
    assert_true(merged_error(&trial, kahan_merge) <= 1); /* the last rounding */
    exact_free(&trial.exact);
}

static void kahan_merge_keeps_the_correction(void **state)
{
    (void)state;
    with_generated("uniform", "", 1 << 20, 1, compare_merges);
}

/* ---- trees on a tape ---- */

static void record(struct tape *tape, const char *order, const float *x, uint64_t n, struct launch launch)
{
    tape_start(tape);
    replay(find("trace", order), x, n, launch);
    assert_int_equal(tape->status, OK);
}

static void assert_tree(const char *order, struct launch launch, uint64_t n, const char *expected)
{
    float x[100];
    char text[TEXT_SIZE] = "";
    struct tape tape = {0};
    assert_true(n <= COUNT_OF(x));
    for (size_t i = 0; i < COUNT_OF(x); i++)
        x[i] = (float)i;
    record(&tape, order, x, n, launch);
    FILE *to = fmemopen(text, sizeof text, "w");
    assert_non_null(to);
    tape_print(&tape, to);
    fclose(to);
    tape_free(&tape);
    assert_string_equal(text, expected);
}

static void serial_tree_leans_left(void **state)
{
    (void)state;
    assert_tree("serial", one_warp, 0, "0");
    assert_tree("serial", one_warp, 1, "0");
    assert_tree("serial", one_warp, 2, "(0 + 1)");
    assert_tree("serial", one_warp, 4, "(((0 + 1) + 2) + 3)");
    assert_tree("serial", (struct launch){2, 2}, 4, "(((0 + 1) + 2) + 3)");
}

static void tree_two_pass_merges_threads_half_a_block_apart(void **state)
{
    (void)state;
    assert_tree("tree_two_pass", (struct launch){1, 4}, 0, "0");
    assert_tree("tree_two_pass", (struct launch){1, 4}, 3, "((0 + 2) + 1)");
    assert_tree("tree_two_pass", (struct launch){1, 4}, 4, "((0 + 2) + (1 + 3))");
    assert_tree("tree_two_pass", (struct launch){1, 2}, 5, "(((0 + 2) + 4) + (1 + 3))");
    assert_tree("tree_two_pass", (struct launch){2, 2}, 3, "((0 + 1) + 2)");
    assert_tree("tree_two_pass", (struct launch){2, 2}, 8, "(((0 + 4) + (1 + 5)) + ((2 + 6) + (3 + 7)))");
    assert_tree("tree_two_pass", (struct launch){1, 8}, 8, "(((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)))");
}

/* Three block sums for two threads: thread 0 takes the first and the third. */
static void tree_two_pass_strides_over_block_sums(void **state)
{
    (void)state;
    assert_tree("tree_two_pass", (struct launch){3, 2}, 6, "(((0 + 1) + (4 + 5)) + (2 + 3))");
    assert_tree("tree_two_pass", (struct launch){3, 1}, 4, "(((0 + 3) + 1) + 2)");
}

static void tree_atomic_merges_blocks_as_they_arrive(void **state)
{
    (void)state;
    assert_tree("tree_atomic", (struct launch){3, 2}, 6, "(((0 + 1) + (2 + 3)) + (4 + 5))");
    assert_tree("tree_atomic", (struct launch){3, 2}, 3, "((0 + 1) + 2)");
    assert_tree("tree_atomic", (struct launch){1, 4}, 4, "((0 + 2) + (1 + 3))");
}

/* Lane l of a full warp, as a sum of lanes l, l + stride, ...: "((0 + 16) + (8 + 24))" for l = 0, stride = 8. */
static void append_warp(char *text, unsigned first, unsigned lane, unsigned stride)
{
    if (stride == 32) {
        sprintf(text + strlen(text), "%u", first + lane);
        return;
    }
    strcat(text, "(");
    append_warp(text, first, lane, 2 * stride);
    strcat(text, " + ");
    append_warp(text, first, lane + stride, 2 * stride);
    strcat(text, ")");
}

static void shuffle_two_pass_merges_lanes_as_a_tree(void **state)
{
    (void)state;
    char text[TEXT_SIZE] = "";
    append_warp(text, 0, 0, 1);
    assert_tree("shuffle_two_pass", one_warp, 32, text);
    assert_tree("shuffle_two_pass", one_warp, 4, "((0 + 2) + (1 + 3))");
    assert_tree("shuffle_two_pass", one_warp, 5, "(((0 + 4) + 2) + (1 + 3))");
}

static void shuffle_two_pass_merges_warps_left_to_right(void **state)
{
    (void)state;
    char text[TEXT_SIZE] = "((";
    append_warp(text, 0, 0, 1);
    strcat(text, " + ");
    append_warp(text, 32, 0, 1);
    strcat(text, ") + (64 + 65))");
    assert_tree("shuffle_two_pass", (struct launch){1, 96}, 66, text);
}

/* The three block sums are in three lanes: 0 and 2 meet first. */
static void shuffle_two_pass_merges_block_sums_as_lanes(void **state)
{
    (void)state;
    char text[TEXT_SIZE] = "((";
    append_warp(text, 0, 0, 1);
    strcat(text, " + (64 + 65)) + ");
    append_warp(text, 32, 0, 1);
    strcat(text, ")");
    assert_tree("shuffle_two_pass", (struct launch){3, 32}, 66, text);
}

/* Adds as the tape says, and measures its height; every node is used once and the last is the root. */
static float walk(const struct tape *tape, uint64_t n, uint64_t *height)
{
    struct {
        float sum;
        uint64_t height, uses;
    } *nodes = calloc(tape->count + 1, sizeof *nodes);
    uint64_t leaves = 0;
    assert_non_null(nodes);
    for (uint64_t k = 1; k <= tape->count; k++) {
        const struct tape_node *node = &tape->nodes[k - 1];
        leaves += node->left == 0;
        assert_true(node->left < k && node->right < k);
        const uint64_t left = nodes[node->left].height, right = nodes[node->right].height;
        nodes[k].height = node->left == 0 ? 1 : (left > right ? left : right) + 1;
        nodes[k].sum = node->left == 0 ? 0 + (float)node->leaf : nodes[node->left].sum + nodes[node->right].sum;
        nodes[node->left].uses++;
        nodes[node->right].uses++;
    }
    assert_int_equal(leaves, n);
    for (uint64_t k = 1; k < tape->count; k++)
        assert_int_equal(nodes[k].uses, 1);
    const float sum = nodes[tape->count].sum;
    *height = nodes[tape->count].height;
    free(nodes);
    return sum;
}

static void assert_tape_is_the_order(const char *order, const float *x, uint64_t n, struct launch launch)
{
    struct tape tape = {0};
    uint64_t height;
    record(&tape, order, x, n, launch);
    const float sum = walk(&tape, n, &height);
    const float plain = replay(find("plain", order), x, n, launch);
    if (float_bits(sum) != float_bits(plain) || height != find("plain", order)->height(n, launch))
        fail_msg("%s, n = %llu, %u x %u: the tape gives %a at height %llu, the replay %a", order, (unsigned long long)n,
                 launch.blocks, launch.threads, (double)sum, (unsigned long long)height, (double)plain);
    tape_free(&tape);
}

static void check_tapes(const char *name, const float *x, uint64_t n)
{
    (void)name;
    size_t methods;
    const struct method *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++)
        for (size_t l = 0; l < LAUNCHES; l++) {
            if (strcmp(table[m].accumulator, "trace") != 0 || !can_do(&table[m], launches[l]))
                continue;
            for (uint64_t k = 0; k <= n; k = k < 70 ? k + 1 : k + 97)
                assert_tape_is_the_order(table[m].order, x, k, launches[l]);
        }
}

static void tape_gives_the_plain_sum_and_the_height_of_its_order(void **state)
{
    (void)state;
    with_generated("normal", "", 1000, 1, check_tapes);
}

/* The twin: orders differ in their bits on these data, so that another tree would show. */
static void assert_orders_differ(const char *name, const float *x, uint64_t n)
{
    (void)name;
    struct tape tape = {0};
    uint64_t height;
    record(&tape, "tree_two_pass", x, n, launches[1]);
    const float tree = walk(&tape, n, &height);
    assert_true(float_bits(tree) != float_bits(replay(find("plain", "serial"), x, n, launches[1])));
    assert_true(float_bits(tree) != float_bits(replay(find("plain", "tree_two_pass"), x, n, launches[0])));
    tape_free(&tape);
}

static void tape_of_one_order_is_not_that_of_another(void **state)
{
    (void)state;
    with_generated("normal", "", 1000, 1, assert_orders_differ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(height_formula_is_the_height_of_the_tree_for_every_n_to_4097),
        cmocka_unit_test(height_formula_is_the_height_of_the_tree_around_multiples_of_the_grid),
        cmocka_unit_test(height_comparison_sees_one_level),
        cmocka_unit_test(every_method_keeps_its_bound_on_every_family),
        cmocka_unit_test(every_method_keeps_its_bound_at_large_n),
        cmocka_unit_test(every_method_keeps_its_bound_on_few_wild_numbers),
        cmocka_unit_test(every_method_keeps_its_bound_where_every_addition_is_a_tie),
        cmocka_unit_test(every_method_keeps_its_bound_around_the_least_numbers),
        cmocka_unit_test(plain_serial_attains_n_minus_1_u),
        cmocka_unit_test(last_rounding_of_neumaier_and_binary64_attains_their_bound),
        cmocka_unit_test(five_numbers_cost_serial_kahan_more_than_2_u),
        cmocka_unit_test(wrong_sum_breaks_the_bound_of_every_method),
        cmocka_unit_test(parts_of_bounds_are_just_above_their_formulas),
        cmocka_unit_test(growth_is_just_above_its_formula),
        cmocka_unit_test(growth_beyond_the_range_is_infinite_and_the_linear_form_stays),
        cmocka_unit_test(round_up_pays_for_four_roundings),
        cmocka_unit_test(comparison_with_a_formula_sees_either_side),
        cmocka_unit_test(bound_of_a_method_is_the_formula_of_its_accumulator),
        cmocka_unit_test(every_accumulator_without_a_formula_is_named),
        cmocka_unit_test(bound_of_every_method_has_the_shape_of_a_bound),
        cmocka_unit_test(shape_check_sees_each_fault),
        cmocka_unit_test(no_bound_is_claimed_where_a_sum_can_overflow),
        cmocka_unit_test(one_number_and_zeros_are_summed_without_error),
        cmocka_unit_test(integers_are_summed_exactly_for_every_n_to_4097),
        cmocka_unit_test(subnormals_are_summed_exactly_for_every_n_to_4097),
        cmocka_unit_test(serial_sum_of_special_values_is_as_documented),
        cmocka_unit_test(compensated_sums_are_infinite_and_nan_where_plain_ones_are),
        cmocka_unit_test(neumaier_returns_the_sum_where_its_error_overflows),
        cmocka_unit_test(kahan_merge_returns_the_sum_where_its_error_overflows),
        cmocka_unit_test(neumaier_overflows_with_the_exact_sum_where_plain_does_not),
        cmocka_unit_test(sum_of_nothing_and_of_minus_zeros_is_plus_zero_everywhere),
        cmocka_unit_test(plain_loses_each_tie),
        cmocka_unit_test(neumaier_keeps_what_kahan_and_plain_lose_to_a_large_pair),
        cmocka_unit_test(kahan_brings_a_lost_one_back_with_the_next),
        cmocka_unit_test(binary64_has_29_more_bits_and_then_no_more),
        cmocka_unit_test(merge_with_an_empty_state_changes_nothing),
        cmocka_unit_test(kahan_merge_keeps_the_correction),
        cmocka_unit_test(serial_tree_leans_left),
        cmocka_unit_test(tree_two_pass_merges_threads_half_a_block_apart),
        cmocka_unit_test(tree_two_pass_strides_over_block_sums),
        cmocka_unit_test(tree_atomic_merges_blocks_as_they_arrive),
        cmocka_unit_test(shuffle_two_pass_merges_lanes_as_a_tree),
        cmocka_unit_test(shuffle_two_pass_merges_warps_left_to_right),
        cmocka_unit_test(shuffle_two_pass_merges_block_sums_as_lanes),
        cmocka_unit_test(tape_gives_the_plain_sum_and_the_height_of_its_order),
        cmocka_unit_test(tape_of_one_order_is_not_that_of_another),
    };
    return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}

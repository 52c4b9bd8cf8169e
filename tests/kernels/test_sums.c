/* What methods compute: within their bound on data, exactly where no addition rounds, and special values as documented.
 *
 * A new accumulator is one file and one row, and nothing here: what holds for every accumulator is asked of it at once,
 * its bound on adversarial data above all. */
#define FORMAT_FILE "formats/binary32.h"
#include "kernels/bound.h"

#include "kernels/accumulators/kahan.h"
#include "kernels/accumulators/neumaier.h"

#include "tests/support/methods.h"
#include "tests/support/random.h"

#include <float.h>
#include <mpfr.h>

/* ---- bounds on data ---- */

static void hold_to_its_bound(const struct method *method, struct launch launch, void *context)
{
    struct trial *trial = context;
    const double ratio = ratio_of(method, launch, trial);
    const double bound = bound_of(method, launch, &trial->exact);
    const bool claimed = bound == 0 || mpfr_cmp_d(trial->exact.sum_abs, bound) >= 0; /* else zeros are within it */
    if (claimed ? !(ratio <= 1) : !isnan(ratio))
        fail_msg("%s on %s, n = %llu, %u x %u: bound_ratio %.17g", method->id, trial->name,
                 (unsigned long long)trial->exact.n, launch.blocks, launch.threads, ratio);
    trial->claimed += claimed;
    if (ratio > trial->worst)
        trial->worst = ratio;
}

/* Returns what was seen; its exact sum is freed. */
static struct trial hold_to_their_bounds(enum scope scope, size_t launch_count, const char *name, const float *x,
                                         uint64_t n)
{
    struct trial trial = trial_of(name, x, n);
    trial.compared = visit_sums(scope, launch_count, hold_to_its_bound, &trial);
    if (scope != IN_TURN) /* whose turn it is may claim nothing */
        assert_true(trial.compared > 0 && (trial.claimed > 0 || !(trial.exact.sum_abs_above <= 0x1p100)));
    exact_free(&trial.exact);
    return trial;
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

static void hold_representatives(const char *name, const float *x, uint64_t n)
{
    hold_to_their_bounds(REPRESENTATIVES_AND_IN_TURN, LAUNCHES, name, x, n);
}

static void hold_in_turn(const char *name, const float *x, uint64_t n)
{
    hold_to_their_bounds(IN_TURN, LITTLE_LAUNCHES, name, x, n);
}

/* Few methods have several turns, many of them one: what large data cost does not grow with the table. */
static void hold_at_least_20_in_turn(const char *name, const float *x, uint64_t n)
{
    struct trial trial = trial_of(name, x, n);
    while (trial.compared < 20)
        trial.compared += visit_sums(IN_TURN, LITTLE_LAUNCHES, hold_to_its_bound, &trial);
    exact_free(&trial.exact);
}

static void hold_every_sum(const char *name, const float *x, uint64_t n)
{
    hold_to_their_bounds(EVERY_SUM, LITTLE_LAUNCHES, name, x, n);
}

static void every_method_keeps_its_bound_on_every_family(void **state)
{
    (void)state;
    const uint64_t sizes[] = {3, 5, 17, 31, 32, 33, 64, 65, 100, 191, 192, 193, 385, 1000, 1025, 4096, 4097};
    forget_visits();
    for (size_t f = 0; f < COUNT_OF(families); f++) {
        with_generated(families[f].family, families[f].rest, 100, 7, hold_every_sum);
        for (size_t k = 0; k < COUNT_OF(sizes); k++) {
            with_generated(families[f].family, families[f].rest, sizes[k], 1, hold_representatives);
            for (uint64_t seed = 2; seed < 6; seed++)
                with_generated(families[f].family, families[f].rest, sizes[k], seed, hold_in_turn);
        }
    }
    assert_every_method_was_visited(LITTLE_LAUNCHES, 200);
}

static void every_method_keeps_its_bound_at_large_n(void **state)
{
    (void)state;
    const char *const large[] = {"uniform", "const", "swamp", "gensum", "mirror"};
    forget_visits();
    for (size_t f = 0; f < COUNT_OF(large); f++) {
        with_generated(large[f], "", 100000, 1, hold_representatives);
        with_generated(large[f], "", 1000003, 1, hold_at_least_20_in_turn);
    }
    assert_every_method_was_visited(LITTLE_LAUNCHES, 1);
}

static void do_nothing(const struct method *method, struct launch launch, void *context)
{
    (void)method, (void)launch, (void)context;
}

/* The twin: a method that has no turn is named. */
static void method_that_was_left_out_is_noticed(void **state)
{
    (void)state;
    forget_visits();
    assert_non_null(visited_too_little(LITTLE_LAUNCHES, 1));
    visit_sums(IN_TURN, LITTLE_LAUNCHES, do_nothing, NULL);
    assert_non_null(visited_too_little(LITTLE_LAUNCHES, 1));
    for (int call = 1; call < TURNS; call++)
        visit_sums(IN_TURN, LITTLE_LAUNCHES, do_nothing, NULL);
    assert_null(visited_too_little(LITTLE_LAUNCHES, 1));
    const struct method *left_out = find("kahan", "serial");
    visits_of[method_index(left_out)] = 0;
    assert_ptr_equal(visited_too_little(LITTLE_LAUNCHES, 1), left_out);
}

/* Makes data with fill(x), seeded, and holds the methods in turn to their bounds, until so many sums were compared: the
 * time does not grow with the table.  Every method has at least `least`.  Returns the largest bound_ratio. */
static double hold_on_random_data(const char *name, uint64_t (*fill)(float x[64]), uint64_t seed, size_t sums,
                                  size_t least)
{
    float x[64];
    double worst = 0;
    seed_random(seed);
    forget_visits();
    for (size_t compared = 0; compared < sums;) {
        const uint64_t n = fill(x);
        const struct trial trial = hold_to_their_bounds(IN_TURN, LITTLE_LAUNCHES, name, x, n);
        compared += trial.compared;
        worst = trial.worst > worst ? trial.worst : worst;
    }
    assert_every_method_was_visited(LITTLE_LAUNCHES, least);
    return worst;
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
    const double worst = hold_on_random_data("few wild numbers", fill_few, 1, 1000000, 500);
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
    hold_on_random_data("ties", fill_ties, 2, 300000, 150);
}

/* Multiples of 2^-149 below 2^-125 add exactly: gradual underflow needs no term of its own. */
static uint64_t fill_least(float x[64])
{
    const uint64_t n = 1 + below(64);
    for (uint64_t i = 0; i < n; i++)
        x[i] = float_from_bits((uint32_t)(next_random() & 0x80000000) | (uint32_t)below(UINT32_C(30) << 23));
    return n;
}

static void every_method_keeps_its_bound_around_the_least_numbers(void **state)
{
    (void)state;
    hold_on_random_data("least numbers", fill_least, 3, 100000, 50);
}

/* ---- twins: the bounds are attained, and what is wrong breaks them ---- */
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
static void last_rounding_attains_the_bound_where_nothing_else_is_lost(void **state)
{
    (void)state;
    const char *const accumulators[] = {"neumaier", "binary64", "superacc"};
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

/* ---- exact sums ---- */

/* Small integers and multiples of 2^-149: no order rounds, so a difference is an element left out or taken twice. */
struct growing {
    const float *x;
    float scale;
    size_t sums; /* compared */
};

/* plain at every n, since an order leaves out or repeats elements whatever it adds with; the others at every n to 66,
 * beyond two warps, and then every 61st. */
static uint64_t next_n(const struct method *method, uint64_t n)
{
    return n + (n < 66 || strcmp(method->accumulator, "plain") == 0 ? 1 : 61);
}

static void hold_to_the_integer_sum(const struct method *method, struct launch launch, void *context)
{
    struct growing *growing = context;
    int64_t sum = 0;
    if (growing->scale != 1 && method->accumulator_traits->kind == KIND_NONE)
        return; /* half of a subnormal number may be rounded: who names no kind need not be exact there */
    for (uint64_t n = 0, next; n <= EVERY_N; n = next) {
        const float computed = replay(method, growing->x, n, launch);
        const float expected = (float)sum * growing->scale;
        if (float_bits(computed) != float_bits(expected))
            fail_msg("%s, n = %llu, %u x %u: %a, expected %a", method->id, (unsigned long long)n, launch.blocks,
                     launch.threads, (double)computed, (double)expected);
        growing->sums++;
        next = next_n(method, n);
        for (uint64_t i = n; i < next && i < EVERY_N; i++)
            sum += (int64_t)(growing->x[i] / growing->scale);
    }
}

static void hold_all_to_the_integer_sum(size_t launch_count, const float *x, float scale)
{
    struct growing growing = {x, scale, 0};
    forget_visits();
    for_each_sum(launch_count, hold_to_the_integer_sum, &growing);
    assert_every_method_was_visited(launch_count, 1);
    print_message("%zu sums are exact\n", growing.sums);
    assert_true(growing.sums > 4098 * 2 * 2); /* plain alone, in two orders, in two launches */
}

static void integers_are_summed_exactly_for_every_n_to_4097(void **state)
{
    (void)state;
    static float x[EVERY_N];
    seed_random(8);
    for (size_t i = 0; i < EVERY_N; i++)
        x[i] = (float)(1 + below(1000));
    hold_all_to_the_integer_sum(LITTLE_LAUNCHES, x, 1);
}

static void subnormals_are_summed_exactly_for_every_n_to_4097(void **state)
{
    (void)state;
    static float x[EVERY_N];
    seed_random(9);
    for (size_t i = 0; i < EVERY_N; i++)
        x[i] = (float)(int64_t)below(2001) * 0x1p-149f;
    hold_all_to_the_integer_sum(2, x, 0x1p-149f);
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
    const struct {
        const char *accumulator;
        bool wide;
    } documented[] = {{"plain", false}, {"kahan", false}, {"neumaier", false}, {"binary64", true}, {"superacc", true}};
    for (size_t d = 0; d < COUNT_OF(documented); d++) {
        const struct method *method = find(documented[d].accumulator, "serial");
        for (size_t i = 0; i < COUNT_OF(known); i++) {
            const float computed = replay(method, known[i].x, known[i].n, one_warp);
            if (kind_of(computed) != (documented[d].wide ? known[i].in_binary64 : known[i].kind))
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
    const char *const guarded[] = {"kahan", "kahan_two_sum", "neumaier", "sum2", "klein", "double_float"};
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
static void sum2_returns_the_sum_where_its_error_overflows(void **state)
{
    (void)state;
    real error;
    assert_true(two_sum(-0x1.8p+104f, FLT_MAX, &error) == 0x1.fffffcp+127f && isnan(error));
    assert_serial_sum("sum2", TERMS(-0x1.8p+104f, FLT_MAX), 0x1.fffffcp+127f);
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
    return metric_of(METRIC_backward_error, &trial->exact, (float)kahan_result(running), 1) / u;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_keeps_its_bound_on_every_family),
        cmocka_unit_test(every_method_keeps_its_bound_at_large_n),
        cmocka_unit_test(method_that_was_left_out_is_noticed),
        cmocka_unit_test(every_method_keeps_its_bound_on_few_wild_numbers),
        cmocka_unit_test(every_method_keeps_its_bound_where_every_addition_is_a_tie),
        cmocka_unit_test(every_method_keeps_its_bound_around_the_least_numbers),
        cmocka_unit_test(plain_serial_attains_n_minus_1_u),
        cmocka_unit_test(last_rounding_attains_the_bound_where_nothing_else_is_lost),
        cmocka_unit_test(five_numbers_cost_serial_kahan_more_than_2_u),
        cmocka_unit_test(wrong_sum_breaks_the_bound_of_every_method),
        cmocka_unit_test(integers_are_summed_exactly_for_every_n_to_4097),
        cmocka_unit_test(subnormals_are_summed_exactly_for_every_n_to_4097),
        cmocka_unit_test(serial_sum_of_special_values_is_as_documented),
        cmocka_unit_test(compensated_sums_are_infinite_and_nan_where_plain_ones_are),
        cmocka_unit_test(sum2_returns_the_sum_where_its_error_overflows),
        cmocka_unit_test(kahan_merge_returns_the_sum_where_its_error_overflows),
        cmocka_unit_test(neumaier_overflows_with_the_exact_sum_where_plain_does_not),
        cmocka_unit_test(sum_of_nothing_and_of_minus_zeros_is_plus_zero_everywhere),
        cmocka_unit_test(plain_loses_each_tie),
        cmocka_unit_test(neumaier_keeps_what_kahan_and_plain_lose_to_a_large_pair),
        cmocka_unit_test(kahan_brings_a_lost_one_back_with_the_next),
        cmocka_unit_test(binary64_has_29_more_bits_and_then_no_more),
        cmocka_unit_test(merge_with_an_empty_state_changes_nothing),
        cmocka_unit_test(kahan_merge_keeps_the_correction),
    };
    return cmocka_run_group_tests_name("sums", tests, NULL, NULL);
}

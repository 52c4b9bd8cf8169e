/* Accumulators against each other: what one keeps and its rival loses, special values on every small tree, bounds that
 * are attained.  What holds for all of them alike is asked in test_bounds.c. */
#define FORMAT_FILE "formats/binary32.h"
#include "kernels/bound.h"

#include "kernels/accumulators/binary64.h"
#include "kernels/accumulators/binary64_kahan.h"
#include "kernels/accumulators/double_float.h"
#include "kernels/accumulators/kahan.h"
#include "kernels/accumulators/kahan_naive_merge.h"
#include "kernels/accumulators/kahan_two_sum.h"
#include "kernels/accumulators/klein.h"
#include "kernels/accumulators/neumaier.h"
#include "kernels/accumulators/plain.h"
#include "kernels/accumulators/sum2.h"
#include "kernels/accumulators/superacc.h"

#include "datasets/dataset.h"
#include "src/measure/metric.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/trees.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define TERMS(...) ((const float[]){__VA_ARGS__}), COUNT_OF(((const float[]){__VA_ARGS__}))

static const double u = 0x1p-24;

/* ---- every accumulator in trees of additions and merges ---- */

typedef float summing(const struct tree *tree, const float *x);

#define ACCUMULATORS(ROW)                                                                                              \
    ROW(plain)                                                                                                         \
    ROW(kahan)                                                                                                         \
    ROW(kahan_two_sum)                                                                                                 \
    ROW(kahan_naive_merge)                                                                                             \
    ROW(neumaier)                                                                                                      \
    ROW(sum2)                                                                                                          \
    ROW(klein)                                                                                                         \
    ROW(double_float)                                                                                                  \
    ROW(binary64)                                                                                                      \
    ROW(binary64_kahan)                                                                                                \
    ROW(superacc)

ACCUMULATORS(SUM_IN_TREES)

enum { ROW_plain, ROW_kahan, ROW_kahan_two_sum, ROW_kahan_naive_merge, ROW_neumaier, ROW_sum2, ROW_klein };

static const struct {
    const char *id;
    summing *sum;
    double (*bound)(const struct claim *of);
} accumulators[] = {
#define ROW(id) {#id, id##_sum, id##_bound},
    ACCUMULATORS(ROW)
#undef ROW
};

static bool is_wide(size_t a)
{
    return strncmp(accumulators[a].id, "binary64", 8) == 0 || strcmp(accumulators[a].id, "superacc") == 0;
}

static void assert_sum(const char *id, summing *sum, const float *x, size_t n, float expected)
{
    const struct tree tree = serial(n);
    const float computed = sum(&tree, x);
    if (float_bits(computed) != float_bits(expected))
        fail_msg("%s: %a, expected %a", id, (double)computed, (double)expected);
}

#define ASSERT_SUM(id, expected, ...) assert_sum(#id, id##_sum, TERMS(__VA_ARGS__), expected)

/* ---- errors and bounds ---- */

static struct exact_sum exact_of(const float *x, uint64_t n)
{
    struct exact_sum exact;
    assert_int_equal(exact_sum(&FORMAT_BINARY32, x, n, &exact), OK);
    return exact;
}

static double metric_of(enum metric metric, const struct exact_sum *exact, float computed, double bound)
{
    return metric_table[metric].measure(&(struct judged){.exact = exact, .computed = (double)computed, .bound = bound});
}

static size_t row_of(const char *id)
{
    size_t a = 0;
    while (strcmp(accumulators[a].id, id) != 0)
        assert_true(++a < COUNT_OF(accumulators));
    return a;
}

/* bound_ratio of the sum in this tree, with `share` of the bound. */
static double ratio_with(double share, const char *id, const struct tree *tree, const float *x, size_t n)
{
    const size_t a = row_of(id);
    struct exact_sum exact = exact_of(x, n);
    const struct claim claim = {(double)n,           (double)height_of(tree), exact.abs_above,
                                exact.sum_abs_above, exact.max_abs,           REAL_U};
    const double ratio =
        metric_of(METRIC_bound_ratio, &exact, accumulators[a].sum(tree, x), share * accumulators[a].bound(&claim));
    exact_free(&exact);
    return ratio;
}

static double serial_ratio(double share, const char *id, const float *x, size_t n)
{
    const struct tree tree = serial(n);
    return ratio_with(share, id, &tree, x, n);
}

static double error_in_u(const char *id, const struct tree *tree, const float *x, size_t n)
{
    struct exact_sum exact = exact_of(x, n);
    const double error = metric_of(METRIC_backward_error, &exact, accumulators[row_of(id)].sum(tree, x), 1) / u;
    exact_free(&exact);
    return error;
}

/* 1 + u: the last rounding, half an ulp, is all that these lose. */
static void last_rounding_attains_the_bound(void **state)
{
    (void)state;
    const char *const attained[] = {"neumaier", "sum2",           "klein",   "double_float",
                                    "binary64", "binary64_kahan", "superacc"};
    for (size_t i = 0; i < COUNT_OF(attained); i++) {
        const double ratio = serial_ratio(1, attained[i], TERMS(1, (float)u));
        assert_true(ratio > 0.999999 && ratio <= 1);
        assert_true(serial_ratio(0.999998, attained[i], TERMS(1, (float)u)) > 1); /* the twin */
    }
}

/* Found by hill climbing, as the closest of 8 and of 2 numbers. */
static void kahan_variants_come_near_their_bounds(void **state)
{
    (void)state;
    const float eight[] = {0x1.03cadp+10f,  0x1.000002p+17f, 0x1.000afep+6f, 0x1.000006p+17f,
                           0x1.000006p+18f, 0x1.00008p+12f,  0x1.03fffep+2f, 0x1.000006p+19f};
    assert_true(serial_ratio(1, "kahan_two_sum", eight, COUNT_OF(eight)) <= 1);
    assert_true(serial_ratio(0.94, "kahan_two_sum", eight, COUNT_OF(eight)) <= 1);
    assert_true(serial_ratio(0.93, "kahan_two_sum", eight, COUNT_OF(eight)) > 1);
    const double naive = ratio_with(1, "kahan_naive_merge", &(struct tree){3, {FIRST, FIRST, MERGE}},
                                    TERMS(-0x1.400002p-1f, -0x1.600002p+0f));
    assert_true(naive > 0.4999 && naive <= 0.5001);
}

static void five_numbers_cost_kahan_more_than_2_u_and_kahan_two_sum_less(void **state)
{
    (void)state;
    const float x[] = {0x1.000002p26f, 0x1p50f, -0x1.bffffep27f, 0x1.000006p50f, -0x1p2f};
    const struct tree tree = serial(COUNT_OF(x));
    assert_true(error_in_u("kahan", &tree, x, COUNT_OF(x)) > 2.2499);
    assert_true(error_in_u("kahan_two_sum", &tree, x, COUNT_OF(x)) < 2);
    assert_true(serial_ratio(1, "kahan_two_sum", x, COUNT_OF(x)) <= 1);
}

/* Half the data uniform, half wild, in any tree: a tenth of the bound would not do. */
static void every_accumulator_keeps_its_bound_in_any_tree(void **state)
{
    (void)state;
    double worst[COUNT_OF(accumulators)] = {0};
    seed_random(1);
    for (int round = 0; round < 20000; round++) {
        float x[MOST_TERMS];
        const size_t n = 2 + below(round % 2 ? 6 : MOST_TERMS - 1);
        const int span = 1 + (int)below(50);
        for (size_t i = 0; i < n; i++) {
            x[i] = (float)ldexp(1 + (double)(next_random() >> 41) * 0x1p-23, (int)below((uint64_t)span) - 20);
            x[i] = below(2) ? x[i] : -x[i];
        }
        const struct tree tree = some_tree(n);
        for (size_t a = 0; a < COUNT_OF(accumulators); a++) {
            const double ratio = ratio_with(1, accumulators[a].id, &tree, x, n);
            worst[a] = fmax(worst[a], ratio);
            if (!(ratio <= 1))
                fail_msg("%s: bound_ratio %g, n = %zu", accumulators[a].id, ratio, n);
        }
    }
    for (size_t a = 0; a < COUNT_OF(accumulators); a++)
        assert_true(worst[a] > 0.1);
}

/* ---- Kahan's variants ---- */

/* The example of kahan_two_sum.h. */
static void kahan_two_sum_keeps_a_bit_that_kahan_loses_to_a_term_larger_than_the_sum(void **state)
{
    (void)state;
    const float x[] = {3, 0x1.000002p24f, 1};
    const struct kahan_two_sum exact = kahan_two_sum_add(kahan_two_sum_add(kahan_two_sum_zero(), x[0]), x[1]);
    const struct kahan lossy = kahan_add(kahan_add(kahan_zero(), x[0]), x[1]);
    assert_true(exact.state.sum == 0x1.000004p24f && exact.state.excess == -1);
    assert_true(lossy.sum == 0x1.000004p24f && lossy.excess == -2);
    assert_sum("kahan_two_sum", kahan_two_sum_sum, x, COUNT_OF(x), 0x1.000006p24f);
    assert_sum("kahan", kahan_sum, x, COUNT_OF(x), 0x1.000008p24f);
}

/* The example of kahan_naive_merge.h. */
static void naive_merge_rounds_an_excess_away_that_kahans_keeps(void **state)
{
    (void)state;
    const struct kahan a = {0x1p24f, -1}, b = {0x1.8p25f, 0};
    const struct kahan naive =
        kahan_naive_merge_merge((struct kahan_naive_merge){a}, (struct kahan_naive_merge){b}).state;
    const struct kahan kept = kahan_merge(a, b);
    assert_true(naive.sum == 0x1p26f && naive.excess == 0);
    assert_true(kept.sum == 0x1p26f && kept.excess == -1);
}

/* Leaves of 1 to 8 terms, each merged with the running state on its left or right; the error in units of u S. */
#define MERGED(id)                                                                                                     \
    static double id##_merged(const float *x, uint64_t n, const struct exact_sum *exact, bool running_left)            \
    {                                                                                                                  \
        struct id running = id##_zero();                                                                               \
        uint64_t i = 0;                                                                                                \
        for (uint64_t leaf = 1; i < n; leaf = leaf % 8 + 1) {                                                          \
            struct id s = id##_zero();                                                                                 \
            for (uint64_t end = i + leaf; i < end && i < n; i++)                                                       \
                s = id##_add(s, x[i]);                                                                                 \
            running = running_left ? id##_merge(running, s) : id##_merge(s, running);                                  \
        }                                                                                                              \
        return metric_of(METRIC_backward_error, exact, (float)id##_result(running), 1) / u;                            \
    }
MERGED(plain)
MERGED(kahan)
MERGED(kahan_two_sum)
MERGED(kahan_naive_merge)

/* Measured: 7.5 u S for plain, 9.5 for the naive merge, below 1 for the others. */
static void naive_merge_is_no_better_than_plain_when_the_running_sum_is_on_its_right(void **state)
{
    (void)state;
    struct data_spec *specs;
    size_t count;
    struct dataset data;
    assert_int_equal(data_specs_read("uniform:n=1048576", "test", NONFINITE_REFUSE, &specs, &count), OK);
    assert_int_equal(dataset_make(specs, 1, 0, &data), OK);
    struct exact_sum exact = exact_of(data.x, data.n);
    const double plain = plain_merged(data.x, data.n, &exact, false);
    const double naive = kahan_naive_merge_merged(data.x, data.n, &exact, false);
    assert_true(plain > 5 && naive > plain / 2);
    assert_true(kahan_merged(data.x, data.n, &exact, false) <= 1);
    assert_true(kahan_two_sum_merged(data.x, data.n, &exact, false) <= 1);
    assert_true(kahan_naive_merge_merged(data.x, data.n, &exact, true) <= 1); /* the other side harms nothing */
    exact_free(&exact);
    dataset_free(&data);
    data_specs_free(specs, count);
}

/* ---- neumaier and sum2 ---- */

static void neumaier_and_sum2_have_the_same_states_where_nothing_overflows(void **state)
{
    (void)state;
    seed_random(2);
    for (int round = 0; round < 200000; round++) {
        float x[MOST_TERMS];
        const size_t n = 1 + below(below(4) ? 8 : MOST_TERMS);
        const uint32_t span = 1 + (uint32_t)below(below(2) ? 4 : 240), low = (uint32_t)below(241 - span);
        for (size_t i = 0; i < n; i++) { /* below 2^114, subnormals and zeros too */
            const uint32_t fraction = (uint32_t)next_random() & (below(2) ? 0x7fffff : 3);
            x[i] = float_from_bits((uint32_t)below(2) << 31 | (low + (uint32_t)below(span)) << 23 | fraction);
            if (i > 0 && below(6) == 0)
                x[i] = -x[below(i)];
        }
        const struct tree tree = some_tree(n);
        const struct neumaier branch = neumaier_state(&tree, x);
        const struct sum2 none = sum2_state(&tree, x);
        if (float_bits(branch.sum) != float_bits(none.state.sum) ||
            float_bits(branch.lost) != float_bits(none.state.lost))
            fail_msg("(%a, %a) and (%a, %a)", (double)branch.sum, (double)branch.lost, (double)none.state.sum,
                     (double)none.state.lost);
    }
}

/* The twin: here a_part of TwoSum is FLT_MAX and half an ulp, infinity. */
static void neumaier_keeps_near_the_largest_number_what_sum2_drops(void **state)
{
    (void)state;
    const float x[] = {-0x1.8p+104f, FLT_MAX, -FLT_MAX};
    const struct tree two = serial(2);
    assert_true(neumaier_state(&two, x).lost == -0x1p103f && isnan(sum2_state(&two, x).state.lost));
    assert_sum("neumaier", neumaier_sum, x, 3, -0x1.8p+104f); /* exact */
    assert_sum("sum2", sum2_sum, x, 3, -0x1p+104f);
    assert_sum("plain", plain_sum, x, 3, -0x1p+104f);
}

/* Every pair of a dense set around the largest number, where TwoSum's intermediates overflow. */
static void error_of_neumaier_is_finite_where_the_sum_is(void **state)
{
    (void)state;
    uint64_t finite = 0, spoilt = 0;
    for (int i = 0; i < 4000; i++) {
        const uint32_t top = float_bits(FLT_MAX) - (uint32_t)(i % 40);
        const float large = float_from_bits(top);
        for (int k = 0; k < 600; k++) {
            const float other = -(float)ldexp(1 + (k / 24) * 0x1p-5, 100 + k % 24 + i / 200);
            real error, error_of_two_sum;
            if (!is_finite(other) || !is_finite(neumaier_two_sum(other, large, &error)))
                continue;
            two_sum(other, large, &error_of_two_sum);
            assert_true(is_finite(error));
            finite++;
            spoilt += !is_finite(error_of_two_sum);
        }
    }
    assert_true(finite > 100000 && spoilt > 100);
}

/* ---- chains that defeat one order of compensation after the other ---- */

/* M^k, ..., M, 1, -M^k, ..., -M with M = 2^25: the sum is 1. */
static size_t compensation_chain(unsigned k, float *x)
{
    size_t n = 0;
    for (unsigned i = k; i > 0; i--)
        x[n++] = (float)ldexp(1, 25 * (int)i);
    x[n++] = 1;
    for (unsigned i = k; i > 0; i--)
        x[n++] = (float)-ldexp(1, 25 * (int)i);
    return n;
}

static void chain_of_two_defeats_first_order_compensation_and_not_klein(void **state)
{
    (void)state;
    float x[16];
    const size_t n = compensation_chain(2, x);
    assert_sum("kahan", kahan_sum, x, n, -0x1p25f);
    assert_sum("neumaier", neumaier_sum, x, n, 0);
    assert_sum("sum2", sum2_sum, x, n, 0);
    assert_sum("double_float", double_float_sum, x, n, 0);
    assert_sum("klein", klein_sum, x, n, 1);
}

/* The twins: one link fewer and neumaier is exact, one more and klein is not. */
static void chain_of_one_defeats_plain_and_chain_of_three_klein(void **state)
{
    (void)state;
    float x[16];
    const size_t one = compensation_chain(1, x);
    assert_sum("plain", plain_sum, x, one, 0);
    assert_sum("neumaier", neumaier_sum, x, one, 1);
    assert_sum("sum2", sum2_sum, x, one, 1);
    assert_sum("double_float", double_float_sum, x, one, 1);
    const size_t three = compensation_chain(3, x);
    assert_sum("klein", klein_sum, x, three, 0);
}

static void neumaier_and_its_like_keep_what_kahan_loses_to_a_large_pair(void **state)
{
    (void)state;
    ASSERT_SUM(kahan, 0, 1, 0x1p60f, 1, -0x1p60f);
    ASSERT_SUM(kahan_two_sum, 0, 1, 0x1p60f, 1, -0x1p60f);
    ASSERT_SUM(neumaier, 2, 1, 0x1p60f, 1, -0x1p60f);
    ASSERT_SUM(sum2, 2, 1, 0x1p60f, 1, -0x1p60f);
    ASSERT_SUM(klein, 2, 1, 0x1p60f, 1, -0x1p60f);
    ASSERT_SUM(double_float, 2, 1, 0x1p60f, 1, -0x1p60f);
}

/* 1 + u is a tie, which what is lost twice decides: added last, it comes too late. */
static void klein_joins_its_parts_with_one_rounding_of_their_sum(void **state)
{
    (void)state;
    const struct tree tree = serial(4);
    const struct klein s = klein_state(&tree, (const float[]){1, 0x1p-24f, 0x1.8p-49f, 0x1.8p-49f});
    assert_true(s.sum == 1 && s.lost == 0x1p-24f && s.lost_again == 0x1.8p-48f);
    assert_true((float)klein_result(s) == 0x1.000002p0f);
    assert_true((s.sum + s.lost) + s.lost_again == 1);
}

/* sum and lost cancel: added to lost first, the 1 is rounded off. */
static void klein_does_not_round_lost_before_it_meets_the_sum(void **state)
{
    (void)state;
    float x[16];
    const struct tree tree = serial(compensation_chain(2, x));
    const struct klein s = klein_state(&tree, x);
    assert_true(s.sum == -0x1p25f && s.lost == 0x1p25f && s.lost_again == 1);
    assert_true((float)klein_result(s) == 1);
    assert_true(s.sum + (s.lost + s.lost_again) == 0);
}

/* Both errors of the losses: of adding them up, and of adding the error of the sums to that. */
static void klein_merge_keeps_both_errors_of_what_is_lost(void **state)
{
    (void)state;
    float x[16];
    const size_t n = compensation_chain(2, x);
    struct tree merges = {0};
    for (size_t i = 0; i < n; i++) {
        merges.steps[merges.count++] = FIRST;
        if (i > 0)
            merges.steps[merges.count++] = i % 2 ? MERGE : SWAPPED;
    }
    assert_true(klein_sum(&merges, x) == 1);
    assert_true(sum2_sum(&merges, x) == 0); /* the twin */
    assert_true(klein_merge((struct klein){0, 0x1p25f, 0}, (struct klein){0, 1, 0}).lost_again == 1);
}

/* Both errors are 1 and are added to each other first: added to 2^24 in turn, each would be a tie that goes down. */
static void klein_merge_adds_what_is_lost_again_in_pairs(void **state)
{
    (void)state;
    const struct klein merged = klein_merge((struct klein){0x1p25f, 0x1p25f, 0x1p24f}, (struct klein){1, 1, 0});
    assert_true(merged.lost_again == 0x1p24f + 2);
    volatile float in_turn = 0x1p24f + 1; /* the twin */
    assert_true(in_turn + 1 == 0x1p24f);
}

/* 4,096 times 3/4 and a last bit beside 2^24: `lost` grows to 3,072 and rounds that bit off, `low` stays below 1. */
static void double_float_keeps_low_small_where_lost_grows(void **state)
{
    (void)state;
    enum { N = 4096 };
    struct double_float pair = double_float_add(double_float_zero(), 0x1p24f);
    struct sum2 apart = sum2_add(sum2_zero(), 0x1p24f);
    for (int i = 0; i < N; i++) {
        pair = double_float_add(pair, 0.75f + 0x1p-23f);
        apart = sum2_add(apart, 0.75f + 0x1p-23f);
        assert_true(fabsf(pair.low) <= 1);
    }
    pair = double_float_add(pair, -0x1p24f);
    apart = sum2_add(apart, -0x1p24f);
    assert_true((float)double_float_result(pair) == 3072 + 0x1p-11f);
    assert_true((float)sum2_result(apart) != 3072 + 0x1p-11f);
}

/* The highs cancel: what adding the lows loses is the new low. */
static void double_float_merge_keeps_the_error_of_the_lows(void **state)
{
    (void)state;
    const struct double_float a = {0x1p60f, 0x1p30f}, b = {-0x1p60f, 1};
    const struct double_float merged = double_float_merge(a, b);
    assert_true(merged.high == 0x1p30f && merged.low == 1);
    assert_true(a.low + b.low == 0x1p30f); /* the twin: one addition of the lows loses the 1 */
}

static void double_float_is_the_nearest_number_and_a_rest_after_every_operation(void **state)
{
    (void)state;
    seed_random(3);
    for (int round = 0; round < 100000; round++) {
        float x[MOST_TERMS];
        const size_t n = 1 + below(MOST_TERMS);
        for (size_t i = 0; i < n; i++)
            x[i] = i > 0 && below(4) == 0 ? -x[below(i)]
                                          : (float)ldexp((double)(int32_t)next_random(), (int)below(60) - 170);
        const struct tree tree = some_tree(n);
        const struct double_float s = double_float_state(&tree, x);
        assert_true(s.high + s.low == s.high);
    }
    assert_false(1 + 0x1.8p-24f == 1); /* the twin: more than half an ulp is not a rest */
}

static void binary64_kahan_keeps_ones_beside_2_to_the_53(void **state)
{
    (void)state;
    ASSERT_SUM(binary64_kahan, 2, 0x1p53f, 1, 1, -0x1p53f);
    ASSERT_SUM(binary64, 0, 0x1p53f, 1, 1, -0x1p53f);
    const struct binary64_kahan a = {0x1p53, -1}, b = {0x1.8p54, 0};
    const struct binary64_kahan merged = binary64_kahan_merge(a, b);
    const struct binary64_kahan swapped = binary64_kahan_merge(b, a);
    assert_true(merged.sum == 0x1p55 && merged.excess == -1);
    assert_true(swapped.sum == 0x1p55 && swapped.excess == -1);
    const struct binary64_kahan one = {1, 0}, large = {0x1p53, 0};
    assert_true(binary64_kahan_merge(large, one).excess == -1); /* the error of the sums */
}

/* ---- special values ---- */

enum kind { FINITE, PLUS_INFINITY, MINUS_INFINITY, NOT_A_NUMBER };

static enum kind kind_of(float v)
{
    return isnan(v) ? NOT_A_NUMBER : !isinf(v) ? FINITE : v > 0 ? PLUS_INFINITY : MINUS_INFINITY;
}

static const float specials[] = {
    INFINITY,   -INFINITY,   NAN,        FLT_MAX,     -FLT_MAX, 0x1p103f,  -0x1p103f,
    0x1.8p102f, -0x1.8p102f, 0x1.8p104f, -0x1.8p104f, 0x1p127f, -0x1p127f, 0x1.000002p127f,
    0.0f,       -0.0f,       0x1p-149f,  1,           -1,       0x1p104f,  -0x1.fffffcp127f};

/* What no result may be, or NULL, beside plain's of the same tree and the kind of the infinities and NaN alone. */
static const char *fault_of_special(size_t a, float computed, float plain, enum kind of_specials, double sum_abs)
{
    const bool keeps_the_plain_sum = a == ROW_neumaier || a == ROW_sum2 || a == ROW_klein;
    const bool can_overflow = sum_abs >= 0x1p127;
    if (computed == 0 && signbit(computed))
        return "is minus zero";
    if (isfinite(plain) && isnan(computed))
        return "is NaN where plain is finite";
    if (keeps_the_plain_sum && !isfinite(plain) && kind_of(computed) != kind_of(plain))
        return "is another special value than plain";
    if (!can_overflow && kind_of(computed) != of_specials)
        return "is not what the infinities and NaN among the data are";
    return NULL;
}

/* Of the infinities and NaN alone. */
static enum kind kind_of_specials(const float *x, size_t n)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += isfinite(x[i]) ? 0 : x[i];
    return kind_of(sum);
}

static void hold_to_special_values(const struct tree *tree, size_t n, void *context)
{
    size_t *sums = context, combinations = 1;
    for (size_t i = 0; i < n; i++)
        combinations *= COUNT_OF(specials);
    for (size_t c = 0; c < combinations; c++) {
        float x[3] = {0};
        double sum_abs = 0;
        for (size_t i = 0, rest = c; i < n; i++, rest /= COUNT_OF(specials)) {
            x[i] = specials[rest % COUNT_OF(specials)];
            sum_abs += isfinite(x[i]) ? fabs((double)x[i]) : 0;
        }
        const float plain = plain_sum(tree, x);
        const enum kind expected = kind_of_specials(x, n);
        for (size_t a = 0; a < COUNT_OF(accumulators); a++, ++*sums) {
            const float computed = accumulators[a].sum(tree, x);
            const char *fault = fault_of_special(a, computed, plain, expected, sum_abs);
            if (fault)
                fail_msg("%s of {%a, %a, %a}, n = %zu: %a %s, %a", accumulators[a].id, (double)x[0], (double)x[1],
                         (double)x[2], n, (double)computed, fault, (double)plain);
        }
    }
}

static void special_values_are_right_on_every_tree_of_three(void **state)
{
    (void)state;
    size_t sums = 0;
    assert_int_equal(for_each_tree(1, hold_to_special_values, &sums), 1);
    assert_int_equal(for_each_tree(2, hold_to_special_values, &sums), 3);
    assert_int_equal(for_each_tree(3, hold_to_special_values, &sums), 15);
    assert_true(sums > 1000000);
}

/* The twin. */
static void fault_of_special_sees_each_fault(void **state)
{
    (void)state;
    const double large = 0x1p127;
    assert_null(fault_of_special(ROW_klein, INFINITY, INFINITY, PLUS_INFINITY, 1));
    assert_null(fault_of_special(ROW_kahan, INFINITY, FLT_MAX, FINITE, large));
    assert_non_null(fault_of_special(ROW_kahan, -0.0f, 0, FINITE, 1));
    assert_non_null(fault_of_special(ROW_kahan, NAN, FLT_MAX, FINITE, large));
    assert_non_null(fault_of_special(ROW_klein, NAN, INFINITY, FINITE, large));
    assert_non_null(fault_of_special(ROW_kahan, NAN, INFINITY, PLUS_INFINITY, 1));
    assert_non_null(fault_of_special(ROW_kahan, 1, INFINITY, PLUS_INFINITY, 1));
}

static void serial_special_values_are_as_in_this_table(void **state)
{
    (void)state;
    const struct {
        const float *x;
        size_t n;
        enum kind kind, wide;
    } known[] = {
        {TERMS(INFINITY, 1, 2), PLUS_INFINITY, PLUS_INFINITY},
        {TERMS(1, INFINITY, -2), PLUS_INFINITY, PLUS_INFINITY},
        {TERMS(1, -INFINITY, FLT_MAX), MINUS_INFINITY, MINUS_INFINITY},
        {TERMS(INFINITY, INFINITY, 1), PLUS_INFINITY, PLUS_INFINITY},
        {TERMS(INFINITY, -INFINITY, 1), NOT_A_NUMBER, NOT_A_NUMBER},
        {TERMS(1, NAN, INFINITY), NOT_A_NUMBER, NOT_A_NUMBER},
        {TERMS(FLT_MAX, FLT_MAX, 1), PLUS_INFINITY, PLUS_INFINITY},
        {TERMS(FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX, 1), PLUS_INFINITY, FINITE},
        {TERMS(FLT_MAX, FLT_MAX, -INFINITY), NOT_A_NUMBER, MINUS_INFINITY},
        {TERMS(-0.0f, -0.0f), FINITE, FINITE},
    };
    for (size_t a = 0; a < COUNT_OF(accumulators); a++)
        for (size_t i = 0; i < COUNT_OF(known); i++) {
            const struct tree tree = serial(known[i].n);
            const float computed = accumulators[a].sum(&tree, known[i].x);
            if (kind_of(computed) != (is_wide(a) ? known[i].wide : known[i].kind))
                fail_msg("%s, row %zu: %a", accumulators[a].id, i, (double)computed);
        }
}

/* s = FLT_MAX + 1.5 2^103 rounds to infinity; TwoSum of FLT_MAX and what is lost has the error NaN. */
static void klein_overflows_to_infinity_where_its_parts_join(void **state)
{
    (void)state;
    real error;
    ASSERT_SUM(plain, FLT_MAX, FLT_MAX, 0x1.8p102f, 0x1.8p102f);
    ASSERT_SUM(klein, INFINITY, FLT_MAX, 0x1.8p102f, 0x1.8p102f);
    ASSERT_SUM(double_float, INFINITY, FLT_MAX, 0x1.8p102f, 0x1.8p102f);
    assert_true(isnan(two_sum(FLT_MAX, 0x1.8p103f, &error) + error)); /* the twin: without the guard */
}

/* The renormalising TwoSum overflows: its error, NaN, would spoil the next addition. */
static void kahan_merge_that_overflows_leaves_an_infinity_that_stays(void **state)
{
    (void)state;
    const struct kahan merged = kahan_merge((struct kahan){FLT_MAX, -0x1.8p102f}, (struct kahan){0x1.8p102f, 0});
    assert_true(merged.sum == INFINITY && merged.excess == 0);
    assert_true((float)kahan_result(kahan_add(merged, 1)) == INFINITY);
    const struct kahan unguarded = {INFINITY, NAN};
    assert_true(isnan((float)kahan_result(kahan_add(unguarded, 1)))); /* the twin */
}

/* FLT_MAX + 1.5 2^103 again: sh is finite, sh + c is not. */
static void double_float_merge_overflows_to_infinity(void **state)
{
    (void)state;
    const struct double_float a = {FLT_MAX, 0x1.8p102f}, b = {0x1.8p102f, 0};
    const struct double_float merged = double_float_merge(a, b);
    assert_true((float)double_float_result(merged) == INFINITY);
    assert_true((float)double_float_result(double_float_add(merged, 1)) == INFINITY);
    assert_true((float)double_float_result(double_float_merge(merged, b)) == INFINITY);
    real error;
    const real high = fast_two_sum(FLT_MAX, 0x1.8p103f, &error);
    assert_true(isnan(high + error)); /* the twin: without the second guard */
}

/* ---- empty states ---- */

#define ASSERT_EMPTY_CHANGES_NOTHING(id)                                                                               \
    do {                                                                                                               \
        const struct id one = id##_add(id##_add(id##_zero(), 0x1p24f), 1);                                             \
        const struct id left = id##_merge(id##_zero(), one), right = id##_merge(one, id##_zero());                     \
        assert_true((float)id##_result(id##_add(left, 1)) == 0x1.000002p24f);                                          \
        assert_true((float)id##_result(id##_add(right, 1)) == 0x1.000002p24f);                                         \
    } while (0)

/* The 1 that is lost to 2^24 comes back with the next, through a merge with an empty state on either side. */
static void merge_with_an_empty_state_loses_nothing(void **state)
{
    (void)state;
    ASSERT_EMPTY_CHANGES_NOTHING(kahan);
    ASSERT_EMPTY_CHANGES_NOTHING(kahan_two_sum);
    ASSERT_EMPTY_CHANGES_NOTHING(kahan_naive_merge);
    ASSERT_EMPTY_CHANGES_NOTHING(neumaier);
    ASSERT_EMPTY_CHANGES_NOTHING(sum2);
    ASSERT_EMPTY_CHANGES_NOTHING(klein);
    ASSERT_EMPTY_CHANGES_NOTHING(double_float);
    ASSERT_EMPTY_CHANGES_NOTHING(binary64);
    ASSERT_EMPTY_CHANGES_NOTHING(binary64_kahan);
    ASSERT_EMPTY_CHANGES_NOTHING(superacc);
    ASSERT_SUM(plain, 0x1p24f, 0x1p24f, 1, 1); /* the twin */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(last_rounding_attains_the_bound),
        cmocka_unit_test(kahan_variants_come_near_their_bounds),
        cmocka_unit_test(five_numbers_cost_kahan_more_than_2_u_and_kahan_two_sum_less),
        cmocka_unit_test(every_accumulator_keeps_its_bound_in_any_tree),
        cmocka_unit_test(kahan_two_sum_keeps_a_bit_that_kahan_loses_to_a_term_larger_than_the_sum),
        cmocka_unit_test(naive_merge_rounds_an_excess_away_that_kahans_keeps),
        cmocka_unit_test(naive_merge_is_no_better_than_plain_when_the_running_sum_is_on_its_right),
        cmocka_unit_test(neumaier_and_sum2_have_the_same_states_where_nothing_overflows),
        cmocka_unit_test(neumaier_keeps_near_the_largest_number_what_sum2_drops),
        cmocka_unit_test(error_of_neumaier_is_finite_where_the_sum_is),
        cmocka_unit_test(chain_of_two_defeats_first_order_compensation_and_not_klein),
        cmocka_unit_test(chain_of_one_defeats_plain_and_chain_of_three_klein),
        cmocka_unit_test(neumaier_and_its_like_keep_what_kahan_loses_to_a_large_pair),
        cmocka_unit_test(klein_joins_its_parts_with_one_rounding_of_their_sum),
        cmocka_unit_test(klein_does_not_round_lost_before_it_meets_the_sum),
        cmocka_unit_test(klein_merge_keeps_both_errors_of_what_is_lost),
        cmocka_unit_test(klein_merge_adds_what_is_lost_again_in_pairs),
        cmocka_unit_test(double_float_keeps_low_small_where_lost_grows),
        cmocka_unit_test(double_float_merge_keeps_the_error_of_the_lows),
        cmocka_unit_test(double_float_is_the_nearest_number_and_a_rest_after_every_operation),
        cmocka_unit_test(binary64_kahan_keeps_ones_beside_2_to_the_53),
        cmocka_unit_test(special_values_are_right_on_every_tree_of_three),
        cmocka_unit_test(fault_of_special_sees_each_fault),
        cmocka_unit_test(serial_special_values_are_as_in_this_table),
        cmocka_unit_test(klein_overflows_to_infinity_where_its_parts_join),
        cmocka_unit_test(kahan_merge_that_overflows_leaves_an_infinity_that_stays),
        cmocka_unit_test(double_float_merge_overflows_to_infinity),
        cmocka_unit_test(merge_with_an_empty_state_loses_nothing),
    };
    return cmocka_run_group_tests_name("accumulators", tests, NULL, NULL);
}

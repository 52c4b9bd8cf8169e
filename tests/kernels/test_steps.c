/* Steppers: the bits of the replays, on the way that their parts tell. */
#include "datasets/sum_tree.h"
#include "kernels/walk.h"
#include "src/base/format.h"

#include "tests/support/methods.h"

#include "tests/support/random.h"

static void count_joins(void *to, const struct step *step)
{
    (void)step;
    ++*(uint64_t *)to;
}

static void walks_like_its_replay(const struct method *method, struct launch launch, const float *x, uint64_t n)
{
    struct sum_tree tree;
    const struct operands elements = operands_of_sum(&FORMAT_BINARY32, x, n);
    double walked = NAN;
    uint64_t joins = 0;
    assert_int_equal(sum_tree_make(&(struct tree_request){"test", method, n, launch}, &tree), OK);
    assert_true(walk_is_watched(method));
    assert_int_equal(walk_watched(method, tree.joined, tree.count, &elements, count_joins, &joins, &walked), OK);
    assert_int_equal(joins, n == 0 ? 0 : n - 1);
    const float replayed = replay(method, x, n, launch);
    if (!float_same((float)walked, replayed))
        fail_msg("%s, n = %llu, %u x %u: steps give %a, the replay %a", method->id, (unsigned long long)n,
                 launch.blocks, launch.threads, walked, (double)replayed);
    sum_tree_free(&tree);
}

/* ---- every method, tails, and data with every exponent, infinities, NaN, zeros of both signs ---- */

struct numbers {
    const float *x;
    uint64_t n;
};

static void walk_numbers(const struct method *method, struct launch launch, void *context)
{
    const struct numbers *numbers = context;
    walks_like_its_replay(method, launch, numbers->x, numbers->n);
}

static void walk_by_all(const float *x, uint64_t n)
{
    struct numbers numbers = {x, n};
    visit_sums(IN_TURN, LAUNCHES, walk_numbers, &numbers);
}

static void steps_give_the_bits_of_every_replay(void **state)
{
    (void)state;
    enum { N = 3000 };
    static float x[N];
    seed_random(8);
    forget_visits();
    for (int round = 0; round < 4 * TURNS; round++) {
        const uint64_t n = round < 40 ? (uint64_t)round : below(N);
        for (uint64_t i = 0; i < n; i++)
            x[i] = round % 4 == 0 ? any_float() : ldexpf((float)below(1 << 24) - 0x1p23f, (int)below(200) - 100);
        walk_by_all(x, n);
    }
    assert_every_method_was_visited(LAUNCHES, 4);
}

static void steps_give_the_bits_of_special_values(void **state)
{
    (void)state;
    const float specials[] = {INFINITY, -INFINITY, NAN, 0, -0.0f, FLT_MAX, -FLT_MAX, 0x1p-149f, -0x1p-126f, 1};
    enum { N = 200 };
    float x[N];
    seed_random(9);
    forget_visits();
    for (int round = 0; round < 2 * TURNS; round++) {
        for (int i = 0; i < N; i++)
            x[i] = round % 2 == 0 ? specials[below(COUNT_OF(specials))] : below(20) == 0 ? -FLT_MAX : -0.0f;
        walk_by_all(x, round % 3 == 0 ? N : 1 + below(N));
    }
    assert_every_method_was_visited(LAUNCHES, 2);
}

/* ---- the other formats ---- */

static uint64_t bits_in(const struct method *method, double unrounded)
{
    return format_bits(method->format, rounded_to(unrounded, method->format));
}

static void walks_like_its_replay_in(const struct method *method, struct launch launch, const struct operands *of)
{
    struct sum_tree tree;
    double walked;
    uint64_t joins = 0, replayed;
    const uint64_t n = of->shape.terms;
    assert_int_equal(sum_tree_make(&(struct tree_request){"test", method, n, launch}, &tree), OK);
    assert_true(sum_tree_height(&tree) <= method_height(method, n, launch));
    assert_int_equal(walk_watched(method, tree.joined, tree.count, of, count_joins, &joins, &walked), OK);
    assert_int_equal(method_replay(method, of, launch, 1, &replayed), OK);
    if (!format_same(method->format, bits_in(method, walked), replayed))
        fail_msg("%s, n = %llu, %u x %u: steps give %a", method->id, (unsigned long long)n, launch.blocks,
                 launch.threads, walked);
    sum_tree_free(&tree);
}

/* A sixteenth of them not finite. */
static double any_number_of(const struct format *format)
{
    const uint64_t bits = next_random() >> (64 - 8 * format->bytes);
    const double near = ldexp((double)below(1 << 24), (int)below(12) - 28);
    return below(16) == 0 ? format_value(format, bits) : rounded_to(below(2) ? near : -near, format);
}

static void steps_give_the_bits_of_replays_in_every_format(void **state)
{
    (void)state;
    enum { N = 300 };
    double x[N];
    seed_random(14);
    for (int f = 0; f < SUM_FORMATS; f++) {
        size_t count;
        const struct format *stored = sum_formats[f]->stored;
        const struct method *const *table = method_table_of(sum_formats[f], &count);
        for (size_t m = 0; m < 4 * count; m++) {
            const struct launch launch = launches[below(LAUNCHES)];
            const struct operands of = operands_of_sum(stored, x, below(N + 1));
            if (!is_sum(table[m % count]) || !can_do(table[m % count], launch))
                continue;
            const bool finite = m % 2 == 0;
            for (uint64_t i = 0; i < N; i++) {
                const double number = any_number_of(stored);
                held_set(stored, x, i, finite && !isfinite(number) ? 1 : number);
            }
            walks_like_its_replay_in(table[m % count], launch, &of);
        }
    }
}

/* ---- the parts ---- */

struct last_step {
    int parts;
    double made[MOST_PARTS];
    double right[MOST_PARTS];
};

static void keep_last(void *to, const struct step *step)
{
    struct last_step *last = to;
    last->parts = step->parts;
    memcpy(last->made, step->made, sizeof last->made);
    memcpy(last->right, step->right, sizeof last->right);
}

static struct last_step last_step_of(const char *accumulator, const float *x, uint64_t n)
{
    struct sum_tree tree;
    struct last_step last = {0};
    const struct method *method = find(accumulator, "serial");
    const struct operands elements = operands_of_sum(&FORMAT_BINARY32, x, n);
    double computed;
    assert_int_equal(sum_tree_make(&(struct tree_request){"test", method, n, one_warp}, &tree), OK);
    assert_int_equal(walk_watched(method, tree.joined, tree.count, &elements, keep_last, &last, &computed), OK);
    sum_tree_free(&tree);
    return last;
}

/* 2^8 + 1 in bfloat16: 1 is lost at once, or in the last rounding. */
static void steps_round_in_the_format_that_is_added(void **state)
{
    (void)state;
    const struct operands of = operands_of_sum(&FORMAT_BFLOAT16, TERMS(0x1p8f, 1));
    struct last_step last[2];
    for (int m = 0; m < 2; m++) {
        const struct method *method =
            method_find(m == 0 ? "plain/serial@bfloat16" : "plain/serial@bfloat16_in_bfloat16");
        struct sum_tree tree;
        double walked;
        assert_int_equal(sum_tree_make(&(struct tree_request){"test", method, 2, one_warp}, &tree), OK);
        assert_int_equal(walk_watched(method, tree.joined, tree.count, &of, keep_last, &last[m], &walked), OK);
        sum_tree_free(&tree);
    }
    assert_true(last[0].made[0] == 257 && last[1].made[0] == 256);
}

/* 2^24 + 1 + 1, as kahan.h has it. */
static void parts_of_kahan_are_the_sum_and_minus_the_excess(void **state)
{
    (void)state;
    const struct last_step one = last_step_of("kahan", TERMS(0x1p24f, 1)),
                           two = last_step_of("kahan", TERMS(0x1p24f, 1, 1));
    assert_int_equal(one.parts, 2);
    assert_true(one.made[0] == 0x1p24 && one.made[1] == 1 && one.right[0] == 1 && one.right[1] == 0);
    assert_true(two.made[0] == 0x1p24 + 2 && two.made[1] == 0);
}

/* What an exact accumulator's parts add up to is the sum, whatever its size and sign. */
static void parts_of_exact_states_are_worth_the_sum(void **state)
{
    (void)state;
    seed_random(10);
    for (int round = 0; round < 2000; round++) {
        float x[7];
        struct exact_sum of_data, of_parts;
        for (size_t i = 0; i < COUNT_OF(x); i++)
            x[i] = any_float();
        const struct last_step last = last_step_of("superacc", x, COUNT_OF(x));
        assert_int_equal(exact_sum(&FORMAT_BINARY32, x, COUNT_OF(x), &of_data), OK);
        assert_int_equal(exact_sum(&FORMAT_BINARY64, last.made, (uint64_t)last.parts, &of_parts), OK);
        assert_true(mpfr_equal_p(of_data.sum, of_parts.sum));
        exact_free(&of_data);
        exact_free(&of_parts);
    }
}

/* Numbers near each other, of which no accumulator but plain loses anything in three additions. */
static void parts_of_all_states_are_worth_a_sum_without_errors(void **state)
{
    (void)state;
    size_t count;
    const struct method *const *table = method_table(&count);
    for (size_t m = 0; m < count; m++) {
        if (table[m]->role != SUMS || strcmp(table[m]->order, "serial") != 0)
            continue;
        const struct last_step last = last_step_of(table[m]->accumulator, TERMS(3, -0.5f, 0x1p-10f, 1));
        double worth = 0;
        for (int i = 0; i < last.parts; i++)
            worth += last.made[i];
        assert_true(last.parts <= MOST_PARTS);
        if (worth != 3.5009765625)
            fail_msg("%s: %a", table[m]->id, worth);
    }
}

/* What was added and is not in the sum is in the other parts: of 2^60, 1 and 2^-30 as many as the state has. */
static void parts_of_compensated_states_are_worth_more_than_their_sum(void **state)
{
    (void)state;
    static const struct {
        const char *accumulator;
        uint64_t n;
    } rows[] = {{"kahan", 2},        {"kahan_two_sum", 2},  {"kahan_naive_merge", 2}, {"neumaier", 2}, {"sum2", 2},
                {"double_float", 2}, {"binary64_kahan", 2}, {"superacc", 3},          {"klein", 3}};
    const float x[] = {0x1p60f, 1, 0x1p-30f};
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        struct exact_sum of_data, of_parts;
        const struct last_step last = last_step_of(rows[r].accumulator, x, rows[r].n);
        assert_int_equal(exact_sum(&FORMAT_BINARY32, x, rows[r].n, &of_data), OK);
        assert_int_equal(exact_sum(&FORMAT_BINARY64, last.made, (uint64_t)last.parts, &of_parts), OK);
        if (!mpfr_equal_p(of_data.sum, of_parts.sum))
            fail_msg("%s: parts worth %a", rows[r].accumulator, mpfr_get_d(of_parts.sum, MPFR_RNDN));
        exact_free(&of_data);
        exact_free(&of_parts);
    }
}

/* The twin: 1 is lost where the state is one number. */
static void parts_of_plain_are_worth_its_sum_alone(void **state)
{
    (void)state;
    const struct last_step last = last_step_of("plain", TERMS(0x1p60f, 1));
    assert_int_equal(last.parts, 1);
    assert_true(last.made[0] == 0x1p60);
}

static bool has_a_part_that_is_not_finite(const char *accumulator, const float x[3])
{
    const struct last_step last = last_step_of(accumulator, x, 3);
    for (int i = 0; i < last.parts; i++)
        if (!isfinite(last.made[i]))
            return true;
    return false;
}

static void infinities_and_nan_are_parts_of_every_state(void **state)
{
    (void)state;
    size_t count;
    const struct method *const *table = method_table(&count);
    for (size_t m = 0; m < count; m++) {
        const char *accumulator = table[m]->accumulator;
        if (table[m]->role != SUMS || strcmp(table[m]->order, "serial") != 0)
            continue;
        if (!has_a_part_that_is_not_finite(accumulator, (const float[]){1, INFINITY, 2}) ||
            !has_a_part_that_is_not_finite(accumulator, (const float[]){1, -INFINITY, INFINITY}) ||
            !has_a_part_that_is_not_finite(accumulator, (const float[]){NAN, 1, 2}))
            fail_msg("%s", table[m]->id);
        assert_false(has_a_part_that_is_not_finite(accumulator, (const float[]){1, 3, 2}));
    }
}

static void what_only_measures_is_not_watched(void **state)
{
    (void)state;
    assert_false(walk_is_watched(find("height", "serial")));
    assert_false(walk_is_watched(find("trace", "serial")));
    assert_false(walk_is_watched(find("cub", "device_reduce")));
    assert_true(walk_is_watched(find("klein", "serial")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_give_the_bits_of_every_replay),
        cmocka_unit_test(steps_give_the_bits_of_special_values),
        cmocka_unit_test(steps_give_the_bits_of_replays_in_every_format),
        cmocka_unit_test(steps_round_in_the_format_that_is_added),
        cmocka_unit_test(parts_of_kahan_are_the_sum_and_minus_the_excess),
        cmocka_unit_test(parts_of_exact_states_are_worth_the_sum),
        cmocka_unit_test(parts_of_all_states_are_worth_a_sum_without_errors),
        cmocka_unit_test(parts_of_compensated_states_are_worth_more_than_their_sum),
        cmocka_unit_test(parts_of_plain_are_worth_its_sum_alone),
        cmocka_unit_test(infinities_and_nan_are_parts_of_every_state),
        cmocka_unit_test(what_only_measures_is_not_watched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

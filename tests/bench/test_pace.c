/* How long a bench will take, on rounds that are made up: no clock is read here. */
#include "src/bench/bench_session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

enum { LINES = 40, CALLS = 22, BENCHES = 1000 };

static uint64_t seed;

/* Between 0 and 1, the same in every run. */
static double chance(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(seed >> 11) * 0x1p-53;
}

/* A bench whose calls take `slowness` times what was predicted, each line's another third more or less; true, if after
 * a quarter of it the estimate, with what `estimate` makes of the pace, is within a factor of 2 of what was left then.
 */
static int is_within_two(double slowness, double (*estimate)(const struct pace *pace))
{
    double predicted[LINES], real[LINES], left = 0, said = 0;
    struct pace pace = {0};
    for (int i = 0; i < LINES; i++) {
        predicted[i] = exp(6 * chance());
        real[i] = predicted[i] * slowness * (0.67 + 0.66 * chance());
        pace.left += CALLS * predicted[i];
    }
    const double whole = pace.left;
    for (int i = 0; i < LINES; i++)
        for (int call = 0; call < CALLS; call++) {
            if (pace.done < whole / 4)
                pace_step(&pace, predicted[i], real[i]);
            else
                left += real[i];
            said = pace.done < whole / 4 ? said : estimate(&pace);
        }
    return said <= 2 * left && left <= 2 * said;
}

static int within_two(double (*estimate)(const struct pace *pace))
{
    int count = 0;
    seed = 1;
    for (int i = 0; i < BENCHES; i++)
        count += is_within_two(exp(6 * chance() - 3), estimate);
    return count;
}

/* The twins: the prediction alone, and what was done so far as a rate of rows. */
static double prediction_alone(const struct pace *pace)
{
    return pace->left;
}

static double twice_too_long(const struct pace *pace)
{
    return 2.5 * pace_seconds_left(pace);
}

static void after_a_quarter_the_time_left_is_known_within_a_factor_of_2(void **state)
{
    (void)state;
    assert_int_equal(within_two(pace_seconds_left), BENCHES);
    assert_true(within_two(prediction_alone) < BENCHES / 2);
    assert_true(within_two(twice_too_long) < BENCHES / 10);
}

static void before_the_first_call_the_prediction_stands(void **state)
{
    (void)state;
    const struct pace pace = {.left = 10};
    assert_true(pace_seconds_left(&pace) == 10);
    assert_true(pace_slowness(&(struct pace){0}) == 1);
}

/* 100 predicted seconds, the first of which took 100: the prediction has the weight of another second. */
static void one_call_does_not_decide(void **state)
{
    (void)state;
    struct pace pace = {.left = 100};
    pace_step(&pace, 1, 100);
    assert_true(pace_slowness(&pace) == 101. / 2);
    assert_true(pace.left == 99);
    pace_step(&pace, 100, 1); /* more than was planned */
    assert_true(pace_seconds_left(&pace) == 0);
}

static void so_many_rounds_are_taken_as_fit(void **state)
{
    (void)state;
    const struct pace as_predicted = {.left = 100}, slow = {.left = 50, .done = 50, .took = 100};
    assert_int_equal(pace_rounds(&as_predicted, 10.5, 1, 0, 21), 10);
    assert_int_equal(pace_rounds(&as_predicted, 10.5, 1, 3, 21), 7);
    assert_int_equal(pace_rounds(&as_predicted, 22, 1, 0, 21), 21);
    assert_int_equal(pace_rounds(&as_predicted, 0.1, 1, 0, 21), 1); /* but one */
    assert_int_equal(pace_rounds(&as_predicted, -1, 1, 0, 21), 1);
    assert_int_equal(pace_rounds(&slow, 10.5, 1, 0, 21), 5); /* (100 + 1) / (50 + 1) */
    assert_int_equal(pace_rounds(&as_predicted, INFINITY, 1, 0, 21), 21);
    assert_int_equal(pace_rounds(&as_predicted, 1, 0, 0, 21), 21); /* of nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_quarter_the_time_left_is_known_within_a_factor_of_2),
        cmocka_unit_test(before_the_first_call_the_prediction_stands),
        cmocka_unit_test(one_call_does_not_decide),
        cmocka_unit_test(so_many_rounds_are_taken_as_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

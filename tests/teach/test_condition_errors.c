/* What lessons say of condition numbers, and that a lesson which does not show its point is not told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/teach/tools/condition_errors.h"
#include "tests/support/heard.h"

#include <math.h>
#include <string.h>

static const struct condition_request request = {{"plain/serial", "superacc/serial"}, 2, 0, 8, 4};

static void the_exact_sum_stays_within_u_and_plain_loses_a_digit_a_power_of_ten(void **state)
{
    struct condition_errors errors;
    (void)state;
    assert_int_equal(condition_errors_measure(&request, &errors), OK);
    assert_int_equal(errors.count, 3);
    for (size_t i = 0; i < errors.count; i++) {
        assert_true(errors.condition[i] > 0.3 * pow(10, 4.0 * (double)i) && errors.relative[1][i] <= 0x1p-24);
        assert_true(errors.ulps[1][i] <= 0.5 && errors.backward[0][i] <= (CONDITION_N - 1) * 0x1p-24);
    }
    assert_true(errors.relative[0][2] > 0x1p-24 && errors.ulps[0][2] > 0.5); /* the twin */
    assert_true(digits_right(errors.relative[0][0]) > digits_right(errors.relative[0][1]));
    assert_int_equal(digits_right(errors.relative[0][2]), 0);
}

static void right_digits_are_counted_down_to_none(void **state)
{
    (void)state;
    assert_int_equal(digits_right(0.5), 0);
    assert_int_equal(digits_right(0.09), 1);
    assert_int_equal(digits_right(9e-8), 7);
    assert_int_equal(digits_right(0), 15);
    assert_int_equal(digits_right(1), 0);
    assert_int_equal(digits_right(1e9), 0);
}

static void a_claim_that_does_not_hold_stops_the_lesson(void **state)
{
    struct sheet sheet = sheet_of("made_up", "A lesson");
    (void)state;
    struct heard heard = listen_to_stderr();
    const enum status held = lesson_claim(&sheet, true, "one is one"),
                      broken = lesson_claim(&sheet, false, "one is two");
    heard_all(&heard);
    assert_int_equal(held, OK);
    assert_int_equal(broken, NOT_MEASURED);
    assert_non_null(strstr(heard.text, "lesson made_up"));
    assert_non_null(strstr(heard.text, "one is two"));
    assert_null(strstr(heard.text, "one is one"));
    sheet_free(&sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_exact_sum_stays_within_u_and_plain_loses_a_digit_a_power_of_ten),
        cmocka_unit_test(right_digits_are_counted_down_to_none),
        cmocka_unit_test(a_claim_that_does_not_hold_stops_the_lesson),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

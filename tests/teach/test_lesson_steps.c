/* What a lesson's table of steps shows. */
#include "src/teach/tools/lesson_steps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/heard.h"

static struct lesson_data data_of(const float *x, uint64_t n)
{
    struct lesson_data data;
    assert_int_equal(lesson_data_of(x, n, &data), OK);
    return data;
}

static const float grains[] = {0x1p24f, 1, 1, 1};

static void kahan_keeps_what_plain_loses(void **state)
{
    (void)state;
    struct lesson_data data = data_of(grains, 4);
    struct lesson_step plain[4], kahan[4];
    assert_int_equal(lesson_steps("plain/serial", &data, plain), OK);
    assert_int_equal(lesson_steps("kahan/serial", &data, kahan), OK);
    for (int i = 1; i < 4; i++) {
        assert_true(plain[i].sum == 0x1p24 && plain[i].rest == 0 && plain[i].lost == -1);
        assert_true(kahan[i].sum + kahan[i].rest == 0x1p24 + i && kahan[i].lost == 0);
        assert_true(kahan[i].x == 1);
    }
    lesson_data_free(&data);
}

static void the_last_sum_of_a_method_is_its_replay(void **state)
{
    (void)state;
    struct lesson_data data = data_of(grains, 4);
    struct lesson_step steps[4];
    struct lesson_sum sum;
    assert_int_equal(lesson_steps("kahan/serial", &data, steps), OK);
    assert_int_equal(lesson_add("kahan/serial", one_thread, &data, &sum), OK);
    assert_true(steps[3].sum == (double)sum.computed);
    assert_false(steps[2].sum == (double)sum.computed);
    lesson_data_free(&data);
}

static void one_number_is_one_step(void **state)
{
    (void)state;
    struct lesson_data data = data_of(grains, 1);
    struct lesson_step step;
    assert_int_equal(lesson_steps("kahan/serial", &data, &step), OK);
    assert_true(step.x == 0x1p24 && step.sum == 0x1p24 && step.rest == 0 && step.lost == 0);
    lesson_data_free(&data);
}

static void too_many_numbers_are_refused(void **state)
{
    (void)state;
    static const float zeros[STEPS_MOST + 1];
    struct lesson_step steps[STEPS_MOST];
    struct lesson_data fits = data_of(zeros, STEPS_MOST), too_many = data_of(zeros, STEPS_MOST + 1);
    assert_int_equal(lesson_steps("plain/serial", &fits, steps), OK);
    struct heard heard = listen_to_stderr();
    const enum status status = lesson_steps("plain/serial", &too_many, steps);
    heard_all(&heard);
    assert_int_equal(status, BAD_INPUT);
    assert_non_null(strstr(heard.text, "expected a method and 1 to 64 numbers"));
    lesson_data_free(&fits);
    lesson_data_free(&too_many);
}

static void short_numbers_are_short(void **state)
{
    (void)state;
    char text[NUMBER_TEXT];
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"}, {-0.0, "0"}, {-1, "-1"}, {999999, "999999"}, {1e6, "0x1.e848p+19"}, {0.5, "0x1p-1"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_short(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kahan_keeps_what_plain_loses), cmocka_unit_test(the_last_sum_of_a_method_is_its_replay),
        cmocka_unit_test(one_number_is_one_step),       cmocka_unit_test(too_many_numbers_are_refused),
        cmocka_unit_test(short_numbers_are_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The text of a limit: every form, whatever stands around it, and what is none. */
#include "src/base/limit_text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 6 };
static const char *const numbers[COUNT] = {"2", "0.1", "1e-6", "0x1p-20", "0", ".5"};
static const double values[COUNT] = {2, 0.1, 1e-6, 0x1p-20, 0, .5};

static void every_form_has_its_number(void **state)
{
    (void)state;
    int compared = 0;
    for (int form = 0; form < FORMS; form++)
        for (int i = 0; i < COUNT; i++)
            for (int spaces = 0; spaces < 2; spaces++) {
                char text[64];
                struct limit_text limit;
                const bool is_word = form >= FORM_EXACT, has_factor = form >= FORM_BOUND;
                const char *space = spaces ? " " : "";
                if (is_word && has_factor)
                    snprintf(text, sizeof text, "%s%s*%s%s", limit_words[form], space, space, numbers[i]);
                else
                    snprintf(text, sizeof text, "%s%s%s", is_word ? "" : numbers[i], is_word ? "" : space,
                             limit_words[form]);
                const enum limit_fault fault = limit_text_read(text, &limit);
                if (has_factor && values[i] == 0) {
                    assert_int_equal(fault, LIMIT_WRONG_FACTOR);
                    continue;
                }
                assert_int_equal(fault, LIMIT_FINE);
                assert_int_equal(limit.form, form);
                assert_true(limit.number == (is_word && !has_factor ? 1 : values[i]));
                compared++;
            }
    assert_int_equal(compared, FORMS * COUNT * 2 - 4);
}

static void auto_has_a_tree_behind_its_colon_alone(void **state)
{
    (void)state;
    struct limit_text limit;
    assert_int_equal(limit_text_read("auto:height=20", &limit), LIMIT_FINE);
    assert_int_equal(limit.form, FORM_AUTO);
    assert_string_equal(limit.tree, "height=20");
    assert_int_equal(limit_text_read("auto:", &limit), LIMIT_FINE);
    assert_string_equal(limit.tree, "");
    assert_int_equal(limit_text_read("auto", &limit), LIMIT_FINE);
    assert_null(limit.tree);
    assert_int_equal(limit_text_read("bound:pairwise", &limit), LIMIT_WRONG_FACTOR);
}

/* 0.1 lies between two numbers of binary64, of which the nearer one is above it; 1e-6 above one, 0.5 on one. */
static void what_is_below_is_never_above(void **state)
{
    (void)state;
    struct limit_text limit;
    assert_int_equal(limit_text_read("0.1ulp", &limit), LIMIT_FINE);
    assert_true(limit.below == nextafter(0.1, 0));
    assert_int_equal(limit_text_read("1e-6", &limit), LIMIT_FINE);
    assert_true(limit.below == 1e-6);
    assert_int_equal(limit_text_read("bound*0.1", &limit), LIMIT_FINE);
    assert_true(limit.below == nextafter(0.1, 0));
    assert_int_equal(limit_text_read("bound", &limit), LIMIT_FINE);
    assert_true(limit.below == 1);
}

static void what_is_no_limit_says_where(void **state)
{
    (void)state;
    static const struct {
        const char *text, *rest;
        enum limit_fault fault;
    } cases[] = {
        {"", "", LIMIT_NO_NUMBER},
        {"-1ulp", "-1ulp", LIMIT_NO_NUMBER},
        {" 1", " 1", LIMIT_NO_NUMBER},
        {"1e999", "", LIMIT_NO_NUMBER},
        {"1e-999", "", LIMIT_NO_NUMBER},
        {"%", "%", LIMIT_NO_NUMBER},
        {"2ulps", "ulps", LIMIT_UNKNOWN_UNIT},
        {"2ulp ", "ulp ", LIMIT_UNKNOWN_UNIT},
        {"2 %%", "%%", LIMIT_UNKNOWN_UNIT},
        {"ulp", "ulp", LIMIT_UNKNOWN_WORD},
        {"inf", "inf", LIMIT_UNKNOWN_WORD},
        {"nan", "nan", LIMIT_UNKNOWN_WORD},
        {"autos", "autos", LIMIT_UNKNOWN_WORD},
        {"auto*2", "*2", LIMIT_WRONG_FACTOR},
        {"exact 1", "1", LIMIT_WRONG_FACTOR},
        {"bound*", "*", LIMIT_WRONG_FACTOR},
        {"bound*-1", "*-1", LIMIT_WRONG_FACTOR},
        {"bound*1ulp", "*1ulp", LIMIT_WRONG_FACTOR},
        {"bound 0.5", "0.5", LIMIT_WRONG_FACTOR},
        {"baseline*nan", "*nan", LIMIT_WRONG_FACTOR},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct limit_text limit;
        assert_int_equal(limit_text_read(cases[i].text, &limit), cases[i].fault);
        assert_string_equal(limit.rest, cases[i].rest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_has_its_number),
        cmocka_unit_test(auto_has_a_tree_behind_its_colon_alone),
        cmocka_unit_test(what_is_below_is_never_above),
        cmocka_unit_test(what_is_no_limit_says_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

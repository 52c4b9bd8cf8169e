/* Additions in bits, lined up: the lines themselves, and that they say of any addition what it does. */
#include "src/teach/bits/bit_rows.h"

#include "tests/support/methods.h"

#include "tests/support/random.h"

static void assert_lines(const struct bit_sum *sum, const char *const *lines, int count)
{
    struct bit_rows rows;
    assert_true(bit_rows_of(sum, &rows));
    for (int i = 0; i < count && i < rows.count; i++)
        assert_string_equal(rows.line[i], lines[i]);
    assert_int_equal(rows.count, count);
}

#define LINES(...) ((const char *const[]){__VA_ARGS__}), COUNT_OF(((const char *const[]){__VA_ARGS__}))

static void a_bit_that_does_not_fit_stands_behind_the_bar(void **state)
{
    (void)state;
    assert_lines(
        &(struct bit_sum){0x1p24, 1, 0x1p24, &FORMAT_BINARY32, NULL, NULL},
        LINES("          2^24                 2^1|2^0",                                                        /**/
              "left    + 100000000000000000000000|   0x1p+24", "right   +                         |1  0x1p+0", /**/
              "exact   + 100000000000000000000000|1",
              "                                   ^  a tie, rounded to even, down",
              "made    + 100000000000000000000000|   0x1p+24", "error   -                         |1  -0x1p+0"));
}

/* The twin: binary64 has room for it. */
static void a_wider_format_keeps_it(void **state)
{
    (void)state;
    assert_lines(&(struct bit_sum){0x1p24, 1, 0x1p24 + 1, &FORMAT_BINARY64, "x0", "x1"},
                 LINES("          2^24                                            2^-28|",
                       "x0      + 10000000000000000000000000000000000000000000000000000|  0x1p+24",
                       "x1      +                         10000000000000000000000000000|  0x1p+0",
                       "exact   + 10000000000000000000000010000000000000000000000000000|",
                       "made    + 10000000000000000000000010000000000000000000000000000|  0x1.000001p+24",
                       "error   +                                                     0|  0x0p+0"));
}

static void columns_in_which_nothing_changes_are_left_out(void **state)
{
    (void)state;
    assert_lines(&(struct bit_sum){0x1p100, 1, 0x1p100, &FORMAT_BINARY32, NULL, NULL},
                 LINES("          2^100               2^77|2^76", /**/
                       "left    + 100000000000000000000000|        0x1p+100",
                       "right   +                         |     1  0x1p+0", /**/
                       "exact   + 100000000000000000000000|0...01",
                       "                                   ^...^^  less than half a unit, rounded down",
                       "made    + 100000000000000000000000|        0x1p+100",
                       "error   -                         |     1  -0x1p+0"));
}

/* 1.1...1 + 2^-24 is half-way to 2, whose bits start a column further to the left. */
static void a_carry_takes_a_column_of_its_own(void **state)
{
    (void)state;
    assert_lines(&(struct bit_sum){0x1.fffffep0, 0x1p-24, 2, &FORMAT_BINARY32, NULL, NULL},
                 LINES("          2^1                 2^-23|2^-24", /**/
                       "left    +  111111111111111111111111|   0x1.fffffep+0",
                       "right   +                          |1  0x1p-24", /**/
                       "exact   +  111111111111111111111111|1",
                       "                                    ^  a tie, rounded to even, up",
                       "made    + 1000000000000000000000000|   0x1p+1",
                       "error   +                          |1  0x1p-24"));
}

static void subnormals_end_at_the_least_of_them(void **state)
{
    (void)state;
    assert_lines(&(struct bit_sum){0x1p-148, -0x1p-149, 0x1p-149, &FORMAT_BINARY32, NULL, NULL},
                 LINES("          2^-148|", /**/
                       "left    + 10|  0x1p-148", "right   -  1|  -0x1p-149", "exact   +  1|",
                       "made    +  1|  0x1p-149", "error   +  0|  0x0p+0"));
}

static void what_is_not_rounded_to_the_format_has_no_bar(void **state)
{
    (void)state;
    assert_lines(&(struct bit_sum){1, -1, 0, &FORMAT_BINARY32, NULL, NULL},
                 LINES("          2^0", "left    + 1  0x1p+0", "right   - 1  -0x1p+0", "exact   + 0",
                       "made    + 0  0x0p+0", "error   + 0  0x0p+0"));
    assert_lines(&(struct bit_sum){4, 1, 5.5, &FORMAT_BINARY32, NULL, NULL},
                 LINES("          2^2", "left    + 1000  0x1p+2", "right   +   10  0x1p+0", "exact   + 1010",
                       "made    + 1011  0x1.6p+2", "error   +    1  0x1p-1"));
}

static void what_is_not_finite_has_no_rows(void **state)
{
    (void)state;
    struct bit_rows rows;
    assert_false(bit_rows_of(&(struct bit_sum){1, INFINITY, INFINITY, &FORMAT_BINARY32, NULL, NULL}, &rows));
    assert_false(bit_rows_of(&(struct bit_sum){NAN, 1, 1, NULL, NULL, NULL}, &rows));
    assert_int_equal(rows.count, 0);
}

/* ---- any addition ---- */

static size_t columns_before_the_value(const char *line)
{
    const char *bits = line + strlen("exact   + ");
    return strcspn(bits, "0123456789") + strlen(bits) - strcspn(bits, "0123456789");
}

/* Two numbers of binary32 have 48 bits; the rest is bar and gap. */
static void all_bits_of_binary32_fit(void **state)
{
    (void)state;
    struct bit_rows rows;
    size_t widest = 0;
    seed_random(31);
    for (int i = 0; i < 20000; i++) {
        const float a = any_float() / 512,
                    b = i % 2 ? any_float() / 512 : a * ldexpf(1 + (float)below(100), -(int)below(40));
        assert_true(
            bit_rows_of(&(struct bit_sum){(double)a, (double)b, (double)(a + b), &FORMAT_BINARY32, NULL, NULL}, &rows));
        const size_t width = columns_before_the_value(rows.line[3]);
        widest = width > widest ? width : widest;
        for (int r = 0; r < rows.count; r++)
            assert_true(*rows.line[r] && rows.line[r][strlen(rows.line[r]) - 1] != ' ');
    }
    print_message("at most %zu columns\n", widest);
    assert_true(widest <= BIT_ROWS_WIDTH + 1);
}

/* The bits of the exact row in front of the bar are those of `made`, unless it was rounded up. */
static void rounded_down_means_that_the_bits_before_the_bar_stay(void **state)
{
    (void)state;
    int stayed = 0, changed = 0;
    seed_random(32);
    for (int i = 0; i < 2000; i++) {
        struct bit_rows rows;
        const float a = 1 + (float)below(1 << 20), b = (float)(below(1 << 24) + 1) * 0x1p-26f;
        assert_true(
            bit_rows_of(&(struct bit_sum){(double)a, (double)b, (double)(a + b), &FORMAT_BINARY32, NULL, NULL}, &rows));
        if (rows.count < BIT_ROWS_MOST)
            continue;
        const char *exact = rows.line[3] + 10, *made = rows.line[5] + 10;
        const bool same = strncmp(exact, made, strcspn(exact, "|")) == 0;
        assert_int_equal(same, strstr(rows.line[4], "down") != NULL);
        stayed += same;
        changed += !same;
    }
    assert_true(stayed > 500 && changed > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bit_that_does_not_fit_stands_behind_the_bar),
        cmocka_unit_test(a_wider_format_keeps_it),
        cmocka_unit_test(columns_in_which_nothing_changes_are_left_out),
        cmocka_unit_test(a_carry_takes_a_column_of_its_own),
        cmocka_unit_test(subnormals_end_at_the_least_of_them),
        cmocka_unit_test(what_is_not_rounded_to_the_format_has_no_bar),
        cmocka_unit_test(what_is_not_finite_has_no_rows),
        cmocka_unit_test(all_bits_of_binary32_fit),
        cmocka_unit_test(rounded_down_means_that_the_bits_before_the_bar_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Three numbers: each addition is the format's, each number is rounded once, and the fields of the bits are right; and
 * `ulpscope triple` from outside. */
#include "tests/support/program.h"

#include "src/base/number.h"
#include "src/teach/bits/bit_fields.h"
#include "src/teach/triple/triple.h"

#include "tests/support/random.h"

#include <jansson.h>
#include <math.h>

static struct triple triple_of(const struct format *format, const char *a, const char *b, const char *c)
{
    struct triple triple;
    char texts[3][64], *words[3] = {texts[0], texts[1], texts[2]};
    snprintf(texts[0], sizeof texts[0], "%s", a);
    snprintf(texts[1], sizeof texts[1], "%s", b);
    snprintf(texts[2], sizeof texts[2], "%s", c);
    assert_int_equal(triple_make(format, words, &triple), OK);
    return triple;
}

static bool is(const mpfr_t value, double expected)
{
    return mpfr_cmp_d(value, expected) == 0;
}

/* ---- the additions ---- */

static void the_worked_example_of_the_header_is_so(void **state)
{
    (void)state;
    struct triple triple = triple_of(&FORMAT_BINARY32, "0x1p24", "1", "1");
    const struct triple_sum *left = &triple.sums[0], *right = &triple.sums[1];
    assert_true(left->steps[1].made == 0x1p24 && right->steps[1].made == 0x1p24 + 2);
    assert_true(is(left->steps[0].error.sum, -1) && is(left->steps[1].error.sum, -1));
    assert_true(is(right->steps[0].error.sum, 0) && is(right->steps[1].error.sum, 0));
    assert_true(left->ulp_error == 1 && right->ulp_error == 0);
    assert_true(is(triple.exact.sum, 0x1p24 + 2) && triple.exact.nearest == 0x1p24 + 2 && triple.exact.ulp == 2);
    assert_true(!triple.same && is(triple.apart.sum, 2) && triple.apart_ulp == 1);
    triple_free(&triple);
    triple = triple_of(&FORMAT_BINARY64, "0x1p24", "1", "1"); /* the twin: a format that has room */
    assert_true(triple.same && is(triple.apart.sum, 0) && triple.sums[0].ulp_error == 0);
    triple_free(&triple);
}

/* Numbers of the format, from all of its exponents, near each other often enough to cancel. */
static double any_number(const struct format *format)
{
    const int bits = format->precision, range = format->overflow_exponent - format->least_exponent;
    const double significand = (double)(below(UINT64_C(1) << bits));
    const int exponent = format->least_exponent + (int)below((uint64_t)(range - bits));
    const double value = ldexp(significand, below(2) ? exponent : format->least_exponent + range / 2);
    return below(2) ? value : -value;
}

static void every_addition_is_the_correctly_rounded_one(void **state)
{
    (void)state;
    enum { PAIRS = 20000 };
    size_t rounded = 0;
    seed_random(1);
    for (const struct format *const *format = looked_at_formats; *format; format++)
        for (int i = 0; i < PAIRS; i++) {
            const double x[] = {any_number(*format), any_number(*format)};
            struct exact_sum exact;
            assert_int_equal(exact_sum(&FORMAT_BINARY64, x, 2, &exact), OK);
            const double made = format_add(x[0], x[1], *format), right = exact_round(exact.sum, *format);
            if (double_bits(made) != double_bits(right))
                fail_msg("%s: %a + %a gives %a; expected %a", (*format)->name, x[0], x[1], made, right);
            rounded += mpfr_cmp_d(exact.sum, made) != 0;
            exact_free(&exact);
        }
    assert_true(rounded > PAIRS); /* the twin: roundings were needed */
}

static void an_overflow_in_the_middle_is_no_number_and_the_other_order_is_exact(void **state)
{
    (void)state;
    struct triple triple = triple_of(&FORMAT_BINARY16, "65504", "65504", "-65504");
    assert_true(isinf(triple.sums[0].steps[0].made) && triple.sums[0].steps[0].exact.kind == EXACT_FINITE);
    assert_true(triple.sums[0].steps[0].error.kind == EXACT_INF && isinf(triple.sums[0].ulp_error));
    assert_true(triple.sums[1].steps[1].made == 65504 && triple.sums[1].ulp_error == 0 && !triple.same);
    assert_true(triple.apart.kind != EXACT_FINITE && isnan(triple.apart_ulp));
    triple_free(&triple);
}

static void every_nan_is_the_same_and_zeros_keep_their_sign(void **state)
{
    (void)state;
    struct triple triple = triple_of(&FORMAT_BINARY32, "inf", "-inf", "nan");
    assert_true(triple.same && isnan(triple.sums[0].steps[1].made) && triple.exact.kind == EXACT_NAN);
    triple_free(&triple);
    triple = triple_of(&FORMAT_BINARY32, "-0", "-0", "-0");
    assert_true(triple.same && signbit(triple.sums[0].steps[1].made) && signbit(triple.exact.nearest));
    triple_free(&triple);
    triple = triple_of(&FORMAT_BINARY32, "-0", "-0", "0");
    assert_true(triple.same && !signbit(triple.sums[0].steps[1].made));
    triple_free(&triple);
}

static void a_sum_of_zero_has_no_ulp(void **state)
{
    (void)state;
    struct triple triple = triple_of(&FORMAT_BINARY32, "0x1.000002p0", "-1", "-0x1p-23");
    assert_true(mpfr_zero_p(triple.exact.sum) && isnan(triple.sums[0].ulp_error) && isnan(triple.apart_ulp));
    triple_free(&triple);
}

/* 2^24 + 1 is a number of binary64, and between two of binary32. */
static void the_nearest_is_that_of_the_format(void **state)
{
    (void)state;
    struct triple narrow = triple_of(&FORMAT_BINARY32, "0x1p24", "1", "0");
    struct triple wide = triple_of(&FORMAT_BINARY64, "0x1p24", "1", "0");
    assert_true(narrow.exact.nearest == 0x1p24 && narrow.nearest_ulp_error == 0.5 && narrow.exact.ulp == 2);
    assert_true(wide.exact.nearest == 0x1p24 + 1 && wide.nearest_ulp_error == 0 && wide.exact.ulp == 0x1p-28);
    triple_free(&narrow);
    triple_free(&wide);
}

/* ---- reading ---- */

static double number_in(const char *text, const struct format *format, bool *rounded)
{
    double value;
    int side;
    assert_null(read_in_format(text, format, &value, &side));
    *rounded = side != 0;
    return value;
}

/* 1 + 2^-11 + 2^-60 lies above the tie of binary16: through binary64 it would be the tie, and 1. */
static void a_number_is_rounded_once(void **state)
{
    (void)state;
    bool rounded;
    assert_true(number_in("0x1.002000000000001p0", &FORMAT_BINARY16, &rounded) == 1 + 0x1p-10 && rounded);
    assert_true(number_in("0x1.002p0", &FORMAT_BINARY16, &rounded) == 1 && rounded); /* the twin: the tie */
    assert_true(number_in("0x1.0040p0", &FORMAT_BINARY16, &rounded) == 1 + 0x1p-10 && !rounded);
    assert_true(number_in("-0.1", &FORMAT_BINARY64, &rounded) == -0.1 && rounded);
    assert_true(number_in("0.1", &FORMAT_BINARY32, &rounded) == (double)0.1f && rounded);
    assert_true(number_in("1e-400", &FORMAT_BINARY64, &rounded) == 0 && rounded);
    assert_true(number_in("0x1p-26", &FORMAT_BINARY16, &rounded) == 0 && rounded);
    assert_true(number_in("0x1p-24", &FORMAT_BINARY16, &rounded) == 0x1p-24 && !rounded);
    assert_true(isinf(number_in("-inf", &FORMAT_BFLOAT16, &rounded)) && !rounded);
}

/* 1 + 2^-24 + 2^-144, whose last bit is far behind all that is kept, lies above the tie as well. */
static void a_bit_far_behind_the_tie_is_seen(void **state)
{
    (void)state;
    bool rounded;
    assert_true(number_in("0x1.000001000000000000000000000000000001p0", &FORMAT_BINARY32, &rounded) == 1 + 0x1p-23);
    assert_true(rounded);
    assert_true(number_in("-0x1.000001000000000000000000000000000001p0", &FORMAT_BINARY32, &rounded) == -1 - 0x1p-23);
    assert_true(number_in("0x1.000001p0", &FORMAT_BINARY32, &rounded) == 1 && rounded); /* the twin: the tie */
}

static void what_is_no_number_of_the_format_is_refused(void **state)
{
    (void)state;
    static const char *const words[] = {"", "x", "1 ", "0x", "--1", "1e5000", "0b1", "@inf@"};
    double value;
    int side;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_non_null(read_in_format(words[i], &FORMAT_BINARY32, &value, &side));
    assert_non_null(read_in_format("65520", &FORMAT_BINARY16, &value, &side));
    assert_null(read_in_format("65519.9", &FORMAT_BINARY16, &value, &side));
    assert_non_null(strstr(read_in_format("1e39", &FORMAT_TF32, &value, &side), "tf32"));
    assert_non_null(strstr(read_in_format("1e39", &FORMAT_BFLOAT16, &value, &side), "bfloat16"));
    assert_non_null(strstr(read_in_format("1e39", &FORMAT_BINARY32, &value, &side), "binary32"));
}

/* ---- bits ---- */

static void assert_fields(double value, const struct format *format, const char *expected)
{
    char text[3 * FIELD_TEXT];
    const struct bit_fields fields = bit_fields_of(value, format);
    snprintf(text, sizeof text, "%s %s %s", fields.sign, fields.exponent, fields.significand);
    assert_string_equal(text, expected);
}

static void the_fields_are_those_of_the_format(void **state)
{
    (void)state;
    assert_fields(-1.5, &FORMAT_BINARY32, "1 01111111 10000000000000000000000");
    assert_fields(0x1p-149, &FORMAT_BINARY32, "0 00000000 00000000000000000000001");
    assert_fields(0x1p-126, &FORMAT_BINARY32, "0 00000001 00000000000000000000000");
    assert_fields(-0.0, &FORMAT_BINARY16, "1 00000 0000000000");
    assert_fields(65504, &FORMAT_BINARY16, "0 11110 1111111111");
    assert_fields(0x1p-24, &FORMAT_BINARY16, "0 00000 0000000001");
    assert_fields(INFINITY, &FORMAT_BFLOAT16, "0 11111111 0000000");
    assert_fields(NAN, &FORMAT_TF32, "0 11111111 1000000000");
    assert_fields(1, &FORMAT_TF32, "0 01111111 0000000000");
    assert_fields(0x1p-136, &FORMAT_TF32, "0 00000000 0000000001");
}

/* All numbers of 32 bits alike: by the bits that the machine has. */
static void the_fields_are_the_bits_of_the_machine(void **state)
{
    (void)state;
    seed_random(3);
    for (int i = 0; i < 20000; i++) {
        const uint32_t bits = (uint32_t)next_random();
        const float x = float_from_bits(bits);
        const struct bit_fields fields = bit_fields_of((double)x, &FORMAT_BINARY32);
        if (x != x)
            continue;
        assert_int_equal(strtoul(fields.sign, NULL, 2), bits >> 31);
        assert_int_equal(strtoul(fields.exponent, NULL, 2), bits >> 23 & 0xff);
        assert_int_equal(strtoul(fields.significand, NULL, 2), bits & 0x7fffff);
    }
}

/* ---- the program ---- */

static void whole_numbers_are_written_in_full(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" triple 0x1p24 3 1 | grep -q '0x1.000004p+24 = 16777220  exact'");
    run_fine("\"$ULPSCOPE\" triple 3e38 0 0 | grep -q '= 3e+38 '");
    run_fine("\"$ULPSCOPE\" triple 0x1p53 3 1 --format double | grep -q '= 9007199254740996  exact'");
}

static void the_two_lines_are_printed(void **state)
{
    (void)state;
    char *out = output_of("\"$ULPSCOPE\" triple 0x1p24 1 1");
    assert_non_null(strstr(out, "(a + b) + c  0x1p+24 = 16777216         1.00 ulp"));
    assert_non_null(strstr(out, "a + (b + c)  0x1.000002p+24 = 16777218  exact"));
    assert_non_null(strstr(out, "different: (a + b) + c and a + (b + c) are 2.00 apart, 1.00 ulp"));
    free(out);
    out = output_of("\"$ULPSCOPE\" triple 1 2 3 --format tf32");
    assert_non_null(strstr(out, "equal: (a + b) + c and a + (b + c) have the same bits"));
    free(out);
}

static void negative_numbers_are_no_options_and_keep_their_places(void **state)
{
    (void)state;
    char *out = output_of("\"$ULPSCOPE\" triple -1 --format binary16 2 -.5 --json -");
    char *other = output_of("\"$ULPSCOPE\" triple --format=binary16 --json - -- -1 2 -.5");
    json_t *root = json_loads(out, 0, NULL);
    static const char *const given[] = {"-1", "2", "-.5"};
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(
            json_string_value(json_object_get(json_array_get(json_object_get(root, "numbers"), i), "given")), given[i]);
    assert_string_equal(out, other);
    assert_string_equal(json_string_value(json_object_get(root, "schema")), "ulpscope-triple/1");
    assert_string_equal(json_string_value(json_object_get(root, "format")), "binary16");
    json_decref(root);
    free(out);
    free(other);
}

static void a_number_that_the_format_lacks_is_named(void **state)
{
    (void)state;
    char *out = output_of("\"$ULPSCOPE\" triple 0.1 0.25 1");
    assert_non_null(strstr(out, "0.1, rounded: binary32 cannot represent it"));
    assert_null(strstr(out, "0.25, rounded"));
    free(out);
}

static void wrong_input_is_told(void **state)
{
    (void)state;
    assert_refused("\"$ULPSCOPE\" triple 1 2", 2, "2 numbers; expected three");
    assert_refused("\"$ULPSCOPE\" triple 1 2 3 4", 2, "one number too many");
    assert_refused("\"$ULPSCOPE\" triple 1 two 3", 2, "\"two\" is not a number; expected a number of binary32");
    assert_refused("\"$ULPSCOPE\" triple 1 70000 3 --format binary16", 2, "is outside binary16 (largest 0x1.ffcp+15)");
    assert_refused("\"$ULPSCOPE\" triple 1 2 3 --format binary23", 2, "did you mean \"binary32\"?");
    assert_refused("\"$ULPSCOPE\" triple 1 2 3 --json /dev/null/x.json", 2, "/dev/null/x.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example_of_the_header_is_so),
        cmocka_unit_test(every_addition_is_the_correctly_rounded_one),
        cmocka_unit_test(an_overflow_in_the_middle_is_no_number_and_the_other_order_is_exact),
        cmocka_unit_test(every_nan_is_the_same_and_zeros_keep_their_sign),
        cmocka_unit_test(a_sum_of_zero_has_no_ulp),
        cmocka_unit_test(the_nearest_is_that_of_the_format),
        cmocka_unit_test(a_number_is_rounded_once),
        cmocka_unit_test(a_bit_far_behind_the_tie_is_seen),
        cmocka_unit_test(what_is_no_number_of_the_format_is_refused),
        cmocka_unit_test(the_fields_are_those_of_the_format),
        cmocka_unit_test(the_fields_are_the_bits_of_the_machine),
        FACT(whole_numbers_are_written_in_full),
        FACT(the_two_lines_are_printed),
        FACT(negative_numbers_are_no_options_and_keep_their_places),
        FACT(a_number_that_the_format_lacks_is_named),
        FACT(wrong_input_is_told),
    };
    forget_variables();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

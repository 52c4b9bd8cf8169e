/* Text to number and back: what is no number is refused, what is one is never rounded twice, and what is written is the
 * shortest decimal that reads back. */
#include "src/base/fp.h"
#include "src/base/number.h"
#include "src/base/status.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <ctype.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- sizes ---- */

static void assert_size(const char *text, uint64_t expected)
{
    uint64_t value = 77;
    const char *wrong = read_size(text, &value);
    if (wrong || value != expected)
        fail_msg("\"%s\" %s, value %llu; expected %llu", text, wrong ? wrong : "was read", (unsigned long long)value,
                 (unsigned long long)expected);
}

/* The reason has to hold `part`. */
static void assert_no_size(const char *text, const char *part)
{
    uint64_t value = 77;
    const char *wrong = read_size(text, &value);
    if (!wrong || !strstr(wrong, part))
        fail_msg("\"%s\" %s, value %llu; expected \"... %s ...\"", text, wrong ? wrong : "was read",
                 (unsigned long long)value, part);
}

static void size_is_read_as_documented(void **state)
{
    (void)state;
    const struct {
        const char *text;
        uint64_t value;
    } good[] = {
        {"0", 0},
        {"4096", 4096},
        {"+5", 5},
        {"007", 7},
        {"1e6", 1000000},
        {"1E6", 1000000},
        {"1e+6", 1000000},
        {"2.5e3", 2500},
        {"1.", 1},
        {"1.000", 1},
        {".5K", 500},
        {"1.5K", 1500},
        {"1000000e-6", 1},
        {"0.000001e6", 1},
        {"1K", 1000},
        {"1M", 1000000},
        {"1G", 1000000000},
        {"1T", 1000000000000},
        {"1Ki", 1024},
        {"1Mi", 1048576},
        {"1Gi", 1073741824},
        {"1Ti", 1099511627776},
        {"1.5Ki", 1536},
        {"1e3K", 1000000},
    };
    for (size_t i = 0; i < COUNT_OF(good); i++)
        assert_size(good[i].text, good[i].value);
}

static void size_with_anything_else_in_it_is_refused(void **state)
{
    (void)state;
    const char *const letters = "letters after the number";
    const char *const trailing[] = {"1e6x",  "0x10", "1_000", "1,5", "1 ",   "1e",  "1e+",    "1e6e6", "1.2.3", "1k",
                                    "1ki",   "1KI",  "1KiB",  "1kB", "1P",   "1 K", "0x1p10", "1d3",   "10u",   "5n",
                                    "1..10", "1\n",  "1\t",   "1/2", "1e 6", "2^5", "1e6 K",  "0b1"};
    const char *const none[] = {"",  " ",   " 1", "\t1", "x",  "e6",  "K",        ".",   "+", "-",   ".e6",
                                "-", "+-1", "++", "--1", "-x", "nan", "infinity", "inf", "-", "+.K", "０"};
    for (size_t i = 0; i < COUNT_OF(trailing); i++)
        assert_no_size(trailing[i], letters);
    for (size_t i = 0; i < COUNT_OF(none); i++)
        assert_no_size(none[i], "is not a number");
    assert_no_size("0.5x", letters);
}

static void size_below_zero_is_refused(void **state)
{
    (void)state;
    assert_no_size("-1", "negative");
    assert_no_size("-0", "negative");
    assert_no_size("-18446744073709551615", "negative"); /* strtoull would make 1 of it */
    assert_no_size("-1e3", "negative");
}

static void size_with_a_fraction_left_is_refused(void **state)
{
    (void)state;
    const char *const fractions[] = {"0.5", "1.5",     "1e-1",    "1e-400", "1e-99999999999999999999", "12e-1", "0.1Ki",
                                     ".1",  "1.0001K", "1.0005K", "3e-1Ti"};
    for (size_t i = 0; i < COUNT_OF(fractions); i++)
        assert_no_size(fractions[i], "is not a whole number");
}

/* Through binary64 this would be 9007199254740992, and nobody would see it. */
static void size_above_2_to_the_53_keeps_its_last_digit(void **state)
{
    (void)state;
    assert_size("9007199254740993", 9007199254740993);
    assert_size("9007199254740993.0", 9007199254740993);
    assert_size("9007199254740993e0", 9007199254740993);
    assert_size("9007199254740.993K", 9007199254740993);
    assert_no_size("9007199254740991.5", "is not a whole number");
    assert_no_size("4503599627370497.25", "is not a whole number");
}

static void size_with_a_tiny_fraction_is_not_rounded_to_a_whole_one(void **state)
{
    (void)state;
    uint64_t value;
    assert_non_null(read_size("1.00000000000000000001", &value));
    assert_non_null(read_size("0.99999999999999999999999", &value));
    assert_size("1.00000000000000000000000000000000", 1);
}

/* 1.001 * 1000 is 1000.9999999999999 in binary64. */
static void every_thousandth_of_a_thousand_is_whole(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 100000; k++) {
        char text[NUMBER_TEXT];
        snprintf(text, sizeof text, "%u.%03uK", k / 1000, k % 1000);
        assert_size(text, k);
    }
}

static void size_may_be_up_to_2_to_the_64_less_1(void **state)
{
    (void)state;
    const char *const large[] = {"18446744073709551616",   "99999999999999999999", "1e20", "1e400",
                                 "1e99999999999999999999", "18446744073709552K"};
    assert_size("18446744073709551615", UINT64_MAX);
    assert_size("18446744073709551.615K", UINT64_MAX);
    assert_size("16777215Ti", UINT64_C(16777215) << 40);
    assert_size("1e19", UINT64_C(10000000000000000000));
    assert_size("0e99999999999999999999", 0);
    for (size_t i = 0; i < COUNT_OF(large); i++)
        assert_no_size(large[i], "is above 18446744073709551615");
    assert_no_size("16777216Ti", "is above 18446744073709551615");
}

/* ---- reals and floats ---- */

static void real_is_rounded_once_to_nearest(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double value;
    } good[] = {
        {"0.1", 0x1.999999999999ap-4},
        {"-0", -0.0},
        {"+2.5", 2.5},
        {".5", 0.5},
        {"5.", 5},
        {"1e-3", 0x1.0624dd2f1a9fcp-10},
        {"0x1.8p+3", 12},
        {"9007199254740993", 0x1p53}, /* a tie, to even */
        {"9007199254740993.00000000000000000001", 0x1.0000000000001p53},
        {"1.7976931348623157e308", DBL_MAX},
        {"4.9406564584124654e-324", 0x1p-1074},
    };
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        double value = 77;
        assert_null(read_real(good[i].text, &value));
        assert_int_equal(double_bits(value), double_bits(good[i].value));
    }
}

static void text_that_is_no_real_is_refused(void **state)
{
    (void)state;
    const char *const bad[] = {"",
                               " 1",
                               "1 ",
                               "0.5x",
                               "1e6x",
                               "nan",
                               "inf",
                               "-inf",
                               "infinity",
                               "1,5",
                               "0x",
                               "1e",
                               "1e+",
                               ".",
                               "-",
                               "+-1",
                               "1K",
                               "1e400",
                               "-1e400",
                               "1.7976931348623159e308",
                               "1_0",
                               "1.5.",
                               "0x1p",
                               "e5",
                               ("\xc2\xa0"
                                "1")};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        double value = 77;
        if (!read_real(bad[i], &value))
            fail_msg("\"%s\" was read as %.17g", bad[i], value);
        assert_true(value == 77);
    }
}

/* 2^24 + 1 + 1e-9: first to binary64, then to binary32, the tiny part is lost and the tie goes down. */
static void float_is_rounded_once_from_its_text(void **state)
{
    (void)state;
    const struct {
        const char *text;
        float value;
    } good[] = {
        {"16777217", 0x1p24f},
        {"16777217.000000001", 0x1.000002p24f},
        {"16777217.0000000000000000000000001", 0x1.000002p24f},
        {"0.1", 0x1.99999ap-4f},
        {"0x1.8p+3", 12},
        {"340282356779733661637539395458142568447", FLT_MAX}, /* the largest below FLT_MAX and half an ulp */
        {"0x1.fffffeffffffp+127", FLT_MAX},
        {"1e-45", 0x1p-149f},
        {"7.0064923216240853e-46", 0},         /* below half the least subnormal */
        {"7.0064923216240854e-46", 0x1p-149f}, /* above it */
        {"-1e-999", -0.0f},
        {"0x1.098d65p-128", 0x1.098d68p-128f}, /* 0x1.098d6p-128 to strtof of glibc 2.36 */
        {"inf", INFINITY},
        {"+Inf", INFINITY},
        {"-INFINITY", -INFINITY},
    };
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        float value = 77;
        assert_null(read_float(good[i].text, &value));
        if (float_bits(value) != float_bits(good[i].value))
            fail_msg("\"%s\" was read as %a, not %a", good[i].text, (double)value, (double)good[i].value);
    }
    float value = 0;
    assert_null(read_float("NaN", &value));
    assert_true(isnan(value));
}

static void text_that_is_no_float_is_refused(void **state)
{
    (void)state;
    const char *const bad[] = {"",
                               " 1",
                               "1 ",
                               "0.5x",
                               "nano",
                               "nan(1)",
                               "infx",
                               "in",
                               "- inf",
                               "--inf",
                               "1e39",
                               "-1e39",
                               "1K",
                               "340282356779733661637539395458142568448", /* FLT_MAX and half an ulp: a tie, to even */
                               "0x1.ffffffp+127"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        float value = 77;
        if (!read_float(bad[i], &value))
            fail_msg("\"%s\" was read as %a", bad[i], (double)value);
        assert_true(value == 77);
    }
}

/* strtod obeys LC_NUMERIC once a program calls setlocale; none of the environment's words may. */
static void decimal_point_is_a_point_whatever_the_environment_says(void **state)
{
    (void)state;
    double value;
    char text[NUMBER_TEXT];
    setenv("LC_ALL", "de_DE.UTF-8", 1);
    setenv("LC_NUMERIC", "de_DE.UTF-8", 1);
    assert_string_equal(localeconv()->decimal_point, ".");
    assert_null(read_real("1.5", &value));
    assert_non_null(read_real("1,5", &value));
    write_double(1.5, text);
    assert_string_equal(text, "1.5");
}

/* ---- sweeps ---- */

static void assert_size_sweep(const char *text, size_t expected, const uint64_t *sizes)
{
    uint64_t *values = NULL;
    size_t count = 0;
    const char *wrong = read_size_sweep(text, &values, &count);
    if (wrong || count != expected)
        fail_msg("\"%s\" %s, %zu values; expected %zu", text, wrong ? wrong : "was read", count, expected);
    for (size_t i = 0; i < count; i++)
        if (values[i] != sizes[i])
            fail_msg("\"%s\": value %zu is %llu, not %llu", text, i, (unsigned long long)values[i],
                     (unsigned long long)sizes[i]);
    free(values);
}

static void size_sweep_multiplies_up_to_its_last_value(void **state)
{
    (void)state;
    assert_size_sweep("4096", 1, (const uint64_t[]){4096});
    assert_size_sweep("18446744073709551615", 1, (const uint64_t[]){UINT64_MAX});
    assert_size_sweep("1Ki..1Mi*32", 3, (const uint64_t[]){1 << 10, 1 << 15, 1 << 20});
    assert_size_sweep("1..100*10", 3, (const uint64_t[]){1, 10, 100});
    assert_size_sweep("1..99*10", 2, (const uint64_t[]){1, 10});
    assert_size_sweep("5..5*2", 1, (const uint64_t[]){5});
    assert_size_sweep("4..9*1.5", 3, (const uint64_t[]){4, 6, 9});
}

/* Rounding each product to 15 digits would make 1125899906842620 of 2^50. */
static void size_sweep_keeps_powers_of_two_exact(void **state)
{
    (void)state;
    uint64_t powers[54];
    for (int k = 0; k <= 53; k++)
        powers[k] = UINT64_C(1) << k;
    assert_size_sweep("1..9007199254740992*2", 54, powers);
}

/* A sweep is computed in binary64: a bound that does not fit there is refused, not rounded. */
static void size_sweep_above_2_to_the_53_is_refused(void **state)
{
    (void)state;
    uint64_t *values;
    size_t count;
    assert_non_null(read_size_sweep("9007199254740993..9007199254740995*2", &values, &count));
    assert_non_null(read_size_sweep("1..9007199254740993*2", &values, &count));
}

static void text_that_is_no_sweep_is_refused(void **state)
{
    (void)state;
    const char *const bad[] = {"1..",        "..8*2",     "1..8",    "1..8*",   "1..8*1",       "1..8*0.5",
                               "1..8*-2",    "8..1*2",    "0..8*2",  "-1..8*2", "1..8*2x",      "1..8*2*2",
                               "1..8x*2",    "1..2..3*2", "1..8 *2", " 1..8*2", "1..8*nan",     "1..8*inf",
                               "1..8*1e400", "..",        "*2",      "",        "1..1e9*1.001", "1..8*1.5"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        uint64_t *values;
        size_t count;
        if (!read_size_sweep(bad[i], &values, &count))
            fail_msg("\"%s\" was read as a sweep of %zu sizes", bad[i], count);
    }
}

static void sweep_that_would_stand_still_says_so(void **state)
{
    (void)state;
    const char *const still[] = {"1..8*1", "1..1*1", "8..1*2", "0..8*2", "1..8*0.5"};
    for (size_t i = 0; i < COUNT_OF(still); i++) {
        uint64_t *values;
        size_t count;
        const char *wrong = read_size_sweep(still[i], &values, &count);
        assert_true(wrong && strstr(wrong, "it needs 0 < first <= last and a factor above 1"));
    }
}

static void sweep_has_at_most_1000_values(void **state)
{
    (void)state;
    double *values;
    size_t count;
    assert_null(read_real_sweep("1..0x1p999*2", &values, &count));
    assert_int_equal(count, SWEEP_MOST);
    for (int k = 0; k < SWEEP_MOST; k++)
        assert_true(values[k] == ldexp(1, k));
    free(values);
    const char *wrong = read_real_sweep("1..0x1p1000*2", &values, &count);
    assert_true(wrong && strstr(wrong, "more than 1000"));
    assert_non_null(read_real_sweep("1..2*1.0000000000000002", &values, &count));
}

/* As the decimals are meant, not as products of their roundings: 1e25 * 1e6 is 1.0000000000000001e31 in binary64. */
static void real_sweep_of_powers_of_ten_gives_powers_of_ten(void **state)
{
    (void)state;
    double *values;
    size_t count;
    assert_null(read_real_sweep("1e-300..1e300*10", &values, &count));
    assert_int_equal(count, 601);
    for (int k = -300; k <= 300; k++) {
        char text[NUMBER_TEXT];
        snprintf(text, sizeof text, "1e%d", k);
        if (values[k + 300] != strtod(text, NULL))
            fail_msg("%s in a sweep is %.17g", text, values[k + 300]);
    }
    free(values);
}

/* ---- writing ---- */

/* Significant digits of a written number. */
static int digits_of(const char *text)
{
    int digits = 0, zeros = 0;
    for (const char *p = text; *p && *p != 'e'; p++) {
        if (*p == '0' && digits > 0) {
            zeros++;
        } else if (isdigit((unsigned char)*p) && *p != '0') {
            digits += zeros + 1;
            zeros = 0;
        }
    }
    return digits;
}

static bool reads_back(const char *text, double value, bool single)
{
    double read;
    assert_null(read_in_format(text, single ? &FORMAT_BINARY32 : &FORMAT_BINARY64, &read, NULL));
    return read == value;
}

/* Whether a decimal of that many digits reads back: the one nearest to the value, or one of its two neighbours. */
static bool some_decimal_reads_back(int digits, double value, bool single)
{
    char text[NUMBER_TEXT], plain[NUMBER_TEXT];
    snprintf(text, sizeof text, "%.*e", digits - 1, fabs(value));
    size_t length = 0;
    for (const char *p = text; *p != 'e'; p++)
        if (*p != '.')
            plain[length++] = *p;
    plain[length] = '\0';
    const long long nearest = strtoll(plain, NULL, 10);
    const int exponent = atoi(strchr(text, 'e') + 1) - (digits - 1);
    for (int step = -1; step <= 1; step++) {
        snprintf(text, sizeof text, "%llde%d", nearest + step, exponent);
        if (reads_back(text, fabs(value), single))
            return true;
    }
    return false;
}

static void assert_shortest(double value, bool single)
{
    char text[NUMBER_TEXT];
    if (single)
        write_float((float)value, text);
    else
        write_double(value, text);
    if (!reads_back(text, value, single) || !signbit(value) != (*text != '-'))
        fail_msg("%a is written %s, which does not read back", value, text);
    const int digits = digits_of(text);
    if (digits > 1 && some_decimal_reads_back(digits - 1, value, single))
        fail_msg("%a is written %s; %d digits are enough", value, text, digits - 1);
}

/* The twin: the check above sees a decimal that is too long, and one that is not. */
static void shortness_check_sees_one_digit_too_many(void **state)
{
    (void)state;
    assert_int_equal(digits_of("-1.2050e-07"), 4);
    assert_int_equal(digits_of("120"), 2);
    assert_int_equal(digits_of("0.001"), 1);
    assert_true(some_decimal_reads_back(16, 0.1, false));
    assert_true(some_decimal_reads_back(16, 0x1p-44, false));               /* 5.684341886080802e-14, not the nearest */
    assert_false(some_decimal_reads_back(16, 0x1.3333333333334p-2, false)); /* 0.30000000000000004 */
    assert_false(some_decimal_reads_back(8, 0x1.000006p+24, true) && some_decimal_reads_back(7, 0x1.000006p+24, true));
}

static void written_double_is_the_shortest_that_reads_back(void **state)
{
    (void)state;
    seed_random(1);
    for (int i = 0; i < 100000; i++) {
        const double value = double_from_bits(next_random());
        if (isfinite(value))
            assert_shortest(value, false);
    }
}

static void written_float_is_the_shortest_that_reads_back(void **state)
{
    (void)state;
    seed_random(2);
    for (int i = 0; i < 100000; i++) {
        const float value = float_from_bits((uint32_t)next_random());
        if (isfinite(value))
            assert_shortest((double)value, true);
    }
}

/* Where rounding intervals are lopsided, and where 15 (or 6) digits are too many. */
/* 2097152.2 and .3 are as near, and both read back: between 2^21 and 2^22 floats are 0.25 apart. */
static void of_two_shortest_the_even_one_is_written(void **state)
{
    (void)state;
    char text[NUMBER_TEXT];
    write_float(2097152.25f, text);
    assert_string_equal(text, "2097152.2");
    write_float(2097152.75f, text);
    assert_string_equal(text, "2097152.8");
    assert_shortest(2097152.25, true);
}

static void powers_of_two_and_subnormals_are_written_shortest(void **state)
{
    (void)state;
    for (int k = -1074; k < 1024; k++)
        assert_shortest(ldexp(1, k), false);
    for (int k = -149; k < 128; k++)
        assert_shortest(-ldexp(1, k), true);
    seed_random(3);
    for (int i = 0; i < 20000; i++) {
        assert_shortest(double_from_bits(next_random() >> (12 + i % 52)), false);
        assert_shortest((double)float_from_bits((uint32_t)(next_random() >> (41 + i % 23))), true);
    }
}

static void short_decimals_are_written_as_they_are(void **state)
{
    (void)state;
    const struct {
        double value;
        const char *text;
    } known[] = {
        {0.1, "0.1"},
        {-0.0, "-0"},
        {0, "0"},
        {100, "100"},
        {0.30000000000000004, "0.30000000000000004"},
        {1e22, "1e+22"},
        {0x1p-1074, "5e-324"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {0x1p-44, "5.684341886080802e-14"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {0x1p-24, "5.960464477539063e-08"},
        {0x1p53, "9007199254740992"},
    };
    char text[NUMBER_TEXT];
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        write_double(known[i].value, text);
        assert_string_equal(text, known[i].text);
    }
    write_double(NAN, text);
    assert_string_equal(text, "nan");
    write_float(0.1f, text);
    assert_string_equal(text, "0.1");
    write_float(0x1p-149f, text);
    assert_string_equal(text, "1e-45");
    write_float(-INFINITY, text);
    assert_string_equal(text, "-inf");
}

static void rounded_number_is_never_longer_than_people_read(void **state)
{
    (void)state;
    const struct {
        double value;
        const char *text;
    } known[] = {
        {0, "0"},          {-0.0, "0"},         {0.5, "0.50"},          {1.234, "1.23"},
        {9.994, "9.99"},   {9.996, "10.0"},     {99.94, "99.9"},        {99.96, "100"},
        {123.4, "123"},    {1234, "1.23e+03"},  {1.234e-7, "1.23e-07"}, {-0.5, "-0.50"},
        {INFINITY, "inf"}, {-INFINITY, "-inf"}, {NAN, "nan"},           {0x1p-1074, "4.94e-324"},
    };
    char text[NUMBER_TEXT];
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        write_rounded(known[i].value, text);
        assert_string_equal(text, known[i].text);
    }
}

/* The twin: to nearest, the second would be 0.50. */
static void error_is_never_shown_smaller(void **state)
{
    (void)state;
    static const struct {
        double error;
        const char *text;
    } known[] = {
        {0.5, "0.500"},
        {0.50000003, "0.501"},
        {0.50488, "0.505"},
        {0x1.0000000000001p-1, "0.501"},
        {0.46875, "0.469"},
        {0, "0"},
        {0.09999, "0.100"},
        {0.0625, "0.0625"},
        {0.06251, "0.0626"},
        {0.9991, "1.00"},
        {1, "1.00"},
        {9.991, "10.0"},
        {12.25, "12.3"},
        {99.91, "100"},
        {517, "517"},
        {517.001, "518"},
        {999.5, "1.00e+03"},
        {1.2301e-7, "1.24e-07"},
        {9.999e-5, "1.00e-04"},
        {0x1p-1074, "4.95e-324"},
        {-0.50000003, "-0.501"},
        {INFINITY, "inf"},
        {NAN, "nan"},
    };
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        char text[NUMBER_TEXT], nearest[NUMBER_TEXT];
        write_error(known[i].error, text);
        write_rounded(known[i].error, nearest);
        assert_string_equal(text, known[i].text);
        assert_true(isnan(known[i].error) || fabs(strtod(text, NULL)) >= fabs(known[i].error));
        assert_true(known[i].error != 0.50000003 || strtod(nearest, NULL) < known[i].error);
    }
}

static void hex_float_has_one_form(void **state)
{
    (void)state;
    const struct {
        double value;
        const char *text;
    } known[] = {
        {0, "0x0p+0"},
        {-0.0, "-0x0p+0"},
        {12, "0x1.8p+3"},
        {0x1p-1022, "0x1p-1022"},
        {0x1p-1074, "0x1p-1074"},
        {-0x1.8p-1073, "-0x1.8p-1073"},
        {0x1p-1022 - 0x1p-1074, "0x1.ffffffffffffep-1023"},
        {DBL_MAX, "0x1.fffffffffffffp+1023"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
    };
    char text[NUMBER_TEXT];
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        write_hex(known[i].value, text);
        assert_string_equal(text, known[i].text);
        assert_true(isnan(known[i].value) || strtod(text, NULL) == known[i].value);
    }
}

/* Through binary32 the first would be 0.1F, the others out of range. */
static void integers_are_plain_up_to_fifteen_digits(void **state)
{
    static const struct {
        double value;
        const char *text;
    } known[] = {
        {16777220, "16777220"},
        {-3, "-3"},
        {0, "0"},
        {-0.0, "-0"},
        {999999999999999, "999999999999999"},
        {0x1p50, "1.1258999e+15"},
        {(double)0.1f, "0.1"},
        {0.1, "0.1"},
        {1 + 0x1p-23, "1.0000001"},
        {1 + 0x1p-24, "1.0000000596"},
        {INFINITY, "inf"},
        {NAN, "nan"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[NUMBER_TEXT];
        write_plainly(known[i].value, text);
        assert_string_equal(text, known[i].text);
    }
}

static void double_is_read_as_a_binary64(void **state)
{
    (void)state;
    double value;
    assert_null(read_double("0.1", &value));
    assert_true(value == 0.1);
    assert_null(read_double("-0x1.fffffffffffffp+1023", &value));
    assert_true(value == -0x1.fffffffffffffp+1023);
    assert_null(read_double("-Infinity", &value));
    assert_true(value == -(double)INFINITY);
    assert_null(read_double("nan", &value));
    assert_true(isnan(value));
    assert_non_null(read_double("1e309", &value));
    assert_non_null(read_double("", &value));
    assert_non_null(read_double("infinite", &value));
}

/* ---- what a block owns ---- */

static int freed;

struct counted {
    int times;
};

static void counted_free(struct counted *counted)
{
    freed += counted->times;
    *counted = (struct counted){0};
}

static enum status leave(bool early, bool owns)
{
    FREED_BY(counted_free) struct counted mine = {owns};
    OWNED char *text = malloc(1); /* LeakSanitizer sees whether it goes */
    assert_non_null(text);
    assert_int_equal(mine.times, owns);
    TRY(early ? BAD_INPUT : OK);
    return OK;
}

static void what_a_block_owns_is_freed_once_on_every_way_out(void **state)
{
    (void)state;
    freed = 0;
    assert_int_equal(leave(true, true), BAD_INPUT);
    assert_int_equal(freed, 1);
    assert_int_equal(leave(false, true), OK);
    assert_int_equal(freed, 2);
    assert_int_equal(leave(true, false), BAD_INPUT); /* the twin: it owns nothing */
    assert_int_equal(freed, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(size_is_read_as_documented),
        cmocka_unit_test(size_with_anything_else_in_it_is_refused),
        cmocka_unit_test(size_below_zero_is_refused),
        cmocka_unit_test(size_with_a_fraction_left_is_refused),
        cmocka_unit_test(size_above_2_to_the_53_keeps_its_last_digit),
        cmocka_unit_test(size_with_a_tiny_fraction_is_not_rounded_to_a_whole_one),
        cmocka_unit_test(every_thousandth_of_a_thousand_is_whole),
        cmocka_unit_test(size_may_be_up_to_2_to_the_64_less_1),
        cmocka_unit_test(real_is_rounded_once_to_nearest),
        cmocka_unit_test(text_that_is_no_real_is_refused),
        cmocka_unit_test(float_is_rounded_once_from_its_text),
        cmocka_unit_test(text_that_is_no_float_is_refused),
        cmocka_unit_test(decimal_point_is_a_point_whatever_the_environment_says),
        cmocka_unit_test(size_sweep_multiplies_up_to_its_last_value),
        cmocka_unit_test(size_sweep_keeps_powers_of_two_exact),
        cmocka_unit_test(size_sweep_above_2_to_the_53_is_refused),
        cmocka_unit_test(text_that_is_no_sweep_is_refused),
        cmocka_unit_test(sweep_that_would_stand_still_says_so),
        cmocka_unit_test(sweep_has_at_most_1000_values),
        cmocka_unit_test(real_sweep_of_powers_of_ten_gives_powers_of_ten),
        cmocka_unit_test(shortness_check_sees_one_digit_too_many),
        cmocka_unit_test(written_double_is_the_shortest_that_reads_back),
        cmocka_unit_test(written_float_is_the_shortest_that_reads_back),
        cmocka_unit_test(of_two_shortest_the_even_one_is_written),
        cmocka_unit_test(powers_of_two_and_subnormals_are_written_shortest),
        cmocka_unit_test(short_decimals_are_written_as_they_are),
        cmocka_unit_test(hex_float_has_one_form),
        cmocka_unit_test(rounded_number_is_never_longer_than_people_read),
        cmocka_unit_test(integers_are_plain_up_to_fifteen_digits),
        cmocka_unit_test(error_is_never_shown_smaller),
        cmocka_unit_test(double_is_read_as_a_binary64),
        cmocka_unit_test(what_a_block_owns_is_freed_once_on_every_way_out),
    };
    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}

/* An exact number as text: hexadecimal in full, decimal to so many digits. */
#include "reference/rounding.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "beside.h"

#include <float.h>
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static char *hex_of_double(double x)
{
    mpfr_t value;
    mpfr_init2(value, 53);
    mpfr_set_d(value, x, MPFR_RNDN);
    char *text = exact_hex(value);
    mpfr_clear(value);
    assert_non_null(text);
    return text;
}

/* Of normal numbers: C leaves open how a subnormal starts, and glibc starts it with 0x0. */
static void hex_of_a_number_is_what_c_prints(void **state)
{
    (void)state;
    const double known[] = {0.0, -0.0, 1, -1, 12, 0.1, 1.0 / 3, DBL_MAX, -DBL_MIN, 0x1p-149, INFINITY, -INFINITY};
    char expected[64];
    seed_random(5);
    for (size_t i = 0; i < COUNT_OF(known) + 10000; i++) {
        const double x = i < COUNT_OF(known)
                             ? known[i]
                             : double_from_bits(next_random() & ~(next_random() >> (i % 2 ? 64 - 52 : 20)));
        if (isnan(x) || (x != 0 && fabs(x) < DBL_MIN))
            continue;
        char *text = hex_of_double(x);
        snprintf(expected, sizeof expected, "%a", x);
        assert_string_equal(text, expected);
        free(text);
    }
    char *text = hex_of_double(NAN);
    assert_string_equal(text, "nan");
    free(text);
}

/* Those of subnormals included: they start with 0x1, too. */
static void hex_reads_back_to_its_number(void **state)
{
    (void)state;
    mpfr_t value, back;
    mpfr_init2(value, 256);
    mpfr_init2(back, 256);
    seed_random(8);
    for (int i = 0; i < 40000; i++) {
        const long exponent = (long)below(2400) - 1200, dust = exponent - 1 - (long)below(150);
        const uint64_t wide = next_random();
        set_beside(value, wide >> below(64) | 1, exponent, 1, dust);
        mpfr_setsign(value, value, i % 2, MPFR_RNDN);
        char *text = exact_hex(value);
        assert_non_null(text);
        assert_true(strncmp(*text == '-' ? text + 1 : text, "0x1", 3) == 0);
        assert_exact(mpfr_strtofr(back, text, NULL, 0, MPFR_RNDN));
        assert_true(mpfr_equal_p(back, value));
        free(text);
    }
    mpfr_clears(value, back, (mpfr_ptr)0);
    for (int i = 0; i < 20000; i++) {
        const float x = i % 2 ? any_float() : float_from_bits((uint32_t)next_random() & 0x807fffff);
        char *text = hex_of_double((double)x);
        assert_int_equal(float_bits(strtof(text, NULL)), float_bits(x));
        free(text);
    }
}

static void assert_decimal(const mpfr_t value, int digits, const char *expected)
{
    char *text = exact_decimal(value, digits);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

/* glibc prints a double to any number of digits, ties to even: 767 are all that a subnormal has. */
static void decimal_is_what_c_prints(void **state)
{
    (void)state;
    static const double known[] = {0,       -0.0,    1,         2.5,      3.5,
                                   0.125,   9.5,     99.5,      1e99,     999999.5,
                                   -1e-300, DBL_MAX, 0x1p-1074, INFINITY, 0x1p-1022 - 0x1p-1074};
    static const int lengths[] = {1, 2, 3, 6, 17, 20, 767, 10000};
    static char expected[10100];
    mpfr_t value;
    mpfr_init2(value, 53);
    seed_random(9);
    for (size_t i = 0; i < 2 * COUNT_OF(known) + 2000; i++) {
        const double x = i < COUNT_OF(known)       ? known[i]
                         : i < 2 * COUNT_OF(known) ? -known[i - COUNT_OF(known)]
                                                   : double_from_bits(next_random());
        mpfr_set_d(value, x, MPFR_RNDN);
        for (size_t l = 0; l < COUNT_OF(lengths) - (i > 100) && !isnan(x); l++) {
            snprintf(expected, sizeof expected, "%.*e", lengths[l] - 1, x);
            assert_decimal(value, lengths[l], expected);
        }
    }
    mpfr_clear(value);
}

/* All digits of 2^300 + 1 in GMP's words; and 25 +- dust, a tie and its neighbours. */
static void decimal_of_a_wide_number_is_right_to_its_last_digit(void **state)
{
    (void)state;
    mpfr_t value;
    mpz_t integer;
    char digits[128], expected[160];
    mpfr_init2(value, PRECISION);
    mpz_init_set_ui(integer, 1);
    mpz_mul_2exp(integer, integer, 300);
    mpz_add_ui(integer, integer, 1);
    mpz_get_str(digits, 10, integer);
    snprintf(expected, sizeof expected, "%c.%se+90", digits[0], digits + 1);
    set_beside(value, 1, 300, 1, 0);
    assert_int_equal(strlen(digits), 91);
    assert_decimal(value, 91, expected);
    for (int side = -1; side <= 1; side++) {
        set_beside(value, 25, 0, side, DUST);
        assert_decimal(value, 1, side > 0 ? "3e+01" : "2e+01");
        set_beside(value, 35, 0, side, DUST);
        assert_decimal(value, 1, side < 0 ? "3e+01" : "4e+01");
    }
    mpz_clear(integer);
    mpfr_clear(value);
}

static void text_of_specials_keeps_the_sign_of_zero_and_infinity(void **state)
{
    (void)state;
    static const struct {
        double x;
        const char *hex, *decimal;
    } known[] = {{0.0, "0x0p+0", "0e+00"},
                 {-0.0, "-0x0p+0", "-0e+00"},
                 {INFINITY, "inf", "inf"},
                 {-INFINITY, "-inf", "-inf"},
                 {NAN, "nan", "nan"},
                 {-1, "-0x1p+0", "-1e+00"},
                 {0x1p-149, "0x1p-149", "1e-45"},
                 {-0x1.8p-1073, "-0x1.8p-1073", "-1e-323"}};
    mpfr_t value;
    mpfr_init2(value, 53);
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        char *hex = hex_of_double(known[i].x);
        assert_string_equal(hex, known[i].hex);
        free(hex);
        mpfr_set_d(value, known[i].x, MPFR_RNDN);
        assert_decimal(value, 1, known[i].decimal);
    }
    mpfr_clear(value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hex_of_a_number_is_what_c_prints),
        cmocka_unit_test(hex_reads_back_to_its_number),
        cmocka_unit_test(decimal_is_what_c_prints),
        cmocka_unit_test(decimal_of_a_wide_number_is_right_to_its_last_digit),
        cmocka_unit_test(text_of_specials_keeps_the_sign_of_zero_and_infinity),
    };
    return cmocka_run_group_tests_name("exact text", tests, NULL, NULL);
}

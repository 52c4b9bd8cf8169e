/* An exact number on its way out: rounded to a format, its ulp, and its text. */
#include "../reference/exact.h"
#include "../reference/rounding.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define TERMS(...) ((const float[]){__VA_ARGS__}), COUNT_OF(((const float[]){__VA_ARGS__}))

/* Exponent field in [least, least + span), any sign and fraction. */
static float float_of_field(uint32_t least, uint32_t span)
{
    const uint32_t field = least + (uint32_t)below(span);
    return float_from_bits(((uint32_t)next_random() & 0x807fffff) | field << 23);
}

static struct exact_sum sum_of(const float *x, size_t n)
{
    struct exact_sum exact;
    assert_int_equal(exact_sum(&FORMAT_BINARY32, x, n, &exact), OK);
    return exact;
}

/* ---- ulp ---- */

static void ulp_is_the_spacing_at_the_exact_sum(void **state)
{
    (void)state;
    const struct {
        const float *x;
        size_t n;
        double ulp;
    } known[] = {
        {TERMS(1), 0x1p-23},
        {TERMS(1, -0x1p-149f), 0x1p-24}, /* just below a power of two, although it rounds to 1 */
        {TERMS(-2), 0x1p-22},
        {TERMS(0x1p-126f), 0x1p-149},
        {TERMS(0x1p-125f), 0x1p-148},
        {TERMS(0x1p-125f, -0x1p-149f), 0x1p-149},
        {TERMS(0x1p-149f), 0x1p-149},
        {TERMS(FLT_MAX), 0x1p104},
        {TERMS(FLT_MAX, FLT_MAX), 0x1p105}, /* beyond the range as if there were no end to it */
    };
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        struct exact_sum exact = sum_of(known[i].x, known[i].n);
        assert_true(exact.ulp == known[i].ulp);
        exact_free(&exact);
    }
}

/* ---- rounding ---- */

static void assert_rounds(const mpfr_t value)
{
    const float single = mpfr_get_flt(value, MPFR_RNDN);
    const double twice = mpfr_get_d(value, MPFR_RNDN);
    const double to_single = exact_round(value, &FORMAT_BINARY32), to_double = exact_round(value, &FORMAT_BINARY64);
    if (double_bits(to_single) == double_bits((double)single) && double_bits(to_double) == double_bits(twice))
        return;
    char *text = exact_hex(value);
    fail_msg("%s to binary32 %a, expected %a; to binary64 %a, expected %a", text ? text : "?", to_single,
             (double)single, to_double, twice);
}

static void rounding_to_a_format_is_that_of_mpfr(void **state)
{
    (void)state;
    mpfr_t value;
    mpfr_init2(value, 400);
    seed_random(4);
    for (int round = 0; round < 100000; round++) {
        /* a few random bits, all ones or a single one behind the leading bits: ties and their neighbours are common */
        const int exponent = (int)below(4) == 0 ? (int)below(2300) - 1150 : (int)below(300) - 160;
        mpfr_set_ui_2exp(value, next_random() >> below(64) | 1, exponent, MPFR_RNDN);
        if (below(2)) {
            const int far = (int)below(100) + 1;
            const long sign = below(2) ? 1 : -1;
            mpfr_t dust;
            mpfr_init2(dust, 2);
            mpfr_set_si_2exp(dust, sign, exponent - far, MPFR_RNDN);
            assert_int_equal(mpfr_add(value, value, dust, MPFR_RNDN), 0);
            mpfr_clear(dust);
        }
        if (below(2))
            mpfr_neg(value, value, MPFR_RNDN);
        assert_rounds(value);
    }
    mpfr_clear(value);
}

/* 2^least (1 + 2k)/2 is a tie for every k; one bit far below decides the other cases. */
static void rounding_near_the_least_subnormal_is_to_nearest_even(void **state)
{
    (void)state;
    const struct format *const formats[] = {&FORMAT_BINARY32, &FORMAT_BINARY64};
    mpfr_t value;
    mpfr_init2(value, 400);
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        const int least = formats[f]->least_exponent;
        for (int k = 0; k < 64; k++)
            for (int dust = -1; dust <= 1; dust++)
                for (int sign = -1; sign <= 1; sign += 2) {
                    mpfr_set_si_2exp(value, sign * (2 * k + 1), 99, MPFR_RNDN);
                    mpfr_add_si(value, value, sign * dust, MPFR_RNDN);
                    mpfr_mul_2si(value, value, least - 100, MPFR_RNDN);
                    const int rounded = dust < 0 ? k : dust > 0 ? k + 1 : k + k % 2;
                    const double expected = copysign(ldexp(rounded, least), sign);
                    assert_int_equal(double_bits(exact_round(value, formats[f])), double_bits(expected));
                }
    }
    mpfr_set_ui_2exp(value, 1, -5000, MPFR_RNDN);
    assert_int_equal(double_bits(exact_round(value, &FORMAT_BINARY64)), 0);
    mpfr_clear(value);
}

static void rounding_at_the_overflow_threshold_is_a_tie_to_infinity(void **state)
{
    (void)state;
    const struct {
        const struct format *format;
        int half_ulp; /* of the largest number */
        double largest;
    } ends[] = {{&FORMAT_BINARY32, 103, (double)FLT_MAX}, {&FORMAT_BINARY64, 970, DBL_MAX}};
    mpfr_t value;
    mpfr_init2(value, 2200);
    for (size_t f = 0; f < COUNT_OF(ends); f++)
        for (int dust = -1; dust <= 1; dust++) {
            mpfr_set_ui_2exp(value, 1, ends[f].half_ulp, MPFR_RNDN);
            mpfr_add_d(value, value, ends[f].largest, MPFR_RNDN);
            mpfr_add_d(value, value, dust * 0x1p-1000, MPFR_RNDN);
            assert_true(exact_round(value, ends[f].format) == (dust < 0 ? ends[f].largest : INFINITY));
            mpfr_neg(value, value, MPFR_RNDN);
            assert_true(exact_round(value, ends[f].format) == (dust < 0 ? -ends[f].largest : -INFINITY));
        }
    mpfr_clear(value);
}

/* ---- text ---- */

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

static void hex_of_a_float_reads_back_to_its_bits(void **state)
{
    (void)state;
    seed_random(6);
    for (int i = 0; i < 20000; i++) {
        const float x = i % 2 ? any_float() : float_of_field(0, 1);
        char *text = hex_of_double((double)x);
        assert_int_equal(float_bits(strtof(text, NULL)), float_bits(x));
        free(text);
    }
}

static void decimal_is_what_c_prints(void **state)
{
    (void)state;
    const double known[] = {0,    -0.0,     1,       2.5,     3.5,       0.125,    9.5,
                            99.5, 999999.5, -1e-300, DBL_MAX, 0x1p-1074, INFINITY, -INFINITY};
    const int lengths[] = {1, 2, 3, 6, 17, 20, 40};
    char expected[128];
    mpfr_t value;
    mpfr_init2(value, 53);
    seed_random(8);
    for (size_t i = 0; i < COUNT_OF(known) + 3000; i++) {
        const double x = i < COUNT_OF(known) ? known[i] : double_from_bits(next_random());
        if (isnan(x))
            continue;
        mpfr_set_d(value, x, MPFR_RNDN);
        for (size_t l = 0; l < COUNT_OF(lengths); l++) {
            char *text = exact_decimal(value, lengths[l]);
            snprintf(expected, sizeof expected, "%.*e", lengths[l] - 1, x);
            assert_non_null(text);
            assert_string_equal(text, expected);
            free(text);
        }
    }
    mpfr_clear(value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ulp_is_the_spacing_at_the_exact_sum),
        cmocka_unit_test(rounding_to_a_format_is_that_of_mpfr),
        cmocka_unit_test(rounding_near_the_least_subnormal_is_to_nearest_even),
        cmocka_unit_test(rounding_at_the_overflow_threshold_is_a_tie_to_infinity),
        cmocka_unit_test(hex_of_a_number_is_what_c_prints),
        cmocka_unit_test(hex_of_a_float_reads_back_to_its_bits),
        cmocka_unit_test(decimal_is_what_c_prints),
    };
    return cmocka_run_group_tests_name("rounding", tests, NULL, NULL);
}

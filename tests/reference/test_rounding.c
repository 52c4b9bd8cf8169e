/* An exact number rounded to each format, and its ulp there. */
#include "binary16.h"
#include "reference/rounding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "beside.h"

#include <float.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- right and wrong ways to round ---- */

/* MPFR's recipe for IEEE 754 (its manual, mpfr_subnormalize): to p bits, then into the range of exponents, the first
 * ternary value telling what the first rounding did.  exact_round takes fewer bits from the start instead. */
static double emulated(const mpfr_t value, const struct format *format, mpfr_rnd_t direction)
{
    const mpfr_exp_t least = mpfr_get_emin(), largest = mpfr_get_emax();
    mpfr_t rounded;
    mpfr_init2(rounded, format->precision);
    int ternary = mpfr_set(rounded, value, direction);
    mpfr_set_emin(format->least_exponent + 1); /* MPFR's significands are in [1/2, 1) */
    mpfr_set_emax(format->overflow_exponent);
    ternary = mpfr_check_range(rounded, ternary, direction);
    mpfr_subnormalize(rounded, ternary, direction);
    mpfr_set_emin(least);
    mpfr_set_emax(largest);
    const double nearest = mpfr_get_d(rounded, MPFR_RNDN);
    mpfr_clear(rounded);
    return nearest;
}

static double as_mpfr_emulates(const mpfr_t value, const struct format *format)
{
    return emulated(value, format, MPFR_RNDN);
}

static double towards_zero(const mpfr_t value, const struct format *format)
{
    return emulated(value, format, MPFR_RNDZ);
}

/* First to `bits`, of an exponent without end. */
static double rounded_twice(const mpfr_t value, mpfr_prec_t bits, const struct format *format)
{
    mpfr_t first;
    mpfr_init2(first, bits);
    mpfr_set(first, value, MPFR_RNDN);
    const double second = exact_round(first, format);
    mpfr_clear(first);
    return second;
}

static double through_53_bits(const mpfr_t value, const struct format *format)
{
    return rounded_twice(value, 53, format);
}

/* To p bits wherever the number is: no subnormals, and no end before binary64's. */
static double without_a_range(const mpfr_t value, const struct format *format)
{
    struct format endless = *format;
    endless.least_exponent = FORMAT_BINARY64.least_exponent;
    endless.overflow_exponent = FORMAT_BINARY64.overflow_exponent;
    return rounded_twice(value, format->precision, &endless);
}

/* The twins of the tests below, which each of them sees. */
static rounding_function *const wrong_ways[] = {towards_zero, through_53_bits, without_a_range};

/* Which says so of exact_round, but not of the wrong ways. */
static bool misses(rounding_function *round, const mpfr_t value, const struct format *format, double expected)
{
    const double rounded = round(value, format);
    if (double_bits(rounded) == double_bits(expected))
        return false;
    char *text = round == exact_round ? exact_hex(value) : NULL;
    if (text)
        print_error("%s: %s rounds to %a, expected %a\n", format->name, text, rounded, expected);
    free(text);
    return true;
}

typedef size_t missed_function(rounding_function *round, const struct format *format);

static void assert_rounds_right(missed_function *missed, const struct format *format)
{
    assert_int_equal(missed(exact_round, format), 0);
    for (size_t i = 0; i < COUNT_OF(wrong_ways); i++)
        if (!missed(wrong_ways[i], format))
            fail_msg("%s: wrong way %zu is not seen", format->name, i);
}

/* ---- the formats ---- */

/* IEEE 754-2019, table 3.5: p, emin - p + 1, emax + 1; bfloat16 is binary32 without the last 16 bits. */
static void formats_are_those_of_ieee_754(void **state)
{
    (void)state;
    static const struct format known[] = {
        {"binary64", 8, DBL_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG, DBL_MAX_EXP, false},
        {"binary32", 4, FLT_MANT_DIG, FLT_MIN_EXP - FLT_MANT_DIG, FLT_MAX_EXP, false},
        {"binary16", 2, 11, -14 - 10, 15 + 1, false},
        {"bfloat16", 2, FLT_MANT_DIG - 16, FLT_MIN_EXP - FLT_MANT_DIG + 16, 128, false}};
    assert_int_equal(NUMBER_FORMAT_COUNT, COUNT_OF(known));
    for (size_t f = 0; f < COUNT_OF(known); f++) {
        const struct format *const format = NUMBER_FORMATS[f];
        assert_string_equal(format->name, known[f].name);
        assert_int_equal(format->bytes, known[f].bytes);
        assert_int_equal(format->precision, known[f].precision);
        assert_int_equal(format->least_exponent, known[f].least_exponent);
        assert_int_equal(format->overflow_exponent, known[f].overflow_exponent);
    }
}

/* ---- every number of 16 bits ---- */

/* Encodings of a magnitude: [0, infinity) is finite.  The one of infinity stands for the next power of two as well. */
static const struct encoding {
    const struct format *format;
    int fraction_bits, least;
    unsigned infinity;
} encodings[] = {{&FORMAT_BINARY16, 10, -24, 0x7c00}, {&FORMAT_BFLOAT16, 7, -133, 0x7f80}};

static double decode(const struct encoding *encoding, unsigned bits)
{
    const int field = (int)(bits >> encoding->fraction_bits);
    const int hidden = 1 << encoding->fraction_bits, fraction = (int)bits & (hidden - 1);
    return field == 0 ? ldexp(fraction, encoding->least) : ldexp(hidden + fraction, encoding->least + field - 1);
}

static void numbers_of_16_bits_are_what_other_decoders_say(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < encodings[0].infinity; bits++)
        assert_true(decode(&encodings[0], bits) == binary16_value(bits));
    for (unsigned bits = 0; bits < encodings[1].infinity; bits++) /* bfloat16 is the upper half of a binary32 */
        assert_true(decode(&encodings[1], bits) == (double)float_from_bits(bits << 16));
}

/* Of x and, unless side is 0, what is beside it: by a quarter of the least subnormal, and by hardly anything. */
static size_t misses_beside(rounding_function *round, const struct format *format, double x, int side, double expected)
{
    size_t missed = 0;
    mpfr_t value, dust;
    mpfr_init2(value, PRECISION);
    mpfr_init2(dust, 2);
    const long exponents[] = {format->least_exponent - 2, DUST};
    for (size_t i = 0; i < (side ? COUNT_OF(exponents) : 1); i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            assert_exact(mpfr_set_d(value, x, MPFR_RNDN));
            assert_exact(mpfr_set_si_2exp(dust, side, exponents[i], MPFR_RNDN));
            assert_exact(mpfr_add(value, value, dust, MPFR_RNDN));
            mpfr_setsign(value, value, sign < 0, MPFR_RNDN);
            missed += misses(round, value, format, copysign(expected, sign));
        }
    mpfr_clears(value, dust, (mpfr_ptr)0);
    return missed;
}

/* Each number is itself, with dust as well; the middle of two is the even one; dust decides beside the middle. */
static size_t encodings_missed(rounding_function *round, const struct format *format)
{
    const struct encoding *const encoding = format == &FORMAT_BINARY16 ? &encodings[0] : &encodings[1];
    size_t missed = 0;
    for (unsigned bits = 0; bits < encoding->infinity; bits++) {
        const double number = decode(encoding, bits), next = decode(encoding, bits + 1);
        const double up = bits + 1 < encoding->infinity ? next : INFINITY, middle = (number + next) / 2;
        missed += misses_beside(round, format, number, 0, number);
        missed += misses_beside(round, format, number, 1, number);
        missed += misses_beside(round, format, middle, -1, number);
        missed += misses_beside(round, format, middle, 0, bits % 2 == 0 ? number : up);
        missed += misses_beside(round, format, middle, 1, up);
        missed += misses_beside(round, format, next, -1, up);
    }
    return missed;
}

static void rounding_to_16_bits_is_right_at_every_number_and_every_middle(void **state)
{
    (void)state;
    for (size_t e = 0; e < COUNT_OF(encodings); e++)
        assert_rounds_right(encodings_missed, encodings[e].format);
}

/* ---- every pair of binary16 numbers, or a share of them: exhaustive_binary16.c takes all ---- */

static uint64_t pairs_missed(rounding_function *round, const double *chosen, size_t count)
{
    uint64_t missed = 0;
    mpfr_t sum;
    mpfr_init2(sum, 53);
    for (unsigned bits = 0; bits < BINARY16_FINITE; bits++) {
        missed += binary16_sums_missed(binary16_value(bits), chosen, count, round, sum);
        missed += binary16_sums_missed(binary16_value(bits | BINARY16_SIGN), chosen, count, round, sum);
    }
    mpfr_clear(sum);
    return missed;
}

/* All with those of either sign, of each exponent, and of a fraction at its ends or in its middle. */
static void rounding_of_sums_of_two_binary16_is_their_definition(void **state)
{
    (void)state;
    static const unsigned fractions[] = {0, 1, 0x200, 0x3fe, 0x3ff};
    double chosen[31 * 2 * COUNT_OF(fractions)];
    size_t count = 0;
    for (unsigned field = 0; field < 31; field++)
        for (size_t f = 0; f < COUNT_OF(fractions); f++)
            for (unsigned sign = 0; sign <= BINARY16_SIGN; sign += BINARY16_SIGN)
                chosen[count++] = binary16_value(sign | field << BINARY16_FRACTION_BITS | fractions[f]);
    assert_int_equal(count, COUNT_OF(chosen));
    assert_int_equal(pairs_missed(exact_round, chosen, count), 0);
    assert_true(pairs_missed(towards_zero, chosen, 9) > 0);
    assert_true(pairs_missed(without_a_range, &chosen[count - 9], 9) > 0);
}

/* ---- random numbers ---- */

/* Ties, ends of the range, all ones, and dust beside them are common. */
static void random_value(mpfr_t value, const struct format *format)
{
    const uint64_t pattern = below(8) ? next_random() | UINT64_C(1) << 63 : UINT64_MAX;
    const int bits = below(2) ? format->precision + 1 : 1 + (int)below(64);
    const int range = format->overflow_exponent - format->least_exponent;
    const int top = below(2)   ? (int)below((uint64_t)range + 8) - 4 /* above the least subnormal */
                    : below(2) ? (int)below((uint64_t)format->precision + 4) - 3
                               : range + 1 - (int)below(4);
    const int exponent = format->least_exponent + top - bits;
    const long side = (long)below(3) - 1, dust = exponent - 1 - (long)below(100);
    set_beside(value, pattern >> (64 - bits) | 1, exponent, side, dust);
    mpfr_setsign(value, value, below(2) == 0, MPFR_RNDN);
}

static size_t random_values_missed(rounding_function *round, const struct format *format)
{
    size_t missed = 0, infinities = 0, subnormals = 0, zeros = 0;
    const double least_normal = ldexp(1, format->least_exponent + format->precision - 1);
    mpfr_t value;
    mpfr_init2(value, 256);
    seed_random(4);
    for (int i = 0; i < 50000; i++) {
        random_value(value, format);
        const double expected = as_mpfr_emulates(value, format);
        missed += misses(round, value, format, expected);
        infinities += isinf(expected) ? 1 : 0;
        zeros += expected == 0;
        subnormals += expected != 0 && fabs(expected) < least_normal;
    }
    assert_true(infinities > 3000 && subnormals > 5000 && zeros > 500); /* the data are what they are said to be */
    mpfr_clear(value);
    return missed;
}

static void rounding_is_what_mpfr_emulates(void **state)
{
    (void)state;
    for (size_t f = 0; f < NUMBER_FORMAT_COUNT; f++)
        assert_rounds_right(random_values_missed, NUMBER_FORMATS[f]);
}

static void rounding_to_binary32_and_binary64_is_what_mpfr_converts_to(void **state)
{
    (void)state;
    mpfr_t value;
    mpfr_init2(value, 256);
    seed_random(5);
    for (int i = 0; i < 200000; i++) {
        random_value(value, i % 2 ? &FORMAT_BINARY32 : &FORMAT_BINARY64);
        assert_false(misses(exact_round, value, &FORMAT_BINARY32, (double)mpfr_get_flt(value, MPFR_RNDN)));
        assert_false(misses(exact_round, value, &FORMAT_BINARY64, mpfr_get_d(value, MPFR_RNDN)));
    }
    mpfr_clear(value);
}

/* gcc has it on x86-64 since 12, clang since 15. */
static void rounding_of_a_double_to_binary16_is_what_the_compiler_converts_to(void **state)
{
    (void)state;
#ifdef ULPSCOPE_HAS_FLOAT16
    mpfr_t value;
    mpfr_init2(value, 256);
    seed_random(6);
    for (int i = 0; i < 100000; i++) {
        random_value(value, &FORMAT_BINARY16);
        const double x = mpfr_get_d(value, MPFR_RNDN);
        __extension__ const _Float16 converted = (_Float16)x;
        mpfr_set_d(value, x, MPFR_RNDN);
        assert_false(misses(exact_round, value, &FORMAT_BINARY16, (double)converted));
    }
    mpfr_clear(value);
#else
    skip();
#endif
}

/* ---- one rounding ---- */

/* A middle and a speck beside it that is lost on the way through `bits`: the result is then another. */
static void rounding_twice_is_wrong_where_rounding_once_is_right(void **state)
{
    (void)state;
    static const int precisions[] = {24, 53, 64}; /* binary32, binary64, x87 */
    mpfr_t value;
    mpfr_init2(value, 256);
    for (size_t f = 0; f < NUMBER_FORMAT_COUNT; f++) {
        const struct format *const format = NUMBER_FORMATS[f];
        const int p = format->precision, least = format->least_exponent, end = format->overflow_exponent;
        const uint64_t one = UINT64_C(1) << p;
        const struct {
            uint64_t k;
            int exponent, side; /* k 2^exponent, a middle, and what is beside it */
            double once, twice;
        } traps[] = {
            {one + 1, -p, 1, 1 + ldexp(1, 1 - p), 1},
            {one + 3, -p, -1, 1 + ldexp(1, 1 - p), 1 + ldexp(1, 2 - p)},
            {2 * one - 1, end - p - 1, -1, ldexp((double)(one - 1), end - p), INFINITY},
            {1, least - 1, 1, ldexp(1, least), 0},
            {3, least - 1, -1, ldexp(1, least), ldexp(1, least + 1)},
        };
        for (size_t b = 0; b < COUNT_OF(precisions); b++)
            for (size_t t = 0; t < COUNT_OF(traps) && precisions[b] > p; t++) {
                const int exponent = traps[t].exponent;
                set_beside(value, traps[t].k, exponent, traps[t].side, exponent - 20 - precisions[b]);
                assert_false(misses(exact_round, value, format, traps[t].once));
                assert_true(rounded_twice(value, precisions[b], format) == traps[t].twice);
            }
    }
    mpfr_clear(value);
}

/* ---- the ends of every format ---- */

/* 2^least (1 + 2k)/2 is a tie for every k; what is beside it decides the other cases. */
static void rounding_near_the_least_subnormal_is_to_nearest_even(void **state)
{
    (void)state;
    mpfr_t value;
    mpfr_init2(value, PRECISION);
    for (size_t f = 0; f < NUMBER_FORMAT_COUNT; f++) {
        const int least = NUMBER_FORMATS[f]->least_exponent;
        for (unsigned k = 0; k < 64; k++)
            for (int side = -1; side <= 1; side++)
                for (int sign = -1; sign <= 1; sign += 2) {
                    const unsigned rounded = side < 0 ? k : side > 0 ? k + 1 : k + k % 2;
                    set_beside(value, 2 * k + 1, least - 1, side, DUST);
                    mpfr_setsign(value, value, sign < 0, MPFR_RNDN);
                    const double expected = copysign(ldexp(rounded, least), sign);
                    assert_false(misses(exact_round, value, NUMBER_FORMATS[f], expected));
                }
    }
    mpfr_clear(value);
}

/* The largest number and half its ulp, 65520 for binary16: a tie, which goes to the power of two that is not there. */
static void rounding_at_the_overflow_threshold_is_a_tie_to_infinity(void **state)
{
    (void)state;
    static const struct {
        const struct format *format;
        double largest, half_ulp;
    } ends[] = {{&FORMAT_BINARY16, 65504, 16},
                {&FORMAT_BFLOAT16, 0x1.fep127, 0x1p119},
                {&FORMAT_BINARY32, (double)FLT_MAX, 0x1p103},
                {&FORMAT_BINARY64, DBL_MAX, 0x1p970}};
    mpfr_t value;
    mpfr_init2(value, 2 * PRECISION);
    for (size_t f = 0; f < COUNT_OF(ends); f++)
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int side = -1; side <= 1; side++) {
                set_beside(value, 1, 0, side, DUST);
                assert_exact(mpfr_sub_ui(value, value, 1, MPFR_RNDN));
                assert_exact(mpfr_add_d(value, value, ends[f].half_ulp, MPFR_RNDN));
                assert_exact(mpfr_add_d(value, value, ends[f].largest, MPFR_RNDN));
                mpfr_setsign(value, value, sign < 0, MPFR_RNDN);
                const double expected = side < 0 ? ends[f].largest : INFINITY;
                assert_false(misses(exact_round, value, ends[f].format, copysign(expected, sign)));
            }
            assert_exact(mpfr_set_si_2exp(value, sign, 5000, MPFR_RNDN));
            assert_false(misses(exact_round, value, ends[f].format, copysign(INFINITY, sign)));
        }
    mpfr_clear(value);
}

static void rounding_keeps_zeros_infinities_and_nan(void **state)
{
    (void)state;
    static const double specials[] = {0.0, -0.0, INFINITY, -INFINITY};
    mpfr_t value;
    mpfr_init2(value, 53);
    for (size_t f = 0; f < NUMBER_FORMAT_COUNT; f++) {
        for (size_t i = 0; i < COUNT_OF(specials); i++) {
            mpfr_set_d(value, specials[i], MPFR_RNDN);
            assert_false(misses(exact_round, value, NUMBER_FORMATS[f], specials[i]));
        }
        mpfr_set_nan(value);
        assert_true(isnan(exact_round(value, NUMBER_FORMATS[f])));
    }
    mpfr_clear(value);
}

/* ---- ulp ---- */

/* ulp(number) == next - number, for number and all that is below next; of either sign. */
static void assert_ulp_between(const struct format *format, double number, double next)
{
    mpfr_t value;
    mpfr_init2(value, PRECISION);
    assert_exact(mpfr_set_d(value, number, MPFR_RNDN));
    assert_true(exact_ulp(value, format) == next - number);
    mpfr_neg(value, value, MPFR_RNDN);
    assert_true(exact_ulp(value, format) == next - number);
    assert_exact(mpfr_set_d(value, next, MPFR_RNDN));
    mpfr_nextbelow(value);
    assert_true(exact_ulp(value, format) == next - number);
    mpfr_clear(value);
}

/* Of all numbers of 16 bits; of others, of the powers of two and their neighbours: elsewhere it stays. */
static void ulp_is_the_distance_of_neighbours(void **state)
{
    (void)state;
    for (size_t e = 0; e < COUNT_OF(encodings); e++)
        for (unsigned bits = 0; bits < encodings[e].infinity; bits++)
            assert_ulp_between(encodings[e].format, decode(&encodings[e], bits), decode(&encodings[e], bits + 1));
    for (int exponent = -149; exponent < 128; exponent++) {
        const float power = ldexpf(1, exponent);
        assert_ulp_between(&FORMAT_BINARY32, (double)power, (double)nextafterf(power, INFINITY));
        assert_ulp_between(&FORMAT_BINARY32, (double)nextafterf(power, 0), (double)power);
    }
    for (int exponent = -1074; exponent < 1024; exponent++) {
        const double power = ldexp(1, exponent);
        assert_ulp_between(&FORMAT_BINARY64, power, nextafter(power, INFINITY));
        assert_ulp_between(&FORMAT_BINARY64, nextafter(power, 0), power);
    }
}

static void ulp_beyond_the_range_has_no_end_and_none_of_what_is_not_finite(void **state)
{
    (void)state;
    mpfr_t value, ulp;
    mpfr_inits2(53, value, ulp, (mpfr_ptr)0);
    for (size_t f = 0; f < NUMBER_FORMAT_COUNT; f++) {
        const struct format *const format = NUMBER_FORMATS[f];
        mpfr_set_zero(value, -1);
        assert_true(exact_ulp(value, format) == ldexp(1, format->least_exponent));
        mpfr_set_si_2exp(value, 1, format->least_exponent - 100, MPFR_RNDN);
        assert_true(exact_ulp(value, format) == ldexp(1, format->least_exponent));
        mpfr_set_si_2exp(value, -1, format->overflow_exponent + 20, MPFR_RNDN);
        assert_true(exact_ulp(value, format) == ldexp(1, format->overflow_exponent + 21 - format->precision));
        mpfr_set_si_2exp(value, 1, 1023 + format->precision, MPFR_RNDN); /* the first that binary64 cannot hold */
        assert_true(exact_ulp(value, format) == INFINITY);
        exact_set_ulp(ulp, value, format);
        assert_int_equal(mpfr_cmp_ui_2exp(ulp, 1, 1024), 0);
        mpfr_nextbelow(value);
        assert_true(exact_ulp(value, format) == 0x1p1023);
        mpfr_set_inf(value, 1);
        assert_true(isnan(exact_ulp(value, format)));
        mpfr_set_nan(value);
        assert_true(isnan(exact_ulp(value, format)));
    }
    mpfr_clears(value, ulp, (mpfr_ptr)0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_those_of_ieee_754),
        cmocka_unit_test(numbers_of_16_bits_are_what_other_decoders_say),
        cmocka_unit_test(rounding_to_16_bits_is_right_at_every_number_and_every_middle),
        cmocka_unit_test(rounding_of_sums_of_two_binary16_is_their_definition),
        cmocka_unit_test(rounding_is_what_mpfr_emulates),
        cmocka_unit_test(rounding_to_binary32_and_binary64_is_what_mpfr_converts_to),
        cmocka_unit_test(rounding_of_a_double_to_binary16_is_what_the_compiler_converts_to),
        cmocka_unit_test(rounding_twice_is_wrong_where_rounding_once_is_right),
        cmocka_unit_test(rounding_near_the_least_subnormal_is_to_nearest_even),
        cmocka_unit_test(rounding_at_the_overflow_threshold_is_a_tie_to_infinity),
        cmocka_unit_test(rounding_keeps_zeros_infinities_and_nan),
        cmocka_unit_test(ulp_is_the_distance_of_neighbours),
        cmocka_unit_test(ulp_beyond_the_range_has_no_end_and_none_of_what_is_not_finite),
    };
    return cmocka_run_group_tests_name("rounding", tests, NULL, NULL);
}

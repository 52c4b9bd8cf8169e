/* The generators' exact running sum, held to MPFR number by number: its value, its roundings, its sign. */
#include "datasets/running_sum.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <float.h>
#include <mpfr.h>

enum { PRECISION = 2300, UNIT_EXPONENT = -1074, LIMB_BITS = 64 }; /* 2^-298 .. 2^296, and more */

/* The sum, and what it should be. */
struct watched {
    struct running_sum sum;
    mpfr_t expected, scratch;
};

static void watch(struct watched *watched)
{
    running_sum_clear(&watched->sum);
    mpfr_inits2(PRECISION, watched->expected, watched->scratch, (mpfr_ptr)0);
    mpfr_set_zero(watched->expected, 1);
}

static void stop_watching(struct watched *watched)
{
    mpfr_clears(watched->expected, watched->scratch, (mpfr_ptr)0);
}

static void add(struct watched *watched, double x)
{
    running_sum_add(&watched->sum, x);
    assert_int_equal(mpfr_add_d(watched->expected, watched->expected, x, MPFR_RNDN), 0);
}

/* The limbs themselves: two's complement, so that the last weighs as it is for a positive number. */
static bool has_value(const struct running_sum *sum, mpfr_t expected, mpfr_t scratch)
{
    mpfr_set_zero(scratch, 1);
    const bool negative = running_sum_is_negative(sum);
    for (int k = sum->count; k-- > 0;) {
        mpfr_mul_2ui(scratch, scratch, LIMB_BITS, MPFR_RNDN);
        const uint64_t limb = negative ? ~sum->limb[k] : sum->limb[k];
        mpfr_add_ui(scratch, scratch, (unsigned long)(limb >> 32) << 16 << 16, MPFR_RNDN);
        mpfr_add_ui(scratch, scratch, (unsigned long)(limb & 0xffffffff), MPFR_RNDN);
    }
    if (negative) { /* -(~v + 1) */
        mpfr_add_ui(scratch, scratch, 1, MPFR_RNDN);
        mpfr_neg(scratch, scratch, MPFR_RNDN);
    }
    mpfr_mul_2si(scratch, scratch, UNIT_EXPONENT, MPFR_RNDN);
    return mpfr_equal_p(scratch, expected) != 0;
}

static bool rounds_as(const struct running_sum *sum, mpfr_t expected)
{
    const double wide = running_sum_binary64(sum);
    const float narrow = (float)running_sum_in(&FORMAT_BINARY32, sum);
    return same_double(wide, mpfr_get_d(expected, MPFR_RNDN)) &&
           float_same(narrow, mpfr_get_flt(expected, MPFR_RNDN)) &&
           running_sum_is_zero(sum) == (mpfr_zero_p(expected) != 0) &&
           running_sum_is_negative(sum) == (mpfr_sgn(expected) < 0);
}

static void check(struct watched *watched)
{
    assert_true(rounds_as(&watched->sum, watched->expected));
    assert_true(has_value(&watched->sum, watched->expected, watched->scratch));
}

static void check_difference(struct watched *watched, double x)
{
    const float difference = (float)running_sum_minus(&FORMAT_BINARY32, &watched->sum, x);
    assert_int_equal(mpfr_sub_d(watched->scratch, watched->expected, x, MPFR_RNDN), 0);
    assert_true(float_same(difference, mpfr_get_flt(watched->scratch, MPFR_RNDN)));
}

/* ---- random numbers of every exponent ---- */

static double any_product(void)
{
    return (double)any_float() * (double)any_float();
}

/* A power of two, or one less in its last place: what carries. */
static double any_carrier(void)
{
    const double power = ldexp(1, (int)below(512) - 275);
    const double x = below(2) ? power : power * (1 - 0x1p-53);
    return below(2) ? x : -x;
}

static double of_kind(unsigned kind)
{
    switch (kind) {
    case 0:
        return (double)any_float();
    case 1:
        return any_product();
    case 2:
        return any_carrier();
    default: /* near to each other: they cancel */
        return ((double)below(1 << 24) - 0x1p23) * 0x1p-149;
    }
}

static void every_sum_rounds_as_mpfr_rounds_it(void **state)
{
    (void)state;
    enum { RUNS = 5000, TERMS = 400 };
    seed_random(1);
    for (unsigned run = 0; run < RUNS; run++) {
        struct watched watched;
        watch(&watched);
        for (unsigned i = 0; i < TERMS; i++) {
            const double x = of_kind(run % 5 == 4 ? (unsigned)below(4) : run % 5);
            add(&watched, x);
            assert_true(rounds_as(&watched.sum, watched.expected));
            if (i % 16 == 0) {
                check(&watched);
                check_difference(&watched, of_kind(run % 4));
                check(&watched);
            }
        }
        stop_watching(&watched);
    }
}

/* Taken back in another order, down to exactly nothing. */
static void what_is_taken_back_leaves_zero(void **state)
{
    (void)state;
    enum { RUNS = 200, TERMS = 100 };
    seed_random(2);
    for (unsigned run = 0; run < RUNS; run++) {
        struct watched watched;
        float x[TERMS];
        watch(&watched);
        for (unsigned i = 0; i < TERMS; i++) {
            x[i] = run % 2 ? any_float() : ldexpf(1, (int)below(277) - 149) - 1; /* 0x1.fffffep+k for k < 24 */
            add(&watched, (double)x[i]);
        }
        shuffle_floats(x, TERMS);
        for (unsigned i = 0; i < TERMS; i++) {
            assert_true(i == 0 || !running_sum_is_zero(&watched.sum) || mpfr_zero_p(watched.expected));
            add(&watched, -(double)x[i]);
            assert_true(rounds_as(&watched.sum, watched.expected));
        }
        assert_true(running_sum_is_zero(&watched.sum));
        assert_true(same_double(running_sum_binary64(&watched.sum), 0.0));
        stop_watching(&watched);
    }
}

/* ---- carries, ties, ends of the range ---- */

static void a_carry_runs_through_all_limbs_and_back(void **state)
{
    (void)state;
    struct watched watched;
    watch(&watched);
    for (int e = 255; e >= -298; e--) { /* all ones */
        add(&watched, ldexp(1, e));
        check(&watched);
    }
    for (int back = 0; back < 4; back++) {
        add(&watched, back % 2 ? -0x1p-298 : 0x1p-298);
        check(&watched);
    }
    add(&watched, 0x1p-298);
    for (int e = 255; e >= -298; e--) { /* 2^256 less all of them, and one more: below zero */
        add(&watched, -ldexp(1, e));
        check(&watched);
    }
    add(&watched, -0x1p-298);
    assert_true(running_sum_is_zero(&watched.sum));
    for (int e = -298; e < 256; e++) { /* -(2^k - 1) units, then -2^k: no bit above, no bit below */
        add(&watched, -ldexp(1, e));
        check(&watched);
        add(&watched, -0x1p-298);
        check(&watched);
        add(&watched, 0x1p-298);
    }
    stop_watching(&watched);
}

static void every_power_of_two_is_read_as_it_is(void **state)
{
    (void)state;
    for (int e = -298; e < 256; e++)
        for (int sign = -1; sign <= 1; sign += 2) {
            struct running_sum sum;
            running_sum_clear(&sum);
            running_sum_add(&sum, ldexp(sign, e));
            assert_true(same_double(running_sum_binary64(&sum), ldexp(sign, e)));
            assert_true(float_same((float)running_sum_in(&FORMAT_BINARY32, &sum), (float)ldexp(sign, e)));
            assert_false(running_sum_is_zero(&sum));
            assert_int_equal(running_sum_is_negative(&sum), sign < 0);
        }
}

static void check_tie(int e, int half_ulp, bool odd, int push, int push_exponent)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        struct watched watched;
        watch(&watched);
        add(&watched, ldexp(sign, e));
        add(&watched, odd ? ldexp(sign, e - half_ulp + 1) : 0);
        add(&watched, ldexp(sign, e - half_ulp));
        add(&watched, ldexp(push, push_exponent));
        check(&watched);
        stop_watching(&watched);
    }
}

/* What breaks a tie may be the last bit of the 64 that are read, one below them, or the last of all. */
static void ties_go_to_even_and_the_least_bit_breaks_them(void **state)
{
    (void)state;
    const int half_ulps[] = {24, 53};
    for (int e = -100; e < 127; e++)
        for (int h = 0; h < 2; h++)
            for (int odd = 0; odd < 2; odd++)
                for (int push = -1; push <= 1; push++) {
                    for (int below_e = 61; below_e < 67; below_e++)
                        check_tie(e, half_ulps[h], odd, push, e - below_e);
                    check_tie(e, half_ulps[h], odd, push, -298);
                }
}

/* Half the least subnormal, and one and a half: both ties; and a little to either side. */
static void subnormal_results_are_rounded_once(void **state)
{
    (void)state;
    for (int halves = 1; halves < 64; halves++)
        for (int push = -1; push <= 1; push++) {
            struct watched watched;
            watch(&watched);
            add(&watched, halves * 0x1p-150);
            add(&watched, ldexp(push, -298));
            check(&watched);
            stop_watching(&watched);
        }
}

static void binary32_overflows_from_half_an_ulp_above_its_largest(void **state)
{
    (void)state;
    struct running_sum sum;
    running_sum_clear(&sum);
    running_sum_add(&sum, (double)FLT_MAX);
    running_sum_add(&sum, 0x1p103);
    assert_true(isinf((float)running_sum_in(&FORMAT_BINARY32, &sum)));
    running_sum_add(&sum, -0x1p-298);
    assert_true(float_same((float)running_sum_in(&FORMAT_BINARY32, &sum), FLT_MAX));
}

/* The largest product 2^40 times, by its limbs: 2^256 (1 - 2^-24)^2 is (2^48 - 2^25 + 1) 2^208, and 2^208 is 2^560
 * units, bit 48 of limb 8. */
static void there_is_room_for_2_to_the_40_largest_numbers(void **state)
{
    (void)state;
    const double largest = DBL_MAX;
    const uint64_t significand = (1ull << 53) - 1;
    for (int sign = -1; sign <= 1; sign += 2) {
        struct watched watched;
        watch(&watched);
        for (int k = 0; k < 11; k++)
            add(&watched, sign * largest);
        for (int k = 0; k < RUNNING_SUM_LIMBS; k++) /* times 2^40: bits 37 and up of limb 32 */
            watched.sum.limb[k] = 0;
        watched.sum.limb[32] = significand << 37;
        watched.sum.limb[33] = significand >> 27;
        watched.sum.limb[34] = 0;
        for (int k = 0; sign < 0 && k < RUNNING_SUM_LIMBS; k++) /* -v = ~v + 1 */
            watched.sum.limb[k] = k < 32 ? 0 : k == 32 ? -watched.sum.limb[k] : ~watched.sum.limb[k];
        watched.sum.count = RUNNING_SUM_LIMBS;
        mpfr_set_d(watched.expected, sign * largest, MPFR_RNDN);
        mpfr_mul_2ui(watched.expected, watched.expected, 40, MPFR_RNDN);
        check(&watched);
        for (int more = 0; more < 3; more++) {
            add(&watched, (more < 2 ? 1 : -1) * sign * largest);
            check(&watched);
        }
        stop_watching(&watched);
    }
}

/* ---- twins: what these checks would find ---- */

static void a_wrong_bit_in_any_limb_is_found(void **state)
{
    (void)state;
    struct watched watched;
    watch(&watched);
    for (int e = -290; e < 250; e += 50)
        add(&watched, ldexp(3, e));
    check(&watched);
    for (int k = 0; k < watched.sum.count; k++) {
        struct running_sum wrong = watched.sum;
        wrong.limb[k] ^= 1ull << 17;
        assert_false(has_value(&wrong, watched.expected, watched.scratch));
    }
    stop_watching(&watched);
}

/* 1 + 2^-24 + 2^-60: binary64 forgets the last, and what is left is a tie. */
static void rounding_twice_would_be_found(void **state)
{
    (void)state;
    struct running_sum sum;
    running_sum_clear(&sum);
    running_sum_add(&sum, 1);
    running_sum_add(&sum, 0x1p-24);
    running_sum_add(&sum, 0x1p-90);
    assert_true(float_same((float)running_sum_in(&FORMAT_BINARY32, &sum), 1 + 0x1p-23f));
    assert_true(float_same((float)running_sum_binary64(&sum), 1));
    running_sum_add(&sum, 1);
    assert_true(float_same((float)running_sum_minus(&FORMAT_BINARY32, &sum, 1), 1 + 0x1p-23f));
    assert_true(float_same((float)(running_sum_binary64(&sum) - 1), 1));
}

/* A sum in binary64 is not this one. */
static void a_sum_that_rounds_would_be_found(void **state)
{
    (void)state;
    seed_random(3);
    unsigned differ = 0;
    for (unsigned run = 0; run < 100; run++) {
        struct watched watched;
        double rounded = 0;
        watch(&watched);
        for (unsigned i = 0; i < 100; i++) {
            const double x = (double)any_float();
            rounded += x;
            add(&watched, x);
        }
        differ += !same_double(rounded, mpfr_get_d(watched.expected, MPFR_RNDN));
        stop_watching(&watched);
    }
    assert_in_range(differ, 50, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sum_rounds_as_mpfr_rounds_it),
        cmocka_unit_test(what_is_taken_back_leaves_zero),
        cmocka_unit_test(a_carry_runs_through_all_limbs_and_back),
        cmocka_unit_test(every_power_of_two_is_read_as_it_is),
        cmocka_unit_test(ties_go_to_even_and_the_least_bit_breaks_them),
        cmocka_unit_test(subnormal_results_are_rounded_once),
        cmocka_unit_test(binary32_overflows_from_half_an_ulp_above_its_largest),
        cmocka_unit_test(there_is_room_for_2_to_the_40_largest_numbers),
        cmocka_unit_test(a_wrong_bit_in_any_limb_is_found),
        cmocka_unit_test(rounding_twice_would_be_found),
        cmocka_unit_test(a_sum_that_rounds_would_be_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Additions of a half format on the host: every pair of its numbers, by RN() in binary32, against the exact sum rounded
 * once; TwoSum's error against what is missing; one step of Kahan.  Compiled for binary16 and for bfloat16.
 *
 *   test_pairs_binary16           pairs of numbers with few bits, and a million others
 *   test_pairs_binary16 --all     all 2^32 pairs: two minutes
 */
#include "kernels/bound.h"

#include "kernels/accumulators/kahan.h"

#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

/* ---- the definition ---- */

struct pair {
    double sum, error;
};

static struct pair exact_sum_of(double a, double b)
{
    const double sum = a + b, b_part = sum - a;
    return (struct pair){sum, (a - (sum - b_part)) + (b - b_part)};
}

/* To odd at 53 bits, so that a rounding to 51 or fewer is the only one. */
static double sum_to_odd(double a, double b)
{
    const struct pair exact = exact_sum_of(a, b);
    const uint64_t bits = double_bits(exact.sum);
    if (!(exact.sum - exact.sum == 0) || exact.error == 0 || bits & 1)
        return exact.sum;
    return double_from_bits((exact.error > 0) == (exact.sum > 0) ? bits + 1 : bits - 1);
}

static real defined_sum(real a, real b)
{
    return (real)rounded_to(sum_to_odd((double)a, (double)b), &REAL_FORMAT);
}

/* ---- the check ---- */

typedef real addition(real a, real b);

static real rounded_sum(real a, real b)
{
    return RN(a + b);
}

/* Not what is meant: bits below the last one are cut. */
static real truncated_sum(real a, real b)
{
    const uint32_t last = UINT32_C(1) << (24 - REAL_PRECISION);
    return float_from_bits(float_bits(a + b) & ~(last - 1));
}

static bool is_defined_sum(addition *add, real a, real b)
{
    return float_same(add(a, b), defined_sum(a, b));
}

/* The sum and its error are a + b, exactly, unless the sum is infinite or NaN. */
static bool is_exact_two_sum(real a, real b)
{
    real error;
    const real sum = two_sum(a, b, &error);
    const struct pair given = exact_sum_of((double)a, (double)b), made = exact_sum_of((double)sum, (double)error);
    return !is_finite(sum) || !is_finite(error) || (given.sum == made.sum && given.error == made.error);
}

static bool is_kahan_step(real a, real b)
{
    const struct kahan start = {a, 0}, next = kahan_add(start, b);
    const real sum = defined_sum(a, b), excess = defined_sum(defined_sum(sum, -a), -b);
    return float_same(next.sum, sum) && float_same(next.excess, finite_or_zero(excess));
}

static real number_of(uint32_t bits)
{
    enum { FRACTION = REAL_PRECISION - 1, FIELD = 15 - FRACTION };
    const uint32_t field = bits >> FRACTION & ((1u << FIELD) - 1), fraction = bits & ((1u << FRACTION) - 1);
    float magnitude = (float)(field > 0 ? fraction | 1u << FRACTION : fraction) * HALF_LEAST;
    for (uint32_t k = 1; k < field && magnitude < INFINITY; k++)
        magnitude *= 2;
    if (field == (1u << FIELD) - 1)
        magnitude = fraction ? NAN : INFINITY;
    return bits >> 15 ? -magnitude : magnitude;
}

static real numbers[1 << 16];

static void check_pair(uint32_t i, uint32_t j)
{
    const real a = numbers[i], b = numbers[j];
    if (!is_defined_sum(rounded_sum, a, b) || !is_exact_two_sum(a, b) || !is_kahan_step(a, b))
        fail_msg("%a + %a", (double)a, (double)b);
}

/* ---- the facts ---- */

static void pairs_of_numbers_with_few_bits_are_added_as_defined(void **state)
{
    enum { STEP = 1 << (REAL_PRECISION - 3) }; /* of the bits: two of the fraction, and the number below */
    (void)state;
    for (uint32_t i = 0; i < 1 << 16; i++)
        for (uint32_t j = 0; j < 1 << 16 && (i + 1) % STEP <= 1; j++)
            if ((j + 1) % STEP <= 1)
                check_pair(i, j);
}

static void random_pairs_are_added_as_defined(void **state)
{
    (void)state;
    seed_random(1);
    for (int k = 0; k < 1 << 20; k++) {
        const uint64_t bits = next_random();
        check_pair(bits & 0xffff, bits >> 16 & 0xffff);
    }
}

static void every_pair_is_added_as_defined(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 1 << 16; i++)
        for (uint32_t j = 0; j < 1 << 16; j++)
            check_pair(i, j);
}

static void an_addition_that_cuts_is_noticed(void **state)
{
    (void)state;
    assert_true(is_defined_sum(rounded_sum, 1, 1.5f * (real)REAL_U));
    assert_false(is_defined_sum(truncated_sum, 1, 1.5f * (real)REAL_U));
}

static void numbers_are_those_of_the_format(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 1 << 16; bits++)
        assert_true(float_same(numbers[bits], half_rounded(numbers[bits])));
    assert_true(numbers[1] == HALF_LEAST);
    assert_true(half_rounded(REAL_MAX * (1 + 0.49f * (real)REAL_U)) == REAL_MAX);
    assert_true(half_rounded(REAL_MAX * (1 + (real)REAL_U)) == INFINITY);
}

/* Adds term(1), term(2), ... until one changes nothing; returns how many did. */
static int terms_until_it_stands(real (*term)(int k))
{
    real sum = 0;
    for (int k = 1;; k++) {
        const real next = RN(sum + term(k));
        if (next == sum)
            return k - 1;
        sum = next;
    }
}

static real one(int k)
{
    (void)k;
    return 1;
}

static real reciprocal(int k)
{
    return (real)rounded_to(1.0 / k, &REAL_FORMAT);
}

static void ones_and_the_harmonic_series_stagnate(void **state)
{
    (void)state;
    assert_int_equal(terms_until_it_stands(one), 1 << REAL_PRECISION);
    assert_int_equal(terms_until_it_stands(reciprocal), REAL_PRECISION == 8 ? 64 : 512);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest facts[] = {
        cmocka_unit_test(numbers_are_those_of_the_format),
        cmocka_unit_test(an_addition_that_cuts_is_noticed),
        cmocka_unit_test(pairs_of_numbers_with_few_bits_are_added_as_defined),
        cmocka_unit_test(random_pairs_are_added_as_defined),
        cmocka_unit_test(ones_and_the_harmonic_series_stagnate),
    };
    const struct CMUnitTest slow_facts[] = {cmocka_unit_test(every_pair_is_added_as_defined)};
    for (uint32_t bits = 0; bits < 1 << 16; bits++)
        numbers[bits] = number_of(bits);
    if (argc > 1 && strcmp(argv[1], "--all") == 0)
        return cmocka_run_group_tests(slow_facts, NULL, NULL);
    return cmocka_run_group_tests(facts, NULL, NULL);
}

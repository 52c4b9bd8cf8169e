/* The root of an exact sum of squares, and metrics of it, against MPFR's at 10,000 bits. */
#include "src/measure/metric.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <float.h>

enum { ROUNDS = 400, MOST = 40, MANY_BITS = 10000 };

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const struct format *const formats[] = {&FORMAT_BINARY64, &FORMAT_BINARY32, &FORMAT_BINARY16, &FORMAT_BFLOAT16};

/* ---- vectors ---- */

/* Of a format, as numbers are held. */
struct vector {
    const struct format *format;
    uint64_t n;
    double x[MOST];
    float x32[MOST];
};

static void hold(struct vector *vector)
{
    for (uint64_t i = 0; i < vector->n; i++)
        vector->x32[i] = (float)vector->x[i];
}

static struct vector random_vector(const struct format *format)
{
    struct vector vector = {.format = format, .n = 1 + below(MOST)};
    const int span = 1 + (int)below((uint64_t)(format->overflow_exponent - format->least_exponent - 1));
    for (uint64_t i = 0; i < vector.n; i++) {
        const double significand = 1 + (double)below(UINT64_C(1) << 52) * 0x1p-52;
        vector.x[i] = rounded_to(ldexp(significand, format->least_exponent + (int)below((uint64_t)span)), format);
    }
    hold(&vector);
    return vector;
}

/* A norm that is a tie of binary32 but for what the last element adds: m^2 = a^2 + b^2, m = 5 k, odd and
 * of 25 bits. */
static struct vector near_tie(const struct format *format)
{
    const double k = 3355445 + 2 * (double)below(1 << 20);
    struct vector vector = {format, 3, {3 * k, 4 * k, below(2) ? ldexp(1, format->least_exponent) : 0x1p-30}, {0}};
    hold(&vector);
    return vector;
}

static struct exact_sum squares_of(const struct vector *vector)
{
    const void *x = format_held(vector->format)->bytes == sizeof(double) ? (const void *)vector->x : vector->x32;
    struct exact_sum exact;
    assert_int_equal(exact_dot(vector->format, (struct exact_how){0}, x, x, vector->n, &exact), OK);
    return exact;
}

typedef void use_root(const struct exact_sum *norm, const struct exact_sum *squares, mpfr_t root, void *context);

/* Calls use() with the norm of vectors, their squares, and a root of many bits. */
static void with_roots(use_root *use, void *context)
{
    mpfr_t root;
    mpfr_init2(root, MANY_BITS);
    for (size_t round = 0; round < ROUNDS; round++) {
        const struct format *format = formats[round % COUNT_OF(formats)];
        const bool has_ties = format->precision >= 24 && round % 3 == 0;
        const struct vector vector = has_ties ? near_tie(format) : random_vector(format);
        struct exact_sum squares = squares_of(&vector), norm = squares_of(&vector);
        exact_root(&norm);
        (void)mpfr_sqrt(root, squares.sum, MPFR_RNDN);
        use(&norm, &squares, root, context);
        exact_free(&squares);
        exact_free(&norm);
    }
    mpfr_clear(root);
}

/* ---- the root ---- */

static void compare_rounding(const struct exact_sum *norm, const struct exact_sum *squares, mpfr_t root, void *context)
{
    size_t *rounded_twice = context;
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        assert_true(exact_round(norm->sum, formats[f]) == exact_round(root, formats[f]));
        assert_true(exact_ulp(norm->sum, formats[f]) == exact_ulp(root, formats[f]));
    }
    assert_true(!norm->is_rounded || mpfr_min_prec(norm->sum) == mpfr_get_prec(norm->sum)); /* to odd */
    assert_true(norm->nearest == exact_round(root, norm->format));
    assert_true(norm->abs_above == mpfr_get_d(root, MPFR_RNDU) && norm->sum_abs_above == norm->abs_above);
    assert_true(norm->condition == 1 && norm->max_abs == squares->max_abs);
    mpfr_t once;
    mpfr_init2(once, DBL_MANT_DIG);
    (void)mpfr_sqrt(once, squares->sum, MPFR_RNDN);
    *rounded_twice += exact_round(once, &FORMAT_BINARY32) != exact_round(root, &FORMAT_BINARY32);
    mpfr_clear(once);
}

static void a_root_rounds_to_every_format_as_one_of_many_bits_does(void **state)
{
    size_t rounded_twice = 0;
    (void)state;
    with_roots(compare_rounding, &rounded_twice);
    assert_true(rounded_twice > 10); /* the twin: a root of 53 bits */
}

static void a_rational_root_is_exact(void **state)
{
    struct vector vector = {&FORMAT_BINARY32, 2, {3, 4}, {3, 4}};
    (void)state;
    struct exact_sum norm = squares_of(&vector);
    exact_root(&norm);
    assert_false(norm.is_rounded);
    assert_int_equal(mpfr_cmp_ui(norm.sum, 5), 0);
    assert_int_equal(classify(&norm, &FORMAT_BINARY32, 5), CLASS_EXACT);
    assert_int_equal(classify(&norm, &FORMAT_BINARY32, 0x1.400002p2), CLASS_FINITE);
    exact_free(&norm);
}

static void an_irrational_root_equals_no_number(void **state)
{
    struct vector vector = {&FORMAT_BINARY32, 2, {1, 1}, {1, 1}};
    (void)state;
    struct exact_sum norm = squares_of(&vector);
    exact_root(&norm);
    assert_true(norm.is_rounded);
    assert_int_equal(classify(&norm, &FORMAT_BINARY64, norm.nearest), CLASS_FINITE);
    exact_free(&norm);
}

static void special_values_are_those_of_the_squares(void **state)
{
    static const struct {
        float x[2];
        uint64_t n;
        double norm;
    } rows[] = {{{-INFINITY, 1}, 2, INFINITY}, {{NAN, 1}, 2, NAN}, {{-0.0F, 0}, 2, 0}, {{0}, 0, 0}};
    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        struct exact_sum norm;
        assert_int_equal(exact_dot(&FORMAT_BINARY32, (struct exact_how){0}, rows[r].x, rows[r].x, rows[r].n, &norm),
                         OK);
        exact_root(&norm);
        assert_true(same_double(norm.nearest, rows[r].norm));
        exact_free(&norm);
    }
}

/* ---- metrics ---- */

struct tally {
    size_t compared, twin_below;
};

/* |c - s| over a denominator, rounded up once: |c^2 - s^2| / (c + s), whose numerator is exact. */
static double quotient(double c, const mpfr_t square, const mpfr_t root, const mpfr_t denominator)
{
    mpfr_t difference, sum;
    mpfr_inits2(MANY_BITS, difference, sum, (mpfr_ptr)0);
    mpfr_set_d(difference, c, MPFR_RNDN);
    mpfr_sqr(difference, difference, MPFR_RNDN);
    assert_int_equal(mpfr_sub(difference, difference, square, MPFR_RNDN), 0);
    mpfr_abs(difference, difference, MPFR_RNDN);
    mpfr_add_d(sum, root, c, MPFR_RNDN);
    mpfr_mul(sum, sum, denominator, MPFR_RNDN);
    mpfr_div(difference, difference, sum, MPFR_RNDN);
    mpfr_prec_round(difference, MANY_BITS - 64, MPFR_RNDN); /* 1 again, where it is */
    const double value = mpfr_get_d(difference, MPFR_RNDU);
    mpfr_clears(difference, sum, (mpfr_ptr)0);
    return value;
}

static void compare_metrics(const struct exact_sum *norm, const struct exact_sum *squares, mpfr_t root, void *context)
{
    struct tally *tally = context;
    mpfr_t one, ulp;
    mpfr_inits2(64, one, ulp, (mpfr_ptr)0);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    exact_set_ulp(ulp, root, norm->format);
    const double nearest = norm->nearest;
    const double values[] = {0, nearest, nearest + norm->ulp, rounded_to(nearest / 3, norm->format)};
    for (size_t v = 0; v < COUNT_OF(values) && isfinite(nearest); v++) {
        const struct judged judged = {norm, values[v], INFINITY, NULL};
        const struct {
            enum metric metric;
            mpfr_srcptr denominator;
        } rows[] = {{METRIC_abs_error, one}, {METRIC_relative_error, root}, {METRIC_ulp_error, ulp}};
        for (size_t r = 0; r < COUNT_OF(rows); r++) {
            const double expected = quotient(values[v], squares->sum, root, rows[r].denominator);
            const double measured = metric_table[rows[r].metric].measure(&judged);
            assert_true(measured == expected);
            tally->compared++;
        }
        const double twin = fabs(values[v] - mpfr_get_d(root, MPFR_RNDN));
        tally->twin_below += twin < quotient(values[v], squares->sum, root, one);
    }
    mpfr_clears(one, ulp, (mpfr_ptr)0);
}

static void metrics_of_a_root_are_rounded_up(void **state)
{
    struct tally tally = {0};
    (void)state;
    with_roots(compare_metrics, &tally);
    assert_true(tally.compared > 4000);
    assert_true(tally.twin_below > 100); /* the twin: errors from s in binary64 */
}

/* A root of so few bits that what it lacks shows in a quotient of 53. */
static void compare_few_bits(const struct exact_sum *norm, const struct exact_sum *squares, mpfr_t root, void *context)
{
    size_t *below_without = context;
    struct exact_sum few = *norm;
    mpfr_t error;
    mpfr_init2(few.sum, 56);
    mpfr_init2(error, DBL_MANT_DIG);
    few.is_rounded = mpfr_set(few.sum, root, MPFR_RNDZ) != 0;
    if (few.is_rounded && mpfr_min_prec(few.sum) < 56)
        mpfr_nextabove(few.sum);
    for (int k = 1; k < 20 && few.is_rounded && isfinite(norm->nearest); k++) {
        const double computed = rounded_to(norm->nearest / k, norm->format);
        const struct judged judged = {&few, computed, INFINITY, NULL};
        const double expected = quotient(computed, squares->sum, root, root);
        assert_true(metric_relative_error(&judged) >= expected);
        mpfr_sub_d(error, few.sum, computed, MPFR_RNDA);
        mpfr_div(error, error, few.sum, MPFR_RNDA);
        *below_without += fabs(mpfr_get_d(error, MPFR_RNDN)) < expected;
    }
    mpfr_clears(few.sum, error, (mpfr_ptr)0);
}

static void metrics_take_in_what_a_root_lacks(void **state)
{
    size_t below_without = 0;
    (void)state;
    with_roots(compare_few_bits, &below_without);
    assert_true(below_without > 10); /* the twin */
}

int main(void)
{
    seed_random(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_root_rounds_to_every_format_as_one_of_many_bits_does),
        cmocka_unit_test(a_rational_root_is_exact),
        cmocka_unit_test(an_irrational_root_equals_no_number),
        cmocka_unit_test(special_values_are_those_of_the_squares),
        cmocka_unit_test(metrics_of_a_root_are_rounded_up),
        cmocka_unit_test(metrics_take_in_what_a_root_lacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

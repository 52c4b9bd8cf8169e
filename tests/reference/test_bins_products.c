/* Dot products by bins, against GMP integers and per-term MPFR. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "summed_data.h"

/* ---- products ---- */

static void assert_dot_is_right(const struct data *x, const struct data *y)
{
    struct exact_sum exact;
    assert_int_equal(exact_dot(x->format, verified, x->x, y->x, x->n, &exact), OK);
    assert_true(is_the_integer_sum(&exact, x, y));
    exact_free(&exact);
}

static void products_are_summed_exactly(void **state)
{
    (void)state;
    seed_random(9);
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (uint64_t n = 0; n < 4 * BLOCK; n += n < 100 ? 1 : 1 + below(1500)) {
            struct data x = any_data(formats[f], n), y = any_data(formats[f], n);
            for (uint64_t i = 0; i < n; i++)
                if (below(4) == 0)
                    set(&x, i, ldexp((double)below(1 << 20), formats[f]->least_exponent));
            assert_dot_is_right(&x, &y);
            free(x.x);
            free(y.x);
        }
}

static void the_largest_product_does_not_push_out_the_least(void **state)
{
    (void)state;
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        const double largest = largest_of(formats[f]), least = ldexp(1, formats[f]->least_exponent);
        const double xs[] = {largest, largest, least, -largest, largest},
                     ys[] = {largest, largest, -least, largest, -largest};
        struct data x = data_new(formats[f], 5), y = data_new(formats[f], 5);
        for (uint64_t i = 0; i < 5; i++) {
            set(&x, i, xs[i]);
            set(&y, i, ys[i]);
        }
        struct exact_sum exact;
        assert_int_equal(exact_dot(formats[f], verified, x.x, y.x, 5, &exact), OK);
        assert_true(is_the_integer_sum(&exact, &x, &y));
        assert_true(mpfr_cmp_si_2exp(exact.sum, -1, 2 * formats[f]->least_exponent) == 0);
        assert_int_equal(exact.least_exponent, 2 * formats[f]->least_exponent);
        assert_int_equal(exact.largest_exponent, 2 * formats[f]->overflow_exponent - 1);
        assert_int_equal(exact.subnormals, 1);
        assert_true(exact.max_abs == (f == 0 ? (double)FLT_MAX * (double)FLT_MAX : INFINITY));
        exact_free(&exact);
        free(x.x);
        free(y.x);
    }
}

/* 2^53 - 1 at every 53rd bit is a row of ones through ten limbs; one more at its end carries through all of them. */
static void a_carry_goes_through_all_limbs(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        struct data x = data_new(&FORMAT_BINARY64, 13), y = repeated(&FORMAT_BINARY64, sign, 13);
        for (int k = 0; k < 12; k++)
            set(&x, (uint64_t)k, ldexp(0x1p53 - 1, 53 * k - 300));
        set(&x, 12, 0x1p-300);
        struct exact_sum exact;
        assert_int_equal(exact_dot(x.format, verified, x.x, y.x, x.n, &exact), OK);
        assert_true(mpfr_cmp_si_2exp(exact.sum, sign, 53 * 12 - 300) == 0);
        exact_free(&exact);
        exact = sum_of(&x, verified);
        assert_true(mpfr_cmp_si_2exp(exact.sum, 1, 53 * 12 - 300) == 0);
        exact_free(&exact);
        free(x.x);
        free(y.x);
    }
}

/* (1 + u)(1 + u) is 1 + 2u and a bit that binary64 does not hold; the least subnormal squared is far below all of it.
 */
static void the_largest_product_is_rounded_up(void **state)
{
    (void)state;
    static const struct {
        double x, y, above;
    } known[] = {{1 + DBL_EPSILON, 1 + DBL_EPSILON, 1 + 3 * DBL_EPSILON},
                 {1, 1, 1},
                 {0x1p-1074, 0x1p-1074, 0x1p-1074},
                 {0x1p-1074, 0.75, 0x1p-1074},
                 {0x1p-1022, 0x1p-1022, 0x1p-1074},
                 {0x1p-1022, 0.5, 0x1p-1023},
                 {DBL_MAX, -1, DBL_MAX},
                 {DBL_MAX, 1 + DBL_EPSILON, INFINITY},
                 {0x1.fffffffffffffp0, 0x1.fffffffffffffp0, 0x1.fffffffffffffp1},
                 {3, 0.0, 0}};
    for (size_t k = 0; k < COUNT_OF(known); k++) {
        struct exact_sum exact;
        assert_int_equal(exact_dot(&FORMAT_BINARY64, verified, &known[k].x, &known[k].y, 1, &exact), OK);
        assert_true(exact.max_abs == known[k].above);
        exact_free(&exact);
    }
}

/* Products that grow by less than their rounding shows, by ulps, or by binades; in all three the last is the largest.
 */
static void the_largest_product_is_found_among_others(void **state)
{
    (void)state;
    enum { N = 9 };
    double x[3][N], y[3][N];
    for (int i = 0; i < N; i++) {
        x[0][i] = 1 + i / 2 * DBL_EPSILON, y[0][i] = 1 + (N / 2 - i / 2) * DBL_EPSILON; /* 1 + 4 ulp + a little */
        x[1][i] = 1 + i * DBL_EPSILON, y[1][i] = i % 2 ? -1.5 : 1.5;
        x[2][i] = ldexp(1.75, 3 * i - 1074), y[2][i] = 1;
    }
    for (size_t k = 0; k < COUNT_OF(x); k++)
        for (int reversed = 0; reversed < 2; reversed++) {
            struct exact_sum exact;
            for (int i = 0; i < N / 2 && reversed; i++) {
                const double a = x[k][i], b = y[k][i];
                x[k][i] = x[k][N - 1 - i], y[k][i] = y[k][N - 1 - i];
                x[k][N - 1 - i] = a, y[k][N - 1 - i] = b;
            }
            assert_int_equal(exact_dot(&FORMAT_BINARY64, verified, x[k], y[k], N, &exact), OK);
            exact_free(&exact);
        }
}

/* 0.75 and 1 times the least normal number, among products far above. */
static void a_product_just_below_the_normal_numbers_is_counted(void **state)
{
    (void)state;
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        const double least_normal = f == 0 ? (double)FLT_MIN : DBL_MIN;
        struct data x = repeated(formats[f], 1, 100), y = repeated(formats[f], 3, 100);
        struct exact_sum exact;
        set(&x, 17, least_normal), set(&y, 17, -0.75);
        set(&x, 18, least_normal), set(&y, 18, 1);
        assert_int_equal(exact_dot(formats[f], verified, x.x, y.x, x.n, &exact), OK);
        assert_int_equal(exact.subnormals, 1);
        exact_free(&exact);
        free(x.x);
        free(y.x);
    }
}

static void special_products_follow_ieee(void **state)
{
    (void)state;
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (size_t a = 0; a < COUNT_OF(specials) + 2; a++)
            for (size_t b = 0; b < COUNT_OF(specials) + 2; b++) {
                const double p = a < COUNT_OF(specials) ? specials[a] : a % 2 ? 3 : -3;
                const double q = b < COUNT_OF(specials) ? specials[b] : b % 2 ? 3 : -3;
                struct data x = repeated(formats[f], p, 1), y = repeated(formats[f], q, 1);
                struct exact_sum exact;
                assert_int_equal(exact_dot(formats[f], verified, x.x, y.x, 1, &exact), OK);
                const double product = p * q;
                const bool zero = p == 0 || q == 0;
                assert_int_equal(exact.nans, isnan(product) != 0);
                assert_int_equal(exact.positive_infinities, product == INFINITY);
                assert_int_equal(exact.negative_infinities, product == -INFINITY);
                assert_int_equal(exact.negative_zeros, zero && product == 0 && signbit(product) != 0);
                exact_free(&exact);
                free(x.x);
                free(y.x);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_summed_exactly),
        cmocka_unit_test(the_largest_product_does_not_push_out_the_least),
        cmocka_unit_test(a_carry_goes_through_all_limbs),
        cmocka_unit_test(the_largest_product_is_rounded_up),
        cmocka_unit_test(the_largest_product_is_found_among_others),
        cmocka_unit_test(a_product_just_below_the_normal_numbers_is_counted),
        cmocka_unit_test(special_products_follow_ieee),
    };
    return cmocka_run_group_tests_name("products in bins", tests, NULL, NULL);
}

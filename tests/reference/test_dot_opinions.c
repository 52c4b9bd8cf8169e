/* Four answers to every dot product, by code that shares nothing: the reference, one mpfr_mul and mpfr_add per pair,
 * mpfr_sum of the products, and GMP integers.
 */
#include "opinions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROUNDS = 4200, PRODUCT_BITS = 106, DOT_BITS = 4196 + 64 };

struct pairs {
    struct input x, y; /* of one format and length */
};

/* ---- the products, and what they are ---- */

static mpfr_t products[LENGTH_MOST]; /* of the pairs in hand */
static size_t initialised;
static mpfr_ptr finite_products[LENGTH_MOST];

static void multiply(const struct pairs *pairs)
{
    mpfr_t factor;
    mpfr_init2(factor, 53);
    for (; initialised < pairs->x.n; initialised++)
        mpfr_init2(products[initialised], PRODUCT_BITS);
    for (size_t i = 0; i < pairs->x.n; i++) {
        assert_int_equal(mpfr_set_d(products[i], term_of(&pairs->x, i), MPFR_RNDN), 0);
        assert_int_equal(mpfr_set_d(factor, term_of(&pairs->y, i), MPFR_RNDN), 0);
        assert_int_equal(mpfr_mul(products[i], products[i], factor, MPFR_RNDN), 0);
    }
    mpfr_clear(factor);
}

/* Of the product itself, however small it is. */
static void note_product(struct exact_sum *expected, const mpfr_t product)
{
    const int exponent = (int)mpfr_get_exp(product) - 1;
    const double above = fabs(mpfr_get_d(product, MPFR_RNDA));
    expected->subnormals += exponent < (is_binary32(expected->format) ? -126 : -1022);
    expected->max_abs = above > expected->max_abs ? above : expected->max_abs;
    expected->least_exponent = exponent < expected->least_exponent ? exponent : expected->least_exponent;
    expected->largest_exponent = exponent > expected->largest_exponent ? exponent : expected->largest_exponent;
}

/* Counts; copies the pairs whose product is finite.  Returns how many products are. */
static size_t look_at_products(const struct pairs *pairs, struct exact_sum *expected, struct pairs *finite)
{
    size_t count = 0;
    for (size_t i = 0; i < pairs->x.n; i++) {
        expected->nans += mpfr_nan_p(products[i]) != 0;
        expected->positive_infinities += mpfr_inf_p(products[i]) && !mpfr_signbit(products[i]);
        expected->negative_infinities += mpfr_inf_p(products[i]) && mpfr_signbit(products[i]);
        expected->negative_zeros += mpfr_zero_p(products[i]) && mpfr_signbit(products[i]);
        if (!mpfr_number_p(products[i]))
            continue;
        if (!mpfr_zero_p(products[i]))
            note_product(expected, products[i]);
        set_term(&finite->x, count, term_of(&pairs->x, i));
        set_term(&finite->y, count, term_of(&pairs->y, i));
        finite_products[count++] = products[i];
    }
    finite->x.n = finite->y.n = count;
    return count;
}

static void add_products(size_t count, mpfr_t sum, mpfr_t sum_abs)
{
    mpfr_t magnitude;
    mpfr_init2(magnitude, PRODUCT_BITS);
    mpfr_set_zero(sum, 1);
    mpfr_set_zero(sum_abs, 1);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(mpfr_add(sum, sum, finite_products[i], MPFR_RNDN), 0);
        assert_int_equal(mpfr_abs(magnitude, finite_products[i], MPFR_RNDN), 0);
        assert_int_equal(mpfr_add(sum_abs, sum_abs, magnitude, MPFR_RNDN), 0);
    }
    mpfr_clear(magnitude);
}

/* ---- two more opinions ---- */

static bool mpfr_sum_agrees(size_t count, const struct exact_sum *exact)
{
    mpfr_t sum;
    mpfr_init2(sum, DOT_BITS);
    assert_int_equal(mpfr_sum(sum, finite_products, count, MPFR_RNDN), 0);
    bool same = exact->kind != EXACT_FINITE || mpfr_equal_p(sum, exact->sum);
    for (size_t i = 0; i < count; i++)
        mpfr_abs(finite_products[i], finite_products[i], MPFR_RNDN);
    assert_int_equal(mpfr_sum(sum, finite_products, count, MPFR_RNDN), 0);
    same = same && mpfr_equal_p(sum, exact->sum_abs);
    mpfr_clear(sum);
    return same;
}

/* In its sums, and in their rounding to each format. */
static bool integers_agree(const struct pairs *finite, const struct exact_sum *exact)
{
    const struct format *const format = finite->x.format;
    const struct format squares = {.least_exponent = 2 * format->least_exponent};
    mpz_t units, units_abs;
    mpfr_t sum;
    mpz_inits(units, units_abs, (mpz_ptr)0);
    mpfr_init2(sum, DOT_BITS);
    fixed_dot(format, &finite->x.x, &finite->y.x, finite->x.n, units, units_abs);
    assert_int_equal(mpfr_set_z_2exp(sum, units, is_binary32(format) ? -298 : -2148, MPFR_RNDN), 0);
    bool same = exact->kind != EXACT_FINITE || mpfr_equal_p(sum, exact->sum);
    assert_int_equal(mpfr_set_z_2exp(sum, units_abs, is_binary32(format) ? -298 : -2148, MPFR_RNDN), 0);
    same = same && mpfr_equal_p(sum, exact->sum_abs);
    for (size_t i = 0; same && exact->kind == EXACT_FINITE && i < RESULT_FORMATS; i++)
        same = integer_rounds_to(&squares, units, result_formats[i], exact_round(exact->sum, result_formats[i]));
    mpz_clears(units, units_abs, (mpz_ptr)0);
    mpfr_clear(sum);
    return same;
}

/* ---- all of them ---- */

/* What differs first from what the exact dot product should be; NULL: nothing. */
static const char *dot_disagreement(const struct pairs *pairs, const struct exact_sum *exact)
{
    static struct pairs finite;
    struct exact_sum expected = {
        .format = pairs->x.format, .n = pairs->x.n, .least_exponent = INT_MAX, .largest_exponent = INT_MIN};
    finite.x.format = finite.y.format = pairs->x.format;
    mpfr_inits2(DOT_BITS, expected.sum, expected.sum_abs, (mpfr_ptr)0);
    multiply(pairs);
    const size_t count = look_at_products(pairs, &expected, &finite);
    add_products(count, expected.sum, expected.sum_abs);
    conclude_expected(&expected);
    const char *difference = exact_difference(exact, &expected);
    exact_free(&expected);
    if (!difference && !integers_agree(&finite, exact))
        difference = "GMP integers";
    if (!difference && !mpfr_sum_agrees(count, exact))
        difference = "mpfr_sum";
    return difference;
}

static struct exact_sum dot_of(const struct pairs *pairs, struct exact_how how)
{
    struct exact_sum exact;
    assert_int_equal(exact_dot(pairs->x.format, how, &pairs->x.x, &pairs->y.x, pairs->x.n, &exact), OK);
    return exact;
}

/* Half of them cancel in pairs, but for what is sprinkled in. */
static void fill_pairs(struct pairs *pairs, const struct format *format, size_t round)
{
    const size_t n = some_length(round);
    fill_input(&pairs->x, format, below(FILLS), n);
    fill_input(&pairs->y, format, below(FILLS), n);
    if (below(2))
        for (size_t i = 1; i < n; i += 2) {
            set_term(&pairs->x, i, -term_of(&pairs->x, i - 1));
            set_term(&pairs->y, i, term_of(&pairs->y, i - 1));
        }
    if (below(4) == 0)
        sprinkle(&pairs->x);
    if (below(4) == 0)
        sprinkle(&pairs->y);
}

static struct pairs pairs;

static void four_answers_to_a_dot_product_are_equal(void **state)
{
    (void)state;
    seed_random(1);
    for (size_t round = 0; round < 24 * ROUNDS; round++) {
        fill_pairs(&pairs, data_formats[round % 2], round / 24);
        struct exact_sum exact = dot_of(&pairs, (struct exact_how){.verify = round % 50 == 0});
        const char *difference = dot_disagreement(&pairs, &exact);
        if (difference)
            fail_msg("%s, round %zu, n = %zu: not the same %s", pairs.x.format->name, round, pairs.x.n, difference);
        exact_free(&exact);
    }
    print_message("%d dot products: four answers\n", 24 * ROUNDS);
}

/* The twin. */
static void one_factor_that_is_an_ulp_away_is_seen(void **state)
{
    (void)state;
    size_t seen = 0;
    seed_random(2);
    for (size_t round = 0; round < 3000; round++) {
        fill_pairs(&pairs, data_formats[round % 2], round / 24);
        if (pairs.x.n == 0)
            continue;
        const size_t i = below(pairs.x.n);
        const double x = term_of(&pairs.x, i), y = term_of(&pairs.y, i);
        if (!isfinite(x * y) || x == 0 || y == 0)
            continue;
        struct exact_sum exact = dot_of(&pairs, (struct exact_how){0});
        set_term(&pairs.x, i, is_binary32(pairs.x.format) ? (double)nextafterf((float)x, 0) : nextafter(x, 0));
        multiply(&pairs);
        static struct pairs finite;
        struct exact_sum unused = {.format = pairs.x.format};
        finite.x.format = finite.y.format = pairs.x.format;
        const size_t count = look_at_products(&pairs, &unused, &finite);
        assert_false(integers_agree(&finite, &exact));
        assert_false(mpfr_sum_agrees(count, &exact));
        assert_non_null(dot_disagreement(&pairs, &exact));
        exact_free(&exact);
        seen++;
    }
    assert_true(seen > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_answers_to_a_dot_product_are_equal),
        cmocka_unit_test(one_factor_that_is_an_ulp_away_is_seen),
    };
    return cmocka_run_group_tests_name("dot opinions", tests, NULL, NULL);
}

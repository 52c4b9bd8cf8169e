/* superacc of exact products: the state that dot_exact has in binary32, its bins, and dot products of numbers whose
 * products are below the least number or above the largest. */
#define FORMAT binary32
#define FORMAT_FILE "formats/binary32.h"
#define ACC superacc
#define OPERATION_ID dot_exact
#define IS_dot_exact
#include "kernels/bound.h"

#include "kernels/accumulators/superacc.h"

#include "kernels/bins.h"

#include "src/base/format.h"
#include "tests/support/methods.h"
#include "tests/support/random.h"

#include <gmp.h>

enum { STATE_BITS = superacc_LIMBS * superacc_LIMB_BITS, MOST = 300, ROUNDS = 60, MANY = 100000 };

static const struct launch launch = {3, 32};

/* ---- the state ---- */

static void value_of(mpfr_t value, struct superacc s)
{
    const bool negative = s.limb[superacc_LIMBS - 1] >> 63;
    const struct superacc magnitude = negative ? superacc_negated(s) : s;
    mpz_t integer;
    mpz_init(integer);
    mpz_import(integer, superacc_LIMBS, -1, sizeof(uint64_t), 0, 0, magnitude.limb);
    assert_int_equal(mpfr_set_z_2exp(value, integer, -345, MPFR_RNDN), 0);
    if (negative)
        mpfr_neg(value, value, MPFR_RNDN);
    mpz_clear(integer);
}

static void product_of(mpfr_t product, float x, float y)
{
    mpfr_set_flt(product, x, MPFR_RNDN);
    assert_int_equal(mpfr_mul_d(product, product, (double)y, MPFR_RNDN), 0);
}

static void a_product_is_added_as_an_integer(void **state)
{
    size_t lost = 0;
    mpfr_t product, value;
    (void)state;
    mpfr_inits2(STATE_BITS, product, value, (mpfr_ptr)0);
    for (int round = 0; round < MANY; round++) {
        const float x = any_float(), y = any_float();
        product_of(product, x, y);
        value_of(value, superacc_add_product(superacc_zero(), x, y));
        assert_true(mpfr_equal_p(value, product));
        const float rounded = x * y;
        assert_int_equal(mpfr_sub_d(product, product, (double)rounded, MPFR_RNDN), 0);
        lost += isfinite(rounded) && (double)(float)mpfr_get_d(product, MPFR_RNDN) != mpfr_get_d(product, MPFR_RNDN);
    }
    assert_true(lost > MANY / 10); /* the twin: RN(x y) and what that took, as a number */
    mpfr_clears(product, value, (mpfr_ptr)0);
}

static void special_products_are_kept_apart(void **state)
{
    (void)state;
    assert_true(superacc_result(superacc_add_product(superacc_zero(), INFINITY, -0x1p-149F)) == -INFINITY);
    assert_true(isnan(superacc_result(superacc_add_product(superacc_zero(), INFINITY, 0))));
    assert_true(isnan(superacc_result(superacc_add_product(superacc_zero(), NAN, 1))));
    assert_true(double_bits(superacc_result(superacc_add_product(superacc_zero(), -0.0F, 1))) == 0);
    assert_true(superacc_result(superacc_add_product(superacc_zero(), FLT_MAX, FLT_MAX)) > 0x1.ffffp255);
}

/* 2^38 times FLT_MAX^2, and back.  The twin: at 2^39 the sign is lost. */
static void there_is_room_for_2_to_the_38_products(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        struct superacc s = superacc_add_product(superacc_zero(), FLT_MAX, (float)sign * FLT_MAX);
        for (int doublings = 1; doublings <= 38; doublings++) {
            s = superacc_merge(s, s);
            assert_true(superacc_result(s) * sign >= ldexp(0x1.ffffp255, doublings));
        }
        assert_true(superacc_result(superacc_merge(s, s)) * sign < 0);
    }
}

/* Of a sum of two products of any size, also where that is subnormal, or half the least number and little more. */
static void a_state_is_rounded_once(void **state)
{
    size_t subnormal = 0, twice = 0;
    mpfr_t sum;
    (void)state;
    mpfr_init2(sum, STATE_BITS);
    for (int round = 0; round < MANY; round++) {
        const float at = ldexpf(1, -75 + (int)below(12));
        const float x = below(2) ? any_float() : at * (float)(1 + below(1 << 13));
        const float y = below(2) ? any_float() : at * (float)(1 + below(1 << 13)) * 0x1p-8F;
        struct superacc s = superacc_add_product(superacc_zero(), x, y);
        s = superacc_add_product(s, below(2) ? 0x1p-149F : -0x1p-149F, ldexpf(1, -(int)below(149)));
        value_of(sum, s);
        const double result = superacc_result(s), nearest = exact_round(sum, &FORMAT_BINARY32);
        assert_true(float_bits((float)result) == float_bits((float)nearest));
        assert_true(rounded_to(result, &FORMAT_BFLOAT16) == exact_round(sum, &FORMAT_BFLOAT16));
        assert_true(rounded_to(result, &FORMAT_BINARY16) == exact_round(sum, &FORMAT_BINARY16));
        subnormal += nearest != 0 && fabs(nearest) < (double)FLT_MIN;
        twice += (double)(float)mpfr_get_d(sum, MPFR_RNDN) != nearest;
    }
    assert_true(subnormal > MANY / 20 && twice > 10); /* the twin: rounded to binary64 in between */
    mpfr_clear(sum);
}

/* ---- its bins ---- */

static void assert_in_bin(double part, uint32_t bin, double *most)
{
    const double units = ldexp(part, -(BINS_OF_PRODUCTS.unit + (int)bin * BINS_OF_PRODUCTS.spacing));
    assert_true((int)bin < BINS_OF_PRODUCTS.count && units == nearbyint(units));
    *most = fmax(*most, fabs(units));
}

/* As kernels do: the upper half goes one bin further, or two.  All bins together are the product that is added. */
static void both_halves_of_a_product_are_the_product_added(void **state)
{
    double most = 0;
    (void)state;
    for (int round = 0; round < MANY; round++) {
        const float x = any_float(), y = any_float();
        const double product = (double)x * (double)y, upper = upper_half_of_product(product);
        const uint32_t place = place_of_product(product), lower_bin = place / 16;
        const uint32_t upper_bin = lower_bin + further_bin_of_product(place);
        int64_t integers[37] = {0};
        assert_in_bin(upper, upper_bin, &most);
        assert_in_bin(product - upper, lower_bin, &most);
        integers[lower_bin] = bin_units(BINS_OF_PRODUCTS, product - upper, (int)lower_bin);
        integers[upper_bin] = bin_units(BINS_OF_PRODUCTS, upper, (int)upper_bin);
        const struct superacc by_bins = superacc_of_integers(integers, 37, -345, 16);
        const struct superacc added = superacc_add_product(superacc_zero(), x, y);
        assert_memory_equal(by_bins.limb, added.limb, sizeof added.limb);
    }
    assert_true(most * BINS_OF_PRODUCTS.room < 0x1p53 && most * BINS_OF_PRODUCTS.room * 0x1p3 > 0x1p53);
    assert_true(place_of_product(INFINITY) / 16 + 2 < 37 && place_of_product(0) == 0);
}

/* ---- dot products ---- */

struct pairs {
    uint64_t n;
    float x[MOST], y[MOST];
};

/* Numbers of a format with all exponents, or about those whose products are the least or the largest; of some the
 * product cancels another's. */
static struct pairs some_pairs(const struct format *format)
{
    const int span = format->overflow_exponent - format->least_exponent - 1;
    const int wanted[][2] = {{0, span}, {0, span / 3}, {span / 8, span / 4}, {span - 4, 4}};
    const int *range = wanted[below(4)];
    struct pairs pairs = {.n = 1 + below(MOST)};
    for (uint64_t i = 0; i < pairs.n; i++) {
        float *const both[] = {&pairs.x[i], &pairs.y[i]};
        for (int k = 0; k < 2; k++) {
            const double significand = (below(2) ? 1 : -1) * (1 + (double)below(UINT64_C(1) << 52) * 0x1p-52);
            const int exponent = format->least_exponent + range[0] + (int)below((uint64_t)range[1]);
            *both[k] = (float)rounded_to(ldexp(significand, exponent), format);
        }
        if (i > 0 && below(2)) {
            const uint64_t j = below(i);
            pairs.x[i] = -pairs.x[j];
            pairs.y[i] = pairs.y[j];
        }
    }
    return pairs;
}

struct seen {
    size_t results, subnormal, cancelled, not_from_parts, beyond_the_bound_of_sums;
};

/* What the sum of RN(x y) and of what that took is, rounded once. */
static double sum_of_parts(const struct pairs *pairs, const struct format *format)
{
    mpfr_t sum, error;
    mpfr_inits2(STATE_BITS, sum, error, (mpfr_ptr)0);
    mpfr_set_zero(sum, 1);
    for (uint64_t i = 0; i < pairs->n; i++) {
        const float product = pairs->x[i] * pairs->y[i];
        product_of(error, pairs->x[i], pairs->y[i]);
        (void)mpfr_sub_d(error, error, (double)product, MPFR_RNDN);
        (void)mpfr_add_d(sum, sum, (double)product, MPFR_RNDN);
        if (isfinite(product))
            (void)mpfr_add_d(sum, sum, exact_round(error, &FORMAT_BINARY32), MPFR_RNDN);
    }
    const double rounded = exact_round(sum, format);
    mpfr_clears(sum, error, (mpfr_ptr)0);
    return rounded;
}

static void hold(const struct method *method, const struct pairs *pairs, const struct exact_sum *exact,
                 struct seen *seen)
{
    const struct operands of = {
        method->sum_format->stored, OPERATION_dot_exact, {pairs->x, pairs->y}, shape_of_one(pairs->n)};
    uint64_t bits;
    assert_int_equal(method_replay(method, &of, launch, 1, &bits), OK);
    const double nearest = exact_round(exact->sum, method->format);
    assert_true(bits == format_bits(method->format, nearest));
    seen->results++;
    if (!isfinite(nearest))
        return;
    const double bound = bound_of(method, launch, exact);
    const struct judged judged = {exact, nearest, bound, method->format};
    assert_true(metric_abs_error(&judged) <= bound);
    seen->subnormal +=
        nearest != 0 && fabs(nearest) < ldexp(1, method->format->least_exponent + method->format->precision - 1);
    seen->beyond_the_bound_of_sums +=
        metric_abs_error(&judged) > bound_of(method_of_operation(method, OPERATION_sum), launch, exact);
}

static void every_finite_product_is_added_exactly(void **state)
{
    struct seen seen = {0};
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++) {
        size_t count;
        const struct method *const *methods = method_table_for(OPERATION_dot_exact, sum_formats[f], &count);
        for (int round = 0; round < ROUNDS && sum_formats[f]->added->precision == 24; round++) {
            const struct pairs pairs = some_pairs(sum_formats[f]->stored);
            struct exact_sum exact;
            assert_int_equal(
                exact_dot(sum_formats[f]->stored, (struct exact_how){0}, pairs.x, pairs.y, pairs.n, &exact), OK);
            seen.cancelled += exact.condition > 0x1p20;
            seen.not_from_parts += !same_double(sum_of_parts(&pairs, sum_formats[f]->result),
                                                exact_round(exact.sum, sum_formats[f]->result));
            for (size_t m = 0; m < count; m++)
                if (strcmp(methods[m]->accumulator, "superacc") == 0 && can_do(methods[m], launch))
                    hold(methods[m], &pairs, &exact, &seen);
            exact_free(&exact);
        }
    }
    print_message("%zu results, %zu of them subnormal; %zu vectors with a condition above 2^20\n", seen.results,
                  seen.subnormal, seen.cancelled);
    assert_true(seen.results > 5000 && seen.subnormal > 100 && seen.cancelled > 1);
    assert_true(seen.not_from_parts > 10);           /* the twin: TwoProduct */
    assert_true(seen.beyond_the_bound_of_sums > 10); /* the twin: a subnormal sum of numbers is exact */
}

static double dot(const float *x, const float *y, uint64_t n)
{
    const struct operands of = {&FORMAT_BINARY32, OPERATION_dot_exact, {x, y}, shape_of_one(n)};
    uint64_t bits;
    assert_int_equal(method_replay(method_find("dot_exact:superacc/serial"), &of, launch, 1, &bits), OK);
    return format_value(&FORMAT_BINARY32, bits);
}

static void products_out_of_range_cancel(void **state)
{
    const float x[] = {0x1p100F, -0x1p100F, 3}, y[] = {0x1p100F, 0x1p100F, 5};
    const float least[] = {0x1p-149F, 0x1p-75F}, small[] = {0x1p-149F, 0x1p-75F};
    (void)state;
    assert_true(dot(x, y, 3) == 15 && dot(x, y, 1) == INFINITY);
    assert_true(dot(least + 1, small + 1, 1) == 0);         /* 2^-150, a tie */
    assert_true(dot(least, small, 2) == (double)0x1p-149F); /* and 2^-298 more */
}

int main(void)
{
    seed_random(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_product_is_added_as_an_integer),
        cmocka_unit_test(special_products_are_kept_apart),
        cmocka_unit_test(there_is_room_for_2_to_the_38_products),
        cmocka_unit_test(a_state_is_rounded_once),
        cmocka_unit_test(both_halves_of_a_product_are_the_product_added),
        cmocka_unit_test(every_finite_product_is_added_exactly),
        cmocka_unit_test(products_out_of_range_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

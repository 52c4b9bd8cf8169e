/* Dot products and sums of squares: what their terms are, in which order they are added, and that results are within
 * their bounds. */
#include "src/base/format.h"
#include "tests/support/methods.h"
#include "tests/support/random.h"

enum { MOST = 300, ROUNDS = 60 };

static const struct launch launch = {3, 32};

/* Two vectors of a format, as numbers are held, and their exact dot product. */
struct pairs {
    const struct format *format;
    uint64_t n;
    float x32[MOST], y32[MOST];
    double x[MOST], y[MOST];
};

static bool is_wide(const struct pairs *pairs)
{
    return format_held(pairs->format)->bytes == sizeof *pairs->x;
}

static const void *first_of(const struct pairs *pairs)
{
    return is_wide(pairs) ? (const void *)pairs->x : pairs->x32;
}

static const void *second_of(const struct pairs *pairs)
{
    return is_wide(pairs) ? (const void *)pairs->y : pairs->y32;
}

/* Exponents of half the range, so that products are in it, or of all of it; some of them cancel. */
static void fill(struct pairs *pairs, const struct format *format, bool all_exponents)
{
    const int least = all_exponents ? format->least_exponent : format->least_exponent / 4;
    const int span = (all_exponents ? format->overflow_exponent : format->overflow_exponent / 4) - least - 1;
    pairs->format = format;
    pairs->n = 1 + below(below(2) ? 6 : MOST);
    for (uint64_t i = 0; i < pairs->n; i++) {
        for (int second = 0; second < 2; second++) {
            const double significand = 1 + (double)below(UINT64_C(1) << 52) * 0x1p-52;
            const double value = ldexp(below(2) ? significand : -significand, least + (int)below((uint64_t)span));
            (second ? pairs->y : pairs->x)[i] = rounded_to(value, format);
        }
        if (i > 0 && below(3) == 0) {
            const uint64_t j = below(i);
            pairs->x[i] = -pairs->x[j];
            pairs->y[i] = pairs->y[j];
        }
        pairs->x32[i] = (float)pairs->x[i];
        pairs->y32[i] = (float)pairs->y[i];
    }
}

static const struct method *method_of(const char *id)
{
    const struct method *method = method_find(id);
    if (!method)
        fail_msg("no method %s", id);
    return method;
}

static uint64_t bits_of(const struct method *method, const struct pairs *pairs, unsigned workers)
{
    const struct operands of = {
        pairs->format, method->operation, {first_of(pairs), second_of(pairs)}, shape_of_one(pairs->n)};
    uint64_t bits = 0;
    assert_int_equal(method_replay(method, &of, launch, workers, &bits), OK);
    return bits;
}

/* ---- the terms ---- */

/* The sum of the terms, by the same accumulator and order. */
static uint64_t sum_of(const struct method *method, const struct pairs *terms)
{
    const struct operands of = operands_of_sum(terms->format, first_of(terms), terms->n);
    uint64_t bits = 0;
    assert_int_equal(method_replay(method, &of, launch, 1, &bits), OK);
    return bits;
}

static void a_dot_product_has_the_bits_of_the_sum_of_its_rounded_products(void **state)
{
    static const struct sum_format *const formats[] = {
        &sum_format_binary32, &sum_format_binary64, &sum_format_binary16_in_binary16, &sum_format_bfloat16_in_bfloat16};
    struct pairs pairs, products;
    size_t compared = 0, others = 0;
    (void)state;
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        size_t count;
        const struct method *const *methods = method_table_for(OPERATION_dot, formats[f], &count);
        assert_true(count > 100);
        fill(&pairs, formats[f]->stored, false);
        products = pairs;
        for (uint64_t i = 0; i < pairs.n; i++) {
            products.x[i] = pairs.format->precision == 53 ? pairs.x[i] * pairs.y[i]
                                                          : rounded_to(pairs.x[i] * pairs.y[i], pairs.format);
            products.x32[i] = (float)products.x[i];
        }
        for (size_t m = 0; m < count; m++) {
            const struct method *sum = method_of_operation(methods[m], OPERATION_sum);
            if (!sum || !can_do(sum, launch)) /* a black box multiplies itself */
                continue;
            assert_true(format_same(sum->format, bits_of(methods[m], &pairs, 1), sum_of(sum, &products)));
            others += !format_same(sum->format, bits_of(methods[m], &pairs, 1), sum_of(sum, &pairs));
            compared++;
        }
    }
    assert_true(compared > 500 && others > compared / 2); /* the twin: of x alone it is another sum */
}

static void a_sum_of_squares_is_the_dot_product_of_a_vector_with_itself(void **state)
{
    struct pairs pairs;
    size_t count;
    (void)state;
    const struct method *const *methods = method_table_for(OPERATION_sumsq, &sum_format_binary32, &count);
    fill(&pairs, &FORMAT_BINARY32, false);
    for (size_t m = 0; m < count; m++) {
        if (!can_do(methods[m], launch))
            continue;
        const uint64_t squares = bits_of(methods[m], &pairs, 1);
        struct pairs twice = pairs;
        memcpy(twice.y32, twice.x32, sizeof twice.y32);
        assert_true(squares == bits_of(method_of_operation(methods[m], OPERATION_dot), &twice, 1));
    }
    assert_true(count > 100);
}

/* Dekker's product of two numbers of binary64 (Numer. Math. 18 (1971)), by Veltkamp's split and without fma. */
static double dekker(double x, double y, double *error)
{
    const double cx = 0x1.0000002p27 * x, cy = 0x1.0000002p27 * y;
    const double xh = cx - (cx - x), xl = x - xh, yh = cy - (cy - y), yl = y - yh;
    const double product = x * y;
    *error = ((xh * yh - product) + xh * yl + xl * yh) + xl * yl;
    return product;
}

static double knuth(double a, double b, double *error)
{
    const double sum = a + b, part = sum - a;
    *error = (a - (sum - part)) + (b - part);
    return sum;
}

/* Algorithm 5.3 of Ogita, Rump & Oishi adds the error of the product and that of the addition before it adds both to
 * the correction; here each is added by itself.  Both are in twice the working precision. */
static void sum2_of_exact_products_is_in_twice_the_precision(void **state)
{
    const struct method *dot2 = method_of("dot_exact:sum2/serial@binary64");
    struct pairs pairs;
    size_t differ = 0;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        fill(&pairs, &FORMAT_BINARY64, false);
        double sum = 0, lost = 0, error, twin = 0;
        for (uint64_t i = 0; i < pairs.n; i++) {
            double of_product;
            const double product = dekker(pairs.x[i], pairs.y[i], &of_product);
            sum = knuth(sum, product, &error);
            lost += error;
            sum = knuth(sum, of_product, &error);
            lost += error;
            twin += product;
        }
        assert_true(double_bits(sum + lost) == bits_of(dot2, &pairs, 1));
        differ += twin != sum + lost;
    }
    assert_true(differ > ROUNDS / 4);
}

/* RN(x y + s) by MPFR, in a format whose least number is 2^least. */
static double fused(double x, double y, double s, const struct format *format, mpfr_t exact)
{
    mpfr_set_d(exact, x, MPFR_RNDN);
    mpfr_mul_d(exact, exact, y, MPFR_RNDN); /* 2500 bits: exact, and so is the sum */
    mpfr_add_d(exact, exact, s, MPFR_RNDN);
    return exact_round(exact, format);
}

typedef double adding(double s, double x, double y, const struct format *format, mpfr_t exact);

/* Each addition of plain/serial by MPFR, in the formats whose additions differ; rounded products, the twin, give
 * others.
 */
static void assert_adds(const char *operation, adding *add)
{
    static const char *const formats[] = {"", "@binary64", "@binary16_in_binary16", "@bfloat16_in_bfloat16"};
    struct pairs pairs;
    mpfr_t exact;
    mpfr_init2(exact, 2500);
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        char id[64];
        snprintf(id, sizeof id, "%s:plain/serial%s", operation, formats[f]);
        const struct method *method = method_of(id), *rounded = method_of_operation(method, OPERATION_dot);
        size_t others = 0;
        for (int round = 0; round < ROUNDS; round++) {
            fill(&pairs, method->format, round % 2 == 0);
            double s = 0;
            for (uint64_t i = 0; i < pairs.n && isfinite(s); i++)
                s = add(s, pairs.x[i], pairs.y[i], method->format, exact);
            if (!isfinite(s))
                continue;
            assert_true(format_bits(method->format, s) == bits_of(method, &pairs, 1));
            others += bits_of(method, &pairs, 1) != bits_of(rounded, &pairs, 1);
        }
        assert_true(others > 0);
    }
    mpfr_clear(exact);
}

/* RN(x y), and what that rounding took where there is anything to take it from. */
static double both_parts(double s, double x, double y, const struct format *format, mpfr_t exact)
{
    const double product = fused(x, y, 0, format, exact);
    s = fused(product, 1, s, format, exact);
    return isfinite(product) ? fused(fused(x, y, -product, format, exact), 1, s, format, exact) : s;
}

static double at_once(double s, double x, double y, const struct format *format, mpfr_t exact)
{
    return fused(x, y, s, format, exact);
}

static void what_rounding_takes_from_a_product_is_added(void **state)
{
    (void)state;
    assert_adds("dot_exact", both_parts);
}

static void a_fused_multiply_add_rounds_once(void **state)
{
    (void)state;
    assert_adds("dot_fma", at_once);
}

static void only_plain_additions_are_fused(void **state)
{
    (void)state;
    assert_null(method_find("dot_fma:kahan/serial"));
    assert_non_null(strstr(method_absent(OPERATION_dot_fma, &sum_format_binary32, "kahan"), "plain"));
    assert_null(method_absent(OPERATION_dot_fma, &sum_format_binary32, "plain"));
}

/* binary64 adds the product of two numbers of binary32 whole, unless it leaves binary32. */
static void a_product_of_binary32_is_added_in_binary64_without_a_rounding(void **state)
{
    const struct method *method = method_of("dot_exact:binary64/serial");
    struct pairs pairs;
    size_t equal[2] = {0, 0};
    (void)state;
    for (int round = 0; round < 2 * ROUNDS; round++) {
        double sum = 0;
        fill(&pairs, &FORMAT_BINARY32, round % 2 != 0);
        for (uint64_t i = 0; i < pairs.n; i++)
            sum += pairs.x[i] * pairs.y[i];
        equal[round % 2] += bits_of(method, &pairs, 1) == float_bits((float)sum);
    }
    assert_int_equal(equal[0], ROUNDS);
    assert_true(equal[1] < ROUNDS / 2); /* the twin: products out of range */
}

/* ---- ids ---- */

static void an_id_begins_with_its_operation(void **state)
{
    (void)state;
    assert_string_equal(method_of("dot:naive@bfloat16")->id, "dot:plain/serial@bfloat16");
    assert_int_equal(method_of("dot_exact:klein/serial")->operation, OPERATION_dot_exact);
    assert_ptr_equal(method_of_operation(method_of("sumsq:kahan/blocked"), OPERATION_sum), method_of("kahan/blocked"));
    assert_null(method_find("product:plain/serial"));
    assert_null(method_find("sum:plain/serial")); /* a sum has no other name */
    assert_null(method_find("dot:height/serial"));
}

/* ---- bounds ---- */

struct seen {
    size_t held, rounded, beyond_a_sum;
    double largest;
};

static void hold(const struct method *method, const struct pairs *pairs, const struct exact_sum *exact,
                 struct seen *seen)
{
    const double computed = format_value(method->format, bits_of(method, pairs, 1)),
                 bound = bound_of(method, launch, exact);
    if (!isfinite(bound))
        return;
    mpfr_t error;
    mpfr_init2(error, mpfr_get_prec(exact->sum) + 64);
    mpfr_sub_d(error, exact->sum, computed, MPFR_RNDN);
    mpfr_abs(error, error, MPFR_RNDN);
    if (mpfr_cmp_d(error, bound) > 0)
        fail_msg("%s, n = %llu: error %a, bound %a", method->id, (unsigned long long)pairs->n,
                 mpfr_get_d(error, MPFR_RNDU), bound);
    seen->held++;
    seen->rounded += !mpfr_zero_p(error);
    if (bound > 0)
        seen->largest = fmax(seen->largest, mpfr_get_d(error, MPFR_RNDN) / bound);
    const struct method *sum = method_of_operation(method, OPERATION_sum);
    seen->beyond_a_sum += mpfr_cmp_d(error, bound_of(sum, launch, exact)) > 0;
    mpfr_clear(error);
}

static void results_are_within_their_bounds(void **state)
{
    struct pairs pairs;
    (void)state;
    for (int operation = OPERATION_sum + 1; operation < (int)FIRST_SCAN; operation++) {
        struct seen seen = {0};
        for (int f = 0; f < SUM_FORMATS; f++) {
            size_t count;
            const struct method *const *methods = method_table_for((enum operation)operation, sum_formats[f], &count);
            for (int round = 0; round < ROUNDS / 6; round++) {
                struct exact_sum exact;
                fill(&pairs, sum_formats[f]->stored, round % 3 == 0);
                const void *y = operation_table[operation].vectors > 1 ? second_of(&pairs) : first_of(&pairs);
                assert_int_equal(exact_dot(pairs.format, (struct exact_how){0}, first_of(&pairs), y, pairs.n, &exact),
                                 OK);
                if (operation_table[operation].of == ROOT_OF_SQUARES)
                    exact_root(&exact);
                for (size_t m = 0; m < count; m++)
                    if (methods[m]->replay && can_do(methods[m], launch))
                        hold(methods[m], &pairs, &exact, &seen);
                exact_free(&exact);
            }
        }
        print_message("%s: %zu results, %zu with an error, the largest %.4f of its bound; %zu above that of a sum\n",
                      operation_table[operation].id, seen.held, seen.rounded, seen.largest, seen.beyond_a_sum);
        assert_true(seen.rounded > 400);
        assert_true(operation == OPERATION_dot_exact || seen.beyond_a_sum > 20); /* the twin: rounded products cost */
    }
}

static void no_claim_is_made_where_a_product_may_be_out_of_range(void **state)
{
    struct pairs pairs = {&FORMAT_BINARY32, 1, {0x1p100f}, {0x1p100f}, {0x1p100}, {0x1p100}};
    struct exact_sum exact;
    (void)state;
    assert_int_equal(exact_dot(pairs.format, (struct exact_how){0}, pairs.x32, pairs.y32, 1, &exact), OK);
    assert_true(isinf(bound_of(method_of("dot:superacc/serial"), launch, &exact)));
    assert_true(isinf(bound_of(method_of("dot:plain/serial"), launch, &exact)));
    exact_free(&exact);
    pairs.y32[0] = 0x1p-100f;
    assert_int_equal(exact_dot(pairs.format, (struct exact_how){0}, pairs.x32, pairs.y32, 1, &exact), OK);
    assert_true(bound_of(method_of("dot:superacc/serial"), launch, &exact) < 0x1p-20);
    exact_free(&exact);
}

static void a_product_below_the_least_number_is_in_the_bound(void **state)
{
    struct pairs pairs = {&FORMAT_BINARY32, 2, {0x1p-80f, 1}, {0x1.8p-70f, 0}, {0}, {0}};
    struct exact_sum exact;
    (void)state;
    assert_int_equal(exact_dot(pairs.format, (struct exact_how){0}, pairs.x32, pairs.y32, 2, &exact), OK);
    static const char *const ids[] = {"dot:plain/serial", "dot_exact:sum2/serial", "dot_fma:plain/serial"};
    for (size_t m = 0; m < COUNT_OF(ids); m++) {
        struct seen seen = {0};
        hold(method_of(ids[m]), &pairs, &exact, &seen);
        assert_int_equal(seen.rounded, 1);
    }
    exact_free(&exact);
}

int main(void)
{
    seed_random(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dot_product_has_the_bits_of_the_sum_of_its_rounded_products),
        cmocka_unit_test(a_sum_of_squares_is_the_dot_product_of_a_vector_with_itself),
        cmocka_unit_test(sum2_of_exact_products_is_in_twice_the_precision),
        cmocka_unit_test(what_rounding_takes_from_a_product_is_added),
        cmocka_unit_test(a_fused_multiply_add_rounds_once),
        cmocka_unit_test(only_plain_additions_are_fused),
        cmocka_unit_test(a_product_of_binary32_is_added_in_binary64_without_a_rounding),
        cmocka_unit_test(an_id_begins_with_its_operation),
        cmocka_unit_test(results_are_within_their_bounds),
        cmocka_unit_test(no_claim_is_made_where_a_product_may_be_out_of_range),
        cmocka_unit_test(a_product_below_the_least_number_is_in_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

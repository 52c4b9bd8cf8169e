/* norm2: the root of what sumsq adds up, rounded once; its bound. */
#include "src/base/format.h"
#include "src/measure/operation.h"
#include "tests/support/methods.h"
#include "tests/support/random.h"

enum { MOST = 200, ROUNDS = 20 };

static const struct launch launch = {3, 32};

/* A vector of a format, as numbers are held. */
struct vector {
    const struct format *format;
    uint64_t n;
    double x[MOST];
    float x32[MOST];
};

static const void *held(const struct vector *vector)
{
    return format_held(vector->format)->bytes == sizeof(double) ? (const void *)vector->x : vector->x32;
}

/* Exponents from `least` on, `span` of them. */
static struct vector random_vector(const struct format *format, int least, int span)
{
    struct vector vector = {.format = format, .n = 1 + below(MOST)};
    for (uint64_t i = 0; i < vector.n; i++) {
        const double significand = 1 + (double)below(UINT64_C(1) << 52) * 0x1p-52;
        vector.x[i] =
            rounded_to(ldexp(below(2) ? significand : -significand, least + (int)below((uint64_t)span)), format);
        vector.x32[i] = (float)vector.x[i];
    }
    return vector;
}

static double result_of(const struct method *method, const struct vector *vector)
{
    const struct operands of = {vector->format, method->operation, {held(vector)}, shape_of_one(vector->n)};
    uint64_t bits = 0;
    assert_int_equal(method_replay(method, &of, launch, 1, &bits), OK);
    return format_value(method->format, bits);
}

/* RN(sqrt(value)) by MPFR, and the twin, rounded toward 0. */
static double root_of(double value, const struct format *format, mpfr_rnd_t rounding)
{
    mpfr_t root;
    mpfr_init2(root, rounding == MPFR_RNDN ? 300 : format->precision);
    mpfr_set_d(root, value, MPFR_RNDN);
    (void)mpfr_sqrt(root, root, rounding);
    const double rounded = exact_round(root, format);
    mpfr_clear(root);
    return rounded;
}

/* ---- the root ---- */

/* Where the state has no more bits than the result's format: then sumsq returns all of them. */
static void a_norm_is_the_root_of_the_sum_of_squares_rounded_once(void **state)
{
    static const struct sum_format *const formats[] = {
        &sum_format_binary32, &sum_format_binary64, &sum_format_binary16_in_binary16, &sum_format_bfloat16_in_bfloat16};
    size_t compared = 0, cut = 0;
    (void)state;
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        size_t count;
        const struct method *const *methods = method_table_for(OPERATION_norm2, formats[f], &count);
        const struct vector vector = random_vector(formats[f]->stored, -3, 5);
        for (size_t m = 0; m < count; m++) {
            const struct method *method = methods[m];
            const bool has_more = formats[f]->added->precision == 24 && method->accumulator_traits->narrow;
            if (!method->replay || !can_do(method, launch) || has_more)
                continue;
            const double squares = result_of(method_of_operation(method, OPERATION_sumsq), &vector);
            const double norm = result_of(method, &vector);
            assert_true(norm == root_of(squares, method->format, MPFR_RNDN));
            cut += norm != root_of(squares, method->format, MPFR_RNDZ);
            compared++;
        }
    }
    assert_true(compared > 500 && cut > compared / 5); /* the twin: a root that is cut */
}

/* superacc adds the rounded squares exactly, and 33 bits of that or more are rooted. */
static void a_state_of_more_bits_is_rooted_before_it_is_rounded(void **state)
{
    const struct method *method = method_find("norm2:superacc/serial");
    size_t settled = 0, others = 0;
    (void)state;
    for (int round = 0; round < 10 * ROUNDS; round++) {
        const struct vector vector = random_vector(&FORMAT_BINARY32, -30, 60);
        mpfr_t squares, end;
        mpfr_inits2(400, squares, end, (mpfr_ptr)0);
        mpfr_set_zero(squares, 1);
        for (uint64_t i = 0; i < vector.n; i++)
            assert_int_equal(mpfr_add_d(squares, squares, (double)(vector.x32[i] * vector.x32[i]), MPFR_RNDN), 0);
        double ends[2];
        for (int upper = 0; upper < 2; upper++) {
            mpfr_mul_d(end, squares, upper ? 1 + 0x1p-32 : 1 - 0x1p-32, MPFR_RNDN);
            (void)mpfr_sqrt(end, end, MPFR_RNDN);
            ends[upper] = exact_round(end, &FORMAT_BINARY32);
        }
        const double norm = result_of(method, &vector);
        assert_true(norm >= ends[0] && norm <= ends[1]);
        settled += ends[0] == ends[1];
        others += norm != root_of(exact_round(squares, &FORMAT_BINARY32), &FORMAT_BINARY32, MPFR_RNDN);
        mpfr_clears(squares, end, (mpfr_ptr)0);
    }
    assert_true(settled > 190);
    assert_true(others > 5); /* the twin: the sum is rounded first */
}

static void special_values_are_those_of_the_squares(void **state)
{
    static const struct {
        float x[2];
        uint64_t n;
        double norm;
    } rows[] = {{{3, 4}, 2, 5},     {{-INFINITY, 1}, 2, INFINITY}, {{NAN, 1}, 2, NAN},   {{0}, 0, 0},
                {{-0.0F, 0}, 2, 0}, {{0x1p100F, 0}, 2, INFINITY},  {{0x1p-80F, 0}, 2, 0}};
    size_t count;
    (void)state;
    const struct method *const *methods = method_table_for(OPERATION_norm2, &sum_format_binary32, &count);
    for (size_t m = 0; m < count; m++)
        for (size_t r = 0; r < COUNT_OF(rows) && is_sum(methods[m]) && can_do(methods[m], launch); r++) {
            const struct operands of = {&FORMAT_BINARY32, OPERATION_norm2, {rows[r].x}, shape_of_one(rows[r].n)};
            uint64_t bits;
            assert_int_equal(method_replay(methods[m], &of, launch, 1, &bits), OK);
            assert_true(same_double(format_value(&FORMAT_BINARY32, bits), rows[r].norm));
        }
}

static void norms_are_where_sums_of_squares_are(void **state)
{
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++) {
        size_t norms, squares;
        (void)method_table_for(OPERATION_norm2, sum_formats[f], &norms);
        (void)method_table_for(OPERATION_sumsq, sum_formats[f], &squares);
        assert_true(norms >= squares); /* a black box may be more */
        assert_true((squares > 0) == !sum_format_saturates(sum_formats[f]));
    }
}

/* ---- the bound ---- */

struct seen {
    size_t held, beyond_the_root_alone;
    double largest;
};

static void hold(const struct method *method, const struct vector *vector, const struct exact_sum *norm,
                 struct seen *seen)
{
    const double bound = bound_of(method, launch, norm), computed = result_of(method, vector);
    if (!isfinite(bound))
        return;
    const struct judged judged = {norm, computed, bound, method->format};
    const double error = metric_abs_error(&judged);
    if (!(error <= bound))
        fail_msg("%s, n = %llu: error %a, bound %a", method->id, (unsigned long long)vector->n, error, bound);
    seen->held++;
    seen->largest = bound > 0 ? fmax(seen->largest, error / bound) : seen->largest;
    seen->beyond_the_root_alone += metric_ulp_error(&judged) > 0.5;
}

/* Of all magnitudes, and of those whose squares are below the normal numbers, or below the least. */
static void norms_are_within_their_bounds(void **state)
{
    struct seen seen = {0};
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++) {
        const struct format *format = sum_formats[f]->stored, *added = sum_formats[f]->added;
        const int half = (added->least_exponent + added->precision) / 2;
        const int least[] = {format->least_exponent, half < format->least_exponent ? format->least_exponent : half, -2};
        const int span[] = {format->overflow_exponent - format->least_exponent - 1, 10, 4};
        size_t count;
        const struct method *const *methods = method_table_for(OPERATION_norm2, sum_formats[f], &count);
        for (int round = 0; round < ROUNDS; round++) {
            struct vector vector = random_vector(format, least[round % 3], span[round % 3]);
            struct exact_sum norm;
            assert_int_equal(exact_dot(format, (struct exact_how){0}, held(&vector), held(&vector), vector.n, &norm),
                             OK);
            exact_root(&norm);
            for (size_t m = (size_t)round % 3; m < count; m += 3)
                if (methods[m]->replay && can_do(methods[m], launch))
                    hold(methods[m], &vector, &norm, &seen);
            exact_free(&norm);
        }
    }
    print_message("%zu norms, %zu of them not correctly rounded, the largest error %.4f of its bound\n", seen.held,
                  seen.beyond_the_root_alone, seen.largest);
    assert_true(seen.held > 5000 && seen.largest > 0.3);
    assert_true(seen.beyond_the_root_alone > 500); /* the twin: the bound of the root alone */
}

/* {x}: RN(sqrt(RN(x^2))) loses all of x where the square is 0. */
static void a_square_below_the_least_number_is_in_the_bound(void **state)
{
    const float x[] = {0x1p-80F};
    struct exact_sum norm;
    (void)state;
    assert_int_equal(exact_dot(&FORMAT_BINARY32, (struct exact_how){0}, x, x, 1, &norm), OK);
    exact_root(&norm);
    const double bound = bound_of(method_find("norm2:plain/serial"), launch, &norm);
    assert_true(bound >= 0x1p-80 && bound < 0x1p-74);
    exact_free(&norm);
    const double wide = 0x1p-600; /* also where binary64 has no square of the norm */
    assert_int_equal(exact_dot(&FORMAT_BINARY64, (struct exact_how){0}, &wide, &wide, 1, &norm), OK);
    exact_root(&norm);
    assert_true(bound_of(method_find("norm2:plain/serial@binary64"), launch, &norm) >= 0x1p-600);
    exact_free(&norm);
}

/* ---- the operation on data ---- */

static void a_norm_of_a_data_set_is_the_root_of_its_squares(void **state)
{
    float x[] = {1, 1, 3};
    const struct dataset data = {.format = &FORMAT_BINARY32, .x = x, .n = 2};
    struct exact_sum squares, norm, repeated;
    (void)state;
    assert_int_equal(operation_exact(OPERATION_sumsq, &data, (struct exact_how){0}, &squares), OK);
    assert_int_equal(operation_exact(OPERATION_norm2, &data, (struct exact_how){0}, &norm), OK);
    assert_int_equal(operation_exact_repeated(OPERATION_norm2, &FORMAT_BINARY32, x, 3, 9, &repeated), OK);
    assert_int_equal(mpfr_cmp_ui(squares.sum, 2), 0);
    assert_true(norm.is_rounded && norm.nearest == (double)0x1.6a09e6p0F);
    assert_true(repeated.nearest == (double)0x1.6fa6ea0p+2F); /* sqrt(33) */
    exact_free(&squares);
    exact_free(&norm);
    exact_free(&repeated);
}

int main(void)
{
    seed_random(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_norm_is_the_root_of_the_sum_of_squares_rounded_once),
        cmocka_unit_test(a_state_of_more_bits_is_rooted_before_it_is_rounded),
        cmocka_unit_test(special_values_are_those_of_the_squares),
        cmocka_unit_test(norms_are_where_sums_of_squares_are),
        cmocka_unit_test(norms_are_within_their_bounds),
        cmocka_unit_test(a_square_below_the_least_number_is_in_the_bound),
        cmocka_unit_test(a_norm_of_a_data_set_is_the_root_of_its_squares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

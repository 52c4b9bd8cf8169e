/* Exact elements of layer norms and RMS norms, by pairs of binary64, against those in full: nearest and ulp to the bit,
 * errors never too small; and what is defined of zeros, constants, infinities and one number.
 * test_normalization_integers.py has them once more, by Python's integers.
 *
 *   tests_reference test_normalization [--tries N | --print SEED N]     N elements of each format and operation
 */
#include "reference/exact_element.h"
#include "reference/normalization.h"
#include "reference/rounding.h"

#include "number_kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROW_MOST = 64 };
static const double eps_of_layers = 1e-5;

/* ---- rows ---- */

struct input {
    const struct format *format, *result;
    bool is_centred;
    double eps;
    uint64_t n;
    union numbers {
        float narrow[ROW_MOST];
        double wide[ROW_MOST];
    } x, computed;
};

static double offset, spread;

static double around_offset(const struct format *format)
{
    return rounded_to(offset + (double)below(64) * ldexp(offset, 4 - format->precision), format);
}

static double constant(const struct format *format)
{
    return rounded_to(1.7, format);
}

/* Eight of them, whose elements are 1.5, -1.5, 0.5 and -0.5 where eps is 0, in full: pairs find something beside that.
 */
static double of_eight(const struct format *format)
{
    static const int eight[] = {3, 3, -3, 1, -1, -1, -1, -1};
    static unsigned turn;
    return rounded_to(eight[turn++ % 8] * spread + (format->precision > 8 ? 100 : 0), format);
}

static double wide_exponents(const struct format *format)
{
    const int range = format->overflow_exponent - format->least_exponent;
    return rounded_to(ldexp((double)(int64_t)next_random(), -63 + format->least_exponent + (int)below((uint64_t)range)),
                      format);
}

static number_kind *const families[] = {
    any_finite, of_one_size,    zero_or_not,   often_negative_zero, subnormal,     at_an_end, cancelling, constant,
    of_eight,   wide_exponents, around_offset, of_one_size,         around_offset, of_eight,  of_eight};
enum { FAMILIES = COUNT_OF(families) };

/* The computed value: the exact one, rounded, or one or some numbers beside it; or any. */
static double near_element(const struct exact_row *row, const struct input *input, uint64_t i)
{
    struct exact_sum exact;
    assert_int_equal(exact_row_element(row, i, &exact), OK);
    const double nearest = exact_round(exact.sum, input->result);
    exact_free(&exact);
    const int64_t steps[] = {0, 0, 0, 1, -1, (int64_t)below(1000)};
    const double value =
        fabs(nearest) +
        (double)steps[below(COUNT_OF(steps))] *
            (isfinite(nearest) ? ldexp(1, ilogb(nearest + (nearest == 0)) + 1 - input->result->precision) : 1);
    return below(50) == 0 ? any_finite(input->result) : copysign(rounded_to(value, input->result), nearest);
}

/* Formats are stored in turn; results are of them, or of those that sums of narrow ones have. */
static struct exact_row *random_row(uint64_t round, struct input *input)
{
    const struct format *format = NUMBER_FORMATS[round % STORED_FORMAT_COUNT];
    struct exact_row *row;
    *input = (struct input){.format = format,
                            .result = format->bytes == 1 ? NUMBER_FORMATS[1 + below(3)] : format,
                            .is_centred = round / STORED_FORMAT_COUNT % 2 == 0,
                            .eps = below(3) ? eps_of_layers : 0,
                            .n = below(8) ? 1 + below(ROW_MOST) : 1 + below(3)};
    number_kind *const family = families[below(FAMILIES)];
    offset = ldexp(1, (int)below((uint64_t)format->overflow_exponent - 2));
    spread = (double)(1 + below((uint64_t)1 << (format->precision < 6 ? 2 : 6)));
    input->n = family == of_eight ? 8 * (1 + below(2)) : input->n;
    for (uint64_t i = 0; i < input->n; i++)
        held_set(format, &input->x, i, family(format));
    assert_int_equal(exact_norm_row(input->is_centred, input->eps, format, (struct exact_how){.verify = true},
                                    &input->x, input->n, &row),
                     OK);
    for (uint64_t i = 0; i < input->n; i++)
        held_set(input->result, &input->computed, i, near_element(row, input, i));
    return row;
}

/* ---- by pairs, and in full ---- */

struct counts {
    uint64_t elements, by_pairs, exactly_right;
};

/* |e| <= |error| < |e| (1 + 2^-50), or less than the least number more; and of its sign: e is computed - s. */
static bool is_error(double error, double computed, const mpfr_t s)
{
    mpfr_t e, most;
    mpfr_init2(e, mpfr_get_prec(s) + 2400);
    mpfr_init2(most, mpfr_get_prec(s) + 2500);
    (void)mpfr_d_sub(e, computed, s, MPFR_RNDN);
    (void)mpfr_mul_d(most, e, 1 + 0x1p-50, MPFR_RNDN);
    (void)mpfr_abs(most, most, MPFR_RNDN);
    (void)mpfr_nextabove(most);
    bool is_right = mpfr_zero_p(e) ? error == 0 : (error < 0) == (mpfr_sgn(e) < 0);
    (void)mpfr_abs(e, e, MPFR_RNDN);
    is_right = is_right && mpfr_cmp_d(e, fabs(error)) <= 0;
    if (mpfr_cmp_d(most, DBL_MIN) < 0)
        (void)mpfr_add_d(most, e, DBL_TRUE_MIN, MPFR_RNDN);
    is_right = is_right && (error == 0 || mpfr_cmp_d(most, fabs(error)) > 0);
    mpfr_clears(e, most, (mpfr_ptr)0);
    return is_right;
}

/* value_above is no less than |value|, and less than 2^-48 more. */
static bool is_above(double value_above, double in_full)
{
    return value_above >= in_full && value_above <= in_full * (1 + 0x1p-48);
}

/* NULL, or what differs. */
static const char *difference(const struct exact_row *row, const struct input *input, uint64_t i,
                              const struct exact_element *element, struct counts *counts)
{
    FREED_BY(exact_free) struct exact_sum exact = {0};
    const double computed = held_number(input->result, &input->computed, i);
    assert_int_equal(exact_row_element(row, i, &exact), OK);
    counts->elements++;
    if (element->kind != exact.kind)
        return "kind";
    if (!same_double(element->nearest, exact_round(exact.sum, input->result)))
        return "nearest";
    if (!same_double(element->ulp, exact_ulp(exact.sum, input->result)))
        return "ulp";
    if (exact.kind != EXACT_FINITE)
        return element->error == 0 ? NULL : "error";
    mpfr_t error;
    mpfr_init2(error, DBL_MANT_DIG);
    (void)mpfr_d_sub(error, computed, exact.sum, MPFR_RNDA);
    counts->by_pairs += element->error != mpfr_get_d(error, MPFR_RNDA); /* which are a little larger */
    mpfr_clear(error);
    counts->exactly_right += element->error == 0;
    return !isfinite(computed)                              ? same_double(element->error, computed) ? NULL : "error"
           : !is_error(element->error, computed, exact.sum) ? "error"
           : !is_above(element->abs_above, exact.abs_above) ? "abs_above"
           : !is_above(element->sum_abs_above, exact.sum_abs_above) ? "sum_abs_above"
                                                                    : NULL;
}

static uint64_t elements_of_each = 4000;

static void elements_by_pairs_are_those_in_full(void **state)
{
    struct counts counts[STORED_FORMAT_COUNT][2] = {{{0}}}, all = {0};
    uint64_t twins = 0;
    (void)state;
    for (uint64_t round = 0; round < elements_of_each * STORED_FORMAT_COUNT / 9; round++) {
        struct exact_element elements[ROW_MOST], of_twin[ROW_MOST];
        struct input input;
        struct exact_row *row = random_row(round, &input), *twin;
        struct counts *const of = &counts[round % STORED_FORMAT_COUNT][input.is_centred];
        assert_int_equal(exact_row_elements(row, input.result, &input.computed, 0, input.n, 1, elements), OK);
        const double more = nextafter(input.eps, 1) + (input.eps == 0 ? DBL_EPSILON : 0);
        assert_int_equal(exact_norm_row(input.is_centred, more, input.format, (struct exact_how){.verify = false},
                                        &input.x, input.n, &twin),
                         OK);
        assert_int_equal(exact_row_elements(twin, input.result, &input.computed, 0, input.n, 3, of_twin), OK);
        for (uint64_t i = 0; i < input.n; i++) {
            const char *const differs = difference(row, &input, i, &elements[i], of);
            if (differs)
                fail_msg("%s of element %" PRIu64 " of round %" PRIu64 ", %s, %s", differs, i, round,
                         input.format->name, input.is_centred ? "layer norm" : "RMS norm");
            twins += !same_double(of_twin[i].error, elements[i].error);
        }
        exact_row_free(row);
        exact_row_free(twin);
    }
    for (size_t f = 0; f < STORED_FORMAT_COUNT; f++)
        for (size_t o = 0; o < 2; o++) {
            const bool is_wide = NUMBER_FORMATS[f]->precision > 50;
            printf("%s of %s: %" PRIu64 " elements, %" PRIu64 " by pairs, %" PRIu64 " computed exactly\n",
                   o ? "layer norm" : "RMS norm", NUMBER_FORMATS[f]->name, counts[f][o].elements, counts[f][o].by_pairs,
                   counts[f][o].exactly_right);
            assert_true(counts[f][o].elements >= elements_of_each);
            assert_true(is_wide ? counts[f][o].by_pairs == 0 : counts[f][o].by_pairs > counts[f][o].elements / 4);
            assert_true(counts[f][o].exactly_right > counts[f][o].elements / 200);
            all.elements += counts[f][o].elements;
        }
    printf("%" PRIu64 " elements; a twin with another eps differs in %" PRIu64 "\n", all.elements, twins);
    assert_true(twins > all.elements / 8);
}

/* ---- what is known of some ---- */

/* Elements of x, of binary32, with every kind of row. */
static void has_elements(bool is_centred, double eps, const float *x, uint64_t n, const double *nearest)
{
    struct exact_row *row;
    struct exact_element elements[ROW_MOST];
    float computed[ROW_MOST] = {0};
    assert_int_equal(exact_norm_row(is_centred, eps, &FORMAT_BINARY32, (struct exact_how){.verify = true}, x, n, &row),
                     OK);
    assert_int_equal(exact_row_elements(row, &FORMAT_BINARY32, computed, 0, n, 2, elements), OK);
    for (uint64_t i = 0; i < n; i++) {
        assert_int_equal(elements[i].kind, isnan(nearest[i]) ? EXACT_NAN : EXACT_FINITE);
        assert_true(same_double(elements[i].nearest, nearest[i]));
    }
    exact_row_free(row);
}

#define HAS_ELEMENTS(is_centred, eps, n, x, ...)                                                                       \
    has_elements(is_centred, eps, (const float[])x, n, (const double[])__VA_ARGS__)
#define ROW(...)                                                                                                       \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

static void some_rows_have_these_elements(void **state)
{
    (void)state;
    HAS_ELEMENTS(true, 0, 2, ROW(1, 3), {-1, 1});
    HAS_ELEMENTS(true, 3, 2, ROW(1, 3), {-0.5, 0.5});
    HAS_ELEMENTS(false, 0, 2, ROW(-0.0f, 3), {-0.0, rounded_to(sqrt(2), &FORMAT_BINARY32)});
    HAS_ELEMENTS(false, 15, 1, ROW(-1), {-0.25});
    HAS_ELEMENTS(false, 0, 1, ROW(0x1p-149f), {1});
    HAS_ELEMENTS(false, 0, 1, ROW(-FLT_MAX), {-1});
    HAS_ELEMENTS(true, 0, 1, ROW(7), {NAN}); /* a constant, and a row of zeros, without eps: 0 / 0 */
    HAS_ELEMENTS(true, 0, 3, ROW(7, 7, 7), {NAN, NAN, NAN});
    HAS_ELEMENTS(false, 0, 2, ROW(0, -0.0f), {NAN, NAN});
    HAS_ELEMENTS(true, 1e-5, 1, ROW(7), {0});
    HAS_ELEMENTS(true, 1e-5, 3, ROW(-7, -7, -7), {0, 0, 0});
    HAS_ELEMENTS(true, 1e-5, 2, ROW(-0.0f, -0.0f), {0, 0});
    HAS_ELEMENTS(false, 1e-5, 2, ROW(0, -0.0f), {0, -0.0});
    for (int centred = 0; centred < 2; centred++) {
        HAS_ELEMENTS(centred, 1e-5, 3, ROW(1, NAN, 2), {NAN, NAN, NAN});
        HAS_ELEMENTS(centred, 1e-5, 3, ROW(1, INFINITY, 2), {NAN, NAN, NAN});
        HAS_ELEMENTS(centred, 1e-5, 2, ROW(-INFINITY, INFINITY), {NAN, NAN});
        HAS_ELEMENTS(centred, 1e-5, 0, ROW(0), {0}); /* no numbers, no elements */
    }
}

/* ---- for test_normalization_integers.py ---- */

static int print_results(uint64_t seed, uint64_t count)
{
    seed_random(seed);
    for (uint64_t round = 0; round < count; round++) {
        struct exact_element elements[ROW_MOST];
        struct input input;
        struct exact_row *row = random_row(round, &input);
        if (exact_row_elements(row, input.result, &input.computed, 0, input.n, 1, elements) != OK)
            return 1;
        printf("%s %a %s %s %" PRIu64, input.is_centred ? "layer_norm" : "rms_norm", input.eps, input.format->name,
               input.result->name, input.n);
        for (uint64_t i = 0; i < input.n; i++)
            printf(" %a", held_number(input.format, &input.x, i));
        for (uint64_t i = 0; i < input.n; i++) {
            const struct exact_element *e = &elements[i];
            printf(" %a %a %a %a %a %a", held_number(input.result, &input.computed, i), e->nearest, e->ulp,
                   e->abs_above, e->sum_abs_above, e->error);
        }
        printf("\n");
        exact_row_free(row);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "--print") == 0)
        return print_results(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
    if (argc > 2 && strcmp(argv[1], "--tries") == 0)
        elements_of_each = (uint64_t)strtod(argv[2], NULL);
    seed_random(elements_of_each);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_by_pairs_are_those_in_full),
        cmocka_unit_test(some_rows_have_these_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

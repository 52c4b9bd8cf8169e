/* Exact prefixes and windows, by running digits, against those in full, by bins: nearest and ulp to the bit, errors
 * never too small; and what is known of some.
 *
 * test_scan_fractions.py has them once more, by Python's fractions.
 *
 *   tests_reference test_scan [--tries N | --print SEED N]     N elements of each format, of prefixes and of windows
 */
#include "reference/exact_element.h"
#include "reference/rounding.h"
#include "reference/scan.h"

#include "number_kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROW_MOST = 9000, ASKED_MOST = 48 };

/* ---- rows ---- */

struct input {
    const struct format *format, *result;
    uint64_t window, n, first, count; /* elements first .. first + count are asked for */
    union numbers {
        float narrow[ROW_MOST];
        double wide[ROW_MOST];
    } x, computed;
};

/* Beyond the 4,096 numbers after which sums are kept, too. */
static void set_random(uint64_t round, struct input *input)
{
    const struct format *format = NUMBER_FORMATS[round % STORED_FORMAT_COUNT];
    number_kind *const kind = kinds[below(COUNT_OF(kinds))];
    *input = (struct input){.format = format,
                            .result = format->bytes == 1 ? NUMBER_FORMATS[1 + below(3)] : format,
                            .n = below(16) ? 1 + below(64) : 4090 + below(ROW_MOST - 4090)};
    input->window = round / STORED_FORMAT_COUNT % 2 == 0 ? 0 : 1 + below(below(2) ? 4 : input->n + 3);
    input->first = input->n > ASKED_MOST ? below(input->n - ASKED_MOST) : 0;
    input->count = input->n - input->first < ASKED_MOST ? input->n - input->first : ASKED_MOST;
    for (uint64_t i = 0; i < input->n; i++)
        held_set(format, &input->x, i, kind(format));
}

/* The exact one, rounded, or one or some numbers beside it; or any. */
static void set_computed(const struct exact_row *row, struct input *input)
{
    static const int steps[] = {0, 0, 0, 1, -1, 700};
    for (uint64_t i = input->first; i < input->first + input->count; i++) {
        struct exact_sum exact;
        assert_int_equal(exact_row_element(row, i, &exact), OK);
        const double nearest = exact_round(exact.sum, input->result);
        const double spacing = isfinite(nearest) && nearest != 0
                                   ? ldexp(1, ilogb(nearest) + 1 - input->result->precision)
                                   : ldexp(1, input->result->least_exponent);
        const double beside = rounded_to(nearest + steps[below(COUNT_OF(steps))] * spacing, input->result);
        held_set(input->result, &input->computed, i, below(20) ? beside : any_finite(input->result));
        exact_free(&exact);
    }
}

static struct exact_row *row_of(const struct input *input, uint64_t window)
{
    struct exact_row *row;
    assert_int_equal(
        exact_scan_row(window, input->format, (struct exact_how){.verify = input->n < 100}, &input->x, input->n, &row),
        OK);
    return row;
}

/* ---- by digits, and in full ---- */

struct counts {
    uint64_t elements, exactly_right, special;
};

/* |e| <= |error| < |e| (1 + 2^-49), or less than the least number more; and of its sign: e is computed - s. */
static bool is_error(double error, double computed, const mpfr_t s)
{
    mpfr_t e, most;
    mpfr_init2(e, mpfr_get_prec(s) + 2400);
    mpfr_init2(most, mpfr_get_prec(s) + 2500);
    (void)mpfr_d_sub(e, computed, s, MPFR_RNDN);
    bool is_right = mpfr_zero_p(e) ? error == 0 : (error < 0) == (mpfr_sgn(e) < 0);
    (void)mpfr_abs(e, e, MPFR_RNDN);
    (void)mpfr_mul_d(most, e, 1 + 0x1p-49, MPFR_RNDN);
    (void)mpfr_add_d(most, most, DBL_TRUE_MIN, MPFR_RNDN);
    is_right = is_right && mpfr_cmp_d(e, fabs(error)) <= 0 &&
               (mpfr_cmp_d(most, fabs(error)) > 0 || mpfr_cmp_d(most, DBL_MAX) > 0);
    mpfr_clears(e, most, (mpfr_ptr)0);
    return is_right;
}

static bool is_above(double value_above, double in_full)
{
    return value_above >= in_full && value_above <= in_full * (1 + 0x1p-50);
}

/* NULL, or what differs. */
static const char *difference(const struct exact_row *row, const struct input *input, uint64_t i,
                              const struct exact_element *element, struct counts *counts)
{
    FREED_BY(exact_free) struct exact_sum exact = {0};
    const double computed = held_number(input->result, &input->computed, i);
    assert_int_equal(exact_row_element(row, i, &exact), OK);
    counts->elements++;
    counts->special += exact.kind != EXACT_FINITE;
    if (element->kind != exact.kind)
        return "kind";
    if (!same_double(element->nearest, exact_round(exact.sum, input->result)))
        return "nearest";
    if (!same_double(element->ulp, exact_ulp(exact.sum, input->result)))
        return "ulp";
    if (exact.kind != EXACT_FINITE)
        return element->error == 0 ? NULL : "error";
    counts->exactly_right += element->error == 0;
    return !isfinite(computed)                              ? same_double(element->error, computed) ? NULL : "error"
           : !is_error(element->error, computed, exact.sum) ? "error"
           : !is_above(element->abs_above, exact.abs_above) ? "abs_above"
           : !is_above(element->sum_abs_above, exact.sum_abs_above) ? "sum_abs_above"
           : exact_row_history(row, i) < exact.sum_abs_above        ? "history"
                                                                    : NULL;
}

static uint64_t elements_of_each = 3000;

static const void *computed_of(const struct input *input)
{
    return (const char *)&input->computed + input->first * format_held(input->result)->bytes;
}

static void elements_by_digits_are_those_in_full(void **state)
{
    struct counts counts[STORED_FORMAT_COUNT][2] = {{{0}}};
    uint64_t twins = 0, all = 0;
    struct input *input = malloc(sizeof *input);
    assert_non_null(input);
    (void)state;
    for (uint64_t round = 0; round < elements_of_each * STORED_FORMAT_COUNT / 8; round++) {
        struct exact_element elements[ASKED_MOST], of_twin[ASKED_MOST];
        set_random(round, input);
        struct exact_row *row = row_of(input, input->window), *twin = row_of(input, 5);
        struct counts *const of = &counts[round % STORED_FORMAT_COUNT][input->window > 0];
        const unsigned workers = 1 + (unsigned)below(3);
        set_computed(row, input);
        assert_int_equal(
            exact_row_elements(row, input->result, computed_of(input), input->first, input->count, workers, elements),
            OK);
        assert_int_equal(
            exact_row_elements(twin, input->result, computed_of(input), input->first, input->count, 1, of_twin), OK);
        for (uint64_t i = 0; i < input->count; i++) {
            const char *const differs = difference(row, input, input->first + i, &elements[i], of);
            if (differs)
                fail_msg("%s of element %" PRIu64 " of round %" PRIu64 ", %s, window %" PRIu64, differs,
                         input->first + i, round, input->format->name, input->window);
            twins += !same_double(of_twin[i].error, elements[i].error);
        }
        exact_row_free(row);
        exact_row_free(twin);
    }
    for (size_t f = 0; f < STORED_FORMAT_COUNT; f++)
        for (size_t w = 0; w < 2; w++) {
            printf("%s of %s: %" PRIu64 " elements, %" PRIu64 " computed exactly, %" PRIu64 " not finite\n",
                   w ? "windows" : "prefixes", NUMBER_FORMATS[f]->name, counts[f][w].elements,
                   counts[f][w].exactly_right, counts[f][w].special);
            assert_true(counts[f][w].elements >= elements_of_each);
            assert_true(counts[f][w].exactly_right > counts[f][w].elements / 20);
            all += counts[f][w].elements;
        }
    printf("%" PRIu64 " elements; a twin with a window of 5 differs in %" PRIu64 "\n", all, twins);
    assert_true(twins > all / 4);
    free(input);
}

/* ---- what is known of some ---- */

static void has_elements(uint64_t window, const float *x, uint64_t n, const double *nearest)
{
    static const float computed[16];
    struct exact_row *row;
    struct exact_element elements[16];
    assert_int_equal(exact_scan_row(window, &FORMAT_BINARY32, (struct exact_how){.verify = true}, x, n, &row), OK);
    assert_int_equal(exact_row_elements(row, &FORMAT_BINARY32, computed, 0, n, 2, elements), OK);
    for (uint64_t i = 0; i < n; i++)
        assert_true(same_double(elements[i].nearest, nearest[i]));
    exact_row_free(row);
}

#define HAS_ELEMENTS(window, n, x, ...) has_elements(window, (const float[])x, n, (const double[])__VA_ARGS__)
#define ROW(...)                                                                                                       \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

static void some_rows_have_these_elements(void **state)
{
    (void)state;
    HAS_ELEMENTS(0, 4, ROW(1, 2, -3, 4), {1, 3, 0, 4});
    HAS_ELEMENTS(2, 4, ROW(1, 2, -3, 4), {1, 3, -1, 1});
    HAS_ELEMENTS(1, 4, ROW(1, -0.0f, -3, 0), {1, -0.0, -3, 0});
    HAS_ELEMENTS(9, 4, ROW(1, 2, -3, 4), {1, 3, 0, 4}); /* a window longer than the data */
    HAS_ELEMENTS(0, 3, ROW(-0.0f, -0.0f, 0), {-0.0, -0.0, 0});
    HAS_ELEMENTS(0, 4, ROW(1, INFINITY, 2, -INFINITY), {1, INFINITY, INFINITY, NAN});
    HAS_ELEMENTS(2, 5, ROW(1, INFINITY, 2, 3, NAN), {1, INFINITY, INFINITY, 5, NAN}); /* they leave a window */
    HAS_ELEMENTS(0, 3, ROW(0x1p24f, 1, 0x1p-100f), {0x1p24, 0x1p24, 0x1p24 + 2});     /* a tie, and above it */
    HAS_ELEMENTS(4, 8, ROW(0x1p26f, 1.5f, 1.5f, 1.5f, 1.5f, 1.5f, 1.5f, 1.5f),
                 {0x1p26, 0x1p26, 0x1p26, 0x1p26 + 8, 6, 6, 6, 6});
    HAS_ELEMENTS(0, 0, ROW(0), {0}); /* no numbers, no elements */
}

/* ---- how fast it is: printed, not asserted ---- */

static void tell_speed(const struct format *format, uint64_t window)
{
    enum { N = 1 << 20 };
    struct exact_row *row;
    void *const x = malloc(N * sizeof(double)), *const computed = calloc(N, sizeof(double));
    struct exact_element *const elements = malloc(N * sizeof *elements);
    assert_true(x && computed && elements);
    for (uint64_t i = 0; i < N; i++)
        held_set(format, x, i, of_one_size(format));
    memset(elements, 1, N * sizeof *elements); /* pages that are there */
    const clock_t start = clock();
    assert_int_equal(exact_scan_row(window, format, (struct exact_how){0}, x, N, &row), OK);
    const clock_t made = clock();
    assert_int_equal(exact_row_elements(row, format, computed, 0, N, 1, elements), OK);
    const clock_t end = clock();
    printf("%s, window %" PRIu64 ": %.1f million a second, after %.1f\n", format->name, window,
           (double)N * CLOCKS_PER_SEC * 1e-6 / (double)(end - made),
           (double)N * CLOCKS_PER_SEC * 1e-6 / (double)(made - start));
    exact_row_free(row);
    free(x), free(computed), free(elements);
}

static void speed_is_told(void **state)
{
    (void)state;
    for (uint64_t window = 0; window < 64; window += 32) {
        tell_speed(&FORMAT_BINARY32, window);
        tell_speed(&FORMAT_BINARY64, window);
        tell_speed(&FORMAT_BFLOAT16, window);
    }
}

/* ---- for test_scan_fractions.py ---- */

static int print_results(uint64_t seed, uint64_t rows)
{
    struct input *input = malloc(sizeof *input);
    seed_random(seed);
    for (uint64_t round = 0; round < rows; round++) {
        struct exact_element elements[ASKED_MOST];
        set_random(round, input);
        if (input->n > ROW_MOST / 2) /* shorter, for fractions */
            input->n = 1 + below(200), input->first = 0, input->count = input->n < ASKED_MOST ? input->n : ASKED_MOST;
        input->first = input->n - input->count;
        struct exact_row *row = row_of(input, input->window);
        set_computed(row, input);
        if (exact_row_elements(row, input->result, computed_of(input), input->first, input->count, 2, elements) != OK)
            return 1;
        printf("%s %s %" PRIu64 " %" PRIu64 " %" PRIu64, input->format->name, input->result->name, input->window,
               input->n, input->first);
        for (uint64_t i = 0; i < input->n; i++)
            printf(" %a", held_number(input->format, &input->x, i));
        for (uint64_t i = 0; i < input->count; i++)
            printf(" %a %a %a %a %a %a", held_number(input->result, computed_of(input), i), elements[i].nearest,
                   elements[i].ulp, elements[i].abs_above, elements[i].sum_abs_above, elements[i].error);
        printf("\n");
        exact_row_free(row);
    }
    free(input);
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
        cmocka_unit_test(elements_by_digits_are_those_in_full),
        cmocka_unit_test(some_rows_have_these_elements),
        cmocka_unit_test(speed_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

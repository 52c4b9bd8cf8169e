/* Bounds and errors of libulpscope are those of the program's own methods and runs, bit for bit. */
#include "include/ulpscope/ulpscope.h"

#include "kernels/tree_bound.h"
#include "src/measure/element_tally.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/random.h"

static ulpscope_format name_of(const struct format *format)
{
    ulpscope_format name = ULPSCOPE_BINARY64;
    while (NUMBER_FORMATS[name - 1]->precision != format->precision)
        name++;
    return name;
}

/* The program's own, of each accumulator in one loop, in every format whose result holds no less than what is added. */
static void bounds_are_those_of_the_program(void **state)
{
    static const uint64_t counts[] = {2, 3, 100, 4097};
    size_t count, compared = 0, zero = 0;
    (void)state;
    for (size_t f = 0; f < SUM_FORMATS; f++) {
        const struct method *const *methods = method_table_of(sum_formats[f], &count);
        for (size_t m = 0; m < count; m++) {
            const struct method *const method = methods[m];
            if (method->role != SUMS || !method->height || strcmp(method->order, "serial") != 0 ||
                sum_format_saturates(sum_formats[f])) /* the library has no result of fp8 */
                continue;
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                const struct launch launch = {1, 32};
                const struct magnitudes of = {c % 2 ? 0 : 0.75, 3.5, 3.5, NULL};
                const struct ulpscope_value value = {sizeof value, of.abs_s, 0, of.abs_s, of.sum_abs, 5};
                const uint64_t height = method_height(method, counts[c], launch);
                const double expected = method_bound(method, counts[c], launch, &of);
                const double found = ulpscope_bound(method->accumulator, counts[c], height - 1,
                                                    name_of(sum_formats[f]->added), name_of(method->format), &value);
                const bool has_slack =
                    expected > 0 && method->format->least_exponent > sum_formats[f]->added->least_exponent;
                if (has_slack ? found < expected || found > expected + 0x1p-24 : found != expected)
                    fail_msg("%s, n = %zu: expected %a, found %a", method->id, (size_t)counts[c], expected, found);
                compared++;
                zero += expected == 0;
            }
        }
    }
    assert_true(compared > 200 && zero > 10); /* 0: an exact sum of 0, which no format rounds */
    const struct ulpscope_value value = {sizeof value, 1, 0, 1, 1, 1};
    assert_true(isnan(ulpscope_bound("kahn", 9, 9, ULPSCOPE_BINARY32, ULPSCOPE_BINARY32, &value)));
    const struct ulpscope_value large = {sizeof value, 0, 0, 1, 1e6, 1e6}; /* it overflows, or is finite */
    assert_true(isinf(ulpscope_bound("plain", 9, 8, ULPSCOPE_BINARY16, ULPSCOPE_BINARY16, &large)));
    assert_true(ulpscope_bound_any_order(0, 9, ULPSCOPE_BINARY16, ULPSCOPE_BINARY16, &large) <= 8.01e6 * 0x1p-11);
}

static void errors_of_a_products_elements_are_those_of_a_run(void **state)
{
    enum { SIDE = 24, ELEMENTS = SIDE * SIDE };
    static float a[ELEMENTS], b[ELEMENTS], c[ELEMENTS];
    static struct exact_element exact[ELEMENTS];
    static struct ulpscope_error found[ELEMENTS];
    const struct matrix_product product = {.format = &FORMAT_BINARY32,
                                           .result = &FORMAT_BINARY32,
                                           .rows = SIDE,
                                           .inner = SIDE,
                                           .columns = SIDE,
                                           .a = {a, SIDE, 1},
                                           .b = {b, SIDE, 1},
                                           .computed = {c, SIDE, 1}};
    const struct ulpscope_problem problem = ulpscope_matmul_of(ulpscope_matrix(ULPSCOPE_BINARY32, a, SIDE, SIDE),
                                                               ulpscope_matrix(ULPSCOPE_BINARY32, b, SIDE, SIDE));
    size_t to_nearest = 0;
    (void)state;
    seed_random(5);
    for (int i = 0; i < ELEMENTS; i++) {
        a[i] = (float)below(1 << 20) * 0x1p-20F - 0.5F;
        b[i] = (float)below(1 << 20) * 0x1p-20F - 0.5F;
        found[i].size = sizeof found[i];
        found[i].exact.size = sizeof found[i].exact;
    }
    for (int i = 0; i < ELEMENTS; i++)
        for (int k = 0; k < SIDE; k++)
            c[i] += a[i / SIDE * SIDE + k] * b[k * SIDE + i % SIDE];
    assert_int_equal(exact_matrix(&product, 0, exact), OK);
    assert_int_equal(ulpscope_errors(&problem, c, found), ULPSCOPE_OK);
    for (int i = 0; i < ELEMENTS; i++) {
        struct measured run;
        assert_true(element_judge(&exact[i], &FORMAT_BINARY32, float_bits(c[i]), INFINITY, &run));
        assert_true(found[i].ulp_error == run.metrics[METRIC_ulp_error]);
        assert_true(found[i].relative_error == run.metrics[METRIC_relative_error]);
        assert_true(found[i].backward_error == run.metrics[METRIC_backward_error]);
        to_nearest += found[i].relative_error == fabs(exact[i].error) / exact[i].abs_above;
    }
    assert_true(to_nearest < ELEMENTS / 2); /* the twin: a quotient that may be too small */
}

static void a_height_that_no_tree_has_is_refused(void **state)
{
    static const struct {
        uint64_t n, least;
    } rows[] = {{0, 0}, {1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {1 << 20, 20}, {(1 << 20) + 1, 21}, {UINT64_MAX, 64}};
    const struct ulpscope_value value = {sizeof value, 1, 0, 1, 1, 1};
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const uint64_t n = rows[r].n, heights[] = {rows[r].least, n, rows[r].least - 1, n + 1, UINT64_MAX};
        for (size_t h = 0; h < sizeof heights / sizeof *heights; h++) {
            const bool is_one = heights[h] >= rows[r].least && heights[h] <= n;
            const double bound = ulpscope_bound("plain", n, heights[h], ULPSCOPE_BINARY32, ULPSCOPE_BINARY32, &value);
            assert_int_equal(!isnan(bound), is_one);
            assert_true(!is_one || (bound > 0) == (n > 1));
        }
    }
}

/* Adds n numbers in a random tree; its height: the most additions between an element and the result. */
static float add_in_a_tree(const float *x, uint64_t n, uint64_t *height)
{
    uint64_t left, right;
    *height = 0;
    if (n == 1)
        return *x;
    const uint64_t split = 1 + below(n - 1);
    const float a = add_in_a_tree(x, split, &left), b = add_in_a_tree(x + split, n - split, &right);
    *height = 1 + (left > right ? left : right);
    return a + b;
}

static void a_tree_of_plain_additions_keeps_the_bound_of_its_height(void **state)
{
    enum { N = 9, TRIALS = 20000 };
    size_t beyond_a_lower_tree = 0;
    (void)state;
    seed_random(17);
    for (int t = 0; t < TRIALS; t++) {
        float x[N];
        uint64_t height;
        const uint64_t n = 2 + below(N - 1);
        for (uint64_t i = 0; i < n; i++)
            x[i] = i == 0 ? 1 : (float)below(64) * 0x1p-29f;
        const float sum = add_in_a_tree(x, n, &height);
        const struct ulpscope_problem problem = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, x, n));
        struct ulpscope_error error = {.size = sizeof error, .exact.size = sizeof error.exact};
        assert_int_equal(ulpscope_errors(&problem, &sum, &error), ULPSCOPE_OK);
        assert_true(error.error <=
                    ulpscope_bound("plain", n, height, ULPSCOPE_BINARY32, ULPSCOPE_BINARY32, &error.exact));
        beyond_a_lower_tree += error.error > (double)(height - 1) * 0x1p-24; /* the twin: one rounding less */
    }
    assert_true(beyond_a_lower_tree > 100);
}

/* Held to the program's own theorem at the height that the program has: what is beyond it fails, what is not passes. */
static void the_limit_of_a_tree_is_the_theorem_of_its_height(void **state)
{
    enum { N = 300, STEPS = 400 };
    static const char *const words[] = {"height=9", "height=40",     "blocked=16",     "chains=8",
                                        "pairwise", "tree_two_pass", "tree_rows=1x32", "serial"};
    static float x[N];
    double s = 0;
    size_t passed = 0, failed = 0;
    (void)state;
    seed_random(7);
    for (int i = 0; i < N; i++)
        s += (double)(x[i] = ldexpf((float)(1 + below(1 << 20)), -20));
    const struct ulpscope_problem problem = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, x, N));
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        struct tree_word word;
        char why[TREE_WHY_SIZE], limit[64];
        struct plain_tree tree;
        assert_true(tree_word_read(words[w], &word, why));
        assert_true(tree_word_tree(&word, N, (struct launch){120, 256}, &FORMAT_BINARY32, &tree, why));
        snprintf(limit, sizeof limit, "auto:%s", words[w]);
        const double bound = tree_bound(OPERATION_sum, sum_formats[0], N, tree, &(struct magnitudes){s, s, 1, NULL});
        float computed = (float)s;
        for (int step = 0; step < STEPS; step++, computed = nextafterf(computed, 1000)) {
            struct ulpscope_verdict verdict = {.size = sizeof verdict};
            assert_int_equal(ulpscope_judge(&problem, &computed, limit, &verdict), ULPSCOPE_OK);
            assert_int_equal(verdict.passed, fabs((double)computed - s) <= bound);
            passed += verdict.passed != 0;
            failed += verdict.passed == 0;
        }
    }
    assert_true(passed > 300 && failed > 300);
    struct ulpscope_verdict verdict = {.size = sizeof verdict};
    const float right = (float)s;
    assert_int_equal(ulpscope_judge(&problem, &right, "auto:pairwize", &verdict), ULPSCOPE_BAD_ARGUMENT);
    assert_non_null(strstr(ulpscope_why(), "did you mean \"pairwise\"?"));
    assert_int_equal(ulpscope_judge(&problem, &right, "auto:height=8", &verdict), ULPSCOPE_BAD_ARGUMENT);
    assert_non_null(strstr(ulpscope_why(), "no tree of height 8 has 300 numbers; expected height=9"));
}

/* 299 additions in bfloat16: 299 u = 1.17. */
static void a_bound_above_the_magnitudes_is_no_claim_in_words(void **state)
{
    enum { N = 300 };
    static uint16_t x[N];
    uint16_t zero = 0, half = 0x4380; /* 256, where plain additions of ones end */
    (void)state;
    for (int i = 0; i < N; i++)
        x[i] = 0x3f80;
    struct ulpscope_problem problem = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BFLOAT16, x, N));
    struct ulpscope_verdict verdict = {.size = sizeof verdict};
    problem.added = ULPSCOPE_BFLOAT16;
    assert_int_equal(ulpscope_judge(&problem, &half, "auto", &verdict), ULPSCOPE_OK);
    assert_true(verdict.passed && verdict.zeros_pass);
    assert_non_null(strstr(verdict.words,
                           "; no claim: the bound of plain addition in any order is beyond the sum of the "
                           "magnitudes; auto:pairwise would claim 0.343 of it"));
    assert_int_equal(ulpscope_judge(&problem, &half, "auto:pairwise", &verdict), ULPSCOPE_OK); /* the twin */
    assert_true(verdict.passed && !verdict.zeros_pass);
    assert_null(strstr(verdict.words, "no claim"));
    assert_int_equal(ulpscope_judge(&problem, &zero, "auto:pairwise", &verdict), ULPSCOPE_OK);
    assert_false(verdict.passed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_limit_of_a_tree_is_the_theorem_of_its_height),
        cmocka_unit_test(a_bound_above_the_magnitudes_is_no_claim_in_words),
        cmocka_unit_test(bounds_are_those_of_the_program),
        cmocka_unit_test(errors_of_a_products_elements_are_those_of_a_run),
        cmocka_unit_test(a_height_that_no_tree_has_is_refused),
        cmocka_unit_test(a_tree_of_plain_additions_keeps_the_bound_of_its_height),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

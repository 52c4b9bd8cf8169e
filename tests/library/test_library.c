/* libulpscope from C: what does not depend on the caller's surroundings, refusals, limits at their edges, theorems, and
 * threads.  Values are held to Python's fractions by test_library_calls.py. */
#include "include/ulpscope/ulpscope.h"

#include "reference/exact.h"
#include "src/base/format.h"
#include "src/base/workers.h"

#include <errno.h>
#include <fenv.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

static struct ulpscope_verdict judged(const struct ulpscope_problem *problem, const void *computed, const char *limit)
{
    struct ulpscope_verdict verdict = {.size = sizeof verdict};
    assert_int_equal(ulpscope_judge(problem, computed, limit, &verdict), ULPSCOPE_OK);
    return verdict;
}

static struct ulpscope_value value_of(const struct ulpscope_problem *problem)
{
    struct ulpscope_value value = {.size = sizeof value};
    assert_int_equal(ulpscope_exact(problem, &value), ULPSCOPE_OK);
    return value;
}

static double fraction(void)
{
    return ldexp((double)(next_random() >> 11), -53);
}

/* ---- surroundings ---- */

enum { DATA = 999 };

/* All that is said of data among the subnormals, and of a limit with a decimal point. */
static void say_all(struct ulpscope_error *error, struct ulpscope_verdict *verdict)
{
    static float x[DATA], y[DATA];
    const struct ulpscope_problem dot =
        ulpscope_dot_of(ulpscope_vector(ULPSCOPE_BINARY32, x, DATA), ulpscope_vector(ULPSCOPE_BINARY32, y, DATA));
    const float computed = 0x1.234p-120f;
    seed_random(5);
    for (int i = 0; i < DATA; i++) {
        x[i] = float_from_bits((uint32_t)below(1 << 24));
        y[i] = float_from_bits((uint32_t)(below(1 << 24) + (UINT64_C(126) << 23)));
    }
    *error = (struct ulpscope_error){.size = sizeof *error};
    *verdict = (struct ulpscope_verdict){.size = sizeof *verdict};
    assert_int_equal(ulpscope_errors(&dot, &computed, error), ULPSCOPE_OK);
    assert_int_equal(ulpscope_judge(&dot, &computed, "0.5", verdict), ULPSCOPE_OK);
}

static void results_do_not_depend_on_the_rounding_mode(void **state)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    struct ulpscope_error first, other;
    struct ulpscope_verdict verdict, other_verdict;
    (void)state;
    say_all(&first, &verdict);
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        fesetround(modes[m]);
        feclearexcept(FE_ALL_EXCEPT);
        feraiseexcept(FE_DIVBYZERO);
        errno = ERANGE;
        say_all(&other, &other_verdict);
        const int mode = fegetround(), raised = fetestexcept(FE_ALL_EXCEPT), error = errno;
        fesetround(FE_TONEAREST);
        assert_memory_equal(&first, &other, sizeof first);
        assert_string_equal(verdict.words, other_verdict.words);
        assert_int_equal(mode, modes[m]);
        assert_int_equal(raised, FE_DIVBYZERO);
        assert_int_equal(error, ERANGE);
    }
}

static void results_do_not_depend_on_flushed_subnormals(void **state)
{
    (void)state;
#ifdef __SSE2__
    const unsigned flushing = _mm_getcsr() | 0x8040; /* FTZ and DAZ */
    struct ulpscope_error first, other;
    struct ulpscope_verdict verdict;
    volatile float least = 0x1p-149f, doubled;
    say_all(&first, &verdict);
    _mm_setcsr(flushing);
    doubled = 2 * least; /* the twin: it does matter to who adds */
    say_all(&other, &verdict);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(flushing & ~0x8040u);
    assert_true(doubled == 0);
    assert_memory_equal(&first, &other, sizeof first);
    assert_int_equal(after & 0x8040, 0x8040);
#else
    skip();
#endif
}

static void a_decimal_comma_is_the_callers(void **state)
{
    struct ulpscope_error error;
    struct ulpscope_verdict with_point, with_comma;
    char half[8];
    (void)state;
    say_all(&error, &with_point);
    if (!setlocale(LC_ALL, "de_DE.UTF-8"))
        skip();
    say_all(&error, &with_comma);
    snprintf(half, sizeof half, "%g", 0.5);
    setlocale(LC_ALL, "C");
    assert_string_equal(with_comma.words, with_point.words);
    assert_string_equal(half, "0,5");
}

/* ---- limits ---- */

/* s = 1 + 2^-25 of binary32, ulp 2^-23. */
static void a_limit_in_ulps_is_exact_at_its_edge(void **state)
{
    static const float x[] = {1, 0x1p-25f};
    static const struct {
        float computed;
        const char *limit;
        bool passes;
    } rows[] = {
        {1 + 0x1p-22f, "1.75ulp", true},
        {1 + 0x1p-22f, "1.7499999999999998ulp", false},
        {1, "0.25ulp", true},
        {1, "0.2499999999999999999999999999ulp", false},
        {1, "exact", true},
        {1 + 0x1p-23f, "exact", false},
        {1, "0ulp", false},
        {1 + 0x1p-22f, "auto", false},
        {1, "auto", true},
        {1, "1e-7", true},
        {1, "1e-8", false},
        {1, "1e-8abs", false},
        {1, "0.00001%", true},
        {1, "0.000001 %", false},
        {1, "0.5u", true},
        {1, "0.49u", false},
        {1, "bound*0.51", true},
        {1, "bound*0.49", false},
        {NAN, "1e300", false},
        {INFINITY, "1e300ulp", false},
    };
    const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, x, 2));
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct ulpscope_verdict verdict = judged(&sum, &rows[r].computed, rows[r].limit);
        if (verdict.passed != rows[r].passes)
            fail_msg("%a, %s: %s", (double)rows[r].computed, rows[r].limit, verdict.words);
        assert_int_equal(verdict.failed, !rows[r].passes);
    }
}

/* 1 - d is d from the sum, which is 1; a d that is nearest to k / 1000, and above it, is above k / 10 percent. */
static void a_limit_in_percent_is_rounded_down(void **state)
{
    static const double x[] = {1};
    const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY64, x, 1));
    size_t above = 0;
    (void)state;
    for (int k = 1001; k < 2000; k += 2) {
        char limit[16];
        const double nearest = k / 1000.0, computed = 1 - nearest, less = 1 - (nearest - 0x1p-50);
        snprintf(limit, sizeof limit, "%d.%d%%", k / 10, k % 10);
        const double remainder = fma(nearest, 1000, -k); /* exact */
        assert_true(judged(&sum, &less, limit).passed);
        assert_true(remainder <= 0 || !judged(&sum, &computed, limit).passed);
        above += remainder > 0;
    }
    assert_true(above > 200);
}

/* 3u is 1.5 of the least number here, and an error of 2 of them is beyond it. */
static void a_limit_in_u_is_rounded_down_where_it_is_subnormal(void **state)
{
    (void)state;
    const double x[] = {0x1p1000, 0x1p-73}, computed = 0x1p1000;
    const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY64, x, 2));
    assert_false(judged(&sum, &computed, "0x3p-1022u").passed);
    assert_true(judged(&sum, &computed, "0x4p-1022u").passed);
}

static void what_no_limit_is_is_refused(void **state)
{
    static const char *const limits[] = {"",       "2",   "baseline*2", "bound*2", "2ulps", "-1ulp",  "+1ulp", "nanulp",
                                         "infulp", "ulp", "1e-6",       "exactly", " 1ulp", "1,5ulp", "auto2"};
    const float x[] = {1}, computed = 1;
    const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, x, 1));
    struct ulpscope_verdict verdict = {.size = sizeof verdict};
    (void)state;
    for (size_t l = 0; l < sizeof limits / sizeof *limits; l++) {
        const bool is_one = strcmp(limits[l], "2") == 0 || strcmp(limits[l], "1e-6") == 0; /* relative: the twins */
        if (ulpscope_judge(&sum, &computed, limits[l], &verdict) != (is_one ? ULPSCOPE_OK : ULPSCOPE_BAD_ARGUMENT))
            fail_msg("\"%s\"", limits[l]);
        if (!is_one)
            assert_non_null(strstr(ulpscope_why(), "expected a limit"));
    }
}

static void a_sum_without_a_number_passes_only_as_ieee_754_has_it(void **state)
{
    const float data[][2] = {{1, NAN}, {INFINITY, 1}, {INFINITY, -INFINITY}, {1, 1}};
    const float computed[] = {NAN, INFINITY, -INFINITY, 2};
    static const bool passes[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 1}};
    (void)state;
    for (int d = 0; d < 4; d++)
        for (int c = 0; c < 4; c++) {
            const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, data[d], 2));
            assert_int_equal(judged(&sum, &computed[c], "1e300ulp").passed, passes[d][c]);
        }
}

/* Numbers x[3] of a format as the problem of an operation: a sum, two rows of it, or products with ones. */
static struct ulpscope_problem problem_of(ulpscope_operation operation, ulpscope_format format, const double x[3],
                                          uint64_t stored[2][3], uint64_t ones[3])
{
    const struct format *const of = NUMBER_FORMATS[format - 1];
    for (uint64_t i = 0; i < 3; i++) {
        format_store(of, stored, i, format_bits(of, x[i]));
        format_store(of, stored, 3 + i, format_bits(of, x[i]));
        format_store(of, ones, i, format_bits(of, 1));
    }
    const struct ulpscope_array row = ulpscope_vector(format, stored, 3), rows = ulpscope_matrix(format, stored, 2, 3);
    const struct ulpscope_problem problems[] = {[ULPSCOPE_SUM] = ulpscope_sum_of(row),
                                                [ULPSCOPE_DOT] = ulpscope_dot_of(row, ulpscope_vector(format, ones, 3)),
                                                [ULPSCOPE_ROWS] = ulpscope_rows_of(rows),
                                                [ULPSCOPE_MATMUL] =
                                                    ulpscope_matmul_of(rows, ulpscope_matrix(format, ones, 3, 1))};
    return problems[operation];
}

/* The largest number F of a format three times, and F beside half its last place: both round to infinity.  F is two
 * thirds of the first from it, and half an ulp from the second. */
static void a_sum_beyond_the_format_is_infinite_or_judged_by_its_error(void **state)
{
    static const char *const limits[] = {"exact", "0.5ulp", "auto", "0.75", "0.75abs"};
    enum { LIMITS = sizeof limits / sizeof *limits, COMPUTED = 5 };
    size_t compared = 0, passed = 0;
    (void)state;
    for (int f = ULPSCOPE_BINARY64; f <= ULPSCOPE_BFLOAT16; f++)
        for (int operation = ULPSCOPE_SUM; operation <= ULPSCOPE_MATMUL; operation++)
            for (int k = 0; k < 4; k++) {
                const struct format *const format = NUMBER_FORMATS[f - 1];
                const double sign = k % 2 ? -1 : 1, ulp = ldexp(1, format->overflow_exponent - format->precision);
                const double most = sign * (ldexp(1, format->overflow_exponent - 1) - ulp) * 2 + sign * ulp;
                const double of_most[] = {most, most, most}, of_tie[] = {most, sign * ulp / 2, 0};
                const double computed[COMPUTED] = {sign * INFINITY, -sign * INFINITY, NAN, sign * 5, most};
                uint64_t x[2][3], ones[3], results[2];
                const struct ulpscope_problem problem =
                    problem_of((ulpscope_operation)operation, (ulpscope_format)f, k < 2 ? of_most : of_tie, x, ones);
                for (int c = 0; c < COMPUTED; c++)
                    for (int l = 0; l < LIMITS; l++) {
                        for (uint64_t r = 0; r < 2; r++)
                            format_store(format, results, r, format_bits(format, computed[c]));
                        const bool is_near = c == COMPUTED - 1 && l >= (k < 2 ? 3 : 1);
                        const struct ulpscope_verdict verdict = judged(&problem, results, limits[l]);
                        if (verdict.passed != (c == 0 || is_near) || verdict.zeros_pass)
                            fail_msg("%s, operation %d, %a, %s: %s", format->name, operation, computed[c], limits[l],
                                     verdict.words);
                        compared++;
                        passed += verdict.passed != 0;
                    }
            }
    assert_int_equal(compared, 4 * 4 * 4 * COMPUTED * LIMITS);
    assert_int_equal(passed, 4 * 4 * (4 * LIMITS + 2 * 2 + 2 * 4));
}

/* A product of factors that were rounded is right as one of TF32, and wrong as one of binary32. */
static void what_tf32_makes_of_factors_is_no_error(void **state)
{
    const float x[3] = {1 + 0x1p-12f, 3, -0.1f}, y[3] = {0.3f, 1, 7};
    double s = 0;
    (void)state;
    for (int i = 0; i < 3; i++)
        s += rounded_to((double)x[i], &FORMAT_TF32) * rounded_to((double)y[i], &FORMAT_TF32); /* exact */
    const float computed = (float)s;
    for (int f = 0; f < 2; f++) {
        const ulpscope_format format = f ? ULPSCOPE_BINARY32 : ULPSCOPE_TF32;
        struct ulpscope_problem dot = ulpscope_dot_of(ulpscope_vector(format, x, 3), ulpscope_vector(format, y, 3));
        dot.result = ULPSCOPE_BINARY32;
        assert_int_equal(judged(&dot, &computed, "0.5ulp").passed, !f);
    }
}

/* A plain sum that is finite overflowed nowhere, and is within the bound however far beyond the format s is. */
static void a_finite_plain_sum_keeps_the_bound_of_any_order(void **state)
{
    enum { N = 40, TRIALS = 4000 };
    size_t finite = 0, infinite = 0, beyond = 0;
    (void)state;
    seed_random(13);
    for (int t = 0; t < TRIALS; t++) {
        const struct format *const format = &FORMAT_BINARY16;
        uint16_t x[N], computed;
        double sum = 0;
        for (int i = 0; i < N; i++) {
            const double term = t % 2 ? ldexp(fraction() - 0.5, 12 + (int)below(4)) : 1638 + ldexp(fraction() - 0.5, 6);
            x[i] = (uint16_t)format_bits(format, rounded_to(term, format));
            sum = rounded_to(sum + rounded_to(term, format), format);
        }
        computed = (uint16_t)format_bits(format, sum);
        struct ulpscope_problem problem = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY16, x, N));
        problem.added = ULPSCOPE_BINARY16;
        const struct ulpscope_verdict verdict = judged(&problem, &computed, "auto");
        assert_true(isfinite(verdict.worst.bound));
        if (isfinite(sum))
            assert_true(verdict.passed);
        finite += isfinite(sum) != 0;
        infinite += isinf(sum) != 0;
        beyond += isfinite(sum) && isinf(verdict.worst.exact.nearest);
        computed = (uint16_t)format_bits(
            format, verdict.worst.exact.nearest > 0 ? -65504 : 65504); /* the twin: as finite, and wrong */
        assert_false(judged(&problem, &computed, "auto").passed);
    }
    if (finite < 2000 || infinite < 500 || beyond < 100 || finite + infinite != TRIALS)
        fail_msg("%zu finite, %zu infinite, %zu finite of an s beyond the format", finite, infinite, beyond);
}

static void zeros_sum_to_minus_0_only_if_all_are(void **state)
{
    static const struct {
        float x[3];
        bool is_negative;
    } rows[] = {{{-0.0f, -0.0f, -0.0f}, true}, {{-0.0f, -0.0f, 0}, false}, {{-0.0f, 1, -1}, false}, {{0, 0, 0}, false}};
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, rows[r].x, 3));
        const double nearest = value_of(&sum).nearest;
        assert_true(nearest == 0 && (signbit(nearest) != 0) == rows[r].is_negative);
    }
}

static void a_vacuous_test_is_told(void **state)
{
    static const float tiny[] = {1, -1, 0x1p-30f, 0x1p-60f}, sound[] = {1, 2, 3, 4};
    const float zero = 0, ten = 10;
    const struct ulpscope_problem cancelling = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, tiny, 4)),
                                  plain = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, sound, 4));
    (void)state;
    const struct ulpscope_verdict vacuous = judged(&cancelling, &zero, "1e-6abs"), good = judged(&plain, &ten, "auto");
    assert_true(vacuous.passed && vacuous.zeros_pass && vacuous.last_dropped_passes);
    assert_true(good.passed && !good.zeros_pass && !good.last_dropped_passes);
}

/* Rows that any result passes, and one that none but its own does. */
static void a_test_is_vacuous_if_all_of_its_results_are(void **state)
{
    static const float x[3][3] = {{1, -1, 0x1p-30f}, {1, 2, 3}, {-1, 1, 0x1p-30f}};
    const float computed[] = {0, 6, 0};
    struct ulpscope_problem rows = ulpscope_rows_of(ulpscope_matrix(ULPSCOPE_BINARY32, x, 3, 3));
    (void)state;
    const struct ulpscope_verdict some = judged(&rows, computed, "1e-6abs");
    assert_true(some.passed && some.count == 3 && !some.zeros_pass && !some.last_dropped_passes);
    rows.x.shape[0] = 1;
    const struct ulpscope_verdict all = judged(&rows, computed, "1e-6abs"); /* the twin */
    assert_true(all.passed && all.zeros_pass && all.last_dropped_passes);
}

/* Whether 3 + last would pass as 3; a matrix product is judged by other code than a dot product. */
static void a_last_product_that_nobody_misses_is_told(void **state)
{
    static const char *const limits[] = {"1ulp", "exact", "auto", "1e-6", "1e-6abs"};
    static const float ones[] = {1, 1, 1};
    (void)state;
    for (int is_matrix = 0; is_matrix < 2; is_matrix++)
        for (int is_large = 0; is_large < 2; is_large++)
            for (size_t l = 0; l < sizeof limits / sizeof *limits; l++) {
                const float x[] = {1, 2, is_large ? 4 : 0x1p-30f}, computed = is_large ? 7 : 3;
                const struct ulpscope_problem problem =
                    is_matrix ? ulpscope_matmul_of(ulpscope_matrix(ULPSCOPE_BINARY32, x, 1, 3),
                                                   ulpscope_matrix(ULPSCOPE_BINARY32, ones, 3, 1))
                              : ulpscope_dot_of(ulpscope_vector(ULPSCOPE_BINARY32, x, 3),
                                                ulpscope_vector(ULPSCOPE_BINARY32, ones, 3));
                const struct ulpscope_verdict verdict = judged(&problem, &computed, limits[l]);
                assert_true(verdict.passed && !verdict.zeros_pass);
                if (verdict.last_dropped_passes != !is_large)
                    fail_msg("matrix %d, large %d, %s", is_matrix, is_large, limits[l]);
            }
}

static void words_say_on_which_side_of_the_bound_a_failure_is(void **state)
{
    static const float x[] = {1, 0x1p-25f}, computed[] = {1, 1 + 0x1p-22f}; /* the bound is 2^-24 */
    const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, x, 2));
    (void)state;
    assert_non_null(strstr(judged(&sum, &computed[0], "0.1ulp").words, "; within the bound of plain addition"));
    assert_non_null(strstr(judged(&sum, &computed[1], "0.1ulp").words, "; beyond the bound of plain addition"));
}

/* An ulp of 0 is 2^-1074 in binary64. */
static void words_have_no_infinite_error_of_a_finite_result(void **state)
{
    static const double x[] = {1, -1}, computed[] = {0x1p-49, 0x1p-52};
    static const char *const limits[] = {"2ulp", "auto", "1e-6", "1e-6abs"};
    const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY64, x, 2));
    (void)state;
    for (int l = 0; l < 4; l++)
        assert_null(strstr(judged(&sum, &computed[0], limits[l]).words, "inf ulp"));
    assert_non_null(strstr(judged(&sum, &computed[0], "auto").words, "more than 1e308 ulp, off by 1.78e-15, limit "));
    assert_non_null(strstr(judged(&sum, &computed[1], "2ulp").words, ": 4.49e+307 ulp, ")); /* the twin */
}

static void words_of_a_pass_give_the_error_or_the_infinity(void **state)
{
    static const float x[] = {1, 0x1p-25f}, infinite[] = {1, INFINITY};
    const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, x, 2));
    const struct ulpscope_problem out = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, infinite, 2));
    (void)state;
    assert_string_equal(judged(&sum, &x[0], "0.5ulp").words, "within 0.25 ulp, limit 0.5 ulp");
    assert_string_equal(judged(&out, &infinite[1], "0.5ulp").words, "inf, as IEEE 754 has it");
}

/* Of 200 rows each is looked at; the worst is the first of the largest error, whether it fails or not. */
static void every_row_is_judged_and_the_worst_is_named(void **state)
{
    enum { ROWS = 200 };
    float x[ROWS][2], computed[ROWS];
    const struct ulpscope_problem rows = ulpscope_rows_of(ulpscope_matrix(ULPSCOPE_BINARY32, x, ROWS, 2));
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        x[i][0] = 1, x[i][1] = 0;
        computed[i] = 1;
    }
    for (int i = 0; i < ROWS; i++) {
        computed[i] = 1 + 0x1p-23f;
        const struct ulpscope_verdict one = judged(&rows, computed, "exact"), fine = judged(&rows, computed, "2ulp");
        assert_true(one.count == ROWS && one.failed == 1 && one.row == (uint64_t)i && !one.passed);
        assert_true(fine.passed && fine.row == (uint64_t)i && fine.worst.ulp_error == 1);
        computed[ROWS - 1 - i] = i < ROWS / 2 ? 1 + 0x1p-23f : 1;
        const struct ulpscope_verdict two = judged(&rows, computed, "exact");
        assert_true(two.row == (uint64_t)(i < ROWS - 1 - i ? i : i < ROWS / 2 ? ROWS - 1 - i : i));
        computed[i] = computed[ROWS - 1 - i] = 1;
    }
    computed[3] = 1 + 0x1p-22f, computed[7] = 1 + 0x1p-21f, computed[9] = NAN;
    assert_true(judged(&rows, computed, "1ulp").failed == 3 && judged(&rows, computed, "1ulp").row == 9);
    computed[9] = 1;
    assert_true(judged(&rows, computed, "1ulp").failed == 2 && judged(&rows, computed, "1ulp").row == 7);
}

/* ---- refusals ---- */

static struct ulpscope_problem bad_problem(int k, const float *x)
{
    struct ulpscope_problem p =
        ulpscope_matmul_of(ulpscope_matrix(ULPSCOPE_BINARY32, x, 2, 2), ulpscope_matrix(ULPSCOPE_BINARY32, x, 2, 2));
    switch (k) {
    case 0:
        p.size = 8;
        break;
    case 1:
        p.operation = (ulpscope_operation)0;
        break;
    case 2:
        p.operation = (ulpscope_operation)(ULPSCOPE_SCAN + 1);
        break;
    case 3:
        p.x.format = (ulpscope_format)0;
        break;
    case 4:
        p.y.format = (ulpscope_format)8;
        break;
    case 5:
        p.result = ULPSCOPE_E4M3;
        break;
    case 6:
        p.added = ULPSCOPE_E5M2;
        break;
    case 7:
        p.x.dimensions = 1;
        break;
    case 8:
        p.y.dimensions = 3;
        break;
    case 9:
        p.x.data = NULL;
        break;
    case 10:
        p.y.shape[0] = 3;
        break;
    case 11:
        p.x.shape[0] = 4, p.x.strides[0] = INT64_MAX;
        break;
    case 12:
        p.x.strides[1] = INT64_MIN;
        break;
    case 13:
        p.x.shape[0] = p.y.shape[1] = UINT64_C(1) << 32, p.x.strides[0] = p.y.strides[1] = 0;
        break;
    case 14:
        p.x.shape[0] = UINT64_MAX, p.x.strides[0] = 0;
        break;
    case 15:
        p.x.shape[0] = UINT64_MAX;
        break;
    case 16:
        p.x.shape[0] = UINT64_C(1) << 40, p.x.strides[0] = INT64_C(1) << 40;
        break;
    case 17:
        p.operation = ULPSCOPE_COSINE, p.y.shape[0] = 3;
        break;
    case 18:
        p.operation = ULPSCOPE_MEAN_WEIGHTED, p.y.shape[1] = 3;
        break;
    default:
        p.size = 0;
        break;
    }
    return p;
}

enum { BAD_PROBLEMS = 19 };

static void bad_arguments_are_refused_with_a_text(void **state)
{
    static const float x[4] = {1, 2, 3, 4};
    struct ulpscope_verdict verdict = {.size = sizeof verdict};
    struct ulpscope_value values[4] = {{.size = sizeof *values}};
    struct ulpscope_error errors[4] = {{.size = sizeof *errors}};
    char command[400];
    (void)state;
    for (int k = 0; k < BAD_PROBLEMS; k++) {
        const struct ulpscope_problem problem = bad_problem(k, x);
        assert_int_equal(ulpscope_result_count(&problem), 0);
        assert_int_equal(ulpscope_exact(&problem, values), ULPSCOPE_BAD_ARGUMENT);
        assert_int_equal(ulpscope_rounded(&problem, command), ULPSCOPE_BAD_ARGUMENT);
        assert_int_equal(ulpscope_errors(&problem, x, errors), ULPSCOPE_BAD_ARGUMENT);
        assert_int_equal(ulpscope_judge(&problem, x, "auto", &verdict), ULPSCOPE_BAD_ARGUMENT);
        assert_int_equal(ulpscope_write_case(&problem, x, "case", command, sizeof command), ULPSCOPE_BAD_ARGUMENT);
        if (!strstr(ulpscope_why(), "expected") || !strchr(ulpscope_why(), ';'))
            fail_msg("%d: %s", k, ulpscope_why());
    }
    struct ulpscope_problem sound = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, x, 4)); /* the twin */
    assert_int_equal(ulpscope_exact(&sound, values), ULPSCOPE_OK);
    assert_int_equal(ulpscope_exact(&sound, NULL), ULPSCOPE_BAD_ARGUMENT);
    assert_int_equal(ulpscope_judge(&sound, NULL, "auto", &verdict), ULPSCOPE_BAD_ARGUMENT);
    values[0].size = 4;
    assert_int_equal(ulpscope_exact(&sound, values), ULPSCOPE_BAD_ARGUMENT);
    verdict.size = 4;
    assert_int_equal(ulpscope_judge(&sound, x, "auto", &verdict), ULPSCOPE_BAD_ARGUMENT);
}

static void a_product_beyond_memory_is_out_of_memory(void **state)
{
    static const float x[1] = {1};
    struct ulpscope_value value = {.size = sizeof value};
    struct ulpscope_problem product =
        ulpscope_matmul_of(ulpscope_matrix(ULPSCOPE_BINARY32, x, 1, 1), ulpscope_matrix(ULPSCOPE_BINARY32, x, 1, 1));
    (void)state;
    for (int d = 0; d < 2; d++)
        product.x.strides[d] = product.y.strides[d] = 0;
    for (int bits = 41; bits < 64; bits++) {
        product.x.shape[1] = product.y.shape[0] = UINT64_C(1) << bits;
        assert_int_equal(ulpscope_exact(&product, &value), ULPSCOPE_OUT_OF_MEMORY);
    }
    product.operation = ULPSCOPE_DOT; /* the same number so many times is no trouble for a dot product */
    product.x.dimensions = product.y.dimensions = 1;
    product.x.shape[0] = product.y.shape[0] = UINT64_C(1) << 63;
    assert_true(value_of(&product).nearest == 0x1p63);
}

static void no_elements_sum_to_0(void **state)
{
    const struct ulpscope_problem none = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, NULL, 0)),
                                  no_rows = ulpscope_rows_of(ulpscope_matrix(ULPSCOPE_BINARY32, NULL, 0, 4));
    const float zero = 0;
    struct ulpscope_verdict verdict = judged(&none, &zero, "exact");
    (void)state;
    assert_true(verdict.passed && !verdict.zeros_pass && !signbit(value_of(&none).nearest));
    assert_int_equal(judged(&no_rows, NULL, "exact").count, 0);
}

/* ---- the bound of any order ---- */

/* Sums of products in any order, fused into their additions or not, stay below; one of fewer elements need not. */
static void no_order_is_beyond_the_bound_of_any_order(void **state)
{
    enum { N = 64, TRIALS = 2000 };
    size_t beyond = 0;
    (void)state;
    seed_random(7);
    for (int t = 0; t < TRIALS; t++) {
        float x[N], y[N], sum = 0;
        const bool fused = t % 2, only_half = t % 4 > 1;
        for (int i = 0; i < N; i++) {
            x[i] = (float)(fraction() - 0.5);
            y[i] = (float)(fraction() - 0.5);
        }
        for (int i = 0; i < (only_half ? N / 2 : N); i++)
            sum = fused ? fmaf(x[i], y[i], sum) : sum + x[i] * y[i];
        const struct ulpscope_problem dot =
            ulpscope_dot_of(ulpscope_vector(ULPSCOPE_BINARY32, x, N), ulpscope_vector(ULPSCOPE_BINARY32, y, N));
        const bool passed = judged(&dot, &sum, "auto").passed;
        assert_true(passed || only_half);
        beyond += !passed;
    }
    assert_true(beyond > TRIALS / 4);
}

/* 1 is 2^-30 off, which binary32 may lose, and binary64 may not. */
static void additions_are_those_of_the_widest_format(void **state)
{
    static const float x[] = {1, 0x1p-30f}, ones[] = {1, 1}, computed = 1;
    static const double wide_x[] = {1, 0x1p-30}, wide_ones[] = {1, 1}, wide_computed = 1;
    (void)state;
    for (int wide = 0; wide < 8; wide++) {
        struct ulpscope_problem dot = ulpscope_dot_of(
            wide & 1 ? ulpscope_vector(ULPSCOPE_BINARY64, wide_x, 2) : ulpscope_vector(ULPSCOPE_BINARY32, x, 2),
            wide & 2 ? ulpscope_vector(ULPSCOPE_BINARY64, wide_ones, 2) : ulpscope_vector(ULPSCOPE_BINARY32, ones, 2));
        const bool is_wide_result = wide & 4;
        dot.result = is_wide_result ? ULPSCOPE_BINARY64 : ULPSCOPE_BINARY32;
        const void *const result = is_wide_result ? (const void *)&wide_computed : &computed;
        const struct ulpscope_verdict verdict = judged(&dot, result, "auto");
        assert_int_equal(verdict.worst.bound < 0x1p-40, is_wide_result);
        assert_int_equal(verdict.worst.bound < 1.5 * 0x1p-24, wide != 0); /* two roundings, or that of the result */
        assert_int_equal(verdict.passed, !is_wide_result);
        dot.added = ULPSCOPE_BINARY32;
        assert_true(judged(&dot, result, "auto").passed);
    }
}

/* ---- large sums, threads ---- */

enum { LARGE = 1 << 20 };

static void a_large_sum_is_that_of_the_reference(void **state)
{
    double *const x = malloc(LARGE * sizeof *x);
    float *const y = malloc(LARGE * sizeof *y);
    (void)state;
    seed_random(11);
    for (int i = 0; i < LARGE; i++) {
        x[i] = ldexp(fraction() - 0.5, (int)below(200) - 100);
        y[i] = (float)x[i];
    }
    for (int is_narrow = 0; is_narrow < 2; is_narrow++)
        for (uint64_t stride = 1; stride <= 2; stride++) {
            const uint64_t n = LARGE / stride - 3; /* no multiple of 2, 3, 4, 5, 6, 7 or 8 threads */
            struct exact_sum exact;
            struct ulpscope_problem sum = is_narrow ? ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, y, n))
                                                    : ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY64, x, n));
            sum.x.strides[0] *= (int64_t)stride;
            const struct ulpscope_value value = value_of(&sum);
            for (uint64_t i = 0; i < n; i++) { /* in its place, for the next as well: the whole first */
                y[i] = y[i * stride];
                x[i] = x[i * stride];
            }
            assert_int_equal(
                is_narrow ? exact_sum(&FORMAT_BINARY32, y, n, &exact) : exact_sum(&FORMAT_BINARY64, x, n, &exact), OK);
            assert_true(value.nearest == exact.nearest && value.abs_above == exact.abs_above &&
                        value.sum_abs_above == exact.sum_abs_above && value.ulp == exact.ulp);
            exact_free(&exact);
        }
    free(x);
    free(y);
}

struct together {
    const struct ulpscope_problem *problem;
    const float *computed;
    struct ulpscope_verdict verdicts[8];
    bool refused[8];
};

static void judge_beside_others(void *context, unsigned worker)
{
    struct together *const together = context;
    struct ulpscope_problem bad = *together->problem;
    bad.size = 8 + worker;
    together->verdicts[worker].size = sizeof together->verdicts[worker];
    for (int r = 0; r < 20; r++)
        (void)ulpscope_judge(together->problem, together->computed, "2ulp", &together->verdicts[worker]);
    (void)ulpscope_judge(&bad, together->computed, "2ulp", &together->verdicts[worker]);
    char mine[40];
    snprintf(mine, sizeof mine, "found %u;", 8 + worker);
    together->refused[worker] = strstr(ulpscope_why(), mine) != NULL;
}

static void threads_do_not_meet(void **state)
{
    enum { SIDE = 65 };
    static float a[SIDE * SIDE], c[SIDE * SIDE];
    const struct ulpscope_problem product = ulpscope_matmul_of(ulpscope_matrix(ULPSCOPE_BINARY32, a, SIDE, SIDE),
                                                               ulpscope_matrix(ULPSCOPE_BINARY32, a, SIDE, SIDE));
    static struct together together;
    (void)state;
    seed_random(3);
    for (int i = 0; i < SIDE * SIDE; i++)
        a[i] = (float)(fraction() - 0.5);
    assert_int_equal(ulpscope_rounded(&product, c), ULPSCOPE_OK);
    c[77] += 1;
    together = (struct together){.problem = &product, .computed = c};
    workers_run(8, judge_beside_others, &together);
    const struct ulpscope_verdict alone = judged(&product, c, "2ulp");
    assert_int_equal(alone.failed, 1);
    for (int w = 0; w < 8; w++) {
        assert_memory_equal(&together.verdicts[w], &alone, sizeof alone);
        assert_true(together.refused[w]);
    }
}

static void the_version_is_that_of_the_header(void **state)
{
    (void)state;
    assert_string_equal(ulpscope_version(), ULPSCOPE_VERSION);
}

/* ---- means and variances ---- */

enum { OFFSET_DATA = 200 };

/* One after another in binary32: two passes, Welford's steps, E[x^2] - E[x]^2. */
static void variances_of(const float *x, unsigned n, float variances[3])
{
    float sum = 0, squares = 0, deviations = 0, mean = 0, m2 = 0;
    for (unsigned i = 0; i < n; i++) {
        const float d = x[i] - mean;
        sum += x[i];
        squares += x[i] * x[i];
        mean += d / (float)(i + 1);
        m2 += d * (x[i] - mean);
    }
    const float m = sum / (float)n;
    for (unsigned i = 0; i < n; i++)
        deviations += (x[i] - m) * (x[i] - m);
    variances[0] = deviations / (float)n;
    variances[1] = m2 / (float)n;
    variances[2] = squares / (float)n - m * m;
}

static void a_variance_by_two_passes_is_within_auto_and_by_squares_beyond_it(void **state)
{
    static const float offsets[] = {0, 1, 100, 1e4f};
    unsigned beyond = 0, claims = 0;
    (void)state;
    seed_random(9);
    for (unsigned round = 0; round < 400; round++) {
        float x[OFFSET_DATA], variances[3];
        const unsigned n = 2 + (unsigned)below(OFFSET_DATA - 1);
        for (unsigned i = 0; i < n; i++)
            x[i] = offsets[round % 4] + (float)fraction();
        variances_of(x, n, variances);
        const struct ulpscope_problem of = ulpscope_variance_of(ulpscope_vector(ULPSCOPE_BINARY32, x, n), 0);
        for (unsigned v = 0; v < 2; v++)
            assert_true(judged(&of, &variances[v], "auto").passed);
        if (offsets[round % 4] < 1e4f)
            continue;
        const struct ulpscope_verdict verdict = judged(&of, &variances[2], "auto");
        claims += verdict.worst.bound < verdict.worst.exact.abs_above;
        beyond += !verdict.passed;
        assert_true(verdict.passed || strstr(verdict.cause, "E[x^2] - E[x]^2"));
    }
    assert_true(claims > 90);
    assert_true(beyond > 90); /* of 100 */
}

static void a_statistic_that_is_not_defined_is_nan_and_nothing_else(void **state)
{
    static const float x[] = {0, 3}, y[] = {2, -2}, wrong[] = {0, 1, INFINITY};
    static const double none = (double)NAN;
    const struct ulpscope_array one = ulpscope_vector(ULPSCOPE_BINARY32, x + 1, 1),
                                zeros = ulpscope_vector(ULPSCOPE_BINARY32, x, 1),
                                empty = ulpscope_vector(ULPSCOPE_BINARY32, x, 0),
                                pair = ulpscope_vector(ULPSCOPE_BINARY32, x, 2),
                                weights = ulpscope_vector(ULPSCOPE_BINARY32, y, 2);
    const struct ulpscope_problem problems[] = {
        ulpscope_mean_of(empty), ulpscope_variance_of(one, 1), ulpscope_std_of(pair, 7),
        ulpscope_problem_of(ULPSCOPE_MEAN_WEIGHTED, pair, weights), ulpscope_problem_of(ULPSCOPE_COSINE, zeros, one)};
    const float nan = (float)none;
    unsigned compared = 0;
    (void)state;
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
        assert_true(isnan(value_of(&problems[p]).nearest));
        assert_true(judged(&problems[p], &nan, "exact").passed);
        assert_non_null(strstr(judged(&problems[p], &nan, "1e300").words, "not defined"));
        for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++, compared++)
            assert_false(judged(&problems[p], &wrong[w], "1e300").passed);
    }
    assert_int_equal(compared, 15);
    const struct ulpscope_problem defined = ulpscope_variance_of(one, 0); /* the twin */
    assert_true(judged(&defined, &wrong[0], "exact").passed);
    assert_false(judged(&defined, &nan, "exact").passed);
}

static void a_problem_from_before_ddof_has_none(void **state)
{
    const float x[] = {1, 2, 4}, of_sample = 7.0f / 3;
    struct ulpscope_problem problem = ulpscope_variance_of(ulpscope_vector(ULPSCOPE_BINARY32, x, 3), 1);
    struct ulpscope_verdict verdict = {.size = sizeof verdict};
    (void)state;
    assert_true(judged(&problem, &of_sample, "exact").passed);
    problem.size = offsetof(struct ulpscope_problem, ddof);
    assert_false(judged(&problem, &of_sample, "exact").passed);
    problem.size--;
    assert_int_equal(ulpscope_judge(&problem, &of_sample, "exact", &verdict), ULPSCOPE_BAD_ARGUMENT);
}

static void auto_is_refused_where_no_bound_is_known(void **state)
{
    const double x[] = {1, 2}, one[] = {1, 1};
    const struct ulpscope_array pair = ulpscope_vector(ULPSCOPE_BINARY64, x, 2);
    struct ulpscope_problem problems[] = {ulpscope_problem_of(ULPSCOPE_COSINE, pair, pair),
                                          ulpscope_problem_of(ULPSCOPE_MEAN_WEIGHTED, pair, pair),
                                          ulpscope_norm_of(ULPSCOPE_RMS_NORM, pair, 0), ulpscope_mean_of(pair)};
    struct ulpscope_verdict verdict = {.size = sizeof verdict};
    (void)state;
    for (size_t p = 0; p < 4; p++) {
        assert_int_equal(ulpscope_judge(&problems[p], one, "auto", &verdict), ULPSCOPE_OK); /* the twin */
        problems[p].added = ULPSCOPE_BINARY32;                                              /* narrower than x */
        assert_int_equal(ulpscope_judge(&problems[p], one, "auto", &verdict), ULPSCOPE_BAD_ARGUMENT);
        assert_non_null(strstr(ulpscope_why(), "no bound is known"));
    }
}

/* sum w x / sum w and sum x y / (root sum x^2 root sum y^2), one after another in binary32. */
static void quotients_of(const float *x, const float *y, unsigned n, float quotients[2])
{
    float products = 0, weights = 0, squares_x = 0, squares_y = 0;
    for (unsigned i = 0; i < n; i++) {
        products += x[i] * y[i];
        weights += y[i];
        squares_x += x[i] * x[i];
        squares_y += y[i] * y[i];
    }
    quotients[0] = products / weights;
    quotients[1] = products / (sqrtf(squares_x) * sqrtf(squares_y));
}

static void weighted_means_and_cosines_are_within_auto(void **state)
{
    unsigned beyond = 0, claims = 0;
    (void)state;
    seed_random(23);
    for (unsigned round = 0; round < 400; round++) {
        float x[OFFSET_DATA], y[OFFSET_DATA], quotients[2];
        const unsigned n = 1 + (unsigned)below(OFFSET_DATA);
        for (unsigned i = 0; i < n; i++) {
            x[i] = (float)fraction() - 0.5f;
            y[i] = (float)fraction() - (round % 2 ? 0.5f : 0);
        }
        quotients_of(x, y, n, quotients);
        for (unsigned q = 0; q < 2; q++) {
            const struct ulpscope_problem of =
                ulpscope_problem_of(q ? ULPSCOPE_COSINE : ULPSCOPE_MEAN_WEIGHTED,
                                    ulpscope_vector(ULPSCOPE_BINARY32, x, n), ulpscope_vector(ULPSCOPE_BINARY32, y, n));
            const struct ulpscope_verdict verdict = judged(&of, &quotients[q], "auto");
            assert_true(verdict.passed);
            const float off = quotients[q] + 3 * (float)verdict.worst.bound; /* the twin */
            claims += isfinite(off) != 0;
            beyond += isfinite(off) && !judged(&of, &off, "auto").passed;
        }
    }
    assert_true(claims > 700 && beyond == claims);
}

static void weights_that_nearly_cancel_have_no_claim(void **state)
{
    const float x[] = {1, 2, 3}, w[] = {1, 0x1p-22f, -1}, positive[] = {1, 0x1p-22f, 1}, wrong = 1e9f;
    (void)state;
    const struct ulpscope_array numbers = ulpscope_vector(ULPSCOPE_BINARY32, x, 3);
    const struct ulpscope_problem of =
        ulpscope_problem_of(ULPSCOPE_MEAN_WEIGHTED, numbers, ulpscope_vector(ULPSCOPE_BINARY32, w, 3));
    const struct ulpscope_verdict verdict = judged(&of, &wrong, "auto");
    assert_true(verdict.passed && verdict.zeros_pass && isinf(verdict.worst.bound));
    assert_non_null(strstr(verdict.words, "no claim"));
    assert_non_null(strstr(verdict.words, "a backward error of"));
    const struct ulpscope_problem twin =
        ulpscope_problem_of(ULPSCOPE_MEAN_WEIGHTED, numbers, ulpscope_vector(ULPSCOPE_BINARY32, positive, 3));
    assert_false(judged(&twin, &wrong, "auto").passed);
}

/* ---- norms ---- */

enum { NORM_WAYS = 8 };
static const char *const norm_causes[NORM_WAYS] = {NULL,
                                                   NULL,
                                                   NULL,
                                                   "",
                                                   "eps is left out",
                                                   "eps is added to the root, not under it",
                                                   "divided by n - 1, not n",
                                                   "the mean is not subtracted"};

/* In binary32: two passes, times the reciprocal or divided by the root; Welford's steps; E[x^2] - E[x]^2; mistakes. */
static void layer_norm_by(unsigned way, const float *x, unsigned n, float eps, float *y)
{
    float variances[3], sum = 0, squares = 0;
    variances_of(x, n, variances);
    for (unsigned i = 0; i < n; i++) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    const float m = sum / (float)n, v = way == 2   ? variances[1]
                                        : way == 3 ? variances[2]
                                        : way == 6 ? variances[0] * (float)n / (float)(n - 1)
                                        : way == 7 ? squares / (float)n
                                                   : variances[0];
    const float root = way == 4 ? sqrtf(v) : way == 5 ? sqrtf(v) + eps : sqrtf(v + eps);
    for (unsigned i = 0; i < n; i++)
        y[i] = way == 1 ? (x[i] - m) / root : (way == 7 ? x[i] : x[i] - m) * (1 / root);
}

static void a_layer_norm_is_within_auto_and_its_mistakes_beyond_it(void **state)
{
    enum { WIDTH = 96, HEIGHT = 3 };
    static float x[HEIGHT * WIDTH], y[HEIGHT * WIDTH];
    unsigned beyond[NORM_WAYS] = {0}, named[NORM_WAYS] = {0};
    (void)state;
    seed_random(31);
    for (unsigned round = 0; round < 200; round++)
        for (unsigned way = 0; way < NORM_WAYS; way++) {
            const float offset = way == 3 ? 1e3f : 1, eps = 1e-2f;
            for (unsigned i = 0; i < HEIGHT * WIDTH; i++)
                x[i] = offset + (float)fraction();
            for (unsigned row = 0; row < HEIGHT; row++)
                layer_norm_by(row == round % HEIGHT ? way : 0, x + row * WIDTH, WIDTH, eps, y + row * WIDTH);
            const struct ulpscope_problem of = ulpscope_norm_of(
                ULPSCOPE_LAYER_NORM, ulpscope_matrix(ULPSCOPE_BINARY32, x, HEIGHT, WIDTH), (double)eps);
            const struct ulpscope_verdict verdict = judged(&of, y, "auto");
            assert_int_equal(verdict.count, HEIGHT * WIDTH);
            assert_false(verdict.zeros_pass);
            assert_true(verdict.passed || (verdict.row == round % HEIGHT && verdict.failed <= WIDTH));
            beyond[way] += !verdict.passed;
            named[way] += !verdict.passed && norm_causes[way] && strstr(verdict.cause, norm_causes[way]);
        }
    for (unsigned way = 0; way < NORM_WAYS; way++)
        assert_true(norm_causes[way] ? beyond[way] > 190 && named[way] == beyond[way] : beyond[way] == 0);
}

static void the_worst_element_of_a_norm_is_named(void **state)
{
    const double x[] = {3, -4, 0, 5, 1, 1, 1, 1}, eps = 0;
    double y[8] = {0};
    const struct ulpscope_problem rms =
        ulpscope_norm_of(ULPSCOPE_RMS_NORM, ulpscope_matrix(ULPSCOPE_BINARY64, x, 2, 4), eps);
    const struct ulpscope_problem layer =
        ulpscope_norm_of(ULPSCOPE_LAYER_NORM, ulpscope_matrix(ULPSCOPE_BINARY64, x, 2, 4), eps);
    (void)state;
    assert_int_equal(ulpscope_result_count(&rms), 8);
    assert_int_equal(ulpscope_rounded(&rms, y), ULPSCOPE_OK);
    assert_true(y[0] == 3 / sqrt(12.5) && y[2] == 0 && y[7] == 1);
    assert_true(judged(&rms, y, "exact").passed);
    y[1] = y[3] = -1.2;
    const struct ulpscope_verdict verdict = judged(&rms, y, "2ulp");
    assert_true(!verdict.passed && verdict.failed == 2 && verdict.row == 0 && verdict.column == 3);
    assert_non_null(
        strstr(verdict.words, "2 of 8 results fail; the worst is -1.2 in row 0, element 3, expected 1.4142"));
    assert_int_equal(ulpscope_rounded(&layer, y), ULPSCOPE_OK); /* 0/0 in its second row */
    assert_true(y[2] == -1 / sqrt(11.5) && isnan(y[4]) && isnan(y[7]));
    assert_true(judged(&layer, y, "auto").passed);
    y[5] = 0;
    assert_false(judged(&layer, y, "auto").passed);
}

static void a_norm_has_an_eps_of_0_or_more(void **state)
{
    static const double eps[] = {-1e-5, (double)NAN, (double)INFINITY, 0, 1e-5};
    const double x[] = {1, INFINITY, -0.0}, y[] = {(double)NAN, (double)NAN, (double)NAN};
    (void)state;
    for (size_t e = 0; e < 5; e++) {
        const struct ulpscope_problem of =
            ulpscope_norm_of(ULPSCOPE_RMS_NORM, ulpscope_vector(ULPSCOPE_BINARY64, x, 3), eps[e]);
        struct ulpscope_verdict verdict = {.size = sizeof verdict};
        assert_int_equal(ulpscope_judge(&of, y, "auto", &verdict), e < 3 ? ULPSCOPE_BAD_ARGUMENT : ULPSCOPE_OK);
        assert_true(e < 3 ? strstr(ulpscope_why(), "an eps of 0 or more") != NULL : verdict.passed);
    }
    struct ulpscope_problem of = ulpscope_norm_of(ULPSCOPE_RMS_NORM, ulpscope_vector(ULPSCOPE_BINARY64, x, 0), 0);
    struct ulpscope_verdict verdict = {.size = sizeof verdict};
    assert_int_equal(ulpscope_judge(&of, NULL, "auto", &verdict), ULPSCOPE_OK);
    assert_string_equal(verdict.words, "no results");
}

/* ---- exponentials ---- */

/* 512 equal logits, in bfloat16: a sum of ones that is kept in bfloat16 ends at 256. */
static void a_row_of_a_softmax_that_sums_to_2_is_said_so(void **state)
{
    enum { WIDTH = 512 };
    static float x[2 * WIDTH], y[2 * WIDTH];
    (void)state;
    for (unsigned i = 0; i < 2 * WIDTH; i++) {
        x[i] = 3;
        y[i] = i < WIDTH ? 0x1p-9f : 0x1p-8f;
    }
    const struct ulpscope_problem right =
        ulpscope_exponentials_of(ULPSCOPE_SOFTMAX, ulpscope_matrix(ULPSCOPE_BINARY32, x, 1, WIDTH));
    const struct ulpscope_problem both =
        ulpscope_exponentials_of(ULPSCOPE_SOFTMAX, ulpscope_matrix(ULPSCOPE_BINARY32, x, 2, WIDTH));
    const struct ulpscope_verdict good = judged(&right, y, "exact"), bad = judged(&both, y, "2ulp");
    assert_true(good.passed && good.row_sum == 1 && good.divergence == 0);
    assert_true(!bad.passed && bad.failed == WIDTH && bad.count == 2 * WIDTH && bad.row == 1);
    assert_true(bad.row_sum == 2 && bad.divergence == 0);
    assert_non_null(strstr(bad.words, "rows sum to 1+1, divergence 0"));
    assert_non_null(strstr(bad.cause, "a row does not sum to 1"));
}

static void what_exponentials_are_of_bad_input_is_stated(void **state)
{
    const double inf = (double)INFINITY, nan = (double)NAN;
    const struct {
        double x[2], softmax[2], log[2], lse;
    } cases[] = {{{0, -inf}, {1, 0}, {0, -inf}, 0},
                 {{-inf, -inf}, {nan, nan}, {nan, nan}, nan},
                 {{1, inf}, {nan, nan}, {nan, nan}, nan},
                 {{nan, 1}, {nan, nan}, {nan, nan}, nan},
                 {{1e308, -1e308}, {1, 0}, {0, -inf}, 1e308}, /* a difference that is out of range */
                 {{7, 7}, {0.5, 0.5}, {-0x1.62e42fefa39efp-1, -0x1.62e42fefa39efp-1}, 0x1.ec5c85fdf473ep+2}};
    unsigned compared = 0;
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (ulpscope_operation of = ULPSCOPE_SOFTMAX; of <= ULPSCOPE_LOGSUMEXP; of++) {
            const struct ulpscope_problem problem =
                ulpscope_exponentials_of(of, ulpscope_vector(ULPSCOPE_BINARY64, cases[c].x, 2));
            const double *const y = of == ULPSCOPE_SOFTMAX       ? cases[c].softmax
                                    : of == ULPSCOPE_LOG_SOFTMAX ? cases[c].log
                                                                 : &cases[c].lse;
            const double twin[] = {0.75, 0.75};
            assert_true(judged(&problem, y, "exact").passed);
            assert_false(judged(&problem, twin, "exact").passed);
            compared++;
        }
    assert_int_equal(compared, 18);
    const struct ulpscope_problem none =
        ulpscope_exponentials_of(ULPSCOPE_LOGSUMEXP, ulpscope_vector(ULPSCOPE_BINARY64, NULL, 0));
    const double zero = 0;
    assert_true(judged(&none, &nan, "exact").passed && !judged(&none, &zero, "exact").passed);
}

static void exponentials_have_no_bound_of_an_unknown_algorithm(void **state)
{
    const double x = 1, y = 1;
    struct ulpscope_problem of = ulpscope_exponentials_of(ULPSCOPE_SOFTMAX, ulpscope_vector(ULPSCOPE_BINARY64, &x, 1));
    struct ulpscope_verdict verdict = {.size = sizeof verdict};
    struct ulpscope_verdict old = {.size = offsetof(struct ulpscope_verdict, row_sum), .row_sum = 42};
    (void)state;
    assert_int_equal(ulpscope_judge(&of, &y, "auto", &verdict), ULPSCOPE_BAD_ARGUMENT);
    assert_non_null(strstr(ulpscope_why(), "the bound of a softmax depends on its algorithm"));
    assert_int_equal(ulpscope_judge(&of, &y, "1ulp", &verdict), ULPSCOPE_OK);
    assert_int_equal(ulpscope_judge(&of, &y, "1ulp", &old), ULPSCOPE_OK); /* of a caller who knows no sums of rows */
    assert_true(verdict.passed && verdict.row_sum == 1 && old.passed && old.row_sum == 42);
}

/* ---- scans ---- */

/* Of the numbers of a result alone. */
static struct ulpscope_error error_of_sum(const float *x, uint64_t first, uint64_t end, const float *computed)
{
    const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, x + first, end - first));
    struct ulpscope_error error = {.size = sizeof error};
    assert_int_equal(ulpscope_errors(&sum, computed, &error), ULPSCOPE_OK);
    return error;
}

/* Infinities and a NaN among them, which leave a window again. */
static void a_result_of_a_scan_is_a_sum_with_its_bound(void **state)
{
    enum { N = 300 };
    static float x[N], y[N];
    static struct ulpscope_error errors[N];
    static const uint64_t windows[] = {0, 1, 7, N};
    unsigned others = 0;
    (void)state;
    for (unsigned i = 0; i < N; i++) {
        x[i] = i == 90 ? INFINITY : i == 92 ? -INFINITY : i == 200 ? NAN : i % 7 == 3 ? -0.0f : sinf((float)i * 1e3f);
        y[i] = (i > 0 ? y[i - 1] : 0) + x[i];
    }
    for (size_t w = 0; w < sizeof windows / sizeof *windows; w++) {
        const struct ulpscope_problem scan = ulpscope_scan_of(ulpscope_vector(ULPSCOPE_BINARY32, x, N), windows[w]);
        errors[0].size = sizeof errors[0];
        assert_int_equal(ulpscope_result_count(&scan), N);
        assert_int_equal(ulpscope_errors(&scan, y, errors), ULPSCOPE_OK);
        for (uint64_t i = 0; i < N; i++) {
            const uint64_t first = windows[w] > 0 && i >= windows[w] ? i + 1 - windows[w] : 0;
            const struct ulpscope_error alone = error_of_sum(x, first, i + 1, &y[i]),
                                        other = error_of_sum(x, first, i, &y[i]); /* the twin */
            assert_memory_equal(&errors[i], &alone, sizeof alone);
            others += memcmp(&errors[i], &other, sizeof other) != 0;
        }
    }
    assert_true(others > N);
}

static void the_first_result_of_a_scan_that_fails_is_named(void **state)
{
    static const float x[2][4] = {{0x1p24f, 1, 1, 1}, {1, 2, 3, 4}};
    const float sound[] = {0x1p24f, 0x1p24f, 0x1p24f + 2, 0x1p24f + 4, 1, 3, 6, 10},
                stays[] = {0x1p24f, 0x1p24f, 0x1p24f, 0x1p24f, 1, 3, 6, 10};
    struct ulpscope_problem rows = ulpscope_scan_of(ulpscope_matrix(ULPSCOPE_BINARY32, x, 2, 4), 0);
    const struct ulpscope_problem row = ulpscope_scan_of(ulpscope_vector(ULPSCOPE_BINARY32, x, 4), 0);
    (void)state;
    assert_true(judged(&rows, sound, "exact").passed); /* the twin */
    const struct ulpscope_verdict bad = judged(&rows, stays, "exact"), two = judged(&row, stays, "1.5ulp");
    assert_true(!bad.passed && bad.failed == 2 && bad.count == 8 && bad.row == 0 && bad.column == 3);
    assert_non_null(strstr(bad.words,
                           "2 of 8 results fail, the first in row 0, element 2, 16777216 for 16777218: 1 ulp; "
                           "the worst is 16777216 in row 0, element 3, expected 16777220: 1.5 ulp"));
    assert_true(two.passed);
    const struct ulpscope_verdict one = judged(&row, stays, "1ulp");
    assert_non_null(strstr(one.words, "1 of 4 results fail; the worst is 16777216 in element 3, expected 16777220"));
    assert_non_null(
        strstr(judged(&row, stays + 4, "exact").words, "4 of 4 results fail; the first and worst is 1 in element 0"));
    rows.window = 1; /* each number alone */
    assert_true(judged(&rows, x, "exact").passed && !judged(&rows, sound, "exact").passed);
    rows.size = offsetof(struct ulpscope_problem, window); /* of a caller who knows no windows */
    assert_true(judged(&rows, sound, "exact").passed && !judged(&rows, x, "exact").passed);
}

/* Off by the same: within the bound of 4,096 additions, beyond that of one. */
static void a_prefix_has_to_keep_a_bound_of_its_own(void **state)
{
    enum { N = 4096 };
    static float x[N], y[N];
    (void)state;
    for (unsigned i = 0; i < N; i++) {
        x[i] = 1;
        y[i] = (float)(i + 1);
    }
    const struct ulpscope_problem scan = ulpscope_scan_of(ulpscope_vector(ULPSCOPE_BINARY32, x, N), 0);
    y[N - 1] += 0.125f;
    assert_true(judged(&scan, y, "auto").passed);
    y[1] += 0.125f;
    const struct ulpscope_verdict bad = judged(&scan, y, "auto");
    assert_true(!bad.passed && bad.failed == 1 && bad.column == 1 && bad.worst.bound < 0x1p-20);
    for (unsigned i = 0; i < N; i++) { /* an exclusive one */
        x[i] = (float)(i * i % 1009);
        y[i] = i > 0 ? y[i - 1] + x[i - 1] : 0;
    }
    assert_non_null(strstr(judged(&scan, y, "auto").words, "Likely: the scan is exclusive"));
    y[100] += x[100] / 2; /* the twin */
    assert_null(strstr(judged(&scan, y, "auto").words, "exclusive"));
    for (unsigned i = 0; i < N; i++) /* two that lag, in one that is inclusive */
        y[i] = (i > 0 ? y[i - 1] : 0) + x[i];
    y[200] = y[199];
    y[300] = y[299];
    const struct ulpscope_verdict lagging = judged(&scan, y, "auto");
    assert_true(lagging.failed == 2 && !strstr(lagging.words, "exclusive"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_of_a_scan_is_a_sum_with_its_bound),
        cmocka_unit_test(the_first_result_of_a_scan_that_fails_is_named),
        cmocka_unit_test(a_prefix_has_to_keep_a_bound_of_its_own),
        cmocka_unit_test(results_do_not_depend_on_the_rounding_mode),
        cmocka_unit_test(results_do_not_depend_on_flushed_subnormals),
        cmocka_unit_test(a_decimal_comma_is_the_callers),
        cmocka_unit_test(a_limit_in_ulps_is_exact_at_its_edge),
        cmocka_unit_test(a_limit_in_percent_is_rounded_down),
        cmocka_unit_test(a_limit_in_u_is_rounded_down_where_it_is_subnormal),
        cmocka_unit_test(what_no_limit_is_is_refused),
        cmocka_unit_test(a_sum_without_a_number_passes_only_as_ieee_754_has_it),
        cmocka_unit_test(what_tf32_makes_of_factors_is_no_error),
        cmocka_unit_test(a_sum_beyond_the_format_is_infinite_or_judged_by_its_error),
        cmocka_unit_test(a_finite_plain_sum_keeps_the_bound_of_any_order),
        cmocka_unit_test(zeros_sum_to_minus_0_only_if_all_are),
        cmocka_unit_test(a_vacuous_test_is_told),
        cmocka_unit_test(a_test_is_vacuous_if_all_of_its_results_are),
        cmocka_unit_test(a_last_product_that_nobody_misses_is_told),
        cmocka_unit_test(words_say_on_which_side_of_the_bound_a_failure_is),
        cmocka_unit_test(words_have_no_infinite_error_of_a_finite_result),
        cmocka_unit_test(words_of_a_pass_give_the_error_or_the_infinity),
        cmocka_unit_test(every_row_is_judged_and_the_worst_is_named),
        cmocka_unit_test(bad_arguments_are_refused_with_a_text),
        cmocka_unit_test(a_product_beyond_memory_is_out_of_memory),
        cmocka_unit_test(no_elements_sum_to_0),
        cmocka_unit_test(no_order_is_beyond_the_bound_of_any_order),
        cmocka_unit_test(additions_are_those_of_the_widest_format),
        cmocka_unit_test(a_large_sum_is_that_of_the_reference),
        cmocka_unit_test(threads_do_not_meet),
        cmocka_unit_test(the_version_is_that_of_the_header),
        cmocka_unit_test(a_variance_by_two_passes_is_within_auto_and_by_squares_beyond_it),
        cmocka_unit_test(a_statistic_that_is_not_defined_is_nan_and_nothing_else),
        cmocka_unit_test(weighted_means_and_cosines_are_within_auto),
        cmocka_unit_test(weights_that_nearly_cancel_have_no_claim),
        cmocka_unit_test(a_layer_norm_is_within_auto_and_its_mistakes_beyond_it),
        cmocka_unit_test(the_worst_element_of_a_norm_is_named),
        cmocka_unit_test(a_norm_has_an_eps_of_0_or_more),
        cmocka_unit_test(a_row_of_a_softmax_that_sums_to_2_is_said_so),
        cmocka_unit_test(what_exponentials_are_of_bad_input_is_stated),
        cmocka_unit_test(exponentials_have_no_bound_of_an_unknown_algorithm),
        cmocka_unit_test(a_problem_from_before_ddof_has_none),
        cmocka_unit_test(auto_is_refused_where_no_bound_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Planted products: they compute what they say, and fail the tests that they are planted for and no others; one without
 * a fault passes in every format.  And `ulpscope grade` from outside. */
#include "tests/support/program.h"

#include "planted.h"
#include "src/base/format.h"
#include "tests/support/grades.h"
#include "tests/support/json_output.h"
#include "tests/support/random.h"

#include <math.h>
#include <mpfr.h>

enum { N = 32 };

/* ---- grades ---- */

struct expected {
    const char *name;
    int failing[GRADE_TESTS]; /* in their order: zeros, scales, blocks, growth; UNTOLD: tells nothing */
    const char *conclusion;
};
enum { UNTOLD = -1 };

static const struct expected planted[] = {
    {"planted/none", {0, 0, 0, 0}, "grade A"},
    {"planted/strassen", {GRADE_LIMIT, GRADE_LIMIT, 0, GRADE_SLOPE}, "Strassen-like, in floating point"},
    {"planted/fixed", {0, GRADE_LIMIT, GRADE_LIMIT, 0}, "conventional, in fixed point"},
    {"planted/strassen_fixed", {GRADE_LIMIT, GRADE_LIMIT, GRADE_LIMIT, GRADE_SLOPE}, "Strassen-like, in fixed point"},
    {"planted/truncating", {0, 0, 0, GRADE_SIGN}, "does not round to nearest"},
    {"planted/none@binary64", {0, 0, 0, 0}, "grade A"},
    {"planted/strassen@binary64", {GRADE_LIMIT, GRADE_LIMIT, 0, GRADE_SLOPE}, "Strassen-like, in floating point"},
    {"planted/fixed@binary64", {0, GRADE_LIMIT, GRADE_LIMIT, 0}, "conventional, in fixed point"},
    {"planted/truncating@binary64", {0, 0, 0, GRADE_SIGN}, "does not round to nearest"},
    {"planted/none@binary32_to_binary64", {0, 0, 0, 0}, "grade A"},
    {"planted/none@bfloat16_to_binary32", {0, 0, 0, 0}, "grade A"},
    {"planted/fixed@bfloat16_to_binary32", {0, GRADE_LIMIT, GRADE_LIMIT, 0}, "conventional, in fixed point"},
    {"planted/none@binary16", {0, 0, UNTOLD, 0}, "grade A"},
    {"planted/strassen@binary16", {GRADE_LIMIT, GRADE_LIMIT, UNTOLD, 0}, "Strassen-like; these formats"},
    {"planted/fixed@binary16", {0, GRADE_LIMIT, UNTOLD, 0}, "conventional, in fixed point"},
    {"planted/truncating@binary16", {0, 0, UNTOLD, GRADE_SIGN}, "does not round to nearest"},
    {"planted/none@bfloat16", {0, 0, UNTOLD, 0}, "grade A"},
    {"planted/truncating@bfloat16", {0, 0, UNTOLD, GRADE_SIGN}, "does not round to nearest"},
    {"planted/none@binary16_in_binary16", {0, 0, UNTOLD, 0}, "grade A"},
    {"planted/none@bfloat16_in_bfloat16", {0, 0, UNTOLD, 0}, "grade A"},
    {"planted/strassen@bfloat16_in_bfloat16", {GRADE_LIMIT, GRADE_LIMIT, UNTOLD, GRADE_SLOPE}, "Strassen-like"},
    {"planted/truncating@bfloat16_in_bfloat16", {0, 0, UNTOLD, GRADE_SIGN}, "does not round to nearest"},
    {"planted/none@binary16_to_binary32", {0, 0, UNTOLD, 0}, "grade A"},
    {"planted/none@e4m3", {0, 0, UNTOLD, 0}, "grade A"},
    {"planted/fixed@e4m3", {0, 0, UNTOLD, 0}, "grade A"}, /* 24 bits hold all of e4m3 */
    {"planted/none@e5m2", {0, 0, UNTOLD, 0}, "grade A"},
    {"planted/fixed@e5m2", {0, GRADE_LIMIT, UNTOLD, 0}, "conventional, in fixed point"},
    {"planted/none@e4m3_in_binary16", {0, 0, UNTOLD, 0}, "grade A"},
    {"planted/fixed@e4m3_in_binary16", {0, GRADE_LIMIT, UNTOLD, 0}, "conventional, in fixed point"},
    {"planted/none@e5m2_in_binary16", {0, 0, UNTOLD, 0}, "grade A"},
};

static void fails_what_it_is_planted_for(void **state)
{
    const struct expected *const expected = *state;
    const struct graded graded = planted_named(expected->name);
    const struct grade grade = grade_of(&graded, 128, 2, 1, 2);
    bool passes = true;
    for (int t = 0; t < GRADE_TESTS; t++) {
        const struct grade_test *const test = &grade.tests[t];
        const int found = test->told ? (int)test->failed : UNTOLD;
        passes = passes && found <= 0;
        if (found != expected->failing[t])
            fail_msg("%s: %s: found %d, expected %d; slope %g", expected->name, test->family->id, found,
                     expected->failing[t], test->slope);
    }
    assert_true(grade_passed(&grade) == passes);
    if (!strstr(grade_conclusion(&grade), expected->conclusion))
        fail_msg("%s: %s", expected->name, grade_conclusion(&grade));
}

static void a_sound_product_passes_with_any_seed(void **state)
{
    const struct graded graded = planted_named("planted/none");
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        const struct grade grade = grade_of(&graded, 64, 2, seed, 0);
        assert_true(grade_passed(&grade));
    }
}

/* bfloat16: n^(3/2) u <= 1 up to 32; at 128, 78 % are toward 0. */
static void drift_of_rounding_to_nearest_is_no_sign(void **state)
{
    const struct graded graded = planted_named("planted/none@bfloat16_in_bfloat16");
    (void)state;
    const struct grade grade = grade_of(&graded, 128, 4, 1, 2);
    const struct grade_test *const growth = &grade.tests[GROWTH];
    assert_true(grade_passed(&grade));
    assert_true(growth->rounded == growth->sizes[0].rounded + growth->sizes[1].rounded);
    assert_true(4 * growth->sizes[3].toward_0 > 3 * growth->sizes[3].rounded);
}

/* In e5m2 few sums of 16 or 32 products need 24 bits: of the five errors four are toward 0. */
static void few_errors_have_no_sign(void **state)
{
    const struct graded graded = planted_named("planted/none@e5m2");
    (void)state;
    const struct grade grade = grade_of(&graded, N, 2, 1, 0);
    const struct grade_test *const growth = &grade.tests[GROWTH];
    assert_true(growth->rounded > 0 && 4 * growth->toward_0 > 3 * growth->rounded);
    assert_true(grade_passed(&grade));
}

static void threads_change_nothing(void **state)
{
    const struct graded graded = planted_named("planted/strassen");
    (void)state;
    const struct grade one = grade_of(&graded, N, 2, 1, 1), three = grade_of(&graded, N, 2, 1, 3),
                       other = grade_of(&graded, N, 2, 2, 1);
    assert_memory_equal(&one, &three, sizeof one);
    assert_true(memcmp(&one, &other, sizeof one) != 0);
}

/* ---- what planted products compute ---- */

/* Whole numbers up to 15: no sum of products of 32 of them is rounded. */
static void planted_products_of_small_integers_are_exact(void **state)
{
    static float a[N * N], b[N * N], c[N * N];
    const size_t count = sizeof products / sizeof *products;
    (void)state;
    for (int i = 0; i < N * N; i++) {
        a[i] = (float)below(31) - 15;
        b[i] = (float)below(31) - 15;
    }
    for (size_t p = 0; p < count; p++) {
        const struct graded graded = planted_named(products[p].id);
        memset(c, 0xff, sizeof c);
        assert_int_equal(graded.product(&graded, N, 0, a, b, c), OK);
        for (int i = 0; i < N * N; i++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i / N * N + k] * b[k * N + i % N];
            assert_true(c[i] == sum);
        }
    }
}

/* 2^-26 beside 1, in a row of A or a column of B. */
static void fixed_point_has_nothing_far_below_the_largest(void **state)
{
    static const char *const names[] = {"planted/none", "planted/fixed", "planted/strassen_fixed"};
    static float far[N * N], ones[N * N], c[N * N];
    (void)state;
    for (int side = 0; side < 2; side++)
        for (int p = 0; p < 3; p++) {
            const struct graded graded = planted_named(names[p]);
            for (int i = 0; i < N * N; i++) {
                far[i] = (side == 0 ? i % N : i / N) == N - 1 ? 1 : 0x1p-26f;
                ones[i] = 1;
            }
            assert_int_equal(graded.product(&graded, N, 0, side == 0 ? far : ones, side == 0 ? ones : far, c), OK);
            for (int i = 0; i < N * N; i++)
                assert_true((c[i] == 1) == (p > 0));
        }
}

/* Three loops in MPFR, of p bits. */
static void truncating_rounds_toward_0_and_none_to_nearest(void **state)
{
    static const char *const names[][2] = {
        {"planted/truncating", "planted/none"},
        {"planted/truncating@binary64", "planted/none@binary64"},
        {"planted/truncating@bfloat16_in_bfloat16", "planted/none@bfloat16_in_bfloat16"},
        {"planted/truncating@bfloat16", "planted/none@bfloat16"}};
    static double a[N * N], b[N * N], c[N * N]; /* as large as any format needs */
    mpfr_t sum, term;
    (void)state;
    for (int row = 0; row < 8; row++) {
        const struct graded graded = planted_named(names[row / 2][row % 2]);
        const mpfr_rnd_t mode = row % 2 == 0 ? MPFR_RNDZ : MPFR_RNDN;
        const struct format *const format = graded.formats->stored;
        struct generator_call call;
        assert_int_equal(grade_call(ZEROS, graded.formats, N, 1, 0, &call), OK);
        matrices_fill(grade_families[ZEROS], &call, a, b);
        assert_int_equal(graded.product(&graded, N, 0, a, b, c), OK);
        mpfr_inits2(graded.formats->added->precision, sum, term, (mpfr_ptr)NULL);
        for (uint64_t i = 0; i < N * N; i++) {
            mpfr_set_prec(sum, graded.formats->added->precision);
            mpfr_set_zero(sum, 1);
            for (uint64_t k = 0; k < N; k++) {
                mpfr_set_d(term, held_number(format, a, i / N * N + k), MPFR_RNDN);
                mpfr_mul_d(term, term, held_number(format, b, k * N + i % N), mode);
                mpfr_add(sum, sum, term, mode);
            }
            mpfr_prec_round(sum, graded.formats->result->precision, mode);
            assert_true(mpfr_get_d(sum, MPFR_RNDN) == held_number(format, c, i));
        }
        mpfr_clears(sum, term, (mpfr_ptr)NULL);
    }
}

/* ---- from outside ---- */

static void the_exit_code_is_the_verdict(void **state)
{
    struct outcome outcome;
    (void)state;
    run_line("\"$ULPSCOPE\" grade matmul:plain/naive --size-most 40 --samples 1", &outcome);
    assert_int_equal(outcome.code, 0);
    assert_non_null(strstr(outcome.out, "n = 16 to 32, 1 sample of each, seed 1;"));
    assert_non_null(strstr(outcome.out, "\npass: conventional"));
    outcome_free(&outcome);
    run_line("\"$ULPSCOPE\" grade matmul:hopper_wgmma/chain@e4m3 --size-most 16 --seed 7", &outcome);
    assert_int_equal(outcome.code, 1);
    assert_non_null(strstr(outcome.out, "n = 16, 4 samples of each, seed 7;"));
    assert_non_null(strstr(outcome.out, "\nFAIL: conventional, but less precise than its formats"));
    assert_string_equal(outcome.err, "");
    outcome_free(&outcome);
    run_line("\"$ULPSCOPE\" grade matmul:hopper_wgmma/chain@e4m3 --size-most 32 --json -", &outcome);
    assert_int_equal(outcome.code, 1);
    json_t *const root = json_of_text("grade", outcome.out);
    const json_t *const failed = json_object_get(json_array_get(json_object_get(root, "tests"), GROWTH), "failed");
    assert_true(json_is_false(json_object_get(root, "passed")) && json_array_size(failed) == 2);
    assert_string_equal(json_string_value(json_array_get(failed, 1)), "sign");
    json_decref(root);
    outcome_free(&outcome);
}

static void a_test_that_tells_nothing_says_why(void **state)
{
    (void)state;
    char *page = output_of("\"$ULPSCOPE\" grade matmul:plain/naive@bfloat16 --size-most 16");
    assert_non_null(strstr(page, "\nblocks tells nothing in these formats: u is too large"));
    free(page);
    page = output_of("\"$ULPSCOPE\" grade matmul:plain/naive@e5m2 --size-most 16");
    assert_non_null(strstr(page, "\nblocks tells nothing in these formats: exponents differ too little"));
    free(page);
}

static const struct CMUnitTest facts[] = {
    FACT(a_sound_product_passes_with_any_seed),
    FACT(drift_of_rounding_to_nearest_is_no_sign),
    FACT(few_errors_have_no_sign),
    FACT(threads_change_nothing),
    FACT(planted_products_of_small_integers_are_exact),
    FACT(fixed_point_has_nothing_far_below_the_largest),
    FACT(truncating_rounds_toward_0_and_none_to_nearest),
    FACT(the_exit_code_is_the_verdict),
    FACT(a_test_that_tells_nothing_says_why),
};

int main(void)
{
    ADD_FACTS(facts);
    ADD_ROWS(planted, fails_what_it_is_planted_for);
    return run_all_tests();
}

/* What a grade counts: products that are right but for one thing. */
#include "tests/support/program.h"

#include "reference/matrix.h"
#include "tests/support/grades.h"

#include <math.h>

enum { N = 32 };
static const struct sum_format *const wide = &sum_format_binary32;

/* What becomes of an element: its exact value rounded to binary32, and what rounding took. */
typedef float tamper(uint64_t n, uint64_t i, uint64_t j, const struct exact_element *exact);

struct tampering {
    tamper *element;
};

static enum status tampered(const struct graded *graded, uint64_t n, unsigned workers, const void *a, const void *b,
                            void *c)
{
    const struct tampering *const tampering = graded->context;
    struct exact_element *const exact = malloc(n * n * sizeof *exact);
    struct matrix_product product = {
        .format = wide->stored, .result = wide->result, .rows = n, .inner = n, .columns = n};
    product.a = (struct matrix){a, n, 1};
    product.b = (struct matrix){b, n, 1};
    assert_non_null(exact);
    assert_int_equal(exact_matrix(&product, workers, exact), OK);
    for (uint64_t i = 0; i < n * n; i++)
        ((float *)c)[i] = (float)exact[i].nearest;
    product.computed = (struct matrix){c, n, 1};
    assert_int_equal(exact_matrix(&product, workers, exact), OK);
    for (uint64_t i = 0; i < n * n; i++)
        ((float *)c)[i] = tampering->element(n, i / n, i % n, &exact[i]);
    free(exact);
    return OK;
}

static struct grade grade_tampered(tamper *element)
{
    const struct tampering tampering = {element};
    const struct graded graded = {.name = "tampered", .formats = wide, .context = &tampering, .product = tampered};
    return grade_of(&graded, N, 4, 1, 0);
}

static float as_it_is(uint64_t n, uint64_t i, uint64_t j, const struct exact_element *exact)
{
    (void)n, (void)i, (void)j;
    return (float)exact->nearest;
}

/* The twin of all that follow. */
static void a_correctly_rounded_product_passes_within_u(void **state)
{
    (void)state;
    const struct grade grade = grade_tampered(as_it_is);
    assert_true(grade_passed(&grade));
    for (int t = SCALES; t < GRADE_TESTS; t++)
        for (size_t s = 0; s < 2; s++)
            assert_true(grade.tests[t].sizes[s].worst.ratio <= 1 && grade.tests[t].sizes[s].worst.ratio > 0.9);
    assert_true(grade.tests[GROWTH].slope == 0);
}

static bool is_the_one(uint64_t i, uint64_t j)
{
    return i == 3 && j == 5;
}

static float one_nan(uint64_t n, uint64_t i, uint64_t j, const struct exact_element *exact)
{
    (void)n;
    return is_the_one(i, j) ? NAN : (float)exact->nearest;
}

static void a_nan_never_passes_and_is_the_witness(void **state)
{
    (void)state;
    const struct grade grade = grade_tampered(one_nan);
    for (int t = SCALES; t < GRADE_TESTS; t++) {
        const struct grade_size *const size = grade_witness(&grade.tests[t]);
        assert_true(grade.tests[t].failed & GRADE_LIMIT);
        assert_true(size->n == 16 && size->broken == 4 && isinf(size->worst.ratio) && isnan(size->worst.computed));
        assert_true(is_the_one(size->worst.i, size->worst.j) && isfinite(size->worst.nearest));
    }
    assert_non_null(strstr(grade_conclusion(&grade), "not finite"));
}

static float negative_zeros(uint64_t n, uint64_t i, uint64_t j, const struct exact_element *exact)
{
    (void)n, (void)i, (void)j;
    return exact->sum_abs_above == 0 ? -0.0f : (float)exact->nearest;
}

static float least_for_zero(uint64_t n, uint64_t i, uint64_t j, const struct exact_element *exact)
{
    (void)i, (void)j;
    return exact->sum_abs_above == 0 && n == N ? 0x1p-149f : (float)exact->nearest;
}

static void zeros_may_be_negative_and_nothing_else(void **state)
{
    (void)state;
    struct grade grade = grade_tampered(negative_zeros);
    assert_true(grade_passed(&grade));
    grade = grade_tampered(least_for_zero);
    const struct grade_size *const sizes = grade.tests[ZEROS].sizes;
    assert_true(grade.tests[ZEROS].failed == GRADE_LIMIT && sizes[0].broken == 0);
    assert_true(sizes[1].broken == sizes[1].judged && sizes[1].not_zero == sizes[1].judged &&
                isinf(sizes[1].worst.ratio));
    assert_true(!grade.tests[SCALES].failed && !grade.tests[BLOCKS].failed && !grade.tests[GROWTH].failed);
}

/* All terms of `scales` are positive: s = (|A| |B|)_ij.  At most half an ulp, u s, comes from the rounding. */
static float above_the_limit(uint64_t n, uint64_t i, uint64_t j, const struct exact_element *exact)
{
    return (float)(exact->nearest * (is_the_one(i, j) ? 1 + ((double)n + 2) * 0x1p-24 : 1));
}

static float below_the_limit(uint64_t n, uint64_t i, uint64_t j, const struct exact_element *exact)
{
    return (float)(exact->nearest * (is_the_one(i, j) ? 1 + ((double)n - 2) * 0x1p-24 : 1));
}

static void the_limit_is_n_u(void **state)
{
    (void)state;
    const struct grade above = grade_tampered(above_the_limit), below = grade_tampered(below_the_limit);
    for (int t = SCALES; t < GRADE_TESTS; t++)
        for (size_t s = 0; s < 2; s++) {
            assert_true(above.tests[t].sizes[s].broken == (t == BLOCKS ? 0 : 4));
            assert_true(below.tests[t].sizes[s].broken == 0);
            assert_true(is_the_one(above.tests[t].sizes[s].worst.i, above.tests[t].sizes[s].worst.j));
        }
}

static float toward_0(uint64_t n, uint64_t i, uint64_t j, const struct exact_element *exact)
{
    (void)n, (void)i, (void)j;
    return exact->error * exact->nearest > 0 ? nextafterf((float)exact->nearest, 0) : (float)exact->nearest;
}

static float away_from_0(uint64_t n, uint64_t i, uint64_t j, const struct exact_element *exact)
{
    (void)n, (void)i, (void)j;
    return exact->error * exact->nearest < 0 ? nextafterf((float)exact->nearest, INFINITY) : (float)exact->nearest;
}

static void a_sign_is_seen_either_way(void **state)
{
    (void)state;
    const struct grade_test toward = grade_tampered(toward_0).tests[GROWTH],
                            away = grade_tampered(away_from_0).tests[GROWTH];
    assert_true(toward.failed == GRADE_SIGN && toward.toward_0 == toward.rounded);
    assert_true(away.failed == GRADE_SIGN && away.toward_0 == 0 && away.rounded == toward.rounded);
}

static float of_12_bits(uint64_t n, uint64_t i, uint64_t j, const struct exact_element *exact)
{
    (void)n, (void)i, (void)j;
    return (float)rounded_to(exact->nearest, &(struct format){"12 bits", 4, 12, -149, 128, false});
}

static void too_few_bits_break_the_limit_of_growth(void **state)
{
    (void)state;
    const struct grade grade = grade_tampered(of_12_bits);
    assert_true(!grade.tests[ZEROS].failed);
    assert_non_null(strstr(grade_conclusion(&grade), "less precise"));
    assert_true(grade.tests[GROWTH].failed == GRADE_LIMIT); /* the slope alone would pass it */
}

static enum status no_memory(const struct graded *graded, uint64_t n, unsigned workers, const void *a, const void *b,
                             void *c)
{
    (void)graded, (void)n, (void)workers, (void)a, (void)b, (void)c;
    return NOT_MEASURED;
}

static void a_product_that_fails_ends_the_grading(void **state)
{
    const struct graded graded = {.name = "none", .formats = wide, .product = no_memory};
    struct grade grade;
    (void)state;
    assert_int_equal(grade_make(&(struct grade_request){&graded, N, 1, 1, 1}, &grade), NOT_MEASURED);
}

static const struct CMUnitTest facts[] = {
    FACT(a_correctly_rounded_product_passes_within_u),
    FACT(a_nan_never_passes_and_is_the_witness),
    FACT(zeros_may_be_negative_and_nothing_else),
    FACT(the_limit_is_n_u),
    FACT(a_sign_is_seen_either_way),
    FACT(too_few_bits_break_the_limit_of_growth),
    FACT(a_product_that_fails_ends_the_grading),
};

int main(void)
{
    ADD_FACTS(facts);
    return run_all_tests();
}

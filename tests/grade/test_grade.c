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

/* Of the elements that every test judges: the largest error in u (|A| |B|)_ij, which is less than its rounded number.
 */
static double most;

static float as_it_is(uint64_t n, uint64_t i, uint64_t j, const struct exact_element *exact)
{
    (void)n;
    if (exact->sum_abs_above > 0 && i % 8 != 7 && j % 8 != 7)
        most = fmax(most, ldexp(fabs(exact->error) / nextafter(exact->sum_abs_above, 0), 24));
    return (float)exact->nearest;
}

/* The twin of all that follow. */
static void a_correctly_rounded_product_passes_within_u(void **state)
{
    (void)state;
    const struct grade grade = grade_tampered(as_it_is);
    double worst = 0;
    assert_true(grade_passed(&grade));
    for (int t = 0; t < GRADE_TESTS; t++)
        assert_int_equal(grade.tests[t].sizes[0].not_zero, 0);
    for (int t = SCALES; t < GRADE_TESTS; t++)
        for (size_t s = 0; s < 2; s++)
            assert_true(grade.tests[t].sizes[s].worst.ratio <= 1 && grade.tests[t].sizes[s].worst.ratio > 0.9),
                worst = fmax(worst, grade.tests[t].sizes[s].worst.ratio);
    assert_true(worst >= most && most > 0.9); /* rounded up */
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

/* One element is off by so many u (|A| |B|)_ij. */
static double off;

static float off_by_u(uint64_t n, uint64_t i, uint64_t j, const struct exact_element *exact)
{
    (void)n;
    return (float)(exact->nearest + (is_the_one(i, j) ? off * 0x1p-24 * exact->sum_abs_above : 0));
}

/* That of docs/matmul.md: at n = 16 and 32, blocks of 8. */
static void the_limit_of_blocks_is_that_of_winograds_form(void **state)
{
    static const double limits[] = {480, 4512};
    (void)state;
    for (size_t s = 0; s < 2; s++)
        for (int more = -4; more <= 4; more += 8) {
            off = limits[s] + more;
            const struct grade grade = grade_tampered(off_by_u);
            const struct grade_size *const size = &grade.tests[BLOCKS].sizes[s];
            assert_true(fabs(size->limit - limits[s]) < 0x1p-30);
            assert_int_equal(size->broken, more > 0 ? 4 : 0);
        }
}

/* Whether errors are toward 0 in so many of 20 elements, away from it in the others. */
static uint64_t toward_0_of_20;

static float toward_0_in_some(uint64_t n, uint64_t i, uint64_t j, const struct exact_element *exact)
{
    return ((i * n + j) * 7 % 20 < toward_0_of_20 ? toward_0 : away_from_0)(n, i, j, exact);
}

static void a_sign_is_more_than_three_quarters(void **state)
{
    (void)state;
    for (toward_0_of_20 = 0; toward_0_of_20 <= 20; toward_0_of_20++) {
        const struct grade_test growth = grade_tampered(toward_0_in_some).tests[GROWTH];
        if (toward_0_of_20 != 5 && toward_0_of_20 != 15) /* the edge itself, but for a few that are exact */
            assert_int_equal(growth.failed, toward_0_of_20 < 5 || toward_0_of_20 > 15 ? GRADE_SIGN : 0);
    }
}

/* 256 elements in a sample of 16 x 16, few of them without an error. */
static void a_sign_takes_1024_elements(void **state)
{
    (void)state;
    const struct tampering tampering = {toward_0};
    const struct graded graded = {.name = "tampered", .formats = wide, .context = &tampering, .product = tampered};
    for (uint64_t samples = 3; samples <= 5; samples++) {
        const struct grade_test growth = grade_of(&graded, 16, samples, 1, 0).tests[GROWTH];
        assert_int_equal(growth.sizes[0].judged, samples * 256);
        assert_true(growth.rounded > samples * 240 && growth.toward_0 == growth.rounded);
        assert_int_equal(growth.failed, growth.rounded >= 1024 ? GRADE_SIGN : 0);
        assert_true(samples != 5 || growth.failed);
    }
}

static double off_at_16 = 8, off_at_32;

static float off_more_at_32(uint64_t n, uint64_t i, uint64_t j, const struct exact_element *exact)
{
    off = n == N ? off_at_32 : off_at_16;
    return off_by_u(n, i, j, exact);
}

static void errors_may_grow_as_n(void **state)
{
    (void)state;
    off_at_32 = 17.5; /* n^1.13 */
    assert_int_equal(grade_tampered(off_more_at_32).tests[GROWTH].failed, GRADE_SLOPE);
    off_at_32 = 14.5; /* n^0.86 */
    assert_int_equal(grade_tampered(off_more_at_32).tests[GROWTH].failed, 0);
}

static void the_witness_is_of_the_smallest_size_that_fails(void **state)
{
    (void)state;
    off_at_16 = 18, off_at_32 = 200;
    const struct grade both = grade_tampered(off_more_at_32);
    assert_int_equal(grade_witness(&both.tests[SCALES])->n, 16);
    off_at_16 = 8;
    const struct grade one = grade_tampered(off_more_at_32); /* the twin */
    assert_int_equal(grade_witness(&one.tests[SCALES])->n, 32);
}

static double firsts[64];
static size_t first_count;

static float note_the_first(uint64_t n, uint64_t i, uint64_t j, const struct exact_element *exact)
{
    if (i == 0 && j == 0 && n == 16)
        firsts[first_count++] = exact->nearest;
    return (float)exact->nearest;
}

static void each_sample_is_another_product(void **state)
{
    (void)state;
    first_count = 0;
    grade_tampered(note_the_first);
    assert_int_equal(first_count, 4 * GRADE_TESTS);
    for (size_t a = 4; a < first_count; a++) /* of zeros the first element is 0 */
        for (size_t b = 4; b < a; b++)
            assert_true(firsts[a] != firsts[b]);
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
    FACT(the_limit_of_blocks_is_that_of_winograds_form),
    FACT(a_sign_is_more_than_three_quarters),
    FACT(a_sign_takes_1024_elements),
    FACT(errors_may_grow_as_n),
    FACT(the_witness_is_of_the_smallest_size_that_fails),
    FACT(each_sample_is_another_product),
    FACT(a_product_that_fails_ends_the_grading),
};

int main(void)
{
    ADD_FACTS(facts);
    return run_all_tests();
}

#include "grade.h"

#include "src/base/quotient.h"
#include "src/measure/operation.h"

const struct generator *const grade_families[GRADE_TESTS] = {[ZEROS] = &generator_zeros,
                                                             [SCALES] = &generator_scales,
                                                             [BLOCKS] = &generator_blocks,
                                                             [GROWTH] = &generator_growth};

enum status grade_call(int test, const struct sum_format *formats, uint64_t n, uint64_t seed, uint64_t sample,
                       struct generator_call *call)
{
    *call = (struct generator_call){.n = n,
                                    .seed = seed,
                                    .trial = sample,
                                    .family = generator_family(grade_families[test]->id),
                                    .format = *formats->stored,
                                    .overflow_exponent = matrix_overflow_exponent(formats)};
    return grade_families[test]->prepare(call);
}

/* Of `zeros` those whose products are all 0; of `blocks` those that no form of Strassen's method adds to the last row
 * or column. */
static bool is_judged(int test, const struct exact_element *exact, uint64_t i, uint64_t j)
{
    if (test == ZEROS)
        return exact->sum_abs_above == 0;
    return test != BLOCKS || (i % BLOCK != BLOCK - 1 && j % BLOCK != BLOCK - 1);
}

/* Of `blocks`, errors of a Strassen-like product whose recursion ends at blocks of at least BLOCK, in u (|A| |B|)_ij.
 * Higham, Accuracy and Stability of Numerical Algorithms (2002), 23.2.2: Winograd's form, which is worse than
 * Strassen's, has ((n / m)^log2(18) (m^2 + 6 m) - 6 n) u max|A| max|B| to first order.  Without the powers of two the
 * maxima are 2, and (|A| |B|)_ij >= n. */
static double strassen_bound(uint64_t n)
{
    const double m = BLOCK, size = (double)n;
    return 4 * (pow(size / m, log2(18)) * (m * m + 6 * m) - 6 * size) / size;
}

static double limit_of(int test, uint64_t n)
{
    return test == BLOCKS ? strassen_bound(n) : test == ZEROS ? 0 : (double)n;
}

/* Why a product in these formats tells nothing at this n: the end of a sentence.  NULL: it does. */
static const char *refusal_of(int test, const struct sum_format *formats, const struct generator_call *call)
{
    const int precision = graded_precision(formats);
    if (test != BLOCKS)
        return NULL;
    if (strassen_bound(call->n) * ldexp(1, -precision) > 0.5)
        return "u is too large: the bound of Strassen's method says nothing";
    if (matrix_range_of_products(call) <= precision)
        return "exponents differ too little: a fixed-point product keeps some digits";
    return NULL;
}

static double ratio_of(const struct exact_element *exact, int precision)
{
    const double ratio = ldexp(quotient_up(fabs(exact->error), below(exact->sum_abs_above)), precision);
    return isnan(ratio) ? (double)INFINITY : ratio;
}

/* What a size needs: matrices, and what is known of each element of the product. */
struct bench {
    void *a, *b, *c;
    struct exact_element *exact;
};

static enum status bench_new(const struct sum_format *formats, uint64_t n, struct bench *bench)
{
    const size_t operand = format_held(formats->stored)->bytes, result = format_held(formats->result)->bytes;
    *bench = (struct bench){malloc(n * n * operand), malloc(n * n * operand), malloc(n * n * result),
                            malloc(n * n * sizeof *bench->exact)};
    return bench->a && bench->b && bench->c && bench->exact ? OK : out_of_memory("matrices");
}

static void bench_free(struct bench *bench)
{
    free_all(bench->a, bench->b, bench->c, bench->exact);
}

static void count(struct grade_size *size, const struct exact_element *exact, const struct grade_element *element)
{
    size->judged++;
    size->broken += !(element->ratio <= size->limit);
    size->not_zero += exact->sum_abs_above == 0 && element->computed != 0;
    size->rounded += exact->error != 0;
    size->toward_0 += exact->error * exact->nearest < 0;
    if (size->judged == 1 || element->ratio > size->worst.ratio)
        size->worst = *element;
}

static void judge(const struct sum_format *formats, int test, uint64_t sample, const struct bench *bench,
                  struct grade_size *size)
{
    for (uint64_t i = 0; i < size->n; i++)
        for (uint64_t j = 0; j < size->n; j++) {
            const struct exact_element *const exact = &bench->exact[i * size->n + j];
            if (is_judged(test, exact, i, j))
                count(size, exact,
                      &(struct grade_element){.n = size->n,
                                              .sample = sample,
                                              .i = i,
                                              .j = j,
                                              .computed = held_number(formats->result, bench->c, i * size->n + j),
                                              .nearest = exact->nearest,
                                              .ratio = ratio_of(exact, graded_precision(formats))});
        }
}

static enum status grade_sample(const struct grade_request *request, int test, uint64_t sample,
                                const struct bench *bench, struct grade_size *size)
{
    const struct graded *const graded = request->graded;
    struct generator_call call;
    TRY(grade_call(test, graded->formats, size->n, request->seed, sample, &call));
    matrices_fill(grade_families[test], &call, bench->a, bench->b);
    TRY(graded->product(graded, size->n, request->workers, bench->a, bench->b, bench->c));
    TRY(exact_product(&(struct matrix_product){.format = graded->formats->stored,
                                               .result = graded->formats->result,
                                               .rows = size->n,
                                               .inner = size->n,
                                               .columns = size->n,
                                               .a = {bench->a, size->n, 1},
                                               .b = {bench->b, size->n, 1},
                                               .computed = {bench->c, size->n, 1}},
                      graded->device, request->seed, request->workers, bench->exact));
    judge(graded->formats, test, sample, bench, size);
    return OK;
}

static enum status grade_size(const struct grade_request *request, int test, const struct bench *bench,
                              struct grade_size *size)
{
    const struct sum_format *const formats = request->graded->formats;
    struct generator_call call;
    TRY(grade_call(test, formats, size->n, request->seed, 0, &call));
    size->limit = limit_of(test, size->n);
    size->refused = refusal_of(test, formats, &call);
    for (uint64_t sample = 0; sample < request->samples && !size->refused; sample++)
        TRY(grade_sample(request, test, sample, bench, size));
    return OK;
}

/* Rounding to nearest drifts as well, by n u of what each step rounds where terms are of one size: n^2 u after n steps,
 * where chance makes sqrt(n).  Beyond n^(3/2) u = 1 only the theorem is asked. */
static bool has_random_errors(const struct sum_format *formats, uint64_t n)
{
    return ldexp((double)n * sqrt((double)n), -graded_precision(formats)) <= 1;
}

/* Of log(worst ratio) over log(n), by least squares.  A ratio below 1 counts as 1, which is what the rounding of the
 * result alone may cost. */
static double slope_of(const struct grade_test *test, size_t sizes)
{
    double xx = 0, xy = 0, x_mean = 0, y_mean = 0;
    for (size_t s = 0; s < sizes; s++) {
        x_mean += log2((double)test->sizes[s].n) / (double)sizes;
        y_mean += log2(fmax(test->sizes[s].worst.ratio, 1)) / (double)sizes;
    }
    for (size_t s = 0; s < sizes; s++) {
        const double x = log2((double)test->sizes[s].n) - x_mean;
        xx += x * x;
        xy += x * (log2(fmax(test->sizes[s].worst.ratio, 1)) - y_mean);
    }
    return xy / xx;
}

/* Errors of rounding to nearest are as often toward 0 as away.  More than three quarters one way is no chance: were the
 * elements of a row, 16 or more, to err together, 1,024 of them would still be 64 independent rows, and 3/4 four
 * standard deviations. */
static bool has_a_sign(uint64_t rounded, uint64_t toward_0)
{
    enum { FEWEST = 1024 };
    return rounded >= FEWEST && (4 * toward_0 > 3 * rounded || 4 * toward_0 < rounded);
}

static void judge_growth(const struct sum_format *formats, size_t size_count, struct grade_test *test)
{
    size_t sizes = 0;
    while (sizes < size_count && has_random_errors(formats, test->sizes[sizes].n)) {
        test->rounded += test->sizes[sizes].rounded;
        test->toward_0 += test->sizes[sizes].toward_0;
        sizes++;
    }
    test->slope = sizes > 1 ? slope_of(test, sizes) : (double)NAN;
    if (sizes > 1 && !(test->slope <= 1))
        test->failed |= GRADE_SLOPE;
    if (has_a_sign(test->rounded, test->toward_0))
        test->failed |= GRADE_SIGN;
}

static enum status grade_all(const struct grade_request *request, const struct bench *bench, struct grade *grade)
{
    for (int t = 0; t < GRADE_TESTS; t++) {
        struct grade_test *const test = &grade->tests[t];
        test->family = grade_families[t];
        test->slope = NAN;
        for (size_t s = 0; s < grade->size_count; s++) {
            test->sizes[s].n = (uint64_t)MATRIX_SIZE_LEAST << s;
            TRY(grade_size(request, t, bench, &test->sizes[s]));
            test->told |= test->sizes[s].judged > 0;
            test->failed |= test->sizes[s].broken > 0 ? GRADE_LIMIT : 0;
        }
    }
    judge_growth(request->graded->formats, grade->size_count, &grade->tests[GROWTH]);
    return OK;
}

enum status grade_make(const struct grade_request *request, struct grade *grade)
{
    FREED_BY(bench_free) struct bench bench = {0};
    *grade = (struct grade){.request = request};
    while (((uint64_t)MATRIX_SIZE_LEAST << grade->size_count) <= request->size_most)
        grade->size_count++;
    TRY(bench_new(request->graded->formats, request->size_most, &bench));
    return grade_all(request, &bench, grade);
}

bool grade_passed(const struct grade *grade)
{
    for (int t = 0; t < GRADE_TESTS; t++)
        if (grade->tests[t].failed)
            return false;
    return true;
}

const struct grade_size *grade_witness(const struct grade_test *test)
{
    const struct grade_size *nearest = NULL;
    for (size_t s = 0; s < GRADE_SIZES; s++) {
        const struct grade_size *const size = &test->sizes[s];
        if (size->broken > 0)
            return size;
        if (size->judged > 0 && (!nearest || size->worst.ratio / size->limit > nearest->worst.ratio / nearest->limit))
            nearest = size;
    }
    return nearest;
}

/* Problems for libulpscope: any format, shape and stride.  Those whose elements lie in the input are computed, and what
 * is correctly rounded must be judged so; of the others it is asked whether they are problems at all.
 *
 *   byte 0      operation, and 16 times ddof; 1, 2 formats of x and y; 3 of results; 4 added; 5 dimensions, and where x
 * begins; 6 where y does then        the shapes and strides of both, 2 bytes each: a number, and how far it is shifted
 * then        a limit, to the first NUL; then elements
 */
#include "fuzz.h"

#include "include/ulpscope/ulpscope.h"

#include <stdlib.h>
#include <string.h>

/* CAUSES_MOST: terms beyond which no cause is looked for; few, or more than these, take little time. */
enum { RESULTS_MOST = 256, TERMS_MOST = 1 << 12, CAUSES_MOST = 1 << 22, BYTES = 256 };

struct input {
    const unsigned char *bytes;
    size_t size;
};

static unsigned char byte_of(struct input *in)
{
    in->size -= in->size > 0;
    return in->size > 0 ? *in->bytes++ : 0;
}

static uint64_t number_of(struct input *in)
{
    const uint64_t number = byte_of(in);
    return number << (byte_of(in) & 63);
}

static int64_t stride_of(struct input *in)
{
    const int64_t number = (signed char)byte_of(in);
    return (int64_t)((uint64_t)number << (byte_of(in) & 63));
}

static void read_array(struct input *in, struct ulpscope_array *array)
{
    for (int d = 0; d < 2; d++) {
        array->shape[d] = number_of(in);
        array->strides[d] = stride_of(in);
    }
}

/* Whether all elements are among so many bytes from data on, in long double, which holds all that is asked here. */
static bool is_inside(const struct ulpscope_array *array, const char *bytes, size_t size)
{
    static const unsigned widths[] = {0, 8, 4, 2, 2, 1, 1};
    long double least = (const char *)array->data - bytes, most = least + widths[array->format];
    for (unsigned d = 0; d < array->dimensions; d++) {
        if (array->shape[d] == 0)
            return true;
        const long double reach = (long double)array->strides[d] * (long double)(array->shape[d] - 1);
        *(reach < 0 ? &least : &most) += reach;
    }
    return least >= 0 && most <= (long double)size;
}

static void check_words(ulpscope_status status)
{
    fuzz_check(status == ULPSCOPE_OK || *ulpscope_why(), "a refusal without a word");
}

static void compute(const struct ulpscope_problem *problem, const char *limit, uint64_t count)
{
    static struct ulpscope_value values[RESULTS_MOST];
    static struct ulpscope_error errors[RESULTS_MOST];
    static double rounded[RESULTS_MOST + 1]; /* from its second byte on: misaligned */
    char *const computed = (char *)rounded + 1;
    struct ulpscope_verdict verdict = {.size = sizeof verdict};
    values[0].size = sizeof *values;
    errors[0].size = sizeof *errors;
    const ulpscope_status status = ulpscope_rounded(problem, computed);
    check_words(status);
    fuzz_check(ulpscope_exact(problem, values) == status, "one can be computed, the other not");
    if (status != ULPSCOPE_OK)
        return;
    fuzz_check(ulpscope_errors(problem, computed, errors) == ULPSCOPE_OK, "errors");
    fuzz_check(ulpscope_judge(problem, computed, "exact", &verdict) == ULPSCOPE_OK && verdict.passed,
               "what is correctly rounded fails");
    for (uint64_t r = 0; r < count; r++)
        fuzz_check(!(errors[r].ulp_error > 0.5 + 0x1p-47) && !(errors[r].exact.condition < 1), "more than half an ulp");
    check_words(ulpscope_judge(problem, computed, limit, &verdict));
    memset(rounded, 0x55, sizeof rounded);
    const ulpscope_status judged = ulpscope_judge(problem, computed, "auto", &verdict);
    fuzz_check(judged == ULPSCOPE_OK ? verdict.words[0] : problem->operation >= ULPSCOPE_MEAN, "no words");
    fuzz_accepted++;
}

static void one(const char *bytes, size_t size)
{
    struct input in = {(const unsigned char *)bytes, size};
    const unsigned first = byte_of(&in);
    struct ulpscope_problem problem = {
        .size = sizeof problem, .operation = (ulpscope_operation)(first & 15), .ddof = first >> 4};
    problem.x.format = (ulpscope_format)(byte_of(&in) & 7);
    problem.y.format = (ulpscope_format)(byte_of(&in) & 7);
    problem.result = (ulpscope_format)(byte_of(&in) & 7);
    problem.added = (ulpscope_format)(byte_of(&in) & 7);
    const unsigned begin_x = byte_of(&in), begin_y = byte_of(&in);
    problem.x.dimensions = begin_x & 3;
    problem.y.dimensions = begin_x >> 2 & 3;
    read_array(&in, &problem.x);
    read_array(&in, &problem.y);
    char limit[16] = "";
    for (size_t c = 0; c + 1 < sizeof limit && (limit[c] = (char)byte_of(&in)) != '\0'; c++)
        ;
    char *const elements = calloc(1, BYTES);
    memcpy(elements, in.bytes, in.size < BYTES ? in.size : BYTES);
    problem.x.data = elements + (begin_x >> 4) * 16;
    problem.y.data = elements + begin_y;
    const uint64_t count = ulpscope_result_count(&problem);
    const bool has_y = problem.operation == ULPSCOPE_DOT || problem.operation == ULPSCOPE_MATMUL ||
                       problem.operation >= ULPSCOPE_MEAN_WEIGHTED;
    const uint64_t terms = problem.x.shape[problem.x.dimensions > 1];
    const bool repeats = problem.operation <= ULPSCOPE_DOT && problem.x.strides[0] == 0 &&
                         (!has_y || problem.y.strides[0] == 0) && terms > CAUSES_MOST;
    if (count > 0 && count <= RESULTS_MOST && (terms <= TERMS_MOST || repeats) &&
        is_inside(&problem.x, elements, BYTES) && (!has_y || is_inside(&problem.y, elements, BYTES)))
        compute(&problem, limit, count);
    free(elements);
}

static const struct fuzz_seed seeds[] = {
    SEED("\1\2\0\2\0\1\0\5\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0"
         "2ulp\0\0\0\x80\x3f\0\0\x80\x3f\0\0\0\x40\0\0\xc0\x7f\0\0\1\0"),
    SEED("\2\1\1\1\0\x05\x40\3\0\x10\0\0\0\0\0\3\0\xf8\0\0\0\0\0"
         "1e-6\0\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\xf0\x3f\0\0\0\0\1\0\0\0\0\0\0\0\0\xf0\xbf"),
    SEED("\3\3\0\3\3\2\0\4\0\6\0\3\0\2\0\0\0\0\0\0\0\0\0"
         "auto\0\0\x3c\0\x3c\0\x40\1\0\0\x7c\0\xfc\xff\x7f\1\x80"),
    SEED("\4\2\2\2\0\x0a\x20\2\0\x10\0\4\0\4\0\4\0\4\0\3\0\x10\0"
         "0.5ulp\0\0\0\x80\x3f\0\0\0\x40\0\0\x80\xbf\xff\xff\x7f\x7f\1\0\0\0"),
    SEED("\4\5\6\4\4\x1a\x30\2\0\3\0\3\0\1\0\3\0\1\0\2\0\5\0"
         "1e-3abs\0\x38\x38\x7e\x7f\x80\1\x7c\xfc\x3c\2"),
    SEED("\1\2\0\1\0\1\0\1\x3f\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
         "exact\0\0\0\x80\x3f"),
    SEED("\4\2\2\2\0\x0a\0\1\x20\0\0\1\x3d\0\0\1\x3d\0\0\1\x20\0\0"
         "1\0\0\0\x80\x3f"),
    SEED("\3\1\0\1\0\2\0\7\0\xf8\0\1\x3e\xff\x3f\0\0\0\0\0\0\0\0"
         "inf\0"),
    SEED("\x08\2\0\2\0\1\0\5\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0"
         "2ulp\0\0\0\x80\x3f\0\0\x80\x3f\0\0\0\x40\0\0\xc0\x40\0\0\1\0"),
    SEED("\x19\1\0\2\0\2\0\2\0\x10\0\2\0\x08\0\0\0\0\0\0\0\0\0"
         "1e-6\0\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\xf0\x3f\0\0\0\0\1\0\0\0\0\0\0\0\0\xf0\xbf"),
    SEED("\x0b\2\2\2\0\x05\x10\3\0\4\0\0\0\0\0\3\0\4\0\0\0\0\0"
         "exact\0\0\0\x80\x3f\0\0\0\x40\0\0\x80\xbf\0\0\x80\x3f\0\0\0\x40\0\0\x80\x3f"),
    {0},
};
const struct fuzz_family fuzz_library = {.one = one, .seeds = seeds};

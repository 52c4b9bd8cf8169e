/* One assertion in your own test, C11 or C++11: is this sum as accurate as it has to be?
 *
 *     ULPSCOPE_ASSERT_SUM(x, n, computed, "2ulp");
 *     ULPSCOPE_ASSERT_DOT(x, y, n, computed, "1e-6");
 *     ULPSCOPE_ASSERT_ROWS(x, rows, n, sums, "auto");
 *     ULPSCOPE_ASSERT_MATMUL(a, b, rows, inner, columns, c, "auto");
 *     ULPSCOPE_ASSERT_MEAN(x, n, computed, "auto");
 *     ULPSCOPE_ASSERT_VARIANCE(x, n, ddof, computed, "auto");    ULPSCOPE_ASSERT_STD(x, n, ddof, computed, "auto");
 *     ULPSCOPE_ASSERT_LAYER_NORM(x, rows, n, eps, y, "auto");    ULPSCOPE_ASSERT_RMS_NORM(x, rows, n, eps, y, "auto");
 *     ULPSCOPE_ASSERT_SOFTMAX(x, rows, n, y, "2ulp");    _LOG_SOFTMAX(...), _LOGSUMEXP(x, rows, n, lse, ...)
 *     ULPSCOPE_ASSERT_SCAN(x, n, y, "auto");    ULPSCOPE_ASSERT_ROLLING(x, n, window, y, "auto");
 *     ULPSCOPE_ASSERT(ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BFLOAT16, x, n)), &computed, "auto");
 *
 * x, y, a, b and the results of ROWS, MATMUL, norms, exponentials and scans are pointers, the other results are
 * numbers; the compiler finds their formats.  ULPSCOPE_ASSERT is told the format: of bits in integers, strides, other
 * formats of results.  Limits are those of ulpscope_judge().
 *
 * A failure says on stderr what was found, writes the case into the folder $ULPSCOPE_CASES, or ulpscope-cases, and ends
 * the program.  assert_cmocka.h, assert_gtest.h and assert_catch2.h fail the test instead; or define
 * ULPSCOPE_FAIL(text) before this file.  docs/assertions.md
 */
#ifndef ULPSCOPE_ASSERT_H
#define ULPSCOPE_ASSERT_H

#include "ulpscope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ULPSCOPE_ASSERT(problem, computed, limit)                                                                      \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL, problem, computed, limit, "ULPSCOPE_ASSERT(" #problem ", " #computed ", " #limit ")")
#define ULPSCOPE_ASSERT_SUM(x, n, computed, limit)                                                                     \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL, ULPSCOPE_SUM_(x, n, computed), ULPSCOPE_ADDRESS_(computed), limit,                   \
                   "ULPSCOPE_ASSERT_SUM(" #x ", " #n ", " #computed ", " #limit ")")
#define ULPSCOPE_ASSERT_DOT(x, y, n, computed, limit)                                                                  \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL, ULPSCOPE_DOT_(x, y, n, computed), ULPSCOPE_ADDRESS_(computed), limit,                \
                   "ULPSCOPE_ASSERT_DOT(" #x ", " #y ", " #n ", " #computed ", " #limit ")")
#define ULPSCOPE_ASSERT_ROWS(x, rows, n, computed, limit)                                                              \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL, ULPSCOPE_ROWS_(x, rows, n, computed), computed, limit,                               \
                   "ULPSCOPE_ASSERT_ROWS(" #x ", " #rows ", " #n ", " #computed ", " #limit ")")
#define ULPSCOPE_ASSERT_MATMUL(a, b, rows, inner, columns, computed, limit)                                            \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL, ULPSCOPE_MATMUL_(a, b, rows, inner, columns, computed), computed, limit,             \
                   "ULPSCOPE_ASSERT_MATMUL(" #a ", " #b ", " #rows ", " #inner ", " #columns ", " #computed            \
                   ", " #limit ")")
#define ULPSCOPE_ASSERT_MEAN(x, n, computed, limit)                                                                    \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL, ULPSCOPE_MEAN_OF_(x, n, computed), ULPSCOPE_ADDRESS_(computed), limit,               \
                   "ULPSCOPE_ASSERT_MEAN(" #x ", " #n ", " #computed ", " #limit ")")
#define ULPSCOPE_ASSERT_VARIANCE(x, n, ddof, computed, limit)                                                          \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL, ULPSCOPE_VARIANCE_OF_(x, n, ddof, computed), ULPSCOPE_ADDRESS_(computed), limit,     \
                   "ULPSCOPE_ASSERT_VARIANCE(" #x ", " #n ", " #ddof ", " #computed ", " #limit ")")
#define ULPSCOPE_ASSERT_STD(x, n, ddof, computed, limit)                                                               \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL, ULPSCOPE_STD_OF_(x, n, ddof, computed), ULPSCOPE_ADDRESS_(computed), limit,          \
                   "ULPSCOPE_ASSERT_STD(" #x ", " #n ", " #ddof ", " #computed ", " #limit ")")
#define ULPSCOPE_ASSERT_LAYER_NORM(x, rows, n, eps, computed, limit)                                                   \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL, ULPSCOPE_NORM_OF_(LAYER, x, rows, n, eps, computed), computed, limit,                \
                   "ULPSCOPE_ASSERT_LAYER_NORM(" #x ", " #rows ", " #n ", " #eps ", " #computed ", " #limit ")")
#define ULPSCOPE_ASSERT_RMS_NORM(x, rows, n, eps, computed, limit)                                                     \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL, ULPSCOPE_NORM_OF_(RMS, x, rows, n, eps, computed), computed, limit,                  \
                   "ULPSCOPE_ASSERT_RMS_NORM(" #x ", " #rows ", " #n ", " #eps ", " #computed ", " #limit ")")
#define ULPSCOPE_ASSERT_SOFTMAX(x, rows, n, computed, limit)                                                           \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL, ULPSCOPE_EXPONENTIALS_(SOFTMAX, x, rows, n, computed), computed, limit,              \
                   "ULPSCOPE_ASSERT_SOFTMAX(" #x ", " #rows ", " #n ", " #computed ", " #limit ")")
#define ULPSCOPE_ASSERT_LOG_SOFTMAX(x, rows, n, computed, limit)                                                       \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL, ULPSCOPE_EXPONENTIALS_(LOG_SOFTMAX, x, rows, n, computed), computed, limit,          \
                   "ULPSCOPE_ASSERT_LOG_SOFTMAX(" #x ", " #rows ", " #n ", " #computed ", " #limit ")")
#define ULPSCOPE_ASSERT_LOGSUMEXP(x, rows, n, computed, limit)                                                         \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL, ULPSCOPE_EXPONENTIALS_(LOGSUMEXP, x, rows, n, computed), computed, limit,            \
                   "ULPSCOPE_ASSERT_LOGSUMEXP(" #x ", " #rows ", " #n ", " #computed ", " #limit ")")
#define ULPSCOPE_ASSERT_SCAN(x, n, computed, limit)                                                                    \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL, ULPSCOPE_SCAN_(x, n, 0, computed), computed, limit,                                  \
                   "ULPSCOPE_ASSERT_SCAN(" #x ", " #n ", " #computed ", " #limit ")")
#define ULPSCOPE_ASSERT_ROLLING(x, n, window, computed, limit)                                                         \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL, ULPSCOPE_SCAN_(x, n, window, computed), computed, limit,                             \
                   "ULPSCOPE_ASSERT_ROLLING(" #x ", " #n ", " #window ", " #computed ", " #limit ")")

/* The same, after whose failure the test goes on: where the framework can do that. */
#ifdef ULPSCOPE_FAIL_AND_GO_ON
#define ULPSCOPE_EXPECT(problem, computed, limit)                                                                      \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL_AND_GO_ON, problem, computed, limit,                                                  \
                   "ULPSCOPE_EXPECT(" #problem ", " #computed ", " #limit ")")
#define ULPSCOPE_EXPECT_SUM(x, n, computed, limit)                                                                     \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL_AND_GO_ON, ULPSCOPE_SUM_(x, n, computed), ULPSCOPE_ADDRESS_(computed), limit,         \
                   "ULPSCOPE_EXPECT_SUM(" #x ", " #n ", " #computed ", " #limit ")")
#define ULPSCOPE_EXPECT_DOT(x, y, n, computed, limit)                                                                  \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL_AND_GO_ON, ULPSCOPE_DOT_(x, y, n, computed), ULPSCOPE_ADDRESS_(computed), limit,      \
                   "ULPSCOPE_EXPECT_DOT(" #x ", " #y ", " #n ", " #computed ", " #limit ")")
#define ULPSCOPE_EXPECT_ROWS(x, rows, n, computed, limit)                                                              \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL_AND_GO_ON, ULPSCOPE_ROWS_(x, rows, n, computed), computed, limit,                     \
                   "ULPSCOPE_EXPECT_ROWS(" #x ", " #rows ", " #n ", " #computed ", " #limit ")")
#define ULPSCOPE_EXPECT_MATMUL(a, b, rows, inner, columns, computed, limit)                                            \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL_AND_GO_ON, ULPSCOPE_MATMUL_(a, b, rows, inner, columns, computed), computed, limit,   \
                   "ULPSCOPE_EXPECT_MATMUL(" #a ", " #b ", " #rows ", " #inner ", " #columns ", " #computed            \
                   ", " #limit ")")
#define ULPSCOPE_EXPECT_MEAN(x, n, computed, limit)                                                                    \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL_AND_GO_ON, ULPSCOPE_MEAN_OF_(x, n, computed), ULPSCOPE_ADDRESS_(computed), limit,     \
                   "ULPSCOPE_EXPECT_MEAN(" #x ", " #n ", " #computed ", " #limit ")")
#define ULPSCOPE_EXPECT_VARIANCE(x, n, ddof, computed, limit)                                                          \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL_AND_GO_ON, ULPSCOPE_VARIANCE_OF_(x, n, ddof, computed), ULPSCOPE_ADDRESS_(computed),  \
                   limit, "ULPSCOPE_EXPECT_VARIANCE(" #x ", " #n ", " #ddof ", " #computed ", " #limit ")")
#define ULPSCOPE_EXPECT_STD(x, n, ddof, computed, limit)                                                               \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL_AND_GO_ON, ULPSCOPE_STD_OF_(x, n, ddof, computed), ULPSCOPE_ADDRESS_(computed),       \
                   limit, "ULPSCOPE_EXPECT_STD(" #x ", " #n ", " #ddof ", " #computed ", " #limit ")")
#define ULPSCOPE_EXPECT_LAYER_NORM(x, rows, n, eps, computed, limit)                                                   \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL_AND_GO_ON, ULPSCOPE_NORM_OF_(LAYER, x, rows, n, eps, computed), computed, limit,      \
                   "ULPSCOPE_EXPECT_LAYER_NORM(" #x ", " #rows ", " #n ", " #eps ", " #computed ", " #limit ")")
#define ULPSCOPE_EXPECT_RMS_NORM(x, rows, n, eps, computed, limit)                                                     \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL_AND_GO_ON, ULPSCOPE_NORM_OF_(RMS, x, rows, n, eps, computed), computed, limit,        \
                   "ULPSCOPE_EXPECT_RMS_NORM(" #x ", " #rows ", " #n ", " #eps ", " #computed ", " #limit ")")
#define ULPSCOPE_EXPECT_SOFTMAX(x, rows, n, computed, limit)                                                           \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL_AND_GO_ON, ULPSCOPE_EXPONENTIALS_(SOFTMAX, x, rows, n, computed), computed, limit,    \
                   "ULPSCOPE_EXPECT_SOFTMAX(" #x ", " #rows ", " #n ", " #computed ", " #limit ")")
#define ULPSCOPE_EXPECT_LOG_SOFTMAX(x, rows, n, computed, limit)                                                       \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL_AND_GO_ON, ULPSCOPE_EXPONENTIALS_(LOG_SOFTMAX, x, rows, n, computed), computed,       \
                   limit, "ULPSCOPE_EXPECT_LOG_SOFTMAX(" #x ", " #rows ", " #n ", " #computed ", " #limit ")")
#define ULPSCOPE_EXPECT_LOGSUMEXP(x, rows, n, computed, limit)                                                         \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL_AND_GO_ON, ULPSCOPE_EXPONENTIALS_(LOGSUMEXP, x, rows, n, computed), computed, limit,  \
                   "ULPSCOPE_EXPECT_LOGSUMEXP(" #x ", " #rows ", " #n ", " #computed ", " #limit ")")
#define ULPSCOPE_EXPECT_SCAN(x, n, computed, limit)                                                                    \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL_AND_GO_ON, ULPSCOPE_SCAN_(x, n, 0, computed), computed, limit,                        \
                   "ULPSCOPE_EXPECT_SCAN(" #x ", " #n ", " #computed ", " #limit ")")
#define ULPSCOPE_EXPECT_ROLLING(x, n, window, computed, limit)                                                         \
    ULPSCOPE_HOLD_(ULPSCOPE_FAIL_AND_GO_ON, ULPSCOPE_SCAN_(x, n, window, computed), computed, limit,                   \
                   "ULPSCOPE_EXPECT_ROLLING(" #x ", " #n ", " #window ", " #computed ", " #limit ")")
#endif

/* ---- formats of types ---- */

/* C++: a type of your own is known by its overload of ulpscope_format_of, in its namespace. */
#if defined(__FLT16_MANT_DIG__) && (!defined(__cplusplus) || defined(__clang__) || __GNUC__ >= 13)
#define ULPSCOPE_HAS_FLOAT16
__extension__ typedef _Float16 ulpscope_float16;
#endif
#ifdef __BFLT16_MANT_DIG__
__extension__ typedef __bf16 ulpscope_bf16;
#endif
#ifdef __cplusplus
inline ulpscope_format ulpscope_format_of(const double *)
{
    return ULPSCOPE_BINARY64;
}
inline ulpscope_format ulpscope_format_of(const float *)
{
    return ULPSCOPE_BINARY32;
}
#ifdef ULPSCOPE_HAS_FLOAT16
inline ulpscope_format ulpscope_format_of(const ulpscope_float16 *)
{
    return ULPSCOPE_BINARY16;
}
#endif
#ifdef __BFLT16_MANT_DIG__
inline ulpscope_format ulpscope_format_of(const ulpscope_bf16 *)
{
    return ULPSCOPE_BFLOAT16;
}
#endif
#ifdef __CUDA_FP16_H__
inline ulpscope_format ulpscope_format_of(const __half *)
{
    return ULPSCOPE_BINARY16;
}
#endif
#ifdef __CUDA_BF16_H__
inline ulpscope_format ulpscope_format_of(const __nv_bfloat16 *)
{
    return ULPSCOPE_BFLOAT16;
}
#endif
template <class Number> inline const Number *ulpscope_address(const Number &number)
{
    return &number;
}
#define ULPSCOPE_FORMAT_OF_(number) ulpscope_format_of(decltype(ulpscope_address(number))())
#define ULPSCOPE_ADDRESS_(number) ulpscope_address(number)
#else
#ifdef ULPSCOPE_HAS_FLOAT16
#define ULPSCOPE_FLOAT16_ , ulpscope_float16 : ULPSCOPE_BINARY16
#else
#define ULPSCOPE_FLOAT16_
#endif
#ifdef __BFLT16_MANT_DIG__
#define ULPSCOPE_BF16_ , ulpscope_bf16 : ULPSCOPE_BFLOAT16
#else
#define ULPSCOPE_BF16_
#endif
#define ULPSCOPE_FORMAT_OF_(number)                                                                                    \
    _Generic((number), double : ULPSCOPE_BINARY64, float : ULPSCOPE_BINARY32 ULPSCOPE_FLOAT16_ ULPSCOPE_BF16_)
#define ULPSCOPE_ADDRESS_(number) (&(__typeof__(number)){number})
#endif

/* ---- problems ---- */

static inline struct ulpscope_problem ulpscope_with_result(struct ulpscope_problem problem, ulpscope_format result)
{
    problem.result = result;
    return problem;
}

#define ULPSCOPE_VECTOR_(x, n) ulpscope_vector(ULPSCOPE_FORMAT_OF_((x)[0]), x, (uint64_t)(n))
#define ULPSCOPE_MATRIX_(x, rows, columns)                                                                             \
    ulpscope_matrix(ULPSCOPE_FORMAT_OF_((x)[0]), x, (uint64_t)(rows), (uint64_t)(columns))
#define ULPSCOPE_SUM_(x, n, computed)                                                                                  \
    ulpscope_with_result(ulpscope_sum_of(ULPSCOPE_VECTOR_(x, n)), ULPSCOPE_FORMAT_OF_(computed))
#define ULPSCOPE_DOT_(x, y, n, computed)                                                                               \
    ulpscope_with_result(ulpscope_dot_of(ULPSCOPE_VECTOR_(x, n), ULPSCOPE_VECTOR_(y, n)), ULPSCOPE_FORMAT_OF_(computed))
#define ULPSCOPE_ROWS_(x, rows, n, computed)                                                                           \
    ulpscope_with_result(ulpscope_rows_of(ULPSCOPE_MATRIX_(x, rows, n)), ULPSCOPE_FORMAT_OF_((computed)[0]))
#define ULPSCOPE_MATMUL_(a, b, rows, inner, columns, computed)                                                         \
    ulpscope_with_result(ulpscope_matmul_of(ULPSCOPE_MATRIX_(a, rows, inner), ULPSCOPE_MATRIX_(b, inner, columns)),    \
                         ULPSCOPE_FORMAT_OF_((computed)[0]))
#define ULPSCOPE_MEAN_OF_(x, n, computed)                                                                              \
    ulpscope_with_result(ulpscope_mean_of(ULPSCOPE_VECTOR_(x, n)), ULPSCOPE_FORMAT_OF_(computed))
#define ULPSCOPE_VARIANCE_OF_(x, n, ddof, computed)                                                                    \
    ulpscope_with_result(ulpscope_variance_of(ULPSCOPE_VECTOR_(x, n), (uint64_t)(ddof)), ULPSCOPE_FORMAT_OF_(computed))
#define ULPSCOPE_STD_OF_(x, n, ddof, computed)                                                                         \
    ulpscope_with_result(ulpscope_std_of(ULPSCOPE_VECTOR_(x, n), (uint64_t)(ddof)), ULPSCOPE_FORMAT_OF_(computed))

#define ULPSCOPE_NORM_OF_(of, x, rows, n, eps, computed)                                                               \
    ulpscope_with_result(ulpscope_norm_of(ULPSCOPE_##of##_NORM, ULPSCOPE_MATRIX_(x, rows, n), eps),                    \
                         ULPSCOPE_FORMAT_OF_((computed)[0]))
#define ULPSCOPE_EXPONENTIALS_(of, x, rows, n, computed)                                                               \
    ulpscope_with_result(ulpscope_exponentials_of(ULPSCOPE_##of, ULPSCOPE_MATRIX_(x, rows, n)),                        \
                         ULPSCOPE_FORMAT_OF_((computed)[0]))
#define ULPSCOPE_SCAN_(x, n, window, computed)                                                                         \
    ulpscope_with_result(ulpscope_scan_of(ULPSCOPE_VECTOR_(x, n), (uint64_t)(window)),                                 \
                         ULPSCOPE_FORMAT_OF_((computed)[0]))

/* ---- what happens ---- */

/* Where an assertion stands. */
struct ulpscope_place {
    const char *expression, *file;
    int line;
    int noted, failures; /* whether it was said that it can hardly fail; how often it failed */
};

enum { ULPSCOPE_TEXT = 4096 };

#define ULPSCOPE_HOLD_(fail, problem, computed, limit, expression)                                                     \
    do {                                                                                                               \
        static struct ulpscope_place ulpscope_place_ = {expression, __FILE__, __LINE__, 0, 0};                         \
        char ulpscope_text_[ULPSCOPE_TEXT];                                                                            \
        if (!ulpscope_holds(problem, computed, limit, &ulpscope_place_, ulpscope_text_))                               \
            fail(ulpscope_text_);                                                                                      \
    } while (0)

/* At most once for each place: the test would not notice zeros, or a lost element. */
static inline void ulpscope_note_vacuity(const struct ulpscope_verdict *verdict, struct ulpscope_place *place)
{
    if ((verdict->zeros_pass || verdict->last_dropped_passes) &&
        !__atomic_exchange_n(&place->noted, 1, __ATOMIC_RELAXED))
        fprintf(stderr,
                "%s:%d: note: %s can hardly fail: %s would pass, too; use data on which it fails, or a lower limit\n",
                place->file, place->line, place->expression,
                verdict->zeros_pass ? "zeros" : "a result without the last element");
}

/* ulpscope-cases/test_sum.c-12; of the second failure there, ulpscope-cases/test_sum.c-12-2. */
static inline void ulpscope_case_path(struct ulpscope_place *place, char *path, size_t size)
{
    const char *const chosen = getenv("ULPSCOPE_CASES"), *const folder = chosen && *chosen ? chosen : "ulpscope-cases";
    const char *const slash = strrchr(place->file, '/'), *const name = slash ? slash + 1 : place->file;
    const int failures = __atomic_add_fetch(&place->failures, 1, __ATOMIC_RELAXED);
    mkdir(folder, 0777); /* where it cannot be made, the case cannot be written, and that is said */
    if (failures == 1)
        snprintf(path, size, "%s/%s-%d", folder, name, place->line);
    else
        snprintf(path, size, "%s/%s-%d-%d", folder, name, place->line, failures);
}

/* Whether the computed results keep the limit; else text, of ULPSCOPE_TEXT bytes, says what is wrong. */
static inline int ulpscope_holds(struct ulpscope_problem problem, const void *computed, const char *limit,
                                 struct ulpscope_place *place, char *text)
{
    struct ulpscope_verdict verdict;
    char path[1024], command[1536];
    memset(&verdict, 0, sizeof verdict);
    verdict.size = sizeof verdict;
    if (ulpscope_judge(&problem, computed, limit, &verdict) != ULPSCOPE_OK) {
        snprintf(text, ULPSCOPE_TEXT, "%s:%d: %s cannot be judged\n  %s", place->file, place->line, place->expression,
                 ulpscope_why());
        return 0;
    }
    ulpscope_note_vacuity(&verdict, place);
    if (verdict.passed)
        return 1;
    ulpscope_case_path(place, path, sizeof path);
    if (ulpscope_write_case(&problem, computed, path, command, sizeof command) == ULPSCOPE_OK)
        snprintf(text, ULPSCOPE_TEXT, "%s:%d: %s\n  %s\n  case: %s; open it with: %s", place->file, place->line,
                 place->expression, verdict.words, path, command);
    else
        snprintf(text, ULPSCOPE_TEXT, "%s:%d: %s\n  %s\n  case not written: %s", place->file, place->line,
                 place->expression, verdict.words, ulpscope_why());
    return 0;
}

static inline void ulpscope_abort(const char *text)
{
    fprintf(stderr, "%s\n", text);
    abort();
}

#ifndef ULPSCOPE_FAIL
#define ULPSCOPE_FAIL(text) ulpscope_abort(text)
#endif

#endif

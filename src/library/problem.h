/* A problem of a caller, once it is known to be one: lines of numbers, wherever they are in memory. */
#pragma once

#include "include/ulpscope/ulpscope.h"

#include "src/base/fp.h"

/* n numbers, `stride` bytes apart. */
struct line {
    const struct format *format;
    uintptr_t first;
    int64_t stride;
    uint64_t n;
};

/* Every result is a sum of `terms` numbers, or products. */
struct problem {
    ulpscope_operation operation;
    struct ulpscope_array x, y;
    const struct format *format; /* what the numbers of x and y are read as: binary64, or binary32 where that will do */
    const struct format *terms_format; /* of x */
    const struct format *result, *added;
    ulpscope_format result_format;
    bool has_products; /* terms are x_i y_i; y are weights, too */
    uint64_t rows, columns, terms, ddof, window;
    double eps;
};

/* A mean, variance, cosine, norm or softmax: no sum alone. */
static inline bool problem_is_statistic(const struct problem *problem)
{
    return problem->operation >= ULPSCOPE_MEAN && problem->operation != ULPSCOPE_SCAN;
}

/* One with a result for each number: `columns` are the terms. */
static inline bool problem_is_per_number(const struct problem *problem)
{
    return problem->operation >= ULPSCOPE_LAYER_NORM && problem->operation != ULPSCOPE_LOGSUMEXP;
}

static inline bool problem_is_of_exponentials(const struct problem *problem)
{
    return problem->operation >= ULPSCOPE_SOFTMAX && problem->operation != ULPSCOPE_SCAN;
}

/* What was said is wrong, and the status for that. */
#define bad_argument(...) (complain(__VA_ARGS__), ULPSCOPE_BAD_ARGUMENT)

/* NULL where a format is none. */
const struct format *format_of(ulpscope_format format);

/* BAD_ARGUMENT, of which complain() was told: *problem is then not set. */
ulpscope_status problem_read(const struct ulpscope_problem *given, struct problem *problem);

/* "a variance" */
const char *problem_name(const struct problem *problem);

/* What a result is of: of a scan the sum of the numbers up to it, a problem of one result; else the problem itself. */
struct problem problem_of_result(const struct problem *problem, uint64_t row, uint64_t column);

/* Row i of x; and what of y is beside it in a result: column j, or of statistics row i. */
struct line problem_row(const struct problem *problem, uint64_t i);
struct line problem_second(const struct problem *problem, uint64_t i, uint64_t j);

/* Numbers [from, from + count) as `held`, binary32 or binary64, has them: where they are, or in `room`. */
const void *line_read(const struct line *line, uint64_t from, uint64_t count, const struct format *held, void *room);

/* Whether they can stay where they are. */
bool line_is_held(const struct line *line, const struct format *held);

/* Number i of an array that is contiguous. */
double number_at(const struct format *format, const void *numbers, uint64_t i);

/* What the tests of matrix products share: small products of a format, and a visit to all methods of it. */
#ifndef ULPSCOPE_TESTS_MATMUL_PROBLEM_H
#define ULPSCOPE_TESTS_MATMUL_PROBLEM_H

#include "kernels/matmul.h"
#include "src/base/format.h"
#include "tests/support/methods.h"
#include "tests/support/random.h"

#ifndef MATMUL_SIDE
#define MATMUL_SIDE 12
#endif
enum { SIDE = MATMUL_SIDE, INNER = 129, ROOM = SIDE * INNER, PADDED = 3, ID_SIZE = 96 };

/* Matrices of a format, with a few numbers behind each row, or column. */
struct problem {
    const struct sum_format *formats;
    struct matmul_call call;
    double a[2 * ROOM], b[2 * ROOM], c[2 * SIDE * SIDE], c_before[2 * SIDE * SIDE];
};

static inline double number_at(const struct format *format, const struct matmul_matrix *m, uint64_t i, uint64_t j)
{
    return held_number(format, m->numbers, i * m->row_step + j * m->column_step);
}

/* |x| < 4; about the root of the least number, or of the largest, so that products underflow or overflow. */
enum scale { ORDINARY, TINY, HUGE_NUMBERS };

static inline double some_number(const struct format *format, enum scale scale)
{
    const int least[] = {-4, format->least_exponent / 2, format->overflow_exponent / 2 - 3};
    const double significand = 1 + (double)below(UINT64_C(1) << 52) * 0x1p-52;
    return rounded_to(ldexp(below(2) ? significand : -significand, least[scale] + (int)below(6)), format);
}

static inline void fill(const struct format *format, struct matmul_matrix *m, enum scale scale)
{
    for (uint64_t i = 0; i < m->rows; i++)
        for (uint64_t j = 0; j < m->columns; j++)
            held_set(format, m->numbers, i * m->row_step + j * m->column_step, some_number(format, scale));
}

/* Half of the products of a row and a column cancel another. */
static inline void cancel(const struct problem *problem)
{
    const struct format *format = problem->formats->stored;
    const struct matmul_matrix *a = &problem->call.a, *b = &problem->call.b;
    for (uint64_t k = 1; k < a->columns; k += 2)
        for (uint64_t i = 0; i < a->rows && below(2); i++)
            held_set(format, a->numbers, i * a->row_step + k * a->column_step, -number_at(format, a, i, k - 1));
    for (uint64_t k = 1; k < b->rows; k += 2)
        for (uint64_t j = 0; j < b->columns; j++)
            held_set(format, b->numbers, k * b->row_step + j * b->column_step, number_at(format, b, k - 1, j));
}

static inline struct matmul_matrix laid_out(void *numbers, uint64_t rows, uint64_t columns, bool by_columns)
{
    return by_columns ? matmul_column_major(numbers, rows, columns, rows + PADDED)
                      : matmul_row_major(numbers, rows, columns, columns + PADDED);
}

/* Bits 0, 1 and 2 of by_columns: A, B and C are column-major. */
static inline struct problem *problem_laid_out(const struct sum_format *formats, uint64_t rows, uint64_t inner,
                                               uint64_t columns, enum scale scale, unsigned by_columns)
{
    static struct problem problem;
    struct matmul_call *call = &problem.call;
    problem.formats = formats;
    *call = (struct matmul_call){laid_out(problem.a, rows, inner, by_columns & 1),
                                 laid_out(problem.b, inner, columns, by_columns & 2),
                                 laid_out(problem.c, rows, columns, by_columns & 4), 1, 0};
    fill(formats->stored, &call->a, scale);
    fill(formats->stored, &call->b, scale);
    memset(problem.c, 0, sizeof problem.c); /* what is between the rows is of this format */
    fill(formats->result, &call->c, scale);
    if (below(2))
        cancel(&problem);
    memcpy(problem.c_before, problem.c, sizeof problem.c);
    return &problem;
}

static inline struct problem *problem_of(const struct sum_format *formats, uint64_t rows, uint64_t inner,
                                         uint64_t columns, enum scale scale)
{
    return problem_laid_out(formats, rows, inner, columns, scale, 0);
}

/* C of the problem, from what it was before. */
static inline void compute_by(const struct matmul_method *method, struct problem *problem, unsigned workers)
{
    memcpy(problem->c, problem->c_before, sizeof problem->c);
    assert_int_equal(matmul_replay(method, &problem->call, workers), OK);
}

static inline void compute(const struct matmul_method *method, struct problem *problem)
{
    compute_by(method, problem, 1);
}

static inline uint64_t bits_at(const struct problem *problem, uint64_t i, uint64_t j)
{
    const struct format *format = problem->formats->result;
    return format_bits(format, number_at(format, &problem->call.c, i, j));
}

static inline const struct matmul_method *method_of(const char *id)
{
    const struct matmul_method *method = matmul_find(id);
    if (!method)
        fail_msg("no method %s", id);
    return method;
}

/* Another order or format of a method; an order of binary32 has no @. */
static inline const struct matmul_method *other(const struct matmul_method *method, const char *order,
                                                const struct sum_format *formats)
{
    char id[ID_SIZE];
    const bool is_binary32 = formats == &sum_format_binary32;
    snprintf(id, sizeof id, "%.*s:%s/%s%s%s", (int)strcspn(method->id, ":"), method->id, method->accumulator, order,
             is_binary32 ? "" : "@", is_binary32 ? "" : formats->id);
    return method_of(id);
}

typedef void cell_visitor(const struct matmul_method *method, void *context);

/* Of all operations; returns how many. */
static inline size_t visit_cells(const struct sum_format *formats, cell_visitor *visit, void *context)
{
    size_t visited = 0;
    for (int operation = 0; operation < OPERATIONS; operation++) {
        size_t count;
        const struct matmul_method *methods = matmul_table((enum operation)operation, formats, &count);
        for (size_t m = 0; m < count; m++)
            visit(&methods[m], context);
        visited += count;
    }
    return visited;
}

#endif

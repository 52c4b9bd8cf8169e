#include "lesson_matrices.h"

#include "reference/matrix.h"
#include "src/base/format.h"
#include "src/base/memory.h"

static enum status matrix_made(const char *family, const struct format *format, uint64_t n, uint64_t seed,
                               struct lesson_data *matrix)
{
    char spec[96];
    snprintf(spec, sizeof spec, "%s,n=%" PRIu64 ",format=%s", family, n, format->name);
    return lesson_data_made(spec, seed, matrix);
}

enum status lesson_matrices_made(const char *family, const struct format *format, uint64_t rows, uint64_t inner,
                                 uint64_t columns, struct lesson_matrices *of)
{
    *of = (struct lesson_matrices){.rows = rows, .inner = inner, .columns = columns, .a_leading = inner};
    enum status status = matrix_made(family, format, rows * inner, 1, &of->a);
    if (status == OK)
        status = matrix_made(family, format, inner * columns, 2, &of->b);
    if (status != OK)
        lesson_matrices_free(of);
    return status;
}

void lesson_matrices_free(struct lesson_matrices *of)
{
    lesson_data_free(&of->a);
    lesson_data_free(&of->b);
}

enum status lesson_multiply(const char *method, const struct lesson_matrices *of, float *c)
{
    const struct method *found = method_find(method);
    const uint64_t elements = of->rows * of->columns;
    const char *stored = of->a.format->name;
    if (!found || operation_table[found->operation].of != MATRICES || !found->replay ||
        strcmp(found->sum_format->stored->name, stored) != 0 || format_held(found->format) != &FORMAT_BINARY32)
        return bad_input("lesson: expected a matrix product of %s, found \"%s\"; see docs/matmul.md", stored, method);
    OWNED float *packed = memory_cleared(of->rows * of->inner, sizeof *packed);
    OWNED uint64_t *bits = memory_cleared(elements, sizeof *bits);
    for (uint64_t row = 0; row < of->rows; row++)
        memcpy(packed + row * of->inner, of->a.x + row * of->a_leading, of->inner * sizeof *packed);
    const struct operands operands = {
        of->a.format, found->operation, {packed, of->b.x}, {of->inner, of->rows, of->columns}};
    TRY(method_replay(found, &operands, one_thread, 1, bits));
    for (uint64_t i = 0; i < elements; i++)
        c[i] = (float)format_value(found->format, bits[i]);
    return OK;
}

enum status lesson_signed_error(const char *method, const struct lesson_matrices *of, double *mean)
{
    const uint64_t elements = of->rows * of->columns;
    OWNED float *c = memory_cleared(elements, sizeof *c);
    OWNED struct exact_element *exact = memory_cleared(elements, sizeof *exact);
    const struct matrix_product product = {.format = of->a.format,
                                           .result = &FORMAT_BINARY32,
                                           .rows = of->rows,
                                           .inner = of->inner,
                                           .columns = of->columns,
                                           .a = {of->a.x, of->a_leading, 1},
                                           .b = {of->b.x, of->columns, 1},
                                           .computed = {c, of->columns, 1}};
    TRY(lesson_multiply(method, of, c));
    TRY(exact_matrix(&product, 1, exact));
    *mean = 0;
    for (uint64_t i = 0; i < elements; i++)
        *mean += exact[i].error / exact[i].abs_above / (double)elements;
    return OK;
}

#include "lesson_matrices.h"

#include "kernels/matmul.h"

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
    const struct matmul_method *found = matmul_find(method);
    const char *stored = of->a.format->name;
    if (!found || strcmp(found->sum_format->stored->name, stored) != 0 ||
        format_held(found->sum_format->result) != &FORMAT_BINARY32)
        return bad_input("lesson: expected a matrix product of %s, found \"%s\"; see docs/matmul.md", stored, method);
    const struct matmul_call call = {
        .a = matmul_row_major(of->a.x, of->rows, of->inner, of->a_leading),
        .b = matmul_row_major(of->b.x, of->inner, of->columns, of->columns),
        .c = matmul_row_major(c, of->rows, of->columns, of->columns),
        .alpha = 1,
    };
    TRY(matmul_check(found, &call));
    return matmul_replay(found, &call, 1);
}

/* Two matrices: A, rows x n, and B, n x columns. */
#include "dataset_part.h"

#include "datasets/files/file.h"
#include "matrix_elements.h"
#include "shuffle.h"
#include "spec_items.h"

/* One of them.  `outer` is rows of A, columns of B. */
struct matrix {
    const struct data_spec *spec;
    const char *name, *key; /* A has rows=, B has columns= */
    uint64_t given;         /* the value of that; 0: none */
    uint64_t outer, inner;
    struct dataset data;
};

/* "A (3 x 4) of uniform:n=4" */
static char *described(const struct matrix *matrix)
{
    const bool is_b = *matrix->name == 'B';
    const char *text = matrix->spec->text;
    return text_made("%s (%" PRIu64 " x %" PRIu64 ") of %.*s", matrix->name, is_b ? matrix->inner : matrix->outer,
                     is_b ? matrix->outer : matrix->inner, (int)data_text_first(text), text);
}

static enum status count_numbers(const struct matrix *matrix, const char *what, uint64_t *count)
{
    const struct parameter n = generator_n(matrix->spec->generator);
    if (!__builtin_mul_overflow(matrix->outer, matrix->inner, count) && (double)*count >= n.least &&
        (double)*count <= n.most)
        return OK;
    return bad_input("%s: expected %.0f to %.0f numbers of this family; choose another n or %s=", what, n.least, n.most,
                     matrix->key);
}

static enum status make_family(struct matrix *matrix, uint64_t inner, uint64_t seed, uint64_t trial)
{
    matrix->outer = matrix->given ? matrix->given : inner;
    matrix->inner = inner;
    OWNED char *what = described(matrix);
    struct part part = {.spec = matrix->spec, .is_second = *matrix->name == 'B', .what = what};
    TRY(count_numbers(matrix, what, &part.n));
    return dataset_part(&part, seed, trial, &matrix->data);
}

static enum status shape_given(struct matrix *matrix)
{
    const uint64_t count = matrix->data.n + matrix->data.left_out; /* those are refused later */
    if (matrix->given > 0 && count % matrix->given == 0) {
        matrix->outer = matrix->given;
        matrix->inner = count / matrix->given;
        return OK;
    }
    if (matrix->given > 0)
        complain("%s: has %" PRIu64 " numbers; expected a multiple of the %" PRIu64 " %s of %s; correct %s=",
                 matrix->spec->text, count, matrix->given, matrix->key, matrix->name, matrix->key);
    else
        complain("%s: has %" PRIu64 " numbers and no shape; expected how many %s %s has; give %s=", matrix->spec->text,
                 count, matrix->key, matrix->name, matrix->key);
    return BAD_INPUT;
}

static enum status shape_in_file(struct matrix *matrix)
{
    const bool is_b = *matrix->name == 'B';
    const struct dataset *data = &matrix->data;
    matrix->outer = is_b ? data->columns : data->rows;
    matrix->inner = is_b ? data->rows : data->columns;
    if (matrix->given == 0 || matrix->given == matrix->outer)
        return OK;
    return bad_input("%s: its shape is (%" PRIu64 ", %" PRIu64 "), and %s=%" PRIu64
                     " was given; expected the shape of the file; leave it out",
                     matrix->spec->text, data->rows, data->columns, matrix->key, matrix->given);
}

static enum status make_file(struct matrix *matrix, uint64_t trial)
{
    TRY(dataset_part(&(struct part){.spec = matrix->spec}, 0, trial, &matrix->data));
    return file_says_format(matrix->spec->path) ? shape_in_file(matrix) : shape_given(matrix);
}

static enum status go_together(const struct data_spec *spec, const struct matrix *a, const struct matrix *b)
{
    OWNED char *first = described(a), *second = described(b);
    enum status status = dataset_of_one_kind(spec, first, second, &a->data, &b->data);
    if (status == OK && a->inner != b->inner) {
        status =
            bad_input("%s and %s: expected as many columns of A as B has rows; correct one of them", first, second);
    } else if (status == OK && (a->outer == 0 || b->outer == 0)) {
        status = bad_input("%s and %s: expected 1 row of A and 1 column of B at least; give more", first, second);
    }
    return status;
}

/* A family of matrices makes both. */
static enum status make_both(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct dataset *data)
{
    struct generator_call call;
    TRY(dataset_call(spec, seed, trial, &call));
    const size_t bytes = (size_t)(spec->n * spec->n) * format_held(spec->format)->bytes;
    *data = (struct dataset){.format = spec->format,
                             .n = spec->n,
                             .rows = spec->n,
                             .columns = spec->n,
                             .x = malloc(bytes),
                             .y = malloc(bytes)};
    if (data->x && data->y) {
        matrices_fill(spec->generator, &call, data->x, data->y);
        return OK;
    }
    dataset_free(data);
    return out_of_memory(spec->text);
}

enum status dataset_matrices(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct dataset *data)
{
    const struct data_spec *of_b = spec->second ? spec->second : spec;
    if (spec->generator && spec->generator->a)
        return make_both(spec, seed, trial, data);
    struct matrix a = {.spec = spec, .name = "A", .key = SPEC_ROWS, .given = spec->rows},
                  b = {.spec = of_b, .name = "B", .key = SPEC_COLUMNS, .given = of_b->columns};
    enum status status = spec->generator ? make_family(&a, spec->n, seed, trial) : make_file(&a, trial);
    if (status == OK)
        status = of_b->generator ? make_family(&b, a.inner, seed, trial) : make_file(&b, trial);
    if (status == OK)
        status = go_together(spec, &a, &b);
    *data = a.data;
    data->n = a.inner;
    data->rows = a.outer;
    data->columns = b.outer;
    data->y = b.data.x;
    data->y_conversion = b.data.conversion;
    if (status != OK)
        dataset_free(data);
    return status;
}

/* Of `outer` runs of n pieces, `bytes` each: piece k becomes what piece order[k] was.  `room` has as much as x. */
static void permute_pieces(void *x, void *room, uint64_t outer, uint64_t n, size_t bytes, const double *order)
{
    memcpy(room, x, outer * n * bytes);
    for (uint64_t o = 0; o < outer; o++)
        for (uint64_t k = 0; k < n; k++)
            memcpy((char *)x + (o * n + k) * bytes, (const char *)room + (o * n + (uint64_t)order[k]) * bytes, bytes);
}

enum status dataset_permute_matrices(uint64_t seed, uint64_t trial, const struct dataset *data)
{
    const struct generator_call call = permutation_call(seed, trial, data->n, &FORMAT_BINARY64);
    const size_t bytes = format_held(data->format)->bytes;
    const uint64_t outer = data->rows > data->columns ? data->rows : data->columns;
    OWNED double *order = malloc((data->n + 1) * sizeof *order);
    OWNED void *room = malloc((outer * data->n + 1) * bytes);
    if (order && room) {
        for (uint64_t k = 0; k < data->n; k++)
            order[k] = (double)k;
        shuffle(&call, 0, order);
        permute_pieces(data->x, room, data->rows, data->n, bytes, order);
        permute_pieces(data->y, room, 1, data->n, data->columns * bytes, order);
    }
    return order && room ? OK : out_of_memory("a permutation of matrices");
}

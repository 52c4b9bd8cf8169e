#include "vary.h"

#include "src/measure/operation.h"

/* An array as so many lines of terms, each of which is so many numbers. */
struct lines {
    uint64_t count, numbers;
};

static struct lines lines_of(const struct operands *of, int array)
{
    const bool is_second_matrix = of->shape.columns > 0 && array == 1;
    return is_second_matrix ? (struct lines){1, of->shape.columns} : (struct lines){of->shape.rows, 1};
}

static enum status lay(const struct operands *from, int array, uint64_t take, uint64_t n, uint64_t at, void **to)
{
    const struct lines lines = lines_of(from, array);
    const size_t term = lines.numbers * format_held(from->format)->bytes;
    *to = calloc(lines.count * n * term + 1, 1);
    if (!*to)
        return out_of_memory("numbers that are varied");
    for (uint64_t line = 0; line < lines.count; line++)
        memcpy((char *)*to + (line * n + at) * term,
               (const char *)from->arrays[array] + line * from->shape.terms * term, take * term);
    return OK;
}

enum status terms_lay(const struct operands *from, uint64_t take, uint64_t n, uint64_t at, struct terms *terms)
{
    *terms = (struct terms){.of = *from};
    terms->of.shape.terms = n;
    for (int array = 0; array < ARRAYS_MOST && from->arrays[array]; array++) {
        TRY(lay(from, array, take, n, at, &terms->arrays[array]));
        terms->of.arrays[array] = terms->arrays[array];
    }
    return OK;
}

void terms_free(struct terms *terms)
{
    for (int array = 0; array < ARRAYS_MOST; array++)
        free(terms->arrays[array]);
    *terms = (struct terms){0};
}

static struct dataset dataset_of(const struct operands *of)
{
    return (struct dataset){
        .format = of->format,
        .x = (void *)(uintptr_t)of->arrays[0],
        .y = (void *)(uintptr_t)of->arrays[1],
        .n = of->shape.terms,
        .rows = of->shape.columns > 0 ? of->shape.rows : 0,
        .columns = of->shape.columns,
    };
}

/* As a study permutes data that no seed changes, which files are. */
enum status terms_shuffle(const struct terms *terms, uint64_t seed, uint64_t trial)
{
    const struct dataset data = dataset_of(&terms->of);
    const struct data_spec file = {.kind = data.columns > 0 ? TWO_MATRICES : data.y ? TWO_VECTORS : ONE_VECTOR};
    return dataset_arrange(&file, seed, trial, &data);
}

/* With what the bound of that one takes. */
static enum status exact_of_row(enum operation operation, const struct dataset *data, uint64_t element,
                                struct exact_sum *exact)
{
    struct exact_row *row;
    TRY(operation_exact_row(operation, data, (struct exact_how){0}, &row));
    const enum status status = exact_row_element(row, element, exact);
    if (status == OK) {
        exact->moments = *exact_row_moments(row);
        exact->max_abs = exact->moments.max_abs;
        exact->moments.prefix = (double)(element + 1);
        exact->moments.history = exact_row_history(row, element);
    }
    exact_row_free(row);
    return status;
}

enum status terms_exact(const struct operands *of, uint64_t element, struct exact_sum *exact)
{
    const struct dataset data = dataset_of(of);
    const struct format *held = format_held(of->format);
    const uint64_t n = of->shape.terms, columns = of->shape.columns;
    if (operation_is_per_number(of->operation))
        return exact_of_row(of->operation, &data, element, exact);
    if (columns == 0)
        return operation_exact(of->operation, &data, (struct exact_how){0}, exact);
    OWNED void *column = malloc(n * held->bytes + 1);
    TRY(column ? OK : out_of_memory("a column of a matrix"));
    for (uint64_t k = 0; k < n; k++)
        held_set(of->format, column, k, held_number(of->format, of->arrays[1], k * columns + element % columns));
    const void *row = (const char *)of->arrays[0] + element / columns * n * held->bytes;
    return exact_dot(of->format, (struct exact_how){0}, row, column, n, exact);
}

enum status terms_ulp(const struct operands *of, const struct format *format, double *ulp)
{
    FREED_BY(exact_free) struct exact_sum exact = {0};
    *ulp = (double)NAN;
    if (operation_has_elements(of->operation))
        return OK;
    TRY(terms_exact(of, 0, &exact));
    *ulp = exact_ulp(exact.sum, format);
    return OK;
}

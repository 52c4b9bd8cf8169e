#include "matrix_device.h"

#include "src/base/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STRIPE = 256, LINES_LEAST = 4 };

/* Drawn rows, or columns, of C: by the host, which multiplies what was gathered for them, and by the GPU. */
struct lines {
    uint64_t count, length, *places;
    struct matrix_product product; /* of these lines */
    void *numbers, *computed;      /* of A or B, and C; NULL where there is nothing to judge */
    struct exact_element *expected, *found;
};

struct matrix_check {
    uint64_t columns; /* of C */
    struct lines rows, of_columns;
};

/* ---- what is drawn ---- */

/* SplitMix64's output function: numbers that are near each other have bits that are not. */
static uint64_t mixed(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Lines of a stripe, of which one is drawn. */
static uint64_t stripe_of(uint64_t lines)
{
    const uint64_t stripe = lines / LINES_LEAST;
    return stripe < 1 ? 1 : stripe < STRIPE ? stripe : STRIPE;
}

uint64_t exact_lines_checked(uint64_t lines)
{
    return (lines + stripe_of(lines) - 1) / stripe_of(lines);
}

static uint64_t drawn_line(uint64_t lines, uint64_t which, uint64_t seed)
{
    const uint64_t stripe = stripe_of(lines), first = which * stripe;
    const uint64_t count = lines - first < stripe ? lines - first : stripe;
    return first + mixed(mixed(seed) + (which + 1) * 0x9e3779b97f4a7c15) % count;
}

/* ---- comparison ---- */

struct field {
    const char *name;
    double expected, found;
};

static bool same_bits(double a, double b)
{
    return double_bits(a) == double_bits(b) || (isnan(a) && isnan(b));
}

static enum status compare(const struct exact_element *expected, const struct exact_element *found, uint64_t i,
                           uint64_t j)
{
    const struct field fields[] = {
        {"kind", expected->kind, found->kind},
        {"nearest number", expected->nearest, found->nearest},
        {"ulp", expected->ulp, found->ulp},
        {"magnitude", expected->abs_above, found->abs_above},
        {"sum of magnitudes", expected->sum_abs_above, found->sum_abs_above},
        {"error", expected->error, found->error},
    };
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        if (!same_bits(fields[f].expected, fields[f].found)) {
            complain("expected %a, the host's %s of element (%llu, %llu) of an exact matrix product, found %a on "
                     "the GPU; one of the two is wrong: run it again, and use only the host's until it is known which",
                     fields[f].expected, fields[f].name, (unsigned long long)i, (unsigned long long)j, fields[f].found);
            return NOT_MEASURED;
        }
    return OK;
}

/* ---- rows and columns ---- */

/* `count` lines of a matrix, of `length` numbers each, as rows or as columns of a smaller one. */
static void gather(const struct lines *lines, bool are_rows, const struct matrix *from, const struct format *format,
                   uint64_t length, void *to)
{
    for (uint64_t i = 0; i < length; i++)
        for (uint64_t l = 0; l < lines->count; l++) {
            const uint64_t row = are_rows ? lines->places[l] : i, column = are_rows ? i : lines->places[l];
            const uint64_t at = are_rows ? l * length + i : i * lines->count + l;
            held_set(format, to, at,
                     held_number(format, from->numbers, row * from->row_step + column * from->column_step));
        }
}

static void lines_free(struct lines *lines)
{
    free(lines->places);
    free(lines->numbers);
    free(lines->computed);
    free(lines->expected);
    free(lines->found);
}

/* False: memory is short. */
static bool lines_draw(struct lines *lines, const struct matrix_product *product, bool are_rows, uint64_t seed)
{
    const uint64_t all = are_rows ? product->rows : product->columns, count = exact_lines_checked(all),
                   length = are_rows ? product->columns : product->rows;
    const bool is_judged = product->computed.numbers != NULL;
    *lines = (struct lines){
        .count = count,
        .length = length,
        .places = malloc(count * sizeof *lines->places),
        .product = *product,
        .numbers = malloc(count * product->inner * sizeof(double) + 1),
        .computed = is_judged ? malloc(count * length * sizeof(double)) : NULL,
        .expected = malloc(count * length * sizeof *lines->expected),
        .found = malloc(count * length * sizeof *lines->found),
    };
    if (!lines->places || !lines->numbers || !lines->expected || !lines->found || (is_judged && !lines->computed))
        return false;
    for (uint64_t l = 0; l < count; l++)
        lines->places[l] = drawn_line(all, l, seed);
    gather(lines, are_rows, are_rows ? &product->a : &product->b, product->format, product->inner, lines->numbers);
    if (is_judged)
        gather(lines, are_rows, &product->computed, product->result, length, lines->computed);
    *(are_rows ? &lines->product.rows : &lines->product.columns) = count;
    *(are_rows ? &lines->product.a : &lines->product.b) =
        (struct matrix){lines->numbers, are_rows ? product->inner : count, 1};
    lines->product.computed = (struct matrix){lines->computed, lines->product.columns, 1};
    return true;
}

struct matrix_check *matrix_check_new(const struct matrix_product *product, uint64_t seed)
{
    struct matrix_check *check = calloc(1, sizeof *check);
    if (!check)
        return NULL;
    check->columns = product->columns;
    if (lines_draw(&check->rows, product, true, seed) && lines_draw(&check->of_columns, product, false, ~seed))
        return check;
    matrix_check_free(check);
    return NULL;
}

void matrix_check_free(struct matrix_check *check)
{
    if (!check)
        return;
    lines_free(&check->rows);
    lines_free(&check->of_columns);
    free(check);
}

void matrix_check_note(struct matrix_check *check, uint64_t first, uint64_t count, const struct exact_element *elements)
{
    const struct lines *rows = &check->rows, *columns = &check->of_columns;
    for (uint64_t l = 0; l < rows->count; l++)
        if (rows->places[l] >= first && rows->places[l] - first < count)
            memcpy(rows->found + l * rows->length, elements + (rows->places[l] - first) * check->columns,
                   rows->length * sizeof *elements);
    for (uint64_t i = 0; i < count; i++)
        for (uint64_t l = 0; l < columns->count; l++)
            columns->found[(first + i) * columns->count + l] = elements[i * check->columns + columns->places[l]];
}

enum status matrix_check_multiply(struct matrix_check *check, unsigned workers)
{
    TRY(exact_matrix(&check->rows.product, workers, check->rows.expected));
    return exact_matrix(&check->of_columns.product, workers, check->of_columns.expected);
}

enum status matrix_check_compare(const struct matrix_check *check)
{
    const struct lines *rows = &check->rows, *columns = &check->of_columns;
    for (uint64_t e = 0; e < rows->count * rows->length; e++)
        TRY(compare(&rows->expected[e], &rows->found[e], rows->places[e / rows->length], e % rows->length));
    for (uint64_t e = 0; e < columns->count * columns->length; e++)
        TRY(compare(&columns->expected[e], &columns->found[e], e / columns->count,
                    columns->places[e % columns->count]));
    return OK;
}

enum status exact_matrix_checked(const struct matrix_product *product, uint64_t seed, unsigned workers,
                                 struct exact_element *elements)
{
    if (product->rows == 0 || product->columns == 0)
        return OK;
    struct matrix_check *const check = matrix_check_new(product, seed);
    if (!check)
        return out_of_memory("rows and columns of an exact matrix product");
    enum status status = exact_matrix_on_device(product, elements);
    if (status == OK)
        status = matrix_check_multiply(check, workers);
    if (status == OK) {
        matrix_check_note(check, 0, product->rows, elements);
        status = matrix_check_compare(check);
    }
    matrix_check_free(check);
    return status;
}

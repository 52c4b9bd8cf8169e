#include "matrix_device.h"

#include "src/base/fp.h"

#include <math.h>
#include <stdlib.h>

enum { STRIPE = 256, LINES_LEAST = 4 };

/* A checked product, and room for a row or a column by exact_matrix. */
struct check {
    const struct matrix_product *product;
    const struct exact_element *elements;
    unsigned workers;
    struct exact_element *line;
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
            complain("expected %a, the host's %s of element (%llu, %llu) of an exact product of matrices, found %a on "
                     "the GPU; one of the two is wrong: run it again, and use only the host's until it is known which",
                     fields[f].expected, fields[f].name, (unsigned long long)i, (unsigned long long)j, fields[f].found);
            return NOT_MEASURED;
        }
    return OK;
}

/* ---- rows and columns ---- */

static struct matrix from(struct matrix matrix, const struct format *format, uint64_t i, uint64_t k)
{
    if (matrix.numbers)
        matrix.numbers =
            (const char *)matrix.numbers + (i * matrix.row_step + k * matrix.column_step) * format_held(format)->bytes;
    return matrix;
}

/* The elements of C from (i, j) on: a row or a column. */
static enum status check_line(const struct check *check, uint64_t i, uint64_t j, uint64_t rows, uint64_t columns)
{
    struct matrix_product line = *check->product;
    line.a = from(line.a, line.format, i, 0);
    line.b = from(line.b, line.format, 0, j);
    line.computed = from(line.computed, line.result, i, j);
    line.rows = rows;
    line.columns = columns;
    TRY(exact_matrix(&line, check->workers, check->line));
    for (uint64_t e = 0; e < rows * columns; e++) {
        const uint64_t row = i + e / columns, column = j + e % columns;
        TRY(compare(&check->line[e], &check->elements[row * check->product->columns + column], row, column));
    }
    return OK;
}

static enum status check_lines(const struct check *check, uint64_t seed)
{
    const uint64_t rows = check->product->rows, columns = check->product->columns;
    for (uint64_t r = 0; r < exact_lines_checked(rows); r++)
        TRY(check_line(check, drawn_line(rows, r, seed), 0, 1, columns));
    for (uint64_t c = 0; c < exact_lines_checked(columns); c++)
        TRY(check_line(check, 0, drawn_line(columns, c, ~seed), rows, 1));
    return OK;
}

enum status exact_matrix_checked(const struct matrix_product *product, uint64_t seed, unsigned workers,
                                 struct exact_element *elements)
{
    const uint64_t longer = product->rows > product->columns ? product->rows : product->columns;
    if (product->rows == 0 || product->columns == 0)
        return OK;
    TRY(exact_matrix_on_device(product, elements));
    struct exact_element *const line = malloc(longer * sizeof *line);
    if (!line)
        return out_of_memory("rows and columns of an exact product of matrices");
    const enum status status = check_lines(&(struct check){product, elements, workers, line}, seed);
    free(line);
    return status;
}

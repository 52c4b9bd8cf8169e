/* Sums that every order of additions has right: of integers whose partial sums are all numbers of the format.  Four of
 * them are as large as fits, with digits down to the last, so that whoever computes in a narrower format is wrong. */
#include "plugin_kind.h"

#include "src/base/format.h"
#include "src/base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Multiples of what kernels like, and others. */
static const uint64_t lengths[] = {17, 128, 1000, 1024, 4097, 100, 31, 8, 5, 3, 2, 1};
enum { LENGTHS = sizeof lengths / sizeof *lengths, SIDE = 2 /* of a product of matrices */, LARGE = 4 };

/* Of a method that takes them: one, and other numbers of them than are multiples of what kernels like. */
enum { ROWS_MOST = 5, RESULTS_MOST = ROWS_MOST /* a product of matrices has fewer */ };
static const uint64_t row_counts[] = {ROWS_MOST, 1, 4, 3};
enum { ROW_COUNTS = sizeof row_counts / sizeof *row_counts };

struct known {
    const struct method *method;
    struct shape shape;
    uint64_t state; /* of the random numbers; fixed by n */
    double exact[RESULTS_MOST];
    void *x, *y;
};

/* xorshift64 */
static uint64_t random_below(struct known *known, uint64_t most)
{
    known->state ^= known->state << 13;
    known->state ^= known->state >> 7;
    known->state ^= known->state << 17;
    return (known->state >> 32) % most;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* What the magnitudes of the terms may add up to: beyond it integers are no longer all numbers of the format. */
static uint64_t room(const struct method *method)
{
    const int added = method->sum_format->added->precision, result = method->format->precision;
    return UINT64_C(1) << least((uint64_t)(added < result ? added : result), 24);
}

/* The terms of one result into a row of x: a half of the room for the large ones, a half for ones. */
static void fill_row(struct known *known, uint64_t row)
{
    const enum operation operation = known->method->operation;
    const struct format *stored = known->method->sum_format->stored;
    const uint64_t n = known->shape.terms, all = room(known->method);
    const uint64_t most = least(all / (2 * LARGE), UINT64_C(1) << stored->precision);
    uint64_t ones = least(n, all / 2), root = 0;
    while ((root + 1) * (root + 1) <= ones)
        root++;
    const bool is_of_squares = operation_table[operation].vectors == 1 && operation != OPERATION_sum;
    if (operation_table[operation].of == ROOT_OF_SQUARES)
        ones = root * root; /* whose root is a number */
    for (uint64_t i = 0; i < n; i++)
        held_set(stored, known->x, row * n + i, i < ones ? (is_of_squares || random_below(known, 2) ? 1 : -1) : 0);
    for (int k = 0; k < LARGE && !is_of_squares; k++)
        held_set(stored, known->x, row * n + random_below(known, n),
                 (double)(most - random_below(known, 1 + most / 4)));
}

/* Result e. */
static double exact_of(const struct known *known, uint64_t e)
{
    const struct format *stored = known->method->sum_format->stored;
    const enum operation operation = known->method->operation;
    const struct shape shape = known->shape;
    const uint64_t row = shape.columns > 0 ? e / shape.columns : e;
    double exact = 0, root = 0;
    for (uint64_t i = 0; i < shape.terms; i++) {
        const uint64_t at = shape.columns > 0 ? i * shape.columns + e % shape.columns : row * shape.terms + i;
        const double x = held_number(stored, known->x, row * shape.terms + i), y = held_number(stored, known->y, at);
        exact += operation_table[operation].vectors == 2 ? x * y : operation == OPERATION_sum ? x : x * x;
    }
    if (operation_table[operation].of != ROOT_OF_SQUARES)
        return exact;
    while (root * root < exact)
        root++;
    return root;
}

static void fill(struct known *known)
{
    const struct format *stored = known->method->sum_format->stored;
    const struct shape shape = known->shape;
    const uint64_t columns = shape.columns > 0 ? shape.columns : shape.rows;
    known->state = UINT64_C(0x9e3779b97f4a7c15) ^ shape.terms;
    for (uint64_t r = 0; r < shape.rows; r++)
        fill_row(known, r);
    for (uint64_t i = 0; i < shape.terms * columns; i++)
        held_set(stored, known->y, i, random_below(known, 2) ? 1 : -1);
    for (uint64_t e = 0; e < shape_results(shape); e++)
        known->exact[e] = exact_of(known, e);
}

/* OK too when it gave nothing, which was complained about. */
static enum status ask_one(struct known *known, char **what)
{
    const struct method *method = known->method;
    const struct operands of = {method->sum_format->stored,
                                method->operation,
                                {known->x, operation_table[method->operation].vectors == 2 ? known->y : NULL},
                                known->shape};
    uint64_t bits[RESULTS_MOST];
    fill(known);
    if (method->ask(method, &of, (struct launch){120, 256}, bits, NULL) != OK)
        return OK;
    for (uint64_t e = 0; e < shape_results(known->shape); e++) {
        char expected[NUMBER_TEXT], found[NUMBER_TEXT];
        if (format_value(method->format, bits[e]) == known->exact[e])
            continue;
        write_plainly(known->exact[e], expected);
        write_plainly(format_value(method->format, bits[e]), found);
        char row[64] = "";
        if (known->shape.columns == 0 && known->shape.rows > 1)
            snprintf(row, sizeof row, ", row %" PRIu64 " of %" PRIu64 ",", e + 1, known->shape.rows);
        *what = text_made("of %" PRIu64 " integer%s%s the exact result is %s, in any order of additions; it gave %s",
                          known->shape.terms, known->shape.terms == 1 ? "" : "s", row, expected, found);
        complain("%s: is broken: %s", method->id, *what);
        return LIMIT_BROKEN;
    }
    return OK;
}

/* The rows of a sum of n terms, or of a product's first matrix. */
static uint64_t rows_of(const struct method *method, int i)
{
    return operation_table[method->operation].of == MATRICES ? SIDE
           : plugin_takes_rows(method)                       ? row_counts[i % ROW_COUNTS]
                                                             : 1;
}

enum status plugin_check_integers(const struct method *method, char **what)
{
    const bool is_product = operation_table[method->operation].of == MATRICES;
    struct plugin_method *own = (struct plugin_method *)method->own;
    enum status status = OK;
    *what = NULL;
    const unsigned failures = own->failures;
    own->is_tried = true;
    for (int i = 0; i < LENGTHS && status == OK; i++) {
        const uint64_t n = lengths[i], rows = rows_of(method, i);
        struct known known = {.method = method, .shape = {n, rows, is_product ? SIDE : 0}};
        known.x = malloc(n * rows * sizeof(double));
        known.y = malloc(n * rows * sizeof(double));
        if (!known.x || !known.y)
            status = out_of_memory("sums of integers");
        else if (plugin_takes(method, n) && !plugin_is_left_out(method))
            status = ask_one(&known, what);
        free(known.x);
        free(known.y);
    }
    own->is_tried = false;
    return status == OK && own->failures > failures ? NOT_MEASURED : status;
}

#include "matrix.h"

#include "limbs.h"
#include "src/base/format.h"
#include "src/base/workers.h"

#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "matrix_counters.h"

/* A tile is what a thread takes at a time: the factors of its columns are made once and stay in L2, 12
 * bytes each, 384 KB; those of its rows are made again for every tile. */
enum { TILE_FACTORS = 1 << 15, TILE_COLUMNS_LEAST = 16, TILE_COLUMNS_MOST = 64, TILE_ROWS_MOST = 256 };

/* A thread takes 16 us to start and join, 2^17 products 100 us. */
enum { PRODUCTS_OF_A_WORKER = 1 << 17 };

/* Folding a window takes a third of the time that a product takes in fold_by_products. */
enum { WINDOWS_OF_A_PRODUCT = 3 };

/* Products of binary64 below 2^2048 down to the bit 2^-2148, 2^64 of them, and limbs of no product beside them. */
enum { LIMBS_MOST = 72 };

/* Where an element of C goes. */
struct place {
    struct exact_element *elements;
    uint64_t row_step, column_step;
};

struct work {
    struct matrix_product product;
    struct place place;
    const struct grid *grid;
    int unit;       /* totals count multiples of 2^unit */
    unsigned below; /* their limbs that lie below any product, and may hold bits of what was computed */
    uint64_t tile_rows, tile_columns, tiles_across, tiles;
    atomic_uint_fast64_t next_tile;
    atomic_bool out_of_memory;
};

/* What a thread has for itself. */
struct bench {
    struct factors row, columns;
    struct reach reaches[TILE_COLUMNS_MOST];
    wide *counters;                        /* of a panel */
    uint64_t totals[PANEL][2][LIMBS_MOST]; /* P and N of its columns; zeros between two rows */
};

static uint64_t at_most(uint64_t count, uint64_t most)
{
    return count < most ? count : most;
}

static double number_of(const struct format *format, const struct matrix *matrix, uint64_t i, uint64_t k)
{
    return held_number(format, matrix->numbers, i * matrix->row_step + k * matrix->column_step);
}

/* ---- zeros, infinities and NaNs ---- */

/* x y is a zero, an infinity or a NaN where x or y is one, and binary64 says which; else 1. */
static double special_product(const struct matrix_product *product, uint64_t i, uint64_t k, uint64_t j)
{
    const double x = number_of(product->format, &product->a, i, k), y = number_of(product->format, &product->b, k, j);
    return x == 0 || y == 0 || !isfinite(x) || !isfinite(y) ? x * y : 1;
}

/* The sum of the products as IEEE 754 has it where one of them is an infinity or a NaN; else 0. */
static double sum_of_specials(const struct matrix_product *product, uint64_t i, uint64_t j)
{
    double sum = 0;
    for (uint64_t k = 0; k < product->inner && !isnan(sum); k++) {
        const double term = special_product(product, i, k, j);
        sum += isfinite(term) ? 0 : term;
    }
    return sum;
}

/* Of products that are all zeros: -0 if each of them is, and there is one. */
static double sum_of_zeros(const struct matrix_product *product, uint64_t i, uint64_t j)
{
    bool all_negative = product->inner > 0;
    for (uint64_t k = 0; k < product->inner && all_negative; k++)
        all_negative = signbit(special_product(product, i, k, j));
    return all_negative ? -0.0 : 0.0;
}

static struct exact_element special_element(double sum)
{
    return (struct exact_element){.kind = isnan(sum) ? EXACT_NAN : EXACT_INF,
                                  .nearest = sum,
                                  .ulp = NAN,
                                  .abs_above = fabs(sum),
                                  .sum_abs_above = NAN};
}

/* ---- from totals to an element ---- */

/* |computed| = significand 2^place */
static uint64_t significand_of(double computed)
{
    const uint64_t hidden = (uint64_t)1 << 52, bits = double_bits(computed);
    return (bits & (hidden - 1)) | (fabs(computed) < DBL_MIN ? 0 : hidden);
}

static int place_of(double computed)
{
    const int field = double_bits(computed) >> 52 & 2047;
    return (field > 0 ? field - 1 : 0) + FORMAT_BINARY64.least_exponent;
}

/* Limbs of the totals that an element needs: few, where all numbers are of one size. */
struct span {
    unsigned from, count;
};

static struct span widened(struct span span, int from_bit, int to_bit)
{
    const unsigned from = (unsigned)from_bit / 64, to = (unsigned)to_bit / 64 + 1, end = span.from + span.count;
    if (span.count == 0)
        return (struct span){from, to - from};
    const unsigned first = from < span.from ? from : span.from;
    return (struct span){first, (to > end ? to : end) - first};
}

/* Of the totals, which are less than 2^64 products of 2^128 units of the last window; of what was computed; and a bit
 * for the sign of a difference of them. */
static struct span span_of(const struct work *work, struct reach products, double computed)
{
    const int below = 64 * (int)work->below, window = (int)work->grid->window;
    struct span span = {0, 0};
    if (!is_empty(products))
        span = widened(span, below + (int)products.first * window, below + (int)products.last * window + 128 + 64);
    if (computed != 0 && isfinite(computed)) {
        const int bit = place_of(computed) - work->unit;
        span = widened(span, bit, bit + 64);
    }
    return span.count > 0 ? span : (struct span){0, 1};
}

/* computed - s, where both are finite; |s| is overwritten. */
static double error_of(double computed, uint64_t *magnitude, unsigned limbs, int unit, bool negative)
{
    const bool same_sign = negative == (signbit(computed) != 0);
    bool positive = negative; /* the difference */
    if (computed != 0)
        limbs_add_word(magnitude, limbs, significand_of(computed), (unsigned)(place_of(computed) - unit), same_sign);
    if (limbs_negative(magnitude, limbs)) {
        limbs_negate(magnitude, limbs);
        positive = !positive;
    }
    const double error = limbs_round(magnitude, limbs_length(magnitude, limbs), unit, &FORMAT_BINARY64, LIMBS_UP);
    return positive || error == 0 ? error : -error;
}

static double ulp_of(const struct format *format, int length, int unit)
{
    const int last = length + unit - format->precision;
    const int exponent = length > 0 && last > format->least_exponent ? last : format->least_exponent;
    return exponent < FORMAT_BINARY64.overflow_exponent ? ldexp(1, exponent) : INFINITY;
}

/* A sum of zeros is +0 here. */
static struct exact_element finite_element(const struct work *work, uint64_t totals[2][LIMBS_MOST], struct span span,
                                           double computed)
{
    const struct format *const result = work->product.result;
    const unsigned limbs = span.count;
    const int unit = work->unit + 64 * (int)span.from;
    uint64_t magnitude[LIMBS_MOST], sum_abs[LIMBS_MOST];
    limbs_subtract(magnitude, totals[0] + span.from, totals[1] + span.from, limbs);
    limbs_add(sum_abs, totals[0] + span.from, totals[1] + span.from, limbs);
    const bool negative = limbs_negative(magnitude, limbs);
    if (negative)
        limbs_negate(magnitude, limbs);
    const int length = limbs_length(magnitude, limbs), length_abs = limbs_length(sum_abs, limbs);
    const double nearest = limbs_round(magnitude, length, unit, result, LIMBS_NEAREST);
    struct exact_element element = {
        .kind = EXACT_FINITE,
        .nearest = negative ? -nearest : nearest,
        .ulp = ulp_of(result, length, unit),
        .abs_above = limbs_round(magnitude, length, unit, &FORMAT_BINARY64, LIMBS_UP),
        .sum_abs_above = limbs_round(sum_abs, length_abs, unit, &FORMAT_BINARY64, LIMBS_UP),
    };
    element.error = isfinite(computed) ? error_of(computed, magnitude, limbs, unit, negative) : computed;
    return element;
}

/* Leaves the totals empty. */
static void conclude(const struct work *work, uint64_t totals[2][LIMBS_MOST], struct reach products, uint64_t i,
                     uint64_t j)
{
    const struct matrix_product *const product = &work->product;
    struct exact_element *const element = &work->place.elements[i * work->place.row_step + j * work->place.column_step];
    const bool judged = product->computed.numbers != NULL;
    const double computed = judged ? number_of(product->result, &product->computed, i, j) : 0;
    const double special = products.specials ? sum_of_specials(product, i, j) : 0;
    const struct span span = span_of(work, products, computed);
    *element = finite_element(work, totals, span, computed);
    if (special != 0) {
        *element = special_element(special);
        element->error = computed - special;
    } else if (element->sum_abs_above == 0)
        element->nearest = sum_of_zeros(product, i, j);
    if (!judged)
        element->error = 0;
    memset(totals[0] + span.from, 0, span.count * sizeof totals[0][0]);
    memset(totals[1] + span.from, 0, span.count * sizeof totals[1][0]);
}

/* ---- tiles ---- */

/* The factors of the numbers from number `start` on, `step` apart. */
static struct reach read_line(const struct work *work, const void *numbers, uint64_t start, uint64_t step,
                              unsigned stride, uint32_t base, struct factors factors)
{
    const uint64_t n = work->product.inner;
    if (n == 0)
        return no_reach;
    return work->grid == &GRID64
               ? read_factors(&GRID64, (const double *)numbers + start, step, n, stride, base, factors)
               : read_factors(&GRID32, (const float *)numbers + start, step, n, stride, base, factors);
}

static struct factors panel_of(const struct work *work, const struct bench *bench, uint64_t panel)
{
    const uint64_t factors = panel * PANEL * work->product.inner;
    return (struct factors){bench->columns.significands + factors, bench->columns.places + factors};
}

/* Columns beyond the last are 0. */
static void read_columns(const struct work *work, struct bench *bench, uint64_t from, uint64_t count)
{
    const struct matrix *const b = &work->product.b;
    for (uint64_t c = 0; c < (count + PANEL - 1) / PANEL * PANEL; c++) {
        struct factors factors = panel_of(work, bench, c / PANEL);
        const uint32_t base = (uint32_t)(c % PANEL) * bytes_of_counters(work->grid);
        factors.significands += c % PANEL;
        factors.places += c % PANEL;
        if (c < count)
            bench->reaches[c] =
                read_line(work, b->numbers, (from + c) * b->column_step, b->row_step, PANEL, base, factors);
        else
            fill_zeros(work->product.inner, PANEL, base, factors);
    }
}

/* The products of a row with a column of a panel: n of them, just counted. */
static void fold_column(const struct work *work, struct bench *bench, unsigned column, struct factors row,
                        struct factors panel, uint64_t n, struct reach products)
{
    wide *const counters = bench->counters + (size_t)column * work->grid->windows * VARIANTS;
    uint64_t *const totals[2] = {bench->totals[column][0] + work->below, bench->totals[column][1] + work->below};
    if (is_empty(products)) /* each of them is 0 */
        return;
    if ((products.last - products.first) / WINDOWS_OF_A_PRODUCT > n)
        fold_by_products(work->grid, bench->counters, column, row, panel, n, totals, LIMBS_MOST - work->below);
    else if (work->grid == &GRID64)
        fold_counters(&GRID64, counters, products.first, products.last, totals);
    else
        fold_counters(&GRID32, counters, products.first, products.last, totals);
}

/* A row times so many columns of a panel. */
static void multiply_panel(const struct work *work, struct bench *bench, struct factors panel,
                           const struct reach products[PANEL], uint64_t columns)
{
    const uint64_t inner = work->product.inner;
    for (uint64_t from = 0; from < inner; from += work->grid->terms) {
        const uint64_t n = at_most(inner - from, work->grid->terms);
        const struct factors row_part = factors_from(bench->row, from), part = factors_from(panel, PANEL * from);
        count_products((char *)bench->counters, row_part, part, n);
        for (unsigned c = 0; c < columns; c++)
            fold_column(work, bench, c, row_part, part, n, products[c]);
    }
}

static void multiply_row(const struct work *work, struct bench *bench, uint64_t i, uint64_t from, uint64_t count)
{
    const struct matrix *const a = &work->product.a;
    const struct reach row = read_line(work, a->numbers, i * a->row_step, a->column_step, 1, 0, bench->row);
    for (uint64_t start = 0; start < count; start += PANEL) {
        const uint64_t columns = count - start < PANEL ? count - start : PANEL;
        struct reach products[PANEL];
        for (uint64_t c = 0; c < columns; c++)
            products[c] = reach_of_products(row, bench->reaches[start + c]);
        multiply_panel(work, bench, panel_of(work, bench, start / PANEL), products, columns);
        for (uint64_t c = 0; c < columns; c++)
            conclude(work, bench->totals[c], products[c], i, from + start + c);
    }
}

static void multiply_tile(const struct work *work, struct bench *bench, uint64_t tile)
{
    const struct matrix_product *const product = &work->product;
    const uint64_t row = tile / work->tiles_across * work->tile_rows,
                   column = tile % work->tiles_across * work->tile_columns;
    const uint64_t rows = at_most(product->rows - row, work->tile_rows),
                   columns = at_most(product->columns - column, work->tile_columns);
    read_columns(work, bench, column, columns);
    for (uint64_t i = row; i < row + rows; i++)
        multiply_row(work, bench, i, column, columns);
}

/* ---- threads ---- */

static bool open_bench(const struct work *work, struct bench *bench)
{
    const size_t inner = work->product.inner + 1, factors = inner * work->tile_columns;
    *bench = (struct bench){{malloc(inner * sizeof(uint64_t)), malloc(inner * sizeof(uint32_t))},
                            {malloc(factors * sizeof(uint64_t)), malloc(factors * sizeof(uint32_t))},
                            .counters = calloc(PANEL, bytes_of_counters(work->grid))};
    return bench->row.significands && bench->row.places && bench->columns.significands && bench->columns.places &&
           bench->counters;
}

static void close_bench(struct bench *bench)
{
    free(bench->row.significands);
    free(bench->row.places);
    free(bench->columns.significands);
    free(bench->columns.places);
    free(bench->counters);
}

static void multiply_tiles(void *context, unsigned worker)
{
    struct work *const work = context;
    struct bench bench;
    (void)worker;
    if (!open_bench(work, &bench))
        atomic_store(&work->out_of_memory, true);
    for (uint64_t tile;
         !atomic_load(&work->out_of_memory) && (tile = atomic_fetch_add(&work->next_tile, 1)) < work->tiles;)
        multiply_tile(work, &bench, tile);
    close_bench(&bench);
}

/* The place of the last bit of a computed number, as binary64 has it. */
static int least_place(const struct format *result)
{
    const int least = format_held(result)->least_exponent - (FORMAT_BINARY64.precision - 1);
    return least > FORMAT_BINARY64.least_exponent ? least : FORMAT_BINARY64.least_exponent;
}

static void set_unit(struct work *work)
{
    work->unit = 2 * work->grid->least;
    for (; work->unit > least_place(work->product.result); work->unit -= 64)
        work->below++;
}

/* As many rows as leave two tiles for each worker, since the factors of the columns are made for each tile. */
static void set_tiles(struct work *work, unsigned workers)
{
    const struct matrix_product *const product = &work->product;
    const uint64_t columns = at_most(TILE_FACTORS / (product->inner + 1), TILE_COLUMNS_MOST) / PANEL * PANEL;
    work->tile_columns = columns > TILE_COLUMNS_LEAST ? columns : TILE_COLUMNS_LEAST;
    work->tiles_across = (product->columns + work->tile_columns - 1) / work->tile_columns;
    const uint64_t rows = at_most(product->rows * work->tiles_across / (2 * workers), TILE_ROWS_MOST);
    work->tile_rows = rows > 0 ? rows : 1;
    work->tiles = work->tiles_across * ((product->rows + work->tile_rows - 1) / work->tile_rows);
}

static struct matrix transposed(struct matrix matrix)
{
    return (struct matrix){matrix.numbers, matrix.column_step, matrix.row_step};
}

/* C' = B' A', where C has fewer columns than a panel and more rows. */
static void transpose(struct work *work)
{
    const struct matrix_product product = work->product;
    work->product.rows = product.columns;
    work->product.columns = product.rows;
    work->product.a = transposed(product.b);
    work->product.b = transposed(product.a);
    work->product.computed = transposed(product.computed);
    work->place = (struct place){work->place.elements, work->place.column_step, work->place.row_step};
}

enum status exact_matrix(const struct matrix_product *product, unsigned workers, struct exact_element *elements)
{
    const double products = (double)product->rows * (double)product->columns * (double)(product->inner + 1);
    const unsigned threads = products < 2 * PRODUCTS_OF_A_WORKER || workers == 0 ? 1 : workers;
    struct work work = {.product = *product, .place = {elements, product->columns, 1}};
    work.grid = format_held(product->format) == &FORMAT_BINARY64 ? &GRID64 : &GRID32;
    if (product->columns < PANEL && product->columns < product->rows)
        transpose(&work);
    set_unit(&work);
    set_tiles(&work, threads);
    workers_run(threads, multiply_tiles, &work);
    return atomic_load(&work.out_of_memory) ? out_of_memory("an exact matrix product") : OK;
}

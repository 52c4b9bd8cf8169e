#include "results.h"

#include "conclude.h"
#include "per_number.h"

#include "reference/matrix.h"
#include "src/base/status.h"
#include "src/base/workers.h"

#include <math.h>
#include <stdlib.h>
#include <sys/param.h>

/* ---- exact sums of lines of numbers, wherever they are in memory, one after the other with the same counters ---- */

/* Of one thread. */
struct adder {
    const struct format *held; /* what numbers are read as */
    bool products;
    struct bins fresh, bins;
};

/* Numbers that are packed at a time: 2 x 16 KB of binary64, on the stack. */
enum { PIECE = 2048 };

/* A thread takes 16 us to start and join, and 60 where others want the core, too; so many terms of binary32 take 100 us
 * at least, of the other kinds 90. */
static uint64_t terms_of_a_worker(enum bins_of of)
{
    return of == BINS_OF_BINARY32 ? 1 << 19 : 1 << 17;
}

/* After a failure it is empty, and may be closed. */
static enum status adder_open(struct adder *adder, const struct format *held, bool products)
{
    const bool wide = is_format(held, &FORMAT_BINARY64);
    const enum bins_of of =
        products ? (wide ? BINS_OF_PRODUCTS64 : BINS_OF_PRODUCTS32) : (wide ? BINS_OF_BINARY64 : BINS_OF_BINARY32);
    *adder = (struct adder){.held = held, .products = products};
    TRY(bins_init(&adder->fresh, of, held->least_exponent + held->precision - 1));
    adder->bins = adder->fresh;
    return OK;
}

static void adder_close(struct adder *adder)
{
    bins_free(&adder->fresh);
}

/* Terms [from, from + count). */
static void add_range(const struct adder *adder, struct bins *bins, const struct line *x, const struct line *y,
                      uint64_t from, uint64_t count)
{
    double x_room[PIECE], y_room[PIECE];
    const bool at_once = line_is_held(x, adder->held) && (!y || line_is_held(y, adder->held));
    while (count > 0) {
        const uint64_t piece = at_once ? count : MIN(count, PIECE);
        bins_add(bins, line_read(x, from, piece, adder->held, x_room),
                 y ? line_read(y, from, piece, adder->held, y_room) : NULL, piece);
        from += piece;
        count -= piece;
    }
}

/* ---- threads ---- */

/* A sum cut into one part for each of so many workers. */
struct parts {
    const struct adder *adder;
    const struct line *x, *y;
    struct bins *bins;
    unsigned workers;
};

static void add_part(void *context, unsigned worker)
{
    const struct parts *const parts = context;
    const uint64_t share = parts->x->n / parts->workers, rest = parts->x->n % parts->workers;
    add_range(parts->adder, &parts->bins[worker], parts->x, parts->y, worker * share + MIN(worker, rest),
              share + (worker < rest));
    bins_fold(&parts->bins[worker]);
}

static enum status add_in_parts(struct adder *adder, const struct line *x, const struct line *y, unsigned workers)
{
    struct parts parts = {adder, x, y, aligned_alloc(_Alignof(struct bins), workers * sizeof(struct bins)), 0};
    enum status status = parts.bins ? OK : out_of_memory("an exact sum");
    unsigned opened = 0;
    while (status == OK && opened < workers)
        status = bins_init(&parts.bins[opened++], adder->fresh.of, adder->fresh.least_normal);
    parts.workers = opened;
    if (status == OK) {
        workers_run(workers, add_part, &parts);
        for (unsigned w = 0; w < workers; w++)
            bins_merge(&adder->bins, &parts.bins[w]);
    }
    for (unsigned w = 0; w < opened; w++)
        bins_free(&parts.bins[w]);
    free(parts.bins);
    return status;
}

/* ---- all of it ---- */

/* The sum of x, or of the products of x and y; y is NULL for a sum.  *sum is good until the next.  The counters are
 * empty since the last sum was folded. */
static enum status adder_add(struct adder *adder, const struct line *x, const struct line *y, unsigned workers,
                             struct added_sum *sum)
{
    const bool is_constant = x->stride == 0 && (!y || y->stride == 0) && x->n > 1;
    const uint64_t useful = x->n / terms_of_a_worker(adder->fresh.of);
    const unsigned parts = (unsigned)MIN(workers, useful);
    double room;
    *sum = (struct added_sum){.bins = &adder->bins, .n = x->n, .last = {1, 1}};
    adder->bins = adder->fresh;
    if (x->n > 0) {
        sum->last[0] = *(const double *)line_read(x, x->n - 1, 1, &FORMAT_BINARY64, &room);
        sum->last[1] = y ? *(const double *)line_read(y, x->n - 1, 1, &FORMAT_BINARY64, &room) : 1;
    }
    if (parts > 1 && !is_constant)
        return add_in_parts(adder, x, y, parts);
    add_range(adder, &adder->bins, x, y, 0, is_constant ? 1 : x->n);
    bins_fold(&adder->bins);
    if (is_constant)
        bins_multiply(&adder->bins, x->n);
    return OK;
}

/* ---- results ---- */

/* An exact sum of fewer terms takes less time than starting a thread, or asking how many cores there are. */
enum { PARALLEL_FROM = 1 << 18 };

/* Of a matrix product: rows of it that are computed together, as many as a tile has, or as many as have so many
 * elements. */
enum { STRIPE_ROWS = 256, STRIPE_ELEMENTS = 1 << 16 };

/* Of its inner dimension; exact_matrix multiplies that with bytes. */
#define TERMS_MOST (UINT64_C(1) << 40)

struct visit {
    const struct problem *problem;
    const void *computed;
    const struct visitor *visitor;
};

static unsigned workers_for(double terms)
{
    return terms < PARALLEL_FROM ? 1 : workers_cores();
}

/* ---- a result that is added up alone ---- */

static void visit_sum(const struct visit *visit, const struct added_sum *sum, uint64_t row, uint64_t column)
{
    const struct problem *const problem = visit->problem;
    const bool is_judged = visit->computed != NULL, wants_last = visit->visitor->wants_without_last && sum->n > 0;
    const double computed =
        is_judged ? number_at(problem->result, visit->computed, row * problem->columns + column) : 0;
    struct ulpscope_error error, without_last;
    conclude_sum(sum, problem->result, is_judged ? &computed : NULL, &error);
    if (wants_last)
        conclude_without_last(sum, problem->result, &without_last);
    visit->visitor->visit(visit->visitor->context,
                          &(struct result){row, column, &error, wants_last ? &without_last : NULL, NULL});
}

static ulpscope_status visit_line(const struct visit *visit, struct adder *adder, uint64_t row, uint64_t column,
                                  unsigned workers)
{
    const struct problem *const problem = visit->problem;
    const struct line x = problem_row(problem, row), y = problem_second(problem, row, column);
    struct added_sum sum;
    if (adder_add(adder, &x, problem->has_products ? &y : NULL, workers, &sum) != OK)
        return ULPSCOPE_OUT_OF_MEMORY;
    visit_sum(visit, &sum, row, column);
    return ULPSCOPE_OK;
}

static ulpscope_status visit_lines(const struct visit *visit)
{
    const struct problem *const problem = visit->problem;
    const unsigned workers = workers_for((double)problem->terms);
    FREED_BY(adder_close) struct adder adder = {0};
    ulpscope_status status =
        adder_open(&adder, problem->format, problem->has_products) == OK ? ULPSCOPE_OK : ULPSCOPE_OUT_OF_MEMORY;
    for (uint64_t row = 0; row < problem->rows && status == ULPSCOPE_OK; row++)
        status = visit_line(visit, &adder, row, 0, workers);
    return status;
}

/* ---- scans: each sum follows from the one before, in one pass ---- */

static void visit_prefixes(const struct visit *visit, const struct adder *adder, uint64_t row)
{
    const struct problem *const problem = visit->problem;
    const struct line x = problem_row(problem, row);
    struct bins totals = adder->fresh;
    for (uint64_t i = 0; i < x.n; i++) {
        struct added_sum sum = {&totals, MIN(i + 1, problem->window), {0, 1}};
        double gone;
        sum.last[0] = *(const double *)line_read(&x, i, 1, &FORMAT_BINARY64, &sum.last[0]);
        total_number(&totals, sum.last[0], false);
        if (i >= problem->window)
            total_number(&totals, *(const double *)line_read(&x, i - problem->window, 1, &FORMAT_BINARY64, &gone),
                         true);
        visit_sum(visit, &sum, row, i);
    }
}

static ulpscope_status visit_scan(const struct visit *visit)
{
    FREED_BY(adder_close) struct adder adder = {0};
    if (adder_open(&adder, visit->problem->format, false) != OK)
        return ULPSCOPE_OUT_OF_MEMORY;
    for (uint64_t row = 0; row < visit->problem->rows; row++)
        visit_prefixes(visit, &adder, row);
    return ULPSCOPE_OK;
}

/* ---- means, variances and their like: several sums each ---- */

static void visit_numbers(const struct visit *visit, const struct added_sum sums[PARTS], const struct moments *moments,
                          uint64_t row)
{
    const struct problem *const problem = visit->problem;
    const struct line x = problem_row(problem, row);
    struct number_row of;
    number_row_begin(&of, problem, sums, &x);
    for (uint64_t i = 0; i < problem->columns; i++) {
        double room;
        const double number = x.n > 0 ? *(const double *)line_read(&x, i, 1, &FORMAT_BINARY64, &room) : 0;
        const double computed =
            visit->computed ? number_at(problem->result, visit->computed, row * problem->columns + i) : 0;
        struct ulpscope_error error;
        number_row_element(&of, number, visit->computed ? &computed : NULL, &error);
        visit->visitor->visit(visit->visitor->context, &(struct result){row, i, &error, NULL, moments});
    }
}

static bool is_of_products(enum part part)
{
    return part >= PART_XX;
}

static ulpscope_status visit_statistic(const struct visit *visit, struct adder adders[PARTS], uint64_t row,
                                       unsigned workers)
{
    const struct problem *const problem = visit->problem;
    const struct line x = problem_row(problem, row), y = problem_second(problem, row, 0);
    struct added_sum sums[PARTS] = {0};
    struct ulpscope_error error, without_last;
    struct moments moments;
    for (enum part p = PART_X; p < PARTS; p++) {
        const struct line *const first = p == PART_Y || p == PART_YY ? &y : &x, *const second = p == PART_XX ? &x
                                                                                                : is_of_products(p)
                                                                                                    ? &y
                                                                                                    : NULL;
        if (statistic_parts(problem->operation) >> p & 1 &&
            adder_add(&adders[p], first, second, workers, &sums[p]) != OK)
            return ULPSCOPE_OUT_OF_MEMORY;
    }
    const bool has_moments =
        visit->visitor->wants_moments && !problem_is_of_exponentials(problem) && special_value(problem, sums) == 0;
    if (has_moments)
        moments = moments_of_sums(problem, sums);
    if (problem_is_per_number(problem) || problem_is_of_exponentials(problem)) {
        visit_numbers(visit, sums, has_moments ? &moments : NULL, row);
        return ULPSCOPE_OK;
    }
    const double computed = visit->computed ? number_at(problem->result, visit->computed, row) : 0;
    conclude_statistic(problem, sums, visit->computed ? &computed : NULL, &error);
    const bool has_last = visit->visitor->wants_without_last && problem->terms > 0 &&
                          conclude_statistic_without_last(problem, sums, &without_last);
    visit->visitor->visit(visit->visitor->context, &(struct result){row, 0, &error, has_last ? &without_last : NULL,
                                                                    has_moments ? &moments : NULL});
    return ULPSCOPE_OK;
}

static ulpscope_status visit_statistics(const struct visit *visit)
{
    const struct problem *const problem = visit->problem;
    const unsigned workers = workers_for((double)problem->terms);
    struct adder adders[PARTS] = {0};
    ulpscope_status status = ULPSCOPE_OK;
    for (enum part p = PART_X; p < PARTS && status == ULPSCOPE_OK; p++)
        if (statistic_parts(problem->operation) >> p & 1 &&
            adder_open(&adders[p], problem->format, is_of_products(p)) != OK)
            status = ULPSCOPE_OUT_OF_MEMORY;
    for (uint64_t row = 0; row < problem->rows && status == ULPSCOPE_OK; row++)
        status = visit_statistic(visit, adders, row, workers);
    for (enum part p = PART_X; p < PARTS; p++)
        adder_close(&adders[p]);
    return status;
}

/* ---- matrix products ---- */

/* A matrix as exact_matrix takes it: where it is, or packed row after row into an array that is `own`. */
struct packed {
    struct matrix matrix;
    void *own;
};

/* Steps of whole numbers that do not go back. */
static bool is_step(int64_t stride, const struct format *held)
{
    return stride >= 0 && stride % (int64_t)held->bytes == 0;
}

static enum status pack(const struct ulpscope_array *array, const struct format *held, struct packed *packed)
{
    const uint64_t rows = array->shape[0], columns = array->shape[1];
    *packed = (struct packed){0};
    if (is_format(format_of(array->format), held) && (uintptr_t)array->data % held->bytes == 0 &&
        is_step(array->strides[0], held) && is_step(array->strides[1], held)) {
        packed->matrix = (struct matrix){array->data, (uint64_t)array->strides[0] / held->bytes,
                                         (uint64_t)array->strides[1] / held->bytes};
        return OK;
    }
    if (columns > 0 && rows > (PTRDIFF_MAX - 1) / held->bytes / columns)
        return out_of_memory("the numbers of a matrix");
    packed->own = malloc((size_t)(rows * columns) * held->bytes + 1);
    if (!packed->own)
        return out_of_memory("the numbers of a matrix");
    packed->matrix = (struct matrix){packed->own, columns, 1};
    for (uint64_t i = 0; i < rows; i++) {
        const struct line row = {format_of(array->format), (uintptr_t)array->data + i * (uint64_t)array->strides[0],
                                 array->strides[1], columns};
        void *const room = (char *)packed->own + i * columns * held->bytes;
        const void *const numbers = line_read(&row, 0, columns, held, room);
        if (numbers != room && columns > 0)
            memcpy(room, numbers, columns * held->bytes);
    }
    return OK;
}

/* Rows of a product, and what is kept of them. */
struct stripe {
    struct matrix_product product;
    struct exact_element *elements;
    struct packed computed;
    uint64_t first;
};

/* What the correct rounding of an element would be without its last product, and how far from s: of what is rounded
 * already, which is near enough for a hint. */
static void drop_last(const struct problem *problem, const struct ulpscope_error *error, uint64_t row, uint64_t column,
                      struct ulpscope_error *without_last)
{
    const struct line x = problem_row(problem, row), y = problem_second(problem, row, column);
    const uint64_t last = problem->terms - 1;
    double factors[2], room;
    factors[0] = *(const double *)line_read(&x, last, 1, &FORMAT_BINARY64, &room);
    factors[1] = *(const double *)line_read(&y, last, 1, &FORMAT_BINARY64, &room);
    const double nearest = rounded_to(error->exact.nearest - factors[0] * factors[1], problem->result);
    const double off = fabs(nearest - error->exact.nearest);
    *without_last = *error;
    without_last->computed = nearest;
    without_last->error = off;
    without_last->ulp_error = off / error->exact.ulp;
    without_last->relative_error = off > 0 ? off / error->exact.abs_above : 0;
    without_last->backward_error = off > 0 ? off / error->exact.sum_abs_above : 0;
}

static ulpscope_status visit_element(const struct visit *visit, const struct stripe *stripe, uint64_t i, uint64_t j,
                                     struct adder *adder)
{
    const struct problem *const problem = visit->problem;
    const struct exact_element *const element = &stripe->elements[i * problem->columns + j];
    const uint64_t row = stripe->first + i;
    const bool wants_last = visit->visitor->wants_without_last && problem->terms > 0;
    const double computed =
        visit->computed ? number_at(problem->result, visit->computed, row * problem->columns + j) : element->nearest;
    struct ulpscope_error error, without_last;
    if (!conclude_element(element, computed, &error))
        return visit_line(visit, adder, row, j, 1);
    if (wants_last)
        drop_last(problem, &error, row, j, &without_last);
    visit->visitor->visit(visit->visitor->context,
                          &(struct result){row, j, &error, wants_last ? &without_last : NULL, NULL});
    return ULPSCOPE_OK;
}

/* Those of the computed results, as exact_matrix takes them. */
static enum status take_computed(const struct visit *visit, struct stripe *stripe)
{
    const struct problem *const problem = visit->problem;
    const uint64_t bytes = problem->columns * problem->result->bytes;
    const struct ulpscope_array computed = {
        .data = (const char *)visit->computed + stripe->first * bytes,
        .format = problem->result_format,
        .dimensions = 2,
        .shape = {stripe->product.rows, problem->columns},
        .strides = {(int64_t)bytes, (int64_t)problem->result->bytes},
    };
    TRY(pack(&computed, format_held(problem->result), &stripe->computed));
    stripe->product.computed = stripe->computed.matrix;
    return OK;
}

static ulpscope_status visit_stripe(const struct visit *visit, struct stripe *stripe, unsigned workers,
                                    struct adder *adder)
{
    ulpscope_status status = ULPSCOPE_OK;
    stripe->computed = (struct packed){0};
    if ((visit->computed && take_computed(visit, stripe) != OK) ||
        exact_matrix(&stripe->product, workers, stripe->elements) != OK)
        status = ULPSCOPE_OUT_OF_MEMORY;
    for (uint64_t i = 0; i < stripe->product.rows && status == ULPSCOPE_OK; i++)
        for (uint64_t j = 0; j < visit->problem->columns && status == ULPSCOPE_OK; j++)
            status = visit_element(visit, stripe, i, j, adder);
    free(stripe->computed.own);
    return status;
}

static ulpscope_status visit_stripes(const struct visit *visit, struct stripe *stripe, uint64_t stripe_rows)
{
    const struct problem *const problem = visit->problem;
    const struct matrix a = stripe->product.a;
    const unsigned workers = workers_for((double)problem->rows * (double)problem->columns * (double)problem->terms);
    FREED_BY(adder_close) struct adder adder = {0};
    ulpscope_status status =
        adder_open(&adder, problem->format, problem->has_products) == OK ? ULPSCOPE_OK : ULPSCOPE_OUT_OF_MEMORY;
    for (; stripe->first < problem->rows && status == ULPSCOPE_OK; stripe->first += stripe->product.rows) {
        const uint64_t left = problem->rows - stripe->first;
        stripe->product.rows = left < stripe_rows ? left : stripe_rows;
        if (problem->terms > 0)
            stripe->product.a.numbers = (const char *)a.numbers + stripe->first * a.row_step * problem->format->bytes;
        status = visit_stripe(visit, stripe, workers, &adder);
    }
    return status;
}

static ulpscope_status visit_matrix(const struct visit *visit)
{
    const struct problem *const problem = visit->problem;
    const uint64_t by_elements = problem->columns > 0 ? STRIPE_ELEMENTS / problem->columns : 0;
    const uint64_t most = by_elements > STRIPE_ROWS ? by_elements : STRIPE_ROWS;
    const uint64_t stripe_rows = problem->rows < most ? problem->rows : most;
    struct packed a = {0}, b = {0};
    ulpscope_status status = ULPSCOPE_OUT_OF_MEMORY;
    struct stripe stripe = {.elements = NULL};
    if (problem->rows == 0 || problem->columns == 0)
        return ULPSCOPE_OK;
    if (problem->terms > TERMS_MOST) {
        (void)out_of_memory("the factors of a matrix product");
        return status;
    }
    if (pack(&problem->x, problem->format, &a) == OK && pack(&problem->y, problem->format, &b) == OK) {
        stripe.product = (struct matrix_product){.format = problem->format,
                                                 .result = problem->result,
                                                 .inner = problem->terms,
                                                 .columns = problem->columns,
                                                 .a = a.matrix,
                                                 .b = b.matrix};
        stripe.elements = malloc((size_t)(stripe_rows * problem->columns) * sizeof *stripe.elements);
        if (stripe.elements)
            status = visit_stripes(visit, &stripe, stripe_rows);
        else
            (void)out_of_memory("elements of an exact matrix product");
    }
    free(stripe.elements);
    free(b.own);
    free(a.own);
    return status;
}

ulpscope_status results_visit(const struct problem *problem, const void *computed, const struct visitor *visitor)
{
    const struct visit visit = {problem, computed, visitor};
    return problem_is_statistic(problem)           ? visit_statistics(&visit)
           : problem->operation == ULPSCOPE_MATMUL ? visit_matrix(&visit)
           : problem->operation == ULPSCOPE_SCAN   ? visit_scan(&visit)
                                                   : visit_lines(&visit);
}

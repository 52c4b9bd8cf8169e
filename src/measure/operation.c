#include "operation.h"

#include "kernels/statistic.h"
#include "reference/matrix_device.h"
#include "reference/normalization.h"
#include "reference/scan.h"
#include "reference/softmax.h"

const char *operation_noun(enum operation operation)
{
    return is_statistic(operation) || is_scan(operation) ? quantity_table[operation_table[operation].of].noun : "sum";
}

struct operands operation_operands(enum operation operation, const struct dataset *data)
{
    struct operands of = {data->format, operation, {data->x, data->y}, {data->n, 1, data->window}};
    return of;
}

struct operands operation_on_itself(enum operation operation, const struct format *format, const void *x, uint64_t n)
{
    struct operands of = {format, operation, {x, x}, shape_of_one(n)};
    return of;
}

/* Of a norm the exact sum of its terms becomes the root. */
static void operation_finish(enum operation operation, struct exact_sum *exact)
{
    if (operation_table[operation].of == ROOT_OF_SQUARES)
        exact_root(exact);
}

struct magnitudes magnitudes_of(const struct exact_sum *exact)
{
    return (struct magnitudes){exact->abs_above, exact->sum_abs_above, exact->max_abs, &exact->moments};
}

/* Of a row of statistics.def. */
static enum exact_statistic exact_statistic_of(enum operation operation)
{
    static const enum exact_statistic of[QUANTITIES] = {
        [MEAN] = EXACT_MEAN,         [MEAN_SQUARE] = EXACT_MEAN_SQUARE,     [RMS] = EXACT_RMS,
        [VARIANCE] = EXACT_VARIANCE, [SAMPLE_VARIANCE] = EXACT_VARIANCE,    [STD] = EXACT_STD,
        [SAMPLE_STD] = EXACT_STD,    [MEAN_WEIGHTED] = EXACT_MEAN_WEIGHTED, [COSINE] = EXACT_COSINE};
    return of[operation_table[operation].of];
}

static uint64_t ddof_of(enum operation operation)
{
    const enum quantity quantity = operation_table[operation].of;
    return quantity == SAMPLE_VARIANCE || quantity == SAMPLE_STD;
}

unsigned operation_parts(enum operation operation)
{
    const unsigned of_products = operation_table[operation].vectors > 1 ? EXACT_XY : EXACT_XX;
    return is_of_exponentials(operation) ? 0
           : is_statistic(operation)     ? exact_statistic_parts(exact_statistic_of(operation))
                                         : 1u << (operation == OPERATION_sum ? EXACT_X : of_products);
}

enum status operation_of_parts(enum operation operation, uint64_t n, struct exact_sum sums[EXACT_SUMS],
                               const struct exact_ends *ends, struct exact_sum *exact)
{
    if (is_statistic(operation))
        return exact_statistic_of_sums(exact_statistic_of(operation), ddof_of(operation), n, sums, ends, exact,
                                       &exact->moments);
    for (unsigned part = 0; part < EXACT_SUMS; part++)
        if (sums[part].format)
            *exact = sums[part];
    operation_finish(operation, exact);
    return OK;
}

static enum status finished(enum operation operation, enum status status, struct exact_sum *exact)
{
    if (status == OK)
        operation_finish(operation, exact);
    return status;
}

/* n > period: x repeated to length n. */
static enum status of_exponentials(enum operation operation, const struct format *format, struct exact_how how,
                                   const void *x, const void *y, uint64_t period, uint64_t n, struct exact_sum *exact)
{
    return operation_table[operation].of == LOGSUMEXP ? exact_logsumexp(format, how, x, period, n, exact)
                                                      : exact_cross_entropy(format, how, x, y, period, n, exact);
}

enum status operation_exact(enum operation operation, const struct dataset *data, struct exact_how how,
                            struct exact_sum *exact)
{
    if (operation == OPERATION_sum)
        return exact_sum_how(data->format, how, data->x, data->n, exact);
    if (is_of_exponentials(operation))
        return of_exponentials(operation, data->format, how, data->x, data->y, data->n, data->n, exact);
    if (is_statistic(operation))
        return exact_statistic(exact_statistic_of(operation), ddof_of(operation), data->format, how, data->x, data->y,
                               data->n, exact, &exact->moments);
    const void *y = operation_table[operation].vectors > 1 ? data->y : data->x;
    return finished(operation, exact_dot(data->format, how, data->x, y, data->n, exact), exact);
}

enum status operation_exact_row(enum operation operation, const struct dataset *data, struct exact_how how,
                                struct exact_row **row)
{
    if (is_scan(operation))
        return exact_scan_row(data->window, data->format, how, data->x, data->n, row);
    if (is_of_exponentials(operation))
        return exact_softmax_row(operation_table[operation].of == LOG_SOFTMAX, data->format, how, data->x, data->n,
                                 row);
    return exact_norm_row(operation_table[operation].of == LAYER_NORM, NORMALIZATION_EPS, data->format, how, data->x,
                          data->n, row);
}

enum status operation_exact_repeated(enum operation operation, const struct format *format, const void *x,
                                     uint64_t period, uint64_t n, struct exact_sum *exact)
{
    if (operation == OPERATION_sum)
        return exact_sum_repeated(format, x, period, n, exact);
    if (is_of_exponentials(operation))
        return of_exponentials(operation, format, (struct exact_how){.workers = 1}, x, x, period, n, exact);
    if (is_statistic(operation))
        return exact_statistic_repeated(exact_statistic_of(operation), ddof_of(operation), format, x,
                                        operation_table[operation].vectors > 1 ? x : NULL, period, n, exact,
                                        &exact->moments);
    return finished(operation, exact_dot_repeated(format, x, x, period, n, exact), exact);
}

/* 2^24 take 50 ms of a core, 2^27 less than 40 ms on an H200. */
enum { MULTIPLICATIONS_OF_A_GPU = 1 << 24 };

bool exact_product_is_of_gpu(const struct matrix_product *product, const struct device *device)
{
    return device &&
           (double)product->rows * (double)product->inner * (double)product->columns >= MULTIPLICATIONS_OF_A_GPU;
}

enum status exact_product(const struct matrix_product *product, const struct device *device, uint64_t seed,
                          unsigned workers, struct exact_element *elements)
{
    return exact_product_is_of_gpu(product, device) ? exact_matrix_checked(product, seed, workers, elements)
                                                    : exact_matrix(product, workers, elements);
}

enum status exact_product_element(const struct matrix_product *product, struct exact_how how, uint64_t i, uint64_t j,
                                  struct exact_sum *exact)
{
    const struct matrix *const a = &product->a, *const b = &product->b;
    const uint64_t n = product->inner;
    void *const row = malloc(2 * n * sizeof(double) + 1), *const column = (double *)row + n;
    if (!row)
        return out_of_memory("an element of a matrix product");
    for (uint64_t k = 0; k < n; k++) {
        held_set(product->format, row, k,
                 held_number(product->format, a->numbers, i * a->row_step + k * a->column_step));
        held_set(product->format, column, k,
                 held_number(product->format, b->numbers, k * b->row_step + j * b->column_step));
    }
    const enum status status = exact_dot(product->format, how, row, column, n, exact);
    free(row);
    return status;
}

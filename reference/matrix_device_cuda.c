/* Exact matrix products on a GPU: A, B and what was computed go there, elements come back, in as many parts as
 * memory makes necessary. */
#include "matrix_device.h"

#include "cuda_failed.h"
#include "matrix_kernel.h"

#include <stdlib.h>
#include <string.h>

/* 200 MB of elements: enough to keep any GPU busy. */
static const uint64_t ELEMENTS_OF_A_PART = 1 << 22;

/* A transposed matrix is copied square by square: whole cache lines are read and written. */
enum { SQUARE = 32 };

enum { ALIGNMENT = 256 };

static const char SUBJECT[] = "an exact matrix product on the GPU";

static uint64_t at_most(uint64_t count, uint64_t most)
{
    return count < most ? count : most;
}

/* ---- memory ---- */

/* A product on its way: parts are `rows` x `columns`, or less at the edges. */
struct work {
    const struct matrix_product *product;
    struct exact_element *elements;
    uint64_t rows, columns;
    char *a, *b, *computed, *results; /* device memory, of one allocation, which begins at a */
    char *packed;                     /* host memory for what is copied to one of them and does not lie as it will */
    struct digits_reach reach_b;      /* of the columns of B that are there */
    bool has_kept_b;                  /* all of them, in memory of its own */
};

static size_t bytes_of(const struct format *format)
{
    return format_held(format)->bytes;
}

static bool is_binary64(const struct work *work)
{
    return bytes_of(work->product->format) == sizeof(double);
}

static size_t aligned(uint64_t count, size_t bytes)
{
    return (count * bytes / ALIGNMENT + 1) * ALIGNMENT;
}

void matrix_forget(struct matrix_kept *kept)
{
    cudaFree(kept->b);
    *kept = (struct matrix_kept){0};
}

/* A B that was kept is whole. */
static void halve(struct work *work)
{
    if (work->has_kept_b && work->rows == 1) {
        matrix_forget(work->product->kept);
        work->has_kept_b = false;
    }
    uint64_t *const longer = work->has_kept_b || work->rows > work->columns ? &work->rows : &work->columns;
    *longer = (*longer + 1) / 2;
}

static bool is_one_element(const struct work *work)
{
    return work->rows == 1 && work->columns == 1;
}

static enum status out_of_gpu_memory(size_t wanted)
{
    size_t found = 0, total = 0;
    (void)cudaMemGetInfo(&found, &total);
    complain("%s: expected %zu bytes of its memory for one element, found %zu; end what else uses the GPU (see "
             "nvidia-smi), or use the host's",
             SUBJECT, wanted, found);
    return NOT_MEASURED;
}

/* Device memory for the largest parts that it has room for. */
static enum status reserve_on_device(struct work *work)
{
    const struct matrix_product *const product = work->product;
    const size_t number = bytes_of(product->format), result = bytes_of(product->result);
    for (;; halve(work)) {
        const uint64_t elements = work->rows * work->columns;
        const size_t a = aligned(work->rows * product->inner, number),
                     b = work->has_kept_b ? 0 : aligned(product->inner * work->columns, number),
                     computed = aligned(elements, result), results = aligned(elements, sizeof *work->elements);
        const cudaError_t error = cudaMalloc((void **)&work->a, a + b + computed + results);
        work->b = work->has_kept_b ? product->kept->b : work->a + a;
        work->computed = work->a + a + b;
        work->results = work->computed + computed;
        if (error != cudaErrorMemoryAllocation) {
            TRY_CUDA(error, SUBJECT);
            return OK;
        }
        (void)cudaGetLastError(); /* which must not hit the next call */
        if (is_one_element(work))
            return out_of_gpu_memory(a + b + computed + results);
    }
}

/* ---- parts ---- */

/* Inlined for each size of numbers. */
__attribute__((always_inline)) static inline void pack_squares(const struct matrix *matrix, const char *first,
                                                               uint64_t rows, uint64_t columns, size_t bytes,
                                                               char *packed)
{
    for (uint64_t i0 = 0; i0 < rows; i0 += SQUARE)
        for (uint64_t k0 = 0; k0 < columns; k0 += SQUARE)
            for (uint64_t i = i0; i < at_most(rows, i0 + SQUARE); i++)
                for (uint64_t k = k0; k < at_most(columns, k0 + SQUARE); k++)
                    memcpy(packed + (i * columns + k) * bytes,
                           first + (i * matrix->row_step + k * matrix->column_step) * bytes, bytes);
}

/* A panel of a matrix: rows x columns from (row, column) on. */
struct panel {
    const struct matrix *matrix;
    const struct format *format;
    uint64_t row, column, rows, columns;
};

/* Its numbers row after row: where they lie so, or copied to `packed`; NULL: memory is short. */
static const char *numbers_of(struct work *work, const struct panel *of)
{
    const struct matrix *matrix = of->matrix;
    const size_t bytes = bytes_of(of->format), row_bytes = of->columns * bytes;
    const char *const first =
        (const char *)matrix->numbers + (of->row * matrix->row_step + of->column * matrix->column_step) * bytes;
    if (matrix->column_step == 1 && (of->rows == 1 || matrix->row_step == of->columns))
        return first;
    free(work->packed);
    work->packed = malloc(of->rows * row_bytes);
    if (!work->packed)
        return NULL;
    if (matrix->column_step == 1)
        for (uint64_t i = 0; i < of->rows; i++)
            memcpy(work->packed + i * row_bytes, first + i * matrix->row_step * bytes, row_bytes);
    else if (bytes == sizeof(double))
        pack_squares(matrix, first, of->rows, of->columns, sizeof(double), work->packed);
    else
        pack_squares(matrix, first, of->rows, of->columns, sizeof(float), work->packed);
    return work->packed;
}

/* Also where they lie, if that is asked for. */
static enum status upload(struct work *work, char *there, struct panel panel, struct digits_reach *reach)
{
    const uint64_t count = panel.rows * panel.columns;
    if (reach)
        *reach = digits_reach_of(false, NULL, 0);
    if (count == 0)
        return OK;
    const char *const numbers = numbers_of(work, &panel);
    if (!numbers)
        return out_of_memory(SUBJECT);
    if (reach)
        *reach = is_binary64(work) ? digits_reach_of(true, numbers, count) : digits_reach_of(false, numbers, count);
    TRY_CUDA(cudaMemcpy(there, numbers, count * bytes_of(panel.format), cudaMemcpyHostToDevice), SUBJECT);
    return OK;
}

/* The part from (row, column) on, whose columns of B are there. */
static enum status multiply_part(struct work *work, uint64_t row, uint64_t column)
{
    const struct matrix_product *const product = work->product;
    const bool is_judged = product->computed.numbers != NULL;
    struct matrix_part part = {
        .a = work->a,
        .b = work->b,
        .computed = is_judged ? work->computed : NULL,
        .is_binary64 = is_binary64(work),
        .result = *product->result,
        .rows = at_most(product->rows - row, work->rows),
        .inner = product->inner,
        .columns = at_most(product->columns - column, work->columns),
        .elements = (struct exact_element *)(void *)work->results,
    };
    struct digits_reach reach_a;
    TRY(upload(work, work->a, (struct panel){&product->a, product->format, row, 0, part.rows, part.inner}, &reach_a));
    part.window = digits_window_of(part.is_binary64, reach_a, work->reach_b);
    if (is_judged)
        TRY(upload(work, work->computed,
                   (struct panel){&product->computed, product->result, row, column, part.rows, part.columns}, NULL));
    TRY_CUDA(matrix_kernel(&part), SUBJECT);
    const size_t bytes = part.columns * sizeof *work->elements;
    TRY_CUDA(cudaMemcpy2D(work->elements + row * product->columns + column, product->columns * sizeof *work->elements,
                          part.elements, bytes, bytes, part.rows, cudaMemcpyDeviceToHost),
             SUBJECT);
    return OK;
}

static enum status upload_b(struct work *work, char *there, uint64_t column, uint64_t columns)
{
    const struct matrix_product *const product = work->product;
    return upload(work, there, (struct panel){&product->b, product->format, 0, column, product->inner, columns},
                  &work->reach_b);
}

/* All of B where it is to be kept and has room, unless it is there. */
static enum status keep_b(struct work *work)
{
    const struct matrix_product *const product = work->product;
    struct matrix_kept *const kept = product->kept;
    if (!kept || work->columns < product->columns)
        return OK;
    if (!kept->b) {
        const size_t bytes = aligned(product->inner * product->columns, bytes_of(product->format));
        const cudaError_t error = cudaMalloc(&kept->b, bytes);
        if (error == cudaErrorMemoryAllocation) {
            (void)cudaGetLastError();
            return OK;
        }
        TRY_CUDA(error, SUBJECT);
        TRY(upload_b(work, kept->b, 0, product->columns));
        kept->first = work->reach_b.first;
        kept->last = work->reach_b.last;
    }
    work->reach_b = (struct digits_reach){kept->first, kept->last};
    work->has_kept_b = true;
    return OK;
}

static enum status multiply(struct work *work)
{
    const struct matrix_product *const product = work->product;
    TRY(keep_b(work));
    TRY(reserve_on_device(work));
    for (uint64_t column = 0; column < product->columns; column += work->columns) {
        if (!work->has_kept_b)
            TRY(upload_b(work, work->b, column, at_most(product->columns - column, work->columns)));
        for (uint64_t row = 0; row < product->rows; row += work->rows)
            TRY(multiply_part(work, row, column));
    }
    return OK;
}

enum status exact_matrix_on_device(const struct matrix_product *product, struct exact_element *elements)
{
    struct work work = {.product = product, .elements = elements, .rows = product->rows, .columns = product->columns};
    if (product->rows == 0 || product->columns == 0)
        return OK;
    while (work.rows * work.columns > ELEMENTS_OF_A_PART)
        halve(&work);
    const enum status status = multiply(&work);
    if (status != OK && product->kept)
        matrix_forget(product->kept);
    cudaFree(work.a);
    free(work.packed);
    return status;
}

/* Exact sums on a GPU: a kernel makes words of rows, which are copied behind it; pieces of numbers come to memory that
 * the GPU writes to by itself. */
#include "sum_device.h"

#include "cuda_failed.h"
#include "sum_kernel.h"
#include "sum_result.h"

#include <stdlib.h>

static const char SUBJECT[] = "exact sums on the GPU";

/* Numbers on their way to the host. */
struct piece {
    void *numbers; /* NULL: not used yet */
    cudaEvent_t fetched;
};

struct exact_device {
    struct exact_rows rows; /* what was started last */
    uint64_t *words, *words_there;
    size_t bytes; /* of each of both */
    cudaEvent_t finished;
    cudaStream_t stream; /* of pieces */
    struct piece pieces[EXACT_PIECES];
};

/* ---- memory ---- */

static enum status make(struct exact_device *device)
{
    TRY_CUDA(cudaEventCreateWithFlags(&device->finished, cudaEventDisableTiming | cudaEventBlockingSync), SUBJECT);
    TRY_CUDA(cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking), SUBJECT);
    return OK;
}

enum status exact_device_new(struct exact_device **device)
{
    *device = calloc(1, sizeof **device);
    if (!*device)
        return out_of_memory(SUBJECT);
    const enum status status = make(*device);
    if (status != OK) {
        exact_device_free(*device);
        *device = NULL;
    }
    return status;
}

void exact_device_free(struct exact_device *device)
{
    if (!device)
        return;
    for (int p = 0; p < EXACT_PIECES; p++)
        if (device->pieces[p].numbers) {
            (void)cudaEventDestroy(device->pieces[p].fetched);
            (void)cudaFreeHost(device->pieces[p].numbers);
        }
    (void)cudaFree(device->words_there);
    (void)cudaFreeHost(device->words);
    if (device->stream)
        (void)cudaStreamDestroy(device->stream);
    if (device->finished)
        (void)cudaEventDestroy(device->finished);
    free(device);
}

/* Room for so many bytes of words, which only grows. */
static enum status reserve(struct exact_device *device, size_t bytes)
{
    if (bytes <= device->bytes)
        return OK;
    (void)cudaFree(device->words_there);
    (void)cudaFreeHost(device->words);
    device->words = device->words_there = NULL;
    device->bytes = 0;
    TRY_CUDA(cudaMalloc((void **)&device->words_there, bytes), SUBJECT);
    TRY_CUDA(cudaMallocHost((void **)&device->words, bytes), SUBJECT);
    device->bytes = bytes;
    return OK;
}

/* ---- sums ---- */

enum status exact_device_start(struct exact_device *device, const struct exact_rows *rows, void *stream)
{
    const cudaStream_t on = stream;
    const struct sum_layout layout = sum_layout_of_format(rows->format, rows->y != NULL);
    const size_t bytes = rows->rows * sum_words(layout) * sizeof *device->words;
    device->rows = *rows;
    if (rows->rows == 0)
        return OK;
    TRY(reserve(device, bytes));
    TRY_CUDA(cudaMemsetAsync(device->words_there, 0, bytes, on), SUBJECT);
    const struct sum_rows there = {layout, rows->x, rows->y, rows->rows, rows->terms, device->words_there};
    if (rows->terms > 0)
        TRY_CUDA(sum_kernel(&there, stream), SUBJECT);
    TRY_CUDA(cudaMemcpyAsync(device->words, device->words_there, bytes, cudaMemcpyDeviceToHost, on), SUBJECT);
    TRY_CUDA(cudaEventRecord(device->finished, on), SUBJECT);
    return OK;
}

enum status exact_device_finish(struct exact_device *device, unsigned workers, struct exact_sum *sums)
{
    const struct exact_rows *const rows = &device->rows;
    if (rows->rows == 0)
        return OK;
    TRY_CUDA(cudaEventSynchronize(device->finished), SUBJECT);
    return sum_results(rows->format, rows->y != NULL, device->words, rows->rows, rows->terms, workers, sums);
}

enum status exact_device_ends(struct exact_device *device, const struct exact_rows *rows, struct exact_ends *ends)
{
    const size_t bytes = SUM_ENDS * sizeof *device->words;
    TRY(reserve(device, bytes));
    TRY_CUDA(cudaMemsetAsync(device->words_there, 0, bytes, NULL), SUBJECT);
    const struct sum_rows there = {
        sum_layout_of_format(rows->format, false), rows->x, NULL, 1, rows->terms, device->words_there};
    TRY_CUDA(sum_ends_kernel(&there, NULL), SUBJECT);
    TRY_CUDA(cudaMemcpy(device->words, device->words_there, bytes, cudaMemcpyDeviceToHost), SUBJECT);
    *ends = sum_ends(rows->format, device->words);
    return OK;
}

/* ---- numbers for the host ---- */

enum status exact_device_fetch(struct exact_device *device, unsigned piece, const void *there, size_t bytes)
{
    struct piece *const to = &device->pieces[piece];
    if (!to->numbers) {
        TRY_CUDA(cudaMallocHost(&to->numbers, EXACT_PIECE_BYTES), SUBJECT);
        TRY_CUDA(cudaEventCreateWithFlags(&to->fetched, cudaEventDisableTiming), SUBJECT);
    }
    TRY_CUDA(cudaMemcpyAsync(to->numbers, there, bytes, cudaMemcpyDeviceToHost, device->stream), SUBJECT);
    TRY_CUDA(cudaEventRecord(to->fetched, device->stream), SUBJECT);
    return OK;
}

enum status exact_device_fetched(struct exact_device *device, unsigned piece, const void **numbers)
{
    TRY_CUDA(cudaEventSynchronize(device->pieces[piece].fetched), SUBJECT);
    *numbers = device->pieces[piece].numbers;
    return OK;
}

#include "device_batch.h"

#include "device_cuda.h"
#include "reference/sum_device.h"
#include "src/base/format.h"

#include <stdlib.h>

enum {
    SETS_MOST = 1024,               /* of 1,024 numbers: their kernels take a hundred times as long as their launch */
    BATCH_BYTES = 4 << 20,          /* of several sets */
    STAGED_BYTES = 2 * BATCH_BYTES, /* what is brought in one piece, by way of memory that the GPU reads itself */
    ALIGNED_BYTES = 16,             /* the vectors that threads load */
    RESULT_BYTES = 8,
};

size_t device_sets_at_once(const struct device *device, uint64_t bytes)
{
    (void)device;
    const uint64_t fit = bytes > 0 ? BATCH_BYTES / bytes : SETS_MOST;
    return fit < 1 ? 1 : fit < SETS_MOST ? (size_t)fit : SETS_MOST;
}

/* From one set to the next. */
static size_t stride_of(const struct device_batch *batch)
{
    const size_t bytes = batch->n * batch->format->bytes;
    return batch->set_count == 1 ? bytes : (bytes + ALIGNED_BYTES - 1) / ALIGNED_BYTES * ALIGNED_BYTES;
}

/* ---- data ---- */

static enum status reserve_pinned(struct pinned *pinned, size_t wanted, const char *what)
{
    if (wanted <= pinned->bytes)
        return OK;
    cudaFreeHost(pinned->at);
    *pinned = (struct pinned){0};
    TRY_CUDA(cudaMallocHost(&pinned->at, wanted), what);
    pinned->bytes = wanted;
    return OK;
}

static const void *numbers_of(const struct device_set *set, int vector)
{
    return vector == 0 ? set->x : set->y;
}

/* All sets in one copy. */
static enum status bring_staged(struct device *device, const struct device_batch *batch, int vector, char *to)
{
    const size_t stride = stride_of(batch);
    struct pinned *staged = &device->batch.staged[vector];
    TRY(reserve_pinned(staged, STAGED_BYTES, "memory for data on their way to the GPU"));
    for (size_t s = 0; s < batch->set_count; s++)
        held_pack(batch->format, numbers_of(&batch->sets[s], vector), batch->n, (char *)staged->at + s * stride);
    TRY_CUDA(cudaMemcpyAsync(to, staged->at, batch->set_count * stride, cudaMemcpyHostToDevice, NULL),
             "copying the data to the GPU");
    return OK;
}

static enum status bring_one_by_one(const struct device_batch *batch, int vector, char *to)
{
    for (size_t s = 0; s < batch->set_count; s++) {
        const struct device_set *set = &batch->sets[s];
        char *place = to + s * stride_of(batch);
        if (numbers_of(set, vector))
            TRY(device_copy_numbers(place, batch->format, numbers_of(set, vector), batch->n));
        else
            TRY_CUDA(generator_on_device(set->generator, batch->format)(&set->call, (float *)place, NULL),
                     set->generator->id);
    }
    return OK;
}

static enum status bring(struct device *device, const struct device_batch *batch, int vector, void **memory,
                         size_t *memory_bytes)
{
    const size_t bytes = batch->set_count * stride_of(batch);
    TRY(device_reserve(memory, memory_bytes, bytes, "GPU memory for the data"));
    return bytes <= STAGED_BYTES && numbers_of(&batch->sets[0], vector) ? bring_staged(device, batch, vector, *memory)
                                                                        : bring_one_by_one(batch, vector, *memory);
}

static enum status bring_all(struct device *device, const struct device_batch *batch)
{
    TRY_CUDA(cudaSetDevice(device->ordinal), "the GPU"); /* the current device belongs to the thread */
    if (batch->n == 0)
        return OK;
    TRY(bring(device, batch, 0, &device->x, &device->x_bytes));
    return batch->sets[0].y ? bring(device, batch, 1, &device->y, &device->y_bytes) : OK;
}

/* What a formula made is seen by the host in part. */
static enum status fetch_seen(const struct device *device, const struct device_batch *batch)
{
    for (size_t s = 0; s < batch->set_count; s++) {
        const struct device_set *set = &batch->sets[s];
        const char *from = (const char *)device->x + s * stride_of(batch);
        if (set->seen)
            TRY_CUDA(cudaMemcpy(set->seen, (const float *)from + set->first_seen, set->seen_count * sizeof(float),
                                cudaMemcpyDeviceToHost),
                     set->generator->id);
    }
    return OK;
}

/* ---- exact sums ---- */

static struct exact_rows rows_of(const struct device *device, const struct device_batch *batch, unsigned part)
{
    return (struct exact_rows){.format = batch->format,
                               .x = part == EXACT_Y || part == EXACT_YY ? device->y : device->x,
                               .y = part == EXACT_XX                       ? device->x
                                    : part == EXACT_XY || part == EXACT_YY ? device->y
                                                                           : NULL,
                               .rows = 1,
                               .terms = batch->n};
}

/* What the host finds is that, or it refutes it. */
static enum status checked(struct device_exact *exact, enum status status)
{
    exact->is_refuted = status != OK;
    return status;
}

static enum status make_part(struct exact_device *on, const struct exact_rows *rows, struct device_exact *exact,
                             unsigned part)
{
    struct exact_sum *const sum = &exact->sums[part];
    TRY(exact_device_start(on, rows, NULL));
    TRY(exact_device_finish(on, exact->workers, sum));
    return exact->is_checked ? checked(exact, exact_device_check(on, rows, 0, exact->workers, sum)) : OK;
}

static enum status make_parts(struct device *device, const struct device_batch *batch)
{
    struct device_exact *exact = batch->exact;
    const struct exact_rows x = rows_of(device, batch, EXACT_X);
    if (!device->batch.exact)
        TRY(exact_device_new(&device->batch.exact));
    for (unsigned part = 0; part < EXACT_SUMS; part++)
        if (exact->parts >> part & 1) {
            const struct exact_rows rows = rows_of(device, batch, part);
            TRY(make_part(device->batch.exact, &rows, exact, part));
        }
    if (!(exact->parts >> EXACT_ENDS & 1) || exact->sums[EXACT_X].kind != EXACT_FINITE)
        return OK;
    TRY(exact_device_ends(device->batch.exact, &x, &exact->ends));
    return exact->is_checked ? checked(exact, exact_device_check_ends(device->batch.exact, &x, &exact->ends)) : OK;
}

static void make_exact(struct device *device, const struct device_batch *batch)
{
    const bool is_made = device_note_failure(device, make_parts(device, batch)) == OK;
    batch->exact->is_made = is_made;
    for (unsigned part = 0; part < EXACT_SUMS && !is_made; part++)
        exact_free(&batch->exact->sums[part]);
}

/* ---- sums ---- */

/* Rows lie closely; one launch adds up all sets if they do. */
static bool in_one_launch(const struct device_batch *batch, const struct method *method)
{
    return device_takes_rows(method) && stride_of(batch) == batch->n * batch->format->bytes;
}

static struct shape shape_of(const struct device_batch *batch, const struct method *method)
{
    return (struct shape){batch->n, in_one_launch(batch, method) ? batch->set_count : 1, 0};
}

/* What a repeat of a method leaves on the device, and where it goes on the host: the number of the run. */
static size_t run_number(const struct device_batch *batch, size_t index, uint64_t repeat)
{
    return index * batch->repeats + repeat;
}

static size_t results_at(const struct device_batch *batch, size_t run)
{
    return run * batch->set_count * RESULT_BYTES;
}

static enum status launch_sums(struct device *device, const struct device_batch *batch, const struct device_sums *sums,
                               char *results)
{
    const struct shape shape = shape_of(batch, sums->method);
    TRY(device_reserve_scratch(device, sums->method, shape, sums->launch));
    for (size_t s = 0; s < batch->set_count; s += shape.rows) {
        struct kernel_call call = {.of = device_operands(device, sums->method, shape),
                                   .launch = sums->launch,
                                   .scratch = device->scratch,
                                   .results = results + s * sums->method->format->bytes};
        for (int a = 0; a < ARRAYS_MOST; a++)
            if (call.of.arrays[a])
                call.of.arrays[a] = (const char *)call.of.arrays[a] + s * stride_of(batch);
        TRY_CUDA(sums->method->device->run(sums->method, &call), sums->method->id);
    }
    return OK;
}

/* Behind the kernels the results are fetched, and then the count of runs that are through: should the device be lost on
 * the way, it says which run lost it. */
static enum status start(struct device *device, const struct device_batch *batch, size_t index, uint64_t repeat)
{
    const struct device_sums *sums = &batch->sums[index];
    struct batch_memory *memory = &device->batch;
    const size_t run = run_number(batch, index, repeat), at = results_at(batch, run);
    char *results = (char *)device->result + at;
    TRY(launch_sums(device, batch, sums, results));
    TRY_CUDA(cudaMemcpyAsync((char *)memory->results.at + at, results, batch->set_count * sums->method->format->bytes,
                             cudaMemcpyDeviceToHost, NULL),
             sums->method->id);
    TRY_CUDA(cudaMemcpyAsync(memory->through.at, (uint32_t *)memory->ordinals + run, sizeof(uint32_t),
                             cudaMemcpyDeviceToHost, NULL),
             sums->method->id);
    return OK;
}

/* The numbers 1, 2, 3, ... on the device. */
static enum status reserve_ordinals(struct batch_memory *memory, size_t count)
{
    TRY(reserve_pinned(&memory->through, sizeof(uint32_t), "memory for results"));
    *(volatile uint32_t *)memory->through.at = 0;
    if (count * sizeof(uint32_t) <= memory->ordinals_bytes)
        return OK;
    OWNED uint32_t *ordinals = malloc(count * sizeof *ordinals);
    if (!ordinals)
        return out_of_memory("what is run on a GPU");
    for (size_t i = 0; i < count; i++)
        ordinals[i] = (uint32_t)i + 1;
    TRY(device_reserve(&memory->ordinals, &memory->ordinals_bytes, count * sizeof *ordinals,
                       "GPU memory for what is run"));
    if (cudaMemcpy(memory->ordinals, ordinals, count * sizeof *ordinals, cudaMemcpyHostToDevice))
        TRY(device_failed("what is run on a GPU", (int)cudaGetLastError()));
    return OK;
}

static enum status make_room(struct device *device, const struct device_batch *batch)
{
    const size_t runs = batch->sums_count * batch->repeats, bytes = results_at(batch, runs);
    TRY(device_reserve(&device->result, &device->result_bytes, bytes, "GPU memory for the results"));
    TRY(reserve_pinned(&device->batch.results, bytes, "memory for results"));
    TRY(reserve_ordinals(&device->batch, runs));
    if (runs > 0) /* NaN, unless kernels write */
        TRY_CUDA(cudaMemsetAsync(device->result, 0xff, bytes, NULL), "the GPU's results");
    return OK;
}

static void start_all(struct device *device, const struct device_batch *batch)
{
    for (size_t i = 0; i < batch->sums_count; i++) {
        struct device_sums *sums = &batch->sums[i];
        sums->done = 0;
        while (!device->lost && sums->done < batch->repeats &&
               device_note_failure(device, start(device, batch, i, sums->done)) == OK)
            sums->done++;
    }
}

static enum status wait_for_all(struct device *device, const struct device_batch *batch)
{
    const cudaError_t error = cudaDeviceSynchronize();
    const size_t through = *(volatile uint32_t *)device->batch.through.at;
    const char *culprit = "the GPU";
    if (error == cudaSuccess)
        return OK;
    for (size_t i = batch->sums_count; i-- > 0;) {
        struct device_sums *sums = &batch->sums[i];
        while (sums->done > 0 && run_number(batch, i, sums->done - 1) >= through) {
            sums->done--;
            culprit = sums->method->id;
        }
    }
    return device_failed(culprit, (int)error);
}

static void take_results(const struct device *device, const struct device_batch *batch, size_t index)
{
    const struct device_sums *sums = &batch->sums[index];
    for (uint64_t r = 0; r < sums->done; r++) {
        const size_t at = results_at(batch, run_number(batch, index, r));
        for (size_t s = 0; s < batch->set_count; s++)
            sums->bits[r * batch->set_count + s] =
                format_load(sums->method->format, (const char *)device->batch.results.at + at, s);
    }
}

enum status device_run_batch(struct device *device, const struct device_batch *batch)
{
    TRY(device_note_failure(device, bring_all(device, batch)));
    TRY(device_note_failure(device, make_room(device, batch)));
    if (batch->exact)
        make_exact(device, batch);
    start_all(device, batch);
    (void)device_note_failure(device, wait_for_all(device, batch));
    if (!device->lost)
        (void)device_note_failure(device, fetch_seen(device, batch));
    for (size_t i = 0; i < batch->sums_count; i++)
        take_results(device, batch, i);
    return OK;
}

void device_free_batch(struct batch_memory *memory)
{
    for (int v = 0; v < ARRAYS_MOST; v++)
        cudaFreeHost(memory->staged[v].at);
    cudaFreeHost(memory->results.at);
    cudaFreeHost(memory->through.at);
    cudaFree(memory->ordinals);
    exact_device_free(memory->exact);
}

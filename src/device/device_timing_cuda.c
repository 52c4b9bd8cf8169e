#include "device_timing.h"

#include "device_cuda.h"
#include "src/base/format.h"
#include "src/base/memory.h"

#include <stdlib.h>

/* Doubles what is there: copies of whole periods, so that element i stays x[i mod period]. */
static enum status repeat(char *x, size_t there, size_t wanted)
{
    while (there < wanted) {
        const size_t more = there < wanted - there ? there : wanted - there;
        TRY_CUDA(cudaMemcpyAsync(x + there, x, more, cudaMemcpyDeviceToDevice, NULL), "repeating the data on the GPU");
        there += more;
    }
    TRY_CUDA(cudaDeviceSynchronize(), "repeating the data on the GPU");
    return OK;
}

/* ---- elsewhere ---- */

static void free_left(struct timing *timing)
{
    while (timing->left_count > 0)
        cudaFree(timing->left[--timing->left_count]);
}

void device_free_timing(struct timing *timing)
{
    free_left(timing);
    free(timing->left);
    cudaFree(timing->results);
    cudaFree(timing->copy);
    if (timing->start)
        cudaEventDestroy(timing->start);
    if (timing->stop)
        cudaEventDestroy(timing->stop);
}

/* The memory is free to be reserved anew, which gives it another place. */
static void leave(struct timing *timing, void **memory, size_t *bytes)
{
    timing->left = memory_resized(timing->left, (timing->left_count + 1) * sizeof *timing->left);
    timing->left[timing->left_count++] = *memory;
    *memory = NULL;
    *bytes = 0;
}

static enum status move_vector(struct timing *timing, void **x, size_t *bytes)
{
    const void *old = *x;
    const size_t size = *bytes;
    if (!old)
        return OK;
    leave(timing, x, bytes);
    TRY(device_reserve(x, bytes, size, "GPU memory for the data"));
    TRY_CUDA(cudaMemcpy(*x, old, size, cudaMemcpyDeviceToDevice), "moving the data on the GPU");
    return OK;
}

static enum status move(struct device *device)
{
    struct timing *timing = &device->timing;
    TRY_CUDA(cudaSetDevice(device->ordinal), "the GPU");
    TRY(move_vector(timing, &device->x, &device->x_bytes));
    TRY(move_vector(timing, &device->y, &device->y_bytes));
    leave(timing, &device->scratch, &device->scratch_bytes);
    leave(timing, &timing->results, &timing->results_bytes);
    leave(timing, &timing->copy, &timing->copy_bytes);
    return OK;
}

enum status device_move(struct device *device)
{
    return device_note_failure(device, move(device));
}

static enum status upload_repeated(struct device *device, const struct format *format, const void *x, uint64_t period,
                                   uint64_t n, int vectors)
{
    const uint64_t first = period < n ? period : n;
    TRY_CUDA(cudaSetDevice(device->ordinal), "the GPU");
    free_left(&device->timing);
    TRY(device_reserve(&device->x, &device->x_bytes, n * format->bytes, "GPU memory for the data"));
    TRY(device_copy_numbers(device->x, format, x, first));
    TRY(repeat(device->x, first * format->bytes, n * format->bytes));
    if (vectors == 1)
        return OK;
    TRY(device_reserve(&device->y, &device->y_bytes, n * format->bytes, "GPU memory for the second vector"));
    TRY_CUDA(cudaMemcpy(device->y, device->x, n * format->bytes, cudaMemcpyDeviceToDevice), "a second vector");
    return OK;
}

enum status device_upload_repeated(struct device *device, const struct format *format, const void *x, uint64_t period,
                                   uint64_t n, int vectors)
{
    return device_note_failure(device, upload_repeated(device, format, x, period, n, vectors));
}

/* ---- times ---- */

static enum status make_events(struct timing *timing)
{
    if (!timing->start)
        TRY_CUDA(cudaEventCreate(&timing->start), "the GPU's clock");
    if (!timing->stop)
        TRY_CUDA(cudaEventCreate(&timing->stop), "the GPU's clock");
    return OK;
}

/* The host queues the launches of a call in 5 to 15 us. */
enum { NANOSECONDS_TO_QUEUE = 25000 };

/* Starts with an idle device, so that what ran before is not in the time. */
static enum status start_clock(struct timing *timing, bool queued)
{
    TRY(make_events(timing));
    TRY_CUDA(cudaDeviceSynchronize(), "the GPU");
    if (queued)
        TRY_CUDA(occupy_for(NANOSECONDS_TO_QUEUE), "a kernel that others wait for");
    TRY_CUDA(cudaEventRecord(timing->start, NULL), "the GPU's clock");
    return OK;
}

static enum status stop_clock(struct timing *timing, const char *what, double *microseconds)
{
    float milliseconds;
    TRY_CUDA(cudaEventRecord(timing->stop, NULL), "the GPU's clock");
    TRY_CUDA(cudaEventSynchronize(timing->stop), what);
    TRY_CUDA(cudaEventElapsedTime(&milliseconds, timing->start, timing->stop), "the GPU's clock");
    *microseconds = 1000 * (double)milliseconds;
    return OK;
}

static enum status time_call(struct device *device, const struct timed_call *call, double *microseconds, uint64_t *bits)
{
    const struct method *method = call->method;
    const struct format *format = method->format;
    struct timing *timing = &device->timing;
    const uint64_t count = operation_results(method->operation, call->shape);
    const size_t bytes = count * format->bytes;
    TRY(device_reserve_scratch(device, method, call->shape, call->launch));
    TRY(device_reserve(&timing->results, &timing->results_bytes, bytes, "GPU memory for the results"));
    TRY_CUDA(cudaMemset(timing->results, 0xff, bytes), "the GPU's results"); /* NaN, unless a kernel writes them */
    const struct kernel_call kernel_call = {.of = device_operands(device, method, call->shape),
                                            .launch = call->launch,
                                            .scratch = device->scratch,
                                            .results = timing->results};
    TRY(start_clock(timing, call->queued));
    TRY_CUDA(method->device->run(method, &kernel_call), method->id);
    TRY(stop_clock(timing, method->id, microseconds));
    TRY_CUDA(cudaMemcpy(bits, timing->results, bytes, cudaMemcpyDeviceToHost), method->id);
    format_load_all(format, bits, count, bits); /* they lie closely at the start of their places */
    return OK;
}

enum status device_time(struct device *device, const struct timed_call *call, double *microseconds, uint64_t *bits)
{
    return device_note_failure(device, time_call(device, call, microseconds, bits));
}

static enum status time_copy(struct device *device, uint64_t bytes, bool queued, double *microseconds)
{
    struct timing *timing = &device->timing;
    TRY_CUDA(cudaSetDevice(device->ordinal), "the GPU");
    TRY(device_reserve(&timing->copy, &timing->copy_bytes, bytes, "GPU memory for a copy of the data"));
    TRY(start_clock(timing, queued));
    TRY_CUDA(cudaMemcpyAsync(timing->copy, device->x, bytes, cudaMemcpyDeviceToDevice, NULL), "a copy on the GPU");
    return stop_clock(timing, "a copy on the GPU", microseconds);
}

enum status device_time_copy(struct device *device, uint64_t bytes, bool queued, double *microseconds)
{
    return device_note_failure(device, time_copy(device, bytes, queued, microseconds));
}

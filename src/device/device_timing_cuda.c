#include "device_timing.h"

#include "device_cuda.h"
#include "src/base/format.h"

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

static enum status upload_repeated(struct device *device, const struct format *format, const void *x, uint64_t period,
                                   uint64_t n, int vectors)
{
    const uint64_t first = period < n ? period : n;
    TRY_CUDA(cudaSetDevice(device->ordinal), "the GPU");
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

/* Starts with an idle device, so that what ran before is not in the time. */
static enum status start_clock(struct timing *timing)
{
    TRY(make_events(timing));
    TRY_CUDA(cudaDeviceSynchronize(), "the GPU");
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
    const size_t bytes = call->shape.rows * format->bytes;
    TRY(device_reserve_scratch(device, method, call->shape, call->launch));
    TRY(device_reserve(&timing->results, &timing->results_bytes, bytes, "GPU memory for the results"));
    TRY_CUDA(cudaMemset(timing->results, 0xff, bytes), "the GPU's results"); /* NaN, unless a kernel writes them */
    const struct kernel_call kernel_call = {.of = device_operands(device, method, call->shape),
                                            .launch = call->launch,
                                            .scratch = device->scratch,
                                            .results = timing->results};
    TRY(start_clock(timing));
    TRY_CUDA(method->device->run(method, &kernel_call), method->id);
    TRY(stop_clock(timing, method->id, microseconds));
    TRY_CUDA(cudaMemcpy(bits, timing->results, bytes, cudaMemcpyDeviceToHost), method->id);
    for (uint64_t row = call->shape.rows; row-- > 0;) /* they lie closely at the start of their places */
        bits[row] = format_load(format, bits, row);
    return OK;
}

enum status device_time(struct device *device, const struct timed_call *call, double *microseconds, uint64_t *bits)
{
    return device_note_failure(device, time_call(device, call, microseconds, bits));
}

static enum status time_copy(struct device *device, uint64_t bytes, double *microseconds)
{
    struct timing *timing = &device->timing;
    TRY_CUDA(cudaSetDevice(device->ordinal), "the GPU");
    TRY(device_reserve(&timing->copy, &timing->copy_bytes, bytes, "GPU memory for a copy of the data"));
    TRY(start_clock(timing));
    TRY_CUDA(cudaMemcpyAsync(timing->copy, device->x, bytes, cudaMemcpyDeviceToDevice, NULL), "a copy on the GPU");
    return stop_clock(timing, "a copy on the GPU", microseconds);
}

enum status device_time_copy(struct device *device, uint64_t bytes, double *microseconds)
{
    return device_note_failure(device, time_copy(device, bytes, microseconds));
}

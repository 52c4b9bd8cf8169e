/* Sums under other circumstances than ever: the data elsewhere, another stream, another kernel beside. */
#include "device_cuda.h"
#include "src/base/format.h"

/* A copy of an array, so many bytes beyond the alignment of its memory. */
static enum status shift(const void **array, uint64_t elements, unsigned element_bytes, uint32_t offset, void **memory,
                         size_t *bytes)
{
    const size_t count = elements * element_bytes;
    TRY(device_reserve(memory, bytes, count + offset, "GPU memory for the data at an offset"));
    char *to = (char *)*memory + offset;
    TRY_CUDA(cudaMemcpy(to, *array, count, cudaMemcpyDeviceToDevice), "the data at an offset");
    *array = to;
    return OK;
}

static enum status shift_all(struct device *device, uint32_t offset, struct operands *of)
{
    struct under *under = &device->under;
    const struct shape shape = of->shape;
    const uint64_t of_x = shape.rows * shape.terms, of_y = shape.columns > 0 ? shape.terms * shape.columns : of_x;
    if (offset == 0)
        return OK;
    TRY(shift(&of->arrays[0], of_x, of->format->bytes, offset, &under->x, &under->x_bytes));
    return operation_table[of->operation].vectors > 1
               ? shift(&of->arrays[1], of_y, of->format->bytes, offset, &under->y, &under->y_bytes)
               : OK;
}

static enum status run_under(struct device *device, const struct method *method, struct shape shape,
                             struct launch launch, const struct circumstances *circumstances, uint64_t *bits)
{
    struct under *under = &device->under;
    struct kernel_call call = {.of = device_operands(device, method, shape), .launch = launch};
    call.of.arrays[ARRAY_C] = circumstances->c;
    TRY(device_prepare(device, method, shape, launch));
    TRY(shift_all(device, circumstances->offset, &call.of));
    if (circumstances->other_stream && !under->stream)
        TRY_CUDA(cudaStreamCreate(&under->stream), "another stream");
    if (circumstances->other_stream)
        call.stream = under->stream;
    if (!circumstances->is_busy)
        return device_call(device, method, &call, bits);
    const int begun = occupy_begin(&under->occupation, device->facts.multiprocessors);
    const enum status status = begun == cudaSuccess ? device_call(device, method, &call, bits)
                                                    : device_failed("a kernel that runs beside others", begun);
    if (under->occupation.talk)
        TRY_CUDA(occupy_end(&under->occupation), "a kernel that runs beside others");
    return status;
}

enum status device_run_under(struct device *device, const struct method *method, struct shape shape,
                             struct launch launch, const struct circumstances *circumstances, uint64_t *bits)
{
    TRY(device_check_offset(method, circumstances->offset));
    return device_note_failure(device, run_under(device, method, shape, launch, circumstances, bits));
}

void device_free_under(struct under *under)
{
    cudaFree(under->x);
    cudaFree(under->y);
    if (under->stream)
        cudaStreamDestroy(under->stream);
    occupy_free(&under->occupation);
}

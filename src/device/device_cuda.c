/* A build with CUDA.  The runtime is linked in statically and finds the driver at run time, so the same program runs
 * where there is none.  cudaGetDeviceCount leaves its argument alone when it fails. */
#include "device_cuda.h"

#include "src/base/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status device_failed(const char *what, int error)
{
    return not_measured("%s: %s (%s)", what, cudaGetErrorString((cudaError_t)error),
                        cudaGetErrorName((cudaError_t)error));
}

int device_count(char why[REASON_SIZE])
{
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) {
        int driver = 0; /* 0 where none is installed */
        if (error == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess && driver)
            snprintf(why, REASON_SIZE, "the driver is for CUDA %d, expected one for %d: update it", driver / 1000,
                     CUDART_VERSION / 1000);
        else if (error == cudaErrorInsufficientDriver)
            snprintf(why, REASON_SIZE, "no driver: where there is a GPU, install one for CUDA %d",
                     CUDART_VERSION / 1000);
        else
            snprintf(why, REASON_SIZE, "%s%s", error == cudaErrorNoDevice ? "no GPU" : "CUDA says: ",
                     error == cudaErrorNoDevice ? "" : cudaGetErrorString(error));
        (void)cudaGetLastError();
        return 0;
    }
    if (count == 0)
        snprintf(why, REASON_SIZE, "the driver sees no GPU");
    return count;
}

static void write_version(char *text, size_t size, int version)
{
    snprintf(text, size, "%d.%d", version / 1000, version % 1000 / 10);
}

static enum status read_facts(struct device *device)
{
    struct cudaDeviceProp properties;
    int driver = 0, runtime = 0, clock = 0, memory_clock = 0; /* in kHz */
    struct device_facts *facts = &device->facts;
    TRY_CUDA(cudaGetDeviceProperties(&properties, device->ordinal), "the GPU's properties");
    TRY_CUDA(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device->ordinal), "the GPU's clock");
    TRY_CUDA(cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, device->ordinal), "its memory's clock");
    TRY_CUDA(cudaDriverGetVersion(&driver), "the driver's version");
    TRY_CUDA(cudaRuntimeGetVersion(&runtime), "the CUDA runtime's version");
    snprintf(facts->word, sizeof facts->word, "cuda:%d", device->ordinal);
    snprintf(facts->name, sizeof facts->name, "%s", properties.name);
    snprintf(facts->capability, sizeof facts->capability, "%d.%d", properties.major, properties.minor);
    write_version(facts->driver, sizeof facts->driver, driver);
    write_version(facts->runtime, sizeof facts->runtime, runtime);
    facts->memory_bytes = properties.totalGlobalMem;
    facts->multiprocessors = (unsigned)properties.multiProcessorCount;
    facts->megahertz = (unsigned)clock / 1000;
    facts->memory_megahertz = (unsigned)memory_clock / 1000;
    return OK;
}

enum status device_start(int ordinal, struct device **opened)
{
    struct device *device = calloc(1, sizeof *device);
    if (!device)
        return out_of_memory("the device");
    device->ordinal = ordinal;
    pthread_mutex_init(&device->mutex, NULL);
    enum status status;
    TRY_DONE(read_facts(device));
    if (cudaSetDevice(ordinal) != cudaSuccess || cudaFree(NULL) != cudaSuccess)
        status = device_failed("the GPU could not be started", (int)cudaGetLastError());
done:
    if (status == OK)
        *opened = device;
    else
        device_close(device);
    return status;
}

void device_close(struct device *device)
{
    if (!device)
        return;
    cudaFree(device->x);
    cudaFree(device->y);
    cudaFree(device->scratch);
    cudaFree(device->result);
    device_free_timing(&device->timing);
    device_free_under(&device->under);
    device_free_batch(&device->batch);
    pthread_mutex_destroy(&device->mutex);
    free(device);
}

const struct device_facts *device_facts(const struct device *device)
{
    return device ? &device->facts : NULL;
}

static enum status out_of_gpu_memory(const char *what, size_t wanted)
{
    size_t free_bytes = 0, total = 0;
    (void)cudaMemGetInfo(&free_bytes, &total);
    return not_measured("%s: %zu bytes asked for, %zu free of %zu on this GPU; take a smaller n, end what else uses "
                        "the GPU (see nvidia-smi), or give --device host",
                        what, wanted, free_bytes, total);
}

enum status device_reserve(void **memory, size_t *bytes, size_t wanted, const char *what)
{
    if (wanted <= *bytes)
        return OK;
    cudaFree(*memory);
    *memory = NULL;
    *bytes = 0;
    const cudaError_t error = cudaMalloc(memory, wanted);
    if (error == cudaErrorMemoryAllocation)
        return out_of_gpu_memory(what, wanted);
    TRY_CUDA(error, what);
    *bytes = wanted;
    return OK;
}

/* After a failure: CUDA remembers most errors until they are asked for, which must not hit the next call.  Those that
 * stay (an illegal address, a kernel that trapped) destroy the context: every later call of this process fails too. */
enum status device_note_failure(struct device *device, enum status status)
{
    if (status == OK)
        return OK;
    (void)cudaGetLastError();
    device->lost = cudaDeviceSynchronize() != cudaSuccess;
    (void)cudaGetLastError();
    return status;
}

bool device_is_lost(const struct device *device)
{
    return device && device->lost;
}

enum status device_copy_numbers(void *memory, const struct format *format, const void *x, uint64_t n)
{
    const bool as_they_are = format_held(format)->bytes == format->bytes;
    const size_t bytes = n * format->bytes;
    if (n == 0)
        return OK;
    void *packed = as_they_are ? NULL : malloc(bytes);
    if (!as_they_are && !packed)
        return out_of_memory("numbers on their way to the GPU");
    if (packed)
        held_pack(format, x, n, packed);
    const cudaError_t error = cudaMemcpy(memory, packed ? packed : x, bytes, cudaMemcpyHostToDevice);
    free(packed);
    TRY_CUDA(error, "copying the data to the GPU");
    return OK;
}

static enum status upload(struct device *device, void **memory, size_t *memory_bytes, const struct format *format,
                          const void *x, uint64_t n)
{
    TRY_CUDA(cudaSetDevice(device->ordinal), "the GPU"); /* the current device belongs to the thread */
    TRY(device_reserve(memory, memory_bytes, n * format->bytes, "GPU memory for the data"));
    return device_copy_numbers(*memory, format, x, n);
}

enum status device_upload(struct device *device, const struct format *format, const void *x, uint64_t n)
{
    return device_note_failure(device, upload(device, &device->x, &device->x_bytes, format, x, n));
}

enum status device_upload_second(struct device *device, const struct format *format, const void *y, uint64_t n)
{
    return device_note_failure(device, upload(device, &device->y, &device->y_bytes, format, y, n));
}

struct operands device_operands(const struct device *device, const struct method *method, struct shape shape)
{
    return (struct operands){method->sum_format->stored, method->operation, {device->x, device->y}, shape};
}

enum status device_reserve_scratch(struct device *device, const struct method *method, struct shape shape,
                                   struct launch launch)
{
    TRY_CUDA(cudaSetDevice(device->ordinal), "the GPU");
    return device_reserve(&device->scratch, &device->scratch_bytes,
                          method->device->scratch_bytes(method, shape, launch), "GPU memory for partial sums");
}

bool device_has_kernel(const struct method *method)
{
    return method->device != NULL;
}

bool device_takes_rows(const struct method *method)
{
    return method->device && method->device->takes_rows;
}

enum status device_prepare(struct device *device, const struct method *method, struct shape shape, struct launch launch)
{
    TRY(device_reserve_scratch(device, method, shape, launch));
    return device_reserve(&device->result, &device->result_bytes,
                          operation_results(method->operation, shape) * method->format->bytes,
                          "GPU memory for the results");
}

enum status device_call(struct device *device, const struct method *method, struct kernel_call *call, uint64_t *bits)
{
    const uint64_t count = operation_results(call->of.operation, call->of.shape);
    const size_t bytes = count * method->format->bytes;
    call->scratch = device->scratch;
    call->results = device->result;
    if (call->of.arrays[ARRAY_C])
        TRY(device_copy_numbers(device->result, method->format, call->of.arrays[ARRAY_C], count));
    else /* NaN, unless a kernel writes it */
        TRY_CUDA(cudaMemset(device->result, 0xff, bytes), "the GPU's result");
    TRY_CUDA(method->device->run(method, call), method->id);
    TRY_CUDA(cudaMemcpy(bits, device->result, bytes, cudaMemcpyDeviceToHost), method->id);
    format_load_all(method->format, bits, count, bits);
    return OK;
}

void device_lock(struct device *device)
{
    if (device)
        pthread_mutex_lock(&device->mutex);
}

void device_unlock(struct device *device)
{
    if (device)
        pthread_mutex_unlock(&device->mutex);
}

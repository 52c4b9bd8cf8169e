/* What device_cuda.c and the other device_*_cuda.c share. */
#pragma once

#include "device.h"
#include "occupy.h"

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdatomic.h>

/* What device_timing_cuda.c keeps; all of it is made when it is first needed. */
struct timing {
    void *results, *copy; /* device memory */
    size_t results_bytes, copy_bytes;
    void **left; /* memory that was moved from, which nothing else may get meanwhile */
    size_t left_count;
    cudaEvent_t start, stop;
};

void device_free_timing(struct timing *timing);

/* What device_under_cuda.c keeps, likewise. */
struct under {
    void *x, *y; /* copies at an offset */
    size_t x_bytes, y_bytes;
    cudaStream_t stream;
    struct occupation occupation;
};
void device_free_under(struct under *under);

/* What device_batch_cuda.c keeps, likewise. */
struct pinned {
    void *at; /* host memory that the GPU reads and writes itself */
    size_t bytes;
};
struct batch_memory {
    struct pinned staged[ARRAYS_MOST], results, through;
    void *ordinals; /* device memory */
    size_t ordinals_bytes;
    struct exact_device *exact;
};
void device_free_batch(struct batch_memory *memory);

struct device {
    int ordinal;
    struct device_facts facts;
    pthread_mutex_t mutex;
    void *x, *y, *scratch, *result; /* device memory */
    size_t x_bytes, y_bytes, scratch_bytes, result_bytes;
    atomic_bool lost; /* asked for without the mutex, too */
    struct timing timing;
    struct under under;
    struct batch_memory batch;
};

/* Says what failed, with CUDA's own words.  Returns NOT_MEASURED. */
enum status device_failed(const char *what, int error);

/* Returns the status.  After a failure it takes back the error that CUDA remembers, and finds out whether the device is
 * lost. */
enum status device_note_failure(struct device *device, enum status status);

#define TRY_CUDA(call, what)                                                                                           \
    do {                                                                                                               \
        const int try_error = (int)(call);                                                                             \
        if (try_error != cudaSuccess)                                                                                  \
            return device_failed(what, try_error);                                                                     \
    } while (0)

/* Device memory that is kept, and only ever grows. */
enum status device_reserve(void **memory, size_t *bytes, size_t wanted, const char *what);

/* Copies n numbers, which are as the host holds them, to device memory that has room: in their format. */
enum status device_copy_numbers(void *memory, const struct format *format, const void *x, uint64_t n);

/* What a method of n elements a row is called with: the data that are there. */
struct operands device_operands(const struct device *device, const struct method *method, struct shape shape);

/* As device_reserve() for the partial sums of a call; makes the device the current one. */
enum status device_reserve_scratch(struct device *device, const struct method *method, struct shape shape,
                                   struct launch launch);

/* The same, and memory for the results. */
enum status device_prepare(struct device *device, const struct method *method, struct shape shape,
                           struct launch launch);

/* Runs the kernels of a call that is prepared, with the device's scratch memory and results, and fetches these. */
enum status device_call(struct device *device, const struct method *method, struct kernel_call *call, uint64_t *bits);

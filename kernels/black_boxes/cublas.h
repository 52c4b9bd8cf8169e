/* What cublas.cu and cublaslt.cu share: how their library is found, a handle for each GPU, statuses, types.
 *
 * A library is looked for when it is first asked for (dlopen), so that a program that is built with CUDA starts where
 * there is no cuBLAS, 500 MB that few machines without a toolkit have.  Its few functions are declared here, with the
 * numbers of its enumerations: their meaning has not changed since cuBLAS 4.0 (_v2), nor that of the 64-bit counts
 * since 12.0.
 *
 * A handle takes tens of milliseconds and device memory to make, so there is one for each GPU and format, made at the
 * first call and never destroyed: at exit the driver may be gone before us, and the process gives all back anyway.  A
 * handle may not be used by two threads at once; a run holds its GPU for one case at a time. */
#pragma once

#include "kernels/portable.h"

#include ACCUMULATOR_FILE

#include "kernels/black_box.h"
#include "kernels/order.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <library_types.h>
#include <pthread.h>

enum { SUCCESS = 0, ALLOC_FAILED = 3, INVALID_VALUE = 7, NOT_SUPPORTED = 15 }; /* cublasStatus_t */
enum { GPUS_MOST = 64 };

struct cuda_library {
    int (*create)(void **handle);
    int (*get_property)(int property, int *value); /* 0 major, 1 minor, 2 patch */
    pthread_mutex_t mutex;
    void *handles[GPUS_MOST]; /* by number of the GPU; `mutex` guards them */
    char why[REASON_SIZE];    /* "" when it was found */
};

template <typename Function> static bool find(void *library, const char *name, Function **function)
{
    *function = reinterpret_cast<Function *>(dlsym(library, name));
    return *function != NULL;
}

/* That of the CUDA that this program is built with: another one's driver may be too new.  NULL: `why` says it. */
static void *opened(struct cuda_library *library, const char *stem)
{
    char name[32];
    snprintf(name, sizeof name, "%s.so.%d", stem, CUDART_VERSION / 1000);
    void *found = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!found)
        snprintf(library->why, REASON_SIZE, "%s is not found: install cuBLAS, or add its folder to LD_LIBRARY_PATH",
                 name);
    return found;
}

static void write_version(const struct cuda_library *library, const char *name, char text[REASON_SIZE])
{
    int version[3] = {0, 0, 0};
    for (int i = 0; library->get_property && i < 3; i++)
        (void)library->get_property(i, &version[i]);
    snprintf(text, REASON_SIZE, "%s %d.%d.%d", name, version[0], version[1], version[2]);
}

static int as_cuda_error(int status)
{
    return status == SUCCESS         ? cudaSuccess
           : status == ALLOC_FAILED  ? cudaErrorMemoryAllocation
           : status == INVALID_VALUE ? cudaErrorInvalidValue
           : status == NOT_SUPPORTED ? cudaErrorNotSupported
                                     : cudaErrorUnknown; /* CUDA has no word for the others */
}

/* The handle of the current GPU. */
static int handle_here(struct cuda_library *library, void **handle)
{
    int ordinal, status = SUCCESS;
    const cudaError_t error = cudaGetDevice(&ordinal);
    if (error != cudaSuccess)
        return error;
    if (ordinal >= GPUS_MOST)
        return cudaErrorInvalidDevice;
    pthread_mutex_lock(&library->mutex);
    if (!library->handles[ordinal])
        status = library->create(&library->handles[ordinal]);
    if (status != SUCCESS)
        library->handles[ordinal] = NULL;
    *handle = library->handles[ordinal];
    pthread_mutex_unlock(&library->mutex);
    return as_cuda_error(status);
}

/* Of no numbers; a library may leave the results alone. */
static int zero(const struct method *self, const struct kernel_call *call)
{
    return cudaMemsetAsync(call->results, 0, shape_results(call->of.shape) * self->format->bytes,
                           (cudaStream_t)call->stream);
}

static cudaDataType type_of(const struct format *format)
{
    return format->bytes == 8        ? CUDA_R_64F
           : format->bytes == 4      ? CUDA_R_32F
           : format->bytes == 1      ? (format->precision == 4 ? CUDA_R_8F_E4M3 : CUDA_R_8F_E5M2)
           : format->precision == 11 ? CUDA_R_16F
                                     : CUDA_R_16BF;
}

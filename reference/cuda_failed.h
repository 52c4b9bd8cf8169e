/* Failures of CUDA, for the reference's work on a GPU. */
#pragma once

#include "src/base/status.h"

#include <cuda_runtime_api.h>

/* Says what failed, in CUDA's words. */
static inline enum status cuda_failed(const char *subject, cudaError_t error)
{
    (void)cudaGetLastError(); /* which must not hit the next call */
    complain("%s: %s (%s)", subject, cudaGetErrorString(error), cudaGetErrorName(error));
    return error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver ? NO_DEVICE : NOT_MEASURED;
}

#define TRY_CUDA(call, subject)                                                                                        \
    do {                                                                                                               \
        const cudaError_t try_error = (cudaError_t)(call);                                                             \
        if (try_error != cudaSuccess)                                                                                  \
            return cuda_failed(subject, try_error);                                                                    \
    } while (0)

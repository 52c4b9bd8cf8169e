/* For tests of rooms below src/device/ that need a GPU; of cmocka, whose header comes first. */
#ifndef TESTS_SUPPORT_ON_CUDA_H
#define TESTS_SUPPORT_ON_CUDA_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>

enum { SKIPPED = 77 }; /* what main() returns without one */

static inline bool found_cuda(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess && count > 0)
        return true;
    printf("skipped: no GPU\n");
    return false;
}

static inline void must(cudaError_t error)
{
    if (error != cudaSuccess)
        fail_msg("CUDA: %s", cudaGetErrorString(error));
}

#endif

/* A finishing kernel that is launched while the kernel before it still runs, and waits where it needs the results: the
 * start of one hides behind the end of the other (programmatic dependent launch, Hopper and later; before, kernels
 * follow each other).
 */
#pragma once

#ifdef __CUDACC__
/* All that the kernel before has written is there.  First in the finishing kernel. */
static __device__ void wait_for_kernel_before(void)
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/* The kernel after this one may start now, and wait.  First in the kernel before. */
static __device__ void let_kernel_after_start(void)
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/* Whether the device runs code in which the waiting is: a Hopper takes a program for 80 alone too, and there
 * wait_for_kernel_before() is nothing. */
static inline bool kernels_can_overlap(void)
{
    static const int compiled_for[] = {__CUDA_ARCH_LIST__}; /* like 750, 800, 900 */
    int device = 0, major = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess)
        return false;
    for (size_t i = 0; i < sizeof compiled_for / sizeof *compiled_for; i++)
        if (compiled_for[i] >= 900 && compiled_for[i] / 100 <= major)
            return true;
    return false;
}

/* `arguments` are pointers to those of the kernel. */
static inline cudaError_t launch_overlapped(const void *kernel, uint32_t blocks, uint32_t threads, void **arguments,
                                            cudaStream_t stream)
{
    cudaLaunchAttribute overlap;
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.stream = stream;
    config.attrs = &overlap;
    config.numAttrs = kernels_can_overlap() ? 1 : 0;
    return cudaLaunchKernelExC(&config, kernel, arguments);
}
#endif

/* atomic_add: what one writes first.  Every thread adds its elements to the one total with atomicAdd.  All n additions
 * wait for each other in the memory's own adder, and their order is that of arrival: not deterministic.
 *
 *   x0 x1 x2 x3    ((x2 + x0) + x3) + x1, or any other
 */
#include "kernels/portable.h"

#include ACCUMULATOR_FILE

#include "kernels/black_box.h"
#include "kernels/order.h"

/* Before compute capability 7.0 there is no atomicAdd of 16 bits, and CUDA declares none. */
enum { LEAST_WITH_16_BITS = 700 };
#if REAL_PRECISION < 24 && defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#define atomicAdd(total, x) (void)(total), (void)(x) /* can_do refused it */
#endif

static bool atomic_add_can_do(const struct method *, struct launch launch, char why[REASON_SIZE])
{
    const struct thread_grid grid = {launch.blocks, launch.threads, 1};
    static const int compiled_for[] = {__CUDA_ARCH_LIST__}; /* the least first */
    if (REAL_PRECISION >= 24 || compiled_for[0] >= LEAST_WITH_16_BITS)
        return threads_fit(grid, why);
    snprintf(why, REASON_SIZE,
             "this build is for GPUs before compute capability 7.0 too, which cannot do it in 16 bits");
    return false;
}

static void atomic_add_version(char text[REASON_SIZE])
{
    snprintf(text, REASON_SIZE, "nvcc %d.%d", __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__);
}

static size_t atomic_add_scratch(const struct method *, struct shape, struct launch)
{
    return 0; /* the result is the total */
}

static __global__ void cuda_atomic_add_kernel(const number *x, uint64_t n, number *total)
{
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(total, x[i]);
}

static int atomic_add_run(const struct method *, const struct kernel_call *call)
{
    const cudaStream_t stream = (cudaStream_t)call->stream;
    number *total = (number *)call->results;
    const cudaError_t cleared = cudaMemsetAsync(total, 0, sizeof *total, stream);
    if (cleared != cudaSuccess)
        return cleared;
    cuda_atomic_add_kernel<<<call->launch.blocks, call->launch.threads, 0, stream>>>((const number *)call->of.arrays[0],
                                                                                     call->of.shape.terms, total);
    return cudaGetLastError();
}

const struct black_box BLACK_BOX_IN(cuda_atomic_add) = {
    atomic_add_can_do, atomic_add_version, {atomic_add_scratch, atomic_add_run, false, false}};

/* cub::DeviceReduce::Sum, and DeviceScan::InclusiveSum, in the two calls of old.  device_reduce is called as ever: once
 * for the bytes of scratch memory, once to add.  The other three ask for a level of determinism, which CUB knows since
 * CCCL 3.1 and which only the call with an environment takes; that call finds scratch memory itself.
 *
 * It adds in the format of the numbers: DispatchReduce's accumulator is what plus<>{} returns of two of them, in
 * CCCL 3.0 to 3.5 __half of __half, which threads add two at a time (__half2).
 *
 * CUB chooses the launch by the GPU, so ours is nothing to it, and so is n beyond 2^32 but for gpu_to_gpu.
 */
#include "kernels/portable.h"

#include ACCUMULATOR_FILE

#include "kernels/black_box.h"
#include "kernels/order.h"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/version.cuh>

/* CUB 2.x.y of CCCL 2.x.y counts in hundreds: 200802 is 2.8.2, 300100 is 3.1.0. */
enum { CUB_MAJOR = CUB_VERSION / 100000, CUB_MINOR = CUB_VERSION / 100 % 1000, CUB_PATCH = CUB_VERSION % 100 };

static void cub_version(char text[REASON_SIZE])
{
    snprintf(text, REASON_SIZE, "CCCL %d.%d.%d", CUB_MAJOR, CUB_MINOR, CUB_PATCH);
}

/* ---- two calls ---- */

static bool device_reduce_can_do(const struct method *, struct launch, char *)
{
    return true;
}

static size_t device_reduce_scratch(const struct method *, struct shape shape, struct launch)
{
    size_t bytes = 0;
    return cub::DeviceReduce::Sum(NULL, bytes, (const number *)NULL, (number *)NULL, shape.terms) == cudaSuccess ? bytes
                                                                                                                 : 0;
}

static int device_reduce_run(const struct method *self, const struct kernel_call *call)
{
    size_t bytes = device_reduce_scratch(self, call->of.shape, call->launch);
    if (bytes == 0 || !call->scratch) /* without scratch memory CUB would answer the question again, and add nothing */
        return cudaErrorInvalidValue;
    return cub::DeviceReduce::Sum(call->scratch, bytes, (const number *)call->of.arrays[0], (number *)call->results,
                                  call->of.shape.terms, (cudaStream_t)call->stream);
}

const struct black_box BLACK_BOX_IN(cub_device_reduce) = {
    device_reduce_can_do, cub_version, {device_reduce_scratch, device_reduce_run, false, false}};

static size_t device_scan_scratch(const struct method *, struct shape shape, struct launch)
{
    size_t bytes = 0;
    return cub::DeviceScan::InclusiveSum(NULL, bytes, (const number *)NULL, (number *)NULL, shape.terms) == cudaSuccess
               ? bytes
               : 0;
}

static int device_scan_run(const struct method *self, const struct kernel_call *call)
{
    size_t bytes = device_scan_scratch(self, call->of.shape, call->launch);
    if (call->of.shape.terms == 0)
        return cudaSuccess;
    if (bytes == 0 || !call->scratch)
        return cudaErrorInvalidValue;
    return cub::DeviceScan::InclusiveSum(call->scratch, bytes, (const number *)call->of.arrays[0],
                                         (number *)call->results, call->of.shape.terms, (cudaStream_t)call->stream);
}

const struct black_box BLACK_BOX_IN(cub_device_scan) = {
    device_reduce_can_do, cub_version, {device_scan_scratch, device_scan_run, false, false}};

/* ---- one call, with a requirement ---- */

[[maybe_unused]] static int refused_run(const struct method *, const struct kernel_call *)
{
    return cudaErrorNotSupported; /* can_do refused it */
}

static size_t no_scratch(const struct method *, struct shape, struct launch)
{
    return 0; /* CUB takes it from the stream's memory pool */
}

#if CUB_VERSION >= 300100
#include <exception>

static bool required_can_do(const struct method *, struct launch, char *)
{
    return true;
}

/* Memory that is short comes as an exception, which must not reach the C that called. */
template <typename Requirement, typename Count>
static int sum_as_required(const struct kernel_call *call, Requirement requirement, Count n)
{
    const auto environment =
        cuda::std::execution::env{cuda::stream_ref{(cudaStream_t)call->stream}, cuda::execution::require(requirement)};
    try {
        return cub::DeviceReduce::Sum((const number *)call->of.arrays[0], (number *)call->results, n, environment);
    } catch (const std::exception &) {
        return cudaErrorMemoryAllocation;
    }
}

static int not_guaranteed_run(const struct method *, const struct kernel_call *call)
{
    return sum_as_required(call, cuda::execution::determinism::not_guaranteed, call->of.shape.terms);
}

static int run_to_run_run(const struct method *, const struct kernel_call *call)
{
    return sum_as_required(call, cuda::execution::determinism::run_to_run, call->of.shape.terms);
}

#if REAL_PRECISION < 24
#define gpu_to_gpu_run refused_run
#else
/* CCCL 3.1 counts here in 32 bits, and refuses wider counts when it is compiled. */
static int gpu_to_gpu_run(const struct method *, const struct kernel_call *call)
{
    if (call->of.shape.terms > UINT32_MAX)
        return cudaErrorNotSupported;
    return sum_as_required(call, cuda::execution::determinism::gpu_to_gpu, (uint32_t)call->of.shape.terms);
}
#endif
#else
static bool required_can_do(const struct method *, struct launch, char why[REASON_SIZE])
{
    snprintf(why, REASON_SIZE, "this build's CCCL is %d.%d.%d; needs 3.1", CUB_MAJOR, CUB_MINOR, CUB_PATCH);
    return false;
}

#define not_guaranteed_run refused_run
#define run_to_run_run refused_run
#define gpu_to_gpu_run refused_run
#endif

static bool gpu_to_gpu_can_do(const struct method *self, struct launch launch, char why[REASON_SIZE])
{
    if (!required_can_do(self, launch, why))
        return false;
    snprintf(why, REASON_SIZE, "CUB has gpu_to_gpu for binary32 and binary64 alone");
    return REAL_PRECISION >= 24;
}

const struct black_box BLACK_BOX_IN(cub_device_reduce_not_guaranteed) = {
    required_can_do, cub_version, {no_scratch, not_guaranteed_run, false, false}};
const struct black_box BLACK_BOX_IN(cub_device_reduce_run_to_run) = {
    required_can_do, cub_version, {no_scratch, run_to_run_run, false, false}};
const struct black_box BLACK_BOX_IN(cub_device_reduce_gpu_to_gpu) = {
    gpu_to_gpu_can_do, cub_version, {no_scratch, gpu_to_gpu_run, false, false}};

/* The sums that come with CUDA: CUB and Thrust. */
#include <cub/device/device_reduce.cuh>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/system/cuda/execution_policy.h>
#include <ulpscope/plugin.h>

static const float *numbers(const struct ulpscope_call *call)
{
    return (const float *)ulpscope_data(&call->inputs[0]);
}

static float *result(const struct ulpscope_call *call)
{
    return (float *)ulpscope_data(&call->outputs[0]);
}

static int cub_sum(void *, const struct ulpscope_call *call)
{
    const cudaStream_t stream = (cudaStream_t)call->stream;
    const int64_t n = call->inputs[0].shape[0];
    void *temporary = nullptr;
    size_t size = 0;
    cudaError_t error = cub::DeviceReduce::Sum(nullptr, size, numbers(call), result(call), n, stream);
    if (error == cudaSuccess)
        error = cudaMallocAsync(&temporary, size, stream);
    if (error == cudaSuccess)
        error = cub::DeviceReduce::Sum(temporary, size, numbers(call), result(call), n, stream);
    if (temporary)
        cudaFreeAsync(temporary, stream);
    return error;
}

static int thrust_sum(void *, const struct ulpscope_call *call)
{
    const cudaStream_t stream = (cudaStream_t)call->stream;
    const float *x = numbers(call);
    const float sum = thrust::reduce(thrust::cuda::par.on(stream), x, x + call->inputs[0].shape[0]);
    return cudaMemcpyAsync(result(call), &sum, sizeof sum, cudaMemcpyHostToDevice, stream);
}

#define TEXT(number) #number
#define TEXT_OF(macro) TEXT(macro)

enum { PROMISED = ULPSCOPE_ON_DEVICE | ULPSCOPE_DETERMINISTIC };

ULPSCOPE_PLUGIN("reduce", "CUB " TEXT_OF(CUB_VERSION), ULPSCOPE_METHOD("cub", "sum", "binary32", PROMISED, cub_sum),
                ULPSCOPE_METHOD("thrust", "sum", "binary32", PROMISED, thrust_sum))

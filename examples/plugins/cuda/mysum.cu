/* One block that adds in a tree: what a tutorial's first reduction does. */
#include <ulpscope/plugin.h>

enum { THREADS = 256 };

static __global__ void add(const float *x, int64_t n, float *sum)
{
    __shared__ float sums[THREADS];
    float own = 0;
    for (int64_t i = threadIdx.x; i < n; i += THREADS)
        own += x[i];
    sums[threadIdx.x] = own;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        *sum = sums[0];
}

static int block_tree(void *, const struct ulpscope_call *call)
{
    const float *x = (const float *)ulpscope_data(&call->inputs[0]);
    add<<<1, THREADS, 0, (cudaStream_t)call->stream>>>(x, call->inputs[0].shape[0],
                                                       (float *)ulpscope_data(&call->outputs[0]));
    return cudaGetLastError();
}

ULPSCOPE_PLUGIN("mysum", "1.0",
                ULPSCOPE_METHOD("block_tree", "sum", "binary32", ULPSCOPE_ON_DEVICE | ULPSCOPE_DETERMINISTIC,
                                block_tree))

/* Layer norms on a GPU, a block of threads each: right ones, and ones with a fault of norms.c. */
#include <ulpscope/plugin.h>

#include <cuda_runtime_api.h>

enum { THREADS = 256 };
enum way { TIMES, DIVIDES, EPS_OUTSIDE, EPS_LEFT_OUT, EPS_1E6, OF_SAMPLE, NO_MEAN, MEAN_KEPT };

/* The sum of what the threads have, in all of them. */
static __device__ float added(float s)
{
    __shared__ float sums[THREADS];
    __syncthreads();
    sums[threadIdx.x] = s;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] = __fadd_rn(sums[threadIdx.x], sums[threadIdx.x + half]);
    }
    __syncthreads();
    return sums[0];
}

static __global__ void normalize(const float *x, int64_t n, enum way way, float *y)
{
    float s = 0, v = 0;
    for (int64_t i = threadIdx.x; i < n; i += THREADS)
        s = __fadd_rn(s, x[i]);
    const float m = way == NO_MEAN ? 0 : __fdiv_rn(added(s), (float)n);
    for (int64_t i = threadIdx.x; i < n; i += THREADS) {
        const float off = __fsub_rn(x[i], m);
        v = __fadd_rn(v, __fmul_rn(off, off));
    }
    const float variance = __fdiv_rn(added(v), (float)(way == OF_SAMPLE ? n - 1 : n));
    const float eps = way == EPS_LEFT_OUT ? 0 : way == EPS_1E6 ? 1e-6f : 1e-5f;
    const float root = way == EPS_OUTSIDE ? __fadd_rn(__fsqrt_rn(variance), eps) : __fsqrt_rn(__fadd_rn(variance, eps));
    for (int64_t i = threadIdx.x; i < n; i += THREADS) {
        const float off = way == MEAN_KEPT ? x[i] : __fsub_rn(x[i], m);
        y[i] = way == DIVIDES ? __fdiv_rn(off, root) : __fmul_rn(off, __fdiv_rn(1, root));
    }
}

#define NORM(name, way)                                                                                                \
    static int name(void *state, const struct ulpscope_call *call)                                                     \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        normalize<<<1, THREADS, 0, (cudaStream_t)call->stream>>>((const float *)ulpscope_data(&call->inputs[0]),       \
                                                                 call->inputs[0].shape[0], way,                        \
                                                                 (float *)ulpscope_data(&call->outputs[0]));           \
        return (int)cudaGetLastError();                                                                                \
    }

NORM(times, TIMES)
NORM(divides, DIVIDES)
NORM(eps_outside, EPS_OUTSIDE)
NORM(eps_left_out, EPS_LEFT_OUT)
NORM(eps_1e6, EPS_1E6)
NORM(of_sample, OF_SAMPLE)
NORM(no_mean, NO_MEAN)
NORM(mean_kept, MEAN_KEPT)

#define LAYER(name) ULPSCOPE_METHOD(#name, "layer_norm", "binary32", ULPSCOPE_ON_DEVICE | ULPSCOPE_DETERMINISTIC, name)
ULPSCOPE_PLUGIN("gpu_norms", "1", LAYER(times), LAYER(divides), LAYER(eps_outside), LAYER(eps_left_out), LAYER(eps_1e6),
                LAYER(of_sample), LAYER(no_mean), LAYER(mean_kept))

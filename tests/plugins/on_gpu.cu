/* Methods ON_DEVICE in CUDA; each does one harm, unless it is compiled with -DTWIN. */
#include <ulpscope/plugin.h>

#include <cuda_runtime_api.h>

#ifdef TWIN
enum { HARM = 0 };
#else
enum { HARM = 1 };
#endif

enum { THREADS = 256 };

/* By one block: each thread a stride of the numbers, then a tree. */
static __global__ void add(const float *x, int64_t n, float *result)
{
    __shared__ float sums[THREADS];
    float s = 0;
    for (int64_t i = threadIdx.x; i < n; i += THREADS)
        s += x[i];
    sums[threadIdx.x] = s;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        *result = sums[0];
}

static __global__ void write(float *at, float value)
{
    *at = value;
}

static __global__ void trap(void)
{
    __trap();
}

static __global__ void loop(volatile float *x)
{
    while (HARM)
        (void)*x;
}

/* A method: its sum, then, where harm is done, a statement. */
#define METHOD_ON_DEVICE(name, ...)                                                                                    \
    static int name(void *state, const struct ulpscope_call *call)                                                     \
    {                                                                                                                  \
        const cudaStream_t stream = (cudaStream_t)call->stream;                                                        \
        float *x = (float *)ulpscope_data(call->inputs), *result = (float *)ulpscope_data(call->outputs);              \
        const int64_t n = call->inputs[0].shape[0];                                                                    \
        (void)state;                                                                                                   \
        add<<<1, THREADS, 0, stream>>>(x, n, result);                                                                  \
        if (HARM) {                                                                                                    \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
        return n < 0 || !result; /* what launches say is not asked */                                                  \
    }

METHOD_ON_DEVICE(illegal, write<<<1, 1, 0, stream>>>(NULL, 1);)
METHOD_ON_DEVICE(traps, trap<<<1, 1, 0, stream>>>();)
METHOD_ON_DEVICE(loops, loop<<<1, 1, 0, stream>>>(x);)
METHOD_ON_DEVICE(writes_input, write<<<1, 1, 0, stream>>>(x + n / 2, 0.3f);)
METHOD_ON_DEVICE(writes_past_input, write<<<1, 1, 0, stream>>>(x + n, 0.3f);)
METHOD_ON_DEVICE(writes_past, write<<<1, 1, 0, stream>>>(result + 1, 0.3f);)
METHOD_ON_DEVICE(reads_past, add<<<1, THREADS, 0, stream>>>(x, n + 1, result);)

static int no_launch(void *state, const struct ulpscope_call *call)
{
    (void)state;
    add<<<1, HARM ? 4 * 1024 : THREADS, 0, (cudaStream_t)call->stream>>>(
        (const float *)ulpscope_data(call->inputs), call->inputs[0].shape[0], (float *)ulpscope_data(call->outputs));
    return 0;
}

static int tells(void *state, const struct ulpscope_call *call)
{
    no_launch(state, call);
    return (int)cudaGetLastError();
}

/* On a stream of its own, which it does not wait for: no harm, because ulpscope waits for all. */
static int own_stream(void *state, const struct ulpscope_call *call)
{
    static cudaStream_t stream;
    (void)state;
    if (!stream && cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
        return 1;
    add<<<1, THREADS, 0, stream>>>((const float *)ulpscope_data(call->inputs), call->inputs[0].shape[0],
                                   (float *)ulpscope_data(call->outputs));
    return 0;
}

static const char *meaning(int status)
{
    return cudaGetErrorString((cudaError_t)status);
}

#define METHOD(name) ULPSCOPE_METHOD(#name, "sum", "binary32", ULPSCOPE_ON_DEVICE | ULPSCOPE_DETERMINISTIC, name)

static const struct ulpscope_method methods[] = {
    METHOD(illegal),     METHOD(traps),      METHOD(loops),     METHOD(writes_input), METHOD(writes_past_input),
    METHOD(writes_past), METHOD(reads_past), METHOD(no_launch), METHOD(tells),        METHOD(own_stream)};

const struct ulpscope_plugin *ULPSCOPE_ENTRY(void)
{
    static const struct ulpscope_plugin plugin = {
        sizeof plugin, "gpu", "1", methods, sizeof methods / sizeof methods[0], NULL, NULL, meaning};
    return &plugin;
}

/* Sums on a GPU whose bits depend on one thing each, beside their numbers; compiled with -DTWIN on nothing. */
#include <ulpscope/plugin.h>

#include <cuda_runtime_api.h>

#ifdef TWIN
enum { VARIES = 0 };
#define NAME "twin"
#else
enum { VARIES = 1 };
#define NAME "varies"
#endif

enum { THREADS = 256, LANES = 4, FEW = 8, BLOCK = 4, COPIED_FROM = 64, LEFT = 3000 };

struct rows {
    const float *x;
    int64_t rows, n;
    float *sums;
};

static struct rows rows_of(const struct ulpscope_call *call)
{
    const DLTensor *x = &call->inputs[0];
    const bool has_rows = x->ndim == 2;
    return {(const float *)ulpscope_data(x), has_rows ? x->shape[0] : 1, x->shape[x->ndim - 1],
            (float *)ulpscope_data(call->outputs)};
}

static __device__ float sum_of_block(float s)
{
    __shared__ float sums[THREADS];
    sums[threadIdx.x] = s;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    return sums[0];
}

/* A row, by a block: a thread adds every 256th number, or a run of neighbours. */
static __device__ void add_row(struct rows of, int64_t row, bool has_runs)
{
    const int64_t run = (of.n + THREADS - 1) / THREADS;
    const int64_t begin = has_runs ? threadIdx.x * run : threadIdx.x, step = has_runs ? 1 : THREADS;
    const int64_t end = has_runs && begin + run < of.n ? begin + run : of.n;
    float s = 0;
    for (int64_t i = begin; i < end; i += step)
        s += of.x[row * of.n + i];
    s = sum_of_block(s);
    if (threadIdx.x == 0)
        of.sums[row] = s;
}

/* The rows from `first` on. */
static __global__ void add_rows(struct rows of, int64_t first, bool has_runs)
{
    add_row(of, first + blockIdx.x, has_runs);
}

#define METHOD(name) static int name(void *state, const struct ulpscope_call *call)
#define STREAM (cudaStream_t) call->stream

/* ---- where the numbers lie ---- */

/* Vectors of four from `head` on, whose lanes are added first; what is before and behind them by the first thread. */
static __global__ void add_vectors(struct rows of, int64_t head, bool loads_vectors)
{
    const float *x = of.x + head;
    const int64_t vectors = of.n > head ? (of.n - head) / LANES : 0;
    float s = 0;
    for (int64_t v = threadIdx.x; v < vectors; v += THREADS) {
        const float4 vector = loads_vectors
                                  ? ((const float4 *)x)[v]
                                  : make_float4(x[LANES * v], x[LANES * v + 1], x[LANES * v + 2], x[LANES * v + 3]);
        s += (vector.x + vector.y) + (vector.z + vector.w);
    }
    for (int64_t i = 0; threadIdx.x == 0 && i < of.n; i++)
        if (i < head || i >= head + LANES * vectors)
            s += of.x[i];
    s = sum_of_block(s);
    if (threadIdx.x == 0)
        of.sums[0] = s;
}

METHOD(alignment)
{
    const struct rows of = rows_of(call);
    const int64_t beyond = (int64_t)((uintptr_t)of.x / sizeof(float) % LANES);
    add_vectors<<<1, THREADS, 0, STREAM>>>(of, VARIES ? (LANES - beyond) % LANES : 0, VARIES);
    return (int)cudaGetLastError();
}

/* The GPU refuses vectors that are not aligned. */
METHOD(vectors)
{
    add_vectors<<<1, THREADS, 0, STREAM>>>(rows_of(call), 0, VARIES);
    return (int)cudaGetLastError();
}

/* ---- batches ---- */

METHOD(batch)
{
    const struct rows of = rows_of(call);
    add_rows<<<(unsigned)of.rows, THREADS, 0, STREAM>>>(of, 0, VARIES && of.rows < FEW);
    return (int)cudaGetLastError();
}

METHOD(position)
{
    const struct rows of = rows_of(call);
    const int64_t whole = of.rows / BLOCK * BLOCK;
    if (whole > 0)
        add_rows<<<(unsigned)whole, THREADS, 0, STREAM>>>(of, 0, false);
    if (whole < of.rows)
        add_rows<<<(unsigned)(of.rows - whole), THREADS, 0, STREAM>>>(of, whole, VARIES);
    return (int)cudaGetLastError();
}

/* Sums of some rows are the first, or 0. */
static __global__ void spoil(struct rows of, int64_t from, int64_t end, bool copies)
{
    for (int64_t row = from; row < end; row++)
        of.sums[row] = copies ? of.sums[0] : 0;
}

METHOD(copied)
{
    const struct rows of = rows_of(call);
    add_rows<<<(unsigned)of.rows, THREADS, 0, STREAM>>>(of, 0, false);
    spoil<<<1, 1, 0, STREAM>>>(of, COPIED_FROM, VARIES ? of.rows : 0, true);
    return (int)cudaGetLastError();
}

METHOD(left)
{
    const struct rows of = rows_of(call);
    add_rows<<<(unsigned)of.rows, THREADS, 0, STREAM>>>(of, 0, false);
    spoil<<<1, 1, 0, STREAM>>>(of, LEFT, VARIES && of.rows > LEFT ? LEFT + 1 : 0, false);
    return (int)cudaGetLastError();
}

/* ---- neighbours ---- */

enum { FULL = 1024, PATIENCE = 2 * 1000 * 1000 /* nanoseconds */ };

static __device__ unsigned arrived, is_alone;

static __device__ unsigned long long nanoseconds_now()
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

static __global__ void prepare()
{
    arrived = 0;
    is_alone = 1;
}

/* Blocks that fill the GPU wait for each other, as a persistent kernel does; where some have no room, not for long. */
static __global__ void __launch_bounds__(FULL, 2) meet()
{
    const unsigned long long until = nanoseconds_now() + PATIENCE;
    if (threadIdx.x == 0) {
        atomicAdd(&arrived, 1);
        while (*(volatile unsigned *)&arrived < gridDim.x)
            if (nanoseconds_now() > until) {
                is_alone = 0;
                break;
            }
    }
    __syncthreads();
}

static __global__ void add_as_met(struct rows of)
{
    add_row(of, 0, VARIES && !is_alone);
}

METHOD(beside)
{
    int device = 0, multiprocessors = 0, blocks = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, meet, FULL, 0);
    prepare<<<1, 1, 0, STREAM>>>();
    meet<<<(unsigned)(blocks * multiprocessors), FULL, 0, STREAM>>>();
    add_as_met<<<1, THREADS, 0, STREAM>>>(rows_of(call));
    return (int)cudaGetLastError();
}

/* ---- the stream ---- */

METHOD(stream)
{
    static void *first;
    first = first ? first : call->stream;
    add_rows<<<1, THREADS, 0, STREAM>>>(rows_of(call), 0, VARIES && call->stream != first);
    return (int)cudaGetLastError();
}

/* ---- the order of arrival: it varies alone as well, and stands on no axis of its own ---- */

enum { PIECE = 64, BLOCKS = 512 };
static __device__ unsigned ticket;
static __device__ float total;

static __global__ void begin_arrival()
{
    ticket = 0;
    total = 0;
}

/* Blocks take the next piece, and add its sum to the total when they have it. */
static __global__ void add_pieces(struct rows of)
{
    __shared__ int64_t piece;
    for (;;) {
        if (threadIdx.x == 0)
            piece = atomicAdd(&ticket, 1);
        __syncthreads();
        const int64_t first = piece * PIECE;
        if (first >= of.n)
            return;
        float s = 0;
        for (int64_t i = first + threadIdx.x; i < first + PIECE && i < of.n; i += THREADS)
            s += of.x[i];
        s = sum_of_block(s);
        if (threadIdx.x == 0)
            atomicAdd(&total, s);
        __syncthreads();
    }
}

static __global__ void end_arrival(struct rows of)
{
    of.sums[0] = total;
}

METHOD(arrival)
{
    const struct rows of = rows_of(call);
    begin_arrival<<<1, 1, 0, STREAM>>>();
    add_pieces<<<VARIES ? BLOCKS : 1, THREADS, 0, STREAM>>>(of);
    end_arrival<<<1, 1, 0, STREAM>>>(of);
    return (int)cudaGetLastError();
}

static const char *meaning(int status)
{
    return cudaGetErrorString((cudaError_t)status);
}

#define ONE(name, flags) ULPSCOPE_METHOD(#name, "sum", "binary32", ULPSCOPE_ON_DEVICE | flags, name)

static const struct ulpscope_method methods[] = {ONE(alignment, ULPSCOPE_DETERMINISTIC),
                                                 ONE(vectors, ULPSCOPE_DETERMINISTIC),
                                                 ONE(batch, ULPSCOPE_DETERMINISTIC | ULPSCOPE_ROWS),
                                                 ONE(position, ULPSCOPE_DETERMINISTIC | ULPSCOPE_ROWS),
                                                 ONE(copied, ULPSCOPE_DETERMINISTIC | ULPSCOPE_ROWS),
                                                 ONE(left, ULPSCOPE_DETERMINISTIC | ULPSCOPE_ROWS),
                                                 ONE(beside, ULPSCOPE_DETERMINISTIC),
                                                 ONE(stream, ULPSCOPE_DETERMINISTIC),
                                                 ONE(arrival, 0)};

const struct ulpscope_plugin *ULPSCOPE_ENTRY(void)
{
    static const struct ulpscope_plugin plugin = {
        sizeof plugin, NAME, "1", methods, sizeof methods / sizeof methods[0], NULL, NULL, meaning};
    return &plugin;
}

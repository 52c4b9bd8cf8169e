/* The device half of the scans of one accumulator and one format of additions: the orders of scan_orders.def, as scan.h
 * has them, bit for bit.
 */
#include "portable.h"

#include ACCUMULATOR_FILE

#ifndef ABSENT
#include "order.h"
#include "scan.h"

static_assert((int)SCAN_ITEMS == (int)LOADS_AHEAD, "a thread of a tile loads what it adds at once");

struct scanned {
    struct numbers x;
    uint64_t n, window;
    uint64_t chunk, tiles_of_block; /* of this launch */
    void *at;                       /* the results */
    enum stored_format result;
    STATE *states; /* the scratch memory */
};

/* ---- results ---- */

static __device__ void put(const struct scanned &of, uint64_t j, STATE prefix)
{
    const double sum = A(result)(prefix);
    switch (of.result) {
#define OF(id, type)                                                                                                   \
    case STORED_##id:                                                                                                  \
        ((type *)of.at)[j] = (type)sum;                                                                                \
        break;
        RESULT_FORMATS(OF)
#undef OF
    default:
        __builtin_unreachable();
    }
}

template <typename Stored> static __device__ void put_neighbours_as(Stored *to, const double sums[SCAN_ITEMS])
{
    struct alignas(16) piece {
        Stored elements[16 / sizeof(Stored)];
    } pieces[SCAN_ITEMS * sizeof(Stored) / 16];
#pragma unroll
    for (int k = 0; k < SCAN_ITEMS; k++)
        pieces[k / (16 / sizeof(Stored))].elements[k % (16 / sizeof(Stored))] = (Stored)sums[k];
#pragma unroll
    for (int p = 0; p < (int)(SCAN_ITEMS * sizeof(Stored) / 16); p++)
        ((struct piece *)to)[p] = pieces[p];
}

/* From j on, a multiple of SCAN_ITEMS. */
static __device__ void put_neighbours(const struct scanned &of, uint64_t j, const double sums[SCAN_ITEMS])
{
    switch (of.result) {
#define OF(id, type)                                                                                                   \
    case STORED_##id:                                                                                                  \
        put_neighbours_as((type *)of.at + j, sums);                                                                    \
        break;
        RESULT_FORMATS(OF)
#undef OF
    default:
        __builtin_unreachable();
    }
}

static __device__ STATE added(const struct scanned &of, STATE s, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++)
        s = A(add)(s, load(of.x, i));
    return s;
}

static __device__ uint64_t thread_number()
{
    return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

/* What is before each of `count` sums, in their place; one thread. */
KERNEL(scan_sums_before)(STATE *sums, uint64_t count)
{
    STATE before = A(zero)();
    for (uint64_t g = 0; g < count; g++) {
        const STATE sum = sums[g];
        sums[g] = before;
        before = A(merge)(before, sum);
    }
}

/* ---- serial and chunks: a thread goes on from what is before its chunk ---- */

static __device__ void put_run(const struct scanned &of, STATE s, uint64_t first, uint64_t end)
{
    for (uint64_t j = first; j < end; j++) {
        s = A(add)(s, load(of.x, j));
        put(of, j, s);
    }
}

KERNEL(scan_serial)(struct scanned of)
{
    put_run(of, A(zero)(), 0, of.n);
}

KERNEL(scan_chunks_sums)(struct scanned of)
{
    const uint64_t g = thread_number(), first = g * of.chunk;
    if (first < of.n)
        of.states[g] = added(of, A(zero)(), first, at_most(first + of.chunk, of.n));
}

KERNEL(scan_chunks_prefixes)(struct scanned of)
{
    const uint64_t g = thread_number(), first = g * of.chunk;
    if (first < of.n)
        put_run(of, of.states[g], first, at_most(first + of.chunk, of.n));
}

/* ---- hillis_steele and blelloch: a state for each number ---- */

KERNEL(scan_start)(struct scanned of, uint64_t places)
{
    const uint64_t j = thread_number();
    if (j < places)
        of.states[j] = j < of.n ? A(add)(A(zero)(), load(of.x, j)) : A(zero)();
}

KERNEL(scan_take_at)(STATE *to, const STATE *from, uint64_t n, uint64_t distance)
{
    const uint64_t j = thread_number();
    if (j < n)
        to[j] = j >= distance ? A(merge)(from[j], from[j - distance]) : from[j];
}

KERNEL(scan_put)(struct scanned of, const STATE *prefixes)
{
    const uint64_t j = thread_number();
    if (j < of.n)
        put(of, j, prefixes[j]);
}

KERNEL(scan_up)(struct scanned of, uint64_t d)
{
    const uint64_t right = 2 * d * (thread_number() + 1) - 1;
    if (right < of.n)
        of.states[right] = A(merge)(of.states[right], of.states[right - d]);
}

KERNEL(scan_clear)(STATE *state)
{
    *state = A(zero)();
}

KERNEL(scan_down)(struct scanned of, uint64_t places, uint64_t d)
{
    const uint64_t right = 2 * d * (thread_number() + 1) - 1;
    if (right >= places || right - d - (d - 1) >= of.n)
        return;
    const STATE before = of.states[right];
    of.states[right] = A(merge)(before, of.states[right - d]);
    of.states[right - d] = before;
}

KERNEL(scan_put_added)(struct scanned of)
{
    const uint64_t j = thread_number();
    if (j < of.n)
        put(of, j, A(add)(of.states[j], load(of.x, j)));
}

/* ---- tiles: a thread has SCAN_ITEMS neighbours ---- */

struct items {
    real x[SCAN_ITEMS];
    int count;
};

static __device__ struct items load_items(const struct scanned &of, uint64_t first)
{
    struct items items;
    items.count = first >= of.n ? 0 : (int)at_most(SCAN_ITEMS, of.n - first);
    if (items.count == SCAN_ITEMS)
        load_neighbours(items.x, of.x, first);
    else
        for (int k = 0; k < items.count; k++)
            items.x[k] = load(of.x, first + (uint64_t)k);
    return items;
}

static __device__ STATE sum_of_items(const struct items &items)
{
    STATE s = A(zero)();
#pragma unroll
    for (int k = 0; k < SCAN_ITEMS; k++)
        if (k < items.count)
            s = A(add)(s, items.x[k]);
    return s;
}

/* Of a block; shared[t] is then the sum of threads 0 to t. */
static __device__ void scan_threads(STATE *shared, STATE mine)
{
    const uint32_t t = threadIdx.x;
    shared[t] = mine;
    __syncthreads();
    for (uint32_t d = 1; d < blockDim.x; d *= 2) {
        if (t >= d)
            mine = A(merge)(mine, shared[t - d]);
        __syncthreads();
        shared[t] = mine;
        __syncthreads();
    }
}

static __device__ void put_items(const struct scanned &of, uint64_t first, const struct items &items, STATE before)
{
    STATE own = A(zero)();
    double sums[SCAN_ITEMS];
#pragma unroll
    for (int k = 0; k < SCAN_ITEMS; k++)
        if (k < items.count) {
            own = A(add)(own, items.x[k]);
            sums[k] = A(result)(A(merge)(before, own));
            if (items.count < SCAN_ITEMS)
                put(of, first + (uint64_t)k, A(merge)(before, own));
        }
    if (items.count == SCAN_ITEMS)
        put_neighbours(of, first, sums);
}

static __device__ uint64_t tile_size()
{
    return (uint64_t)SCAN_ITEMS * blockDim.x;
}

static __device__ void put_tile(const struct scanned &of, uint64_t first, const struct items &items, STATE before,
                                const STATE *shared)
{
    if (threadIdx.x > 0)
        before = A(merge)(before, shared[threadIdx.x - 1]);
    put_items(of, first, items, before);
}

/* The sum of a block's tiles; or, with what is before them, their prefixes. */
template <bool PUTS> static __device__ STATE block_tiles(const struct scanned &of, STATE *shared, STATE before)
{
    STATE in_block = A(zero)();
    for (uint64_t r = 0; r < of.tiles_of_block; r++) {
        const uint64_t tile = (blockIdx.x * of.tiles_of_block + r) * tile_size();
        if (tile >= of.n)
            break;
        const uint64_t first = tile + (uint64_t)SCAN_ITEMS * threadIdx.x;
        const struct items items = load_items(of, first);
        scan_threads(shared, sum_of_items(items));
        if (PUTS)
            put_tile(of, first, items, A(merge)(before, in_block), shared);
        in_block = A(merge)(in_block, shared[blockDim.x - 1]);
        __syncthreads();
    }
    return in_block;
}

KERNEL(scan_two_level_sums)(struct scanned of)
{
    extern __shared__ STATE shared[];
    const STATE sum = block_tiles<false>(of, shared, A(zero)());
    if (threadIdx.x == 0)
        of.states[blockIdx.x] = sum;
}

KERNEL(scan_two_level_prefixes)(struct scanned of)
{
    extern __shared__ STATE shared[];
    (void)block_tiles<true>(of, shared, of.states[blockIdx.x]);
}

/* ---- look_back: tiles as blocks take them, each merging what is there of those before it ---- */

enum { SUM_IS_THERE = 1, PREFIX_IS_THERE = 2 };

/* The sums of tiles, then their prefixes, which of these are there, and the next tile. */
struct looking {
    STATE *sums, *prefixes;
    uint32_t *there, *next;
    uint64_t tiles;
};

/* Not from a cache that does not know what other multiprocessors have written. */
static __device__ STATE load_of_others(const STATE *state)
{
    STATE loaded;
    uint32_t words[sizeof(STATE) / sizeof(uint32_t)];
#pragma unroll 4
    for (int w = 0; w < (int)(sizeof(STATE) / sizeof(uint32_t)); w++)
        words[w] = ((const volatile uint32_t *)state)[w];
    memcpy(&loaded, words, sizeof loaded);
    return loaded;
}

static __device__ void tell(uint32_t *there, STATE *to, STATE state, uint32_t what)
{
    *to = state;
    __threadfence();
    *(volatile uint32_t *)there = what;
}

/* One thread; what is nearer is the right side. */
static __device__ STATE look_back(const struct looking &of, uint64_t tile)
{
    STATE before = A(zero)();
    bool is_empty = true;
    for (uint64_t p = tile; p-- > 0;) {
        uint32_t what;
        while ((what = ((const volatile uint32_t *)of.there)[p]) == 0)
            ;
        __threadfence();
        const STATE found = load_of_others(what == PREFIX_IS_THERE ? &of.prefixes[p] : &of.sums[p]);
        before = is_empty ? found : A(merge)(found, before);
        is_empty = false;
        if (what == PREFIX_IS_THERE)
            break;
    }
    return before;
}

KERNEL(scan_look_back)(struct scanned of, struct looking looking)
{
    extern __shared__ STATE shared[];
    __shared__ STATE before;
    __shared__ uint32_t next;
    for (;;) {
        if (threadIdx.x == 0)
            next = atomicAdd(looking.next, 1u);
        __syncthreads();
        const uint64_t tile = next;
        if (tile >= looking.tiles)
            return;
        const uint64_t first = tile * tile_size() + (uint64_t)SCAN_ITEMS * threadIdx.x;
        const struct items items = load_items(of, first);
        scan_threads(shared, sum_of_items(items));
        if (threadIdx.x == 0) {
            const STATE sum = shared[blockDim.x - 1];
            if (tile > 0)
                tell(&looking.there[tile], &looking.sums[tile], sum, SUM_IS_THERE);
            before = look_back(looking, tile);
            tell(&looking.there[tile], &looking.prefixes[tile], A(merge)(before, sum), PREFIX_IS_THERE);
        }
        __syncthreads();
        put_tile(of, first, items, before, shared);
        __syncthreads();
    }
}

/* ---- windows ---- */

KERNEL(scan_add_subtract)(struct scanned of)
{
    const uint64_t first = thread_number() * of.chunk;
    if (first >= of.n)
        return;
    STATE s = added(of, A(zero)(), first - scan_before(first, of.window), first);
    for (uint64_t j = first; j < at_most(first + of.chunk, of.n); j++) {
        s = A(add)(s, load(of.x, j));
        if (j > first && j >= of.window)
            s = A(add)(s, -load(of.x, j - of.window));
        put(of, j, s);
    }
}

KERNEL(scan_again_each_time)(struct scanned of)
{
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t j = thread_number(); j < of.n; j += threads)
        put(of, j, added(of, A(zero)(), j - scan_before(j, of.window), j + 1));
}

/* ---- launchers ---- */

struct scan_launch {
    struct scanned of;
    struct launch launch;
    cudaStream_t stream;
};

enum { THREADS = 256 };

static uint32_t blocks_for(uint64_t threads)
{
    return (uint32_t)ceil_div(threads, THREADS);
}

#define ON_ALL(kernel, threads) EXPORTED(kernel)<<<blocks_for(threads), THREADS, 0, call->stream>>>
#define ON_LAUNCH(kernel, shared) EXPORTED(kernel)<<<call->launch.blocks, call->launch.threads, shared, call->stream>>>

static int serial_run(const struct scan_launch *call)
{
    EXPORTED(scan_serial)<<<1, 1, 0, call->stream>>>(call->of);
    return cudaGetLastError();
}

static int chunks_run(const struct scan_launch *call)
{
    ON_LAUNCH(scan_chunks_sums, 0)(call->of);
    EXPORTED(scan_sums_before)<<<1, 1, 0, call->stream>>>(call->of.states, ceil_div(call->of.n, call->of.chunk));
    ON_LAUNCH(scan_chunks_prefixes, 0)(call->of);
    return cudaGetLastError();
}

static int hillis_steele_run(const struct scan_launch *call)
{
    const uint64_t n = call->of.n;
    STATE *from = call->of.states, *to = from + n;
    ON_ALL(scan_start, n)(call->of, n);
    for (uint64_t d = 1; d < n; d *= 2) {
        ON_ALL(scan_take_at, n)(to, from, n, d);
        STATE *const taken = to;
        to = from;
        from = taken;
    }
    ON_ALL(scan_put, n)(call->of, from);
    return cudaGetLastError();
}

static int blelloch_run(const struct scan_launch *call)
{
    const uint64_t n = call->of.n, places = UINT64_C(1) << ceil_log2(n);
    ON_ALL(scan_start, places)(call->of, places);
    for (uint64_t d = 1; d < places; d *= 2)
        ON_ALL(scan_up, places / (2 * d))(call->of, d);
    EXPORTED(scan_clear)<<<1, 1, 0, call->stream>>>(call->of.states + places - 1);
    for (uint64_t d = places / 2; d > 0; d /= 2)
        ON_ALL(scan_down, places / (2 * d))(call->of, places, d);
    ON_ALL(scan_put_added, n)(call->of);
    return cudaGetLastError();
}

static int two_level_run(const struct scan_launch *call)
{
    const size_t shared = call->launch.threads * sizeof(STATE);
    ON_LAUNCH(scan_two_level_sums, shared)(call->of);
    EXPORTED(scan_sums_before)<<<1, 1, 0, call->stream>>>(call->of.states, call->launch.blocks);
    ON_LAUNCH(scan_two_level_prefixes, shared)(call->of);
    return cudaGetLastError();
}

static uint64_t tiles_of(uint64_t n, struct launch launch)
{
    return ceil_div(n, scan_tile(launch));
}

/* Blocks take tiles in their order, so that one that waits waits for others that run, however few do at once. */
static int look_back_run(const struct scan_launch *call)
{
    struct looking looking;
    looking.tiles = tiles_of(call->of.n, call->launch);
    looking.sums = call->of.states;
    looking.prefixes = looking.sums + looking.tiles;
    looking.there = (uint32_t *)(looking.prefixes + looking.tiles);
    looking.next = looking.there + looking.tiles;
    const cudaError_t cleared = cudaMemsetAsync(looking.there, 0, (looking.tiles + 1) * sizeof(uint32_t), call->stream);
    if (cleared != cudaSuccess)
        return cleared;
    ON_LAUNCH(scan_look_back, call->launch.threads * sizeof(STATE))(call->of, looking);
    return cudaGetLastError();
}

static int add_subtract_run(const struct scan_launch *call)
{
    ON_LAUNCH(scan_add_subtract, 0)(call->of);
    return cudaGetLastError();
}

static int again_each_time_run(const struct scan_launch *call)
{
    ON_LAUNCH(scan_again_each_time, 0)(call->of);
    return cudaGetLastError();
}

/* At most, whatever the order: two states for each number, or a power of two of them; sums of chunks or blocks; or two
 * states and a word for each tile, and one word more. */
static size_t scratch_bytes(const struct method *self, struct shape shape, struct launch launch)
{
    const uint64_t n = shape.terms, tiles = tiles_of(n, launch);
    switch (((const struct scan_method *)self->own)->order) {
    case SCAN_ORDER_hillis_steele:
    case SCAN_ORDER_blelloch:
        return 2 * n * sizeof(STATE);
    case SCAN_ORDER_chunks:
        return ceil_div(n, scan_chunk(n, launch)) * sizeof(STATE);
    case SCAN_ORDER_two_level:
        return launch.blocks * sizeof(STATE);
    case SCAN_ORDER_look_back:
        return tiles * (2 * sizeof(STATE) + sizeof(uint32_t)) + sizeof(uint32_t);
    default:
        return 0;
    }
}

static int run(const struct method *self, const struct kernel_call *call, int (*order)(const struct scan_launch *))
{
    const uint64_t n = call->of.shape.terms;
    struct scan_launch ours = {};
    ours.of.x.at = call->of.arrays[0];
    ours.of.x.format = stored_format_of(call->of.format);
    ours.of.n = n;
    ours.of.window = scan_window(call->of.shape);
    ours.of.chunk = scan_chunk(n, call->launch);
    ours.of.tiles_of_block = scan_tiles_of_block(n, call->launch);
    ours.of.at = call->results;
    ours.of.result = stored_format_of(self->format);
    ours.of.states = (STATE *)call->scratch;
    ours.launch = call->launch;
    ours.stream = (cudaStream_t)call->stream;
    return n == 0 ? (int)cudaSuccess : order(&ours);
}

#define SCAN_ORDER(id, operation, determinism, slow_above, claim)                                                      \
    static int run_##id(const struct method *self, const struct kernel_call *call)                                     \
    {                                                                                                                  \
        return run(self, call, id##_run);                                                                              \
    }                                                                                                                  \
    static const struct device_method id##_on_device = {scratch_bytes, run_##id, false, false};
#include "scan_orders.def"

extern "C" const struct device_method *const EXPORTED(scans_on_device)[];
const struct device_method *const EXPORTED(scans_on_device)[] = {
#define SCAN_ORDER(id, operation, determinism, slow_above, claim) &id##_on_device,
#include "scan_orders.def"
};
#else
/* Says in the PTX, which the lint reads, why there is no kernel. */
extern "C" __device__ const char EXPORTED(scans_absent)[] = ABSENT;
#endif

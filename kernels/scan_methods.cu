/* The device half of the scans of one accumulator and one format of additions: the orders of scan_orders.def, as scan.h
 * has them, bit for bit.
 */
#include "portable.h"

#include ACCUMULATOR_FILE

#ifndef ABSENT
#include "order.h"
#include "scan.h"

static_assert((int)SCAN_ITEMS % (int)LOADS_AHEAD == 0, "a thread of a tile loads by vectors");

struct scanned {
    struct numbers x;
    uint64_t n, window;
    uint64_t chunk; /* of this launch */
    void *at;       /* the results */
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
#pragma unroll
        for (int k = 0; k < SCAN_ITEMS; k += LOADS_AHEAD)
            load_neighbours(items.x + k, of.x, first + (uint64_t)k);
    else
#pragma unroll
        for (int k = 0; k < SCAN_ITEMS; k++)
            items.x[k] = k < items.count ? load(of.x, first + (uint64_t)k) : 0;
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

/* By vectors, where there is all of them. */
template <typename Stored> static __device__ void put_items_as(Stored *to, const struct items &items, STATE before)
{
    enum { OF_PIECE = 16 / sizeof(Stored) };
    struct alignas(16) piece {
        Stored elements[OF_PIECE];
    };
    STATE own = A(zero)();
#pragma unroll
    for (int k = 0; k < SCAN_ITEMS; k += OF_PIECE) {
        struct piece piece;
#pragma unroll
        for (int e = 0; e < OF_PIECE; e++) {
            own = A(add)(own, items.x[k + e]);
            piece.elements[e] = (Stored)A(result)(A(merge)(before, own));
            if (items.count < SCAN_ITEMS && k + e < items.count)
                to[k + e] = piece.elements[e];
        }
        if (items.count == SCAN_ITEMS)
            ((struct piece *)to)[k / OF_PIECE] = piece;
    }
}

static __device__ void put_items(const struct scanned &of, uint64_t first, const struct items &items, STATE before)
{
    switch (of.result) {
#define OF(id, type)                                                                                                   \
    case STORED_##id:                                                                                                  \
        put_items_as((type *)of.at + first, items, before);                                                            \
        break;
        RESULT_FORMATS(OF)
#undef OF
    default:
        __builtin_unreachable();
    }
}

/* ---- two_level and look_back: one pass over tiles as blocks take them ---- */

enum what { NOTHING, SUM, PREFIX };

/* What a tile has told those behind it: each word beside what it is of, so that no word is waited for twice. */
struct told {
    uint2 words[sizeof(STATE) / sizeof(uint32_t)];
};

struct one_pass {
    struct told *places;
    uint32_t *next; /* tile */
    uint64_t tiles;
};

static __device__ void tell(struct told *place, STATE state, enum what what)
{
    uint32_t words[sizeof(STATE) / sizeof(uint32_t)];
    memcpy(words, &state, sizeof state);
#pragma unroll 4
    for (int w = 0; w < (int)(sizeof(STATE) / sizeof(uint32_t)); w++)
        *(volatile uint64_t *)&place->words[w] = (uint64_t)what << 32 | words[w];
}

/* Not from a cache that does not know what other multiprocessors have written. */
static __device__ STATE wait_for(const struct told *place, enum what *what)
{
    uint32_t words[sizeof(STATE) / sizeof(uint32_t)];
    STATE state;
    bool is_whole;
    do {
        is_whole = true;
#pragma unroll 4
        for (int w = 0; w < (int)(sizeof(STATE) / sizeof(uint32_t)); w++) {
            const uint64_t word = *(const volatile uint64_t *)&place->words[w];
            words[w] = (uint32_t)word;
            is_whole = is_whole && word >> 32 != NOTHING && (w == 0 || word >> 32 == *what);
            *what = (enum what)(word >> 32);
        }
    } while (!is_whole);
    memcpy(&state, words, sizeof state);
    return state;
}

/* Of `count` places, fewer than SCAN_FAN, left to right, by the threads of a warp (or of a smaller block); each has it.
 */
static __device__ STATE sum_of_places(const struct one_pass &of, uint64_t first, uint32_t count, STATE *shared)
{
    const uint32_t lanes = blockDim.x < WARP ? blockDim.x : WARP, lane = threadIdx.x % WARP;
    const uint32_t all = lanes < WARP ? (1u << lanes) - 1 : 0xffffffffu;
    STATE sum = A(zero)();
    for (uint32_t done = 0; done < count; done += lanes) {
        enum what what;
        if (lane < count - done)
            shared[lane] = wait_for(&of.places[first + done + lane], &what);
        __syncwarp(all);
#pragma unroll 4
        for (uint32_t k = 0; k < lanes && k < count - done; k++)
            sum = done + k == 0 ? shared[0] : A(merge)(sum, shared[k]);
        __syncwarp(all);
    }
    return sum;
}

/* The sums of tiles are followed by those of SCAN_FAN tiles, of SCAN_FAN times as many, and so on. */
static __device__ uint64_t level_place(uint64_t tiles, int level, uint64_t of_level)
{
    for (; level > 0; level--)
        of_level += tiles >> (SCAN_FAN_BITS * (level - 1));
    return of_level;
}

static __device__ STATE sum_of_level(const struct one_pass &of, uint64_t tile, int level, STATE *shared)
{
    const uint64_t own = scan_of_level(tile, level), before = own % SCAN_FAN;
    return sum_of_places(of, level_place(of.tiles, level, own - before), (uint32_t)before, shared);
}

/* The first of a group tells the others what is before it, as all would wait at the same places; the last one tells the
 * sum of the group. */
static __device__ STATE before_tile(const struct one_pass &of, uint64_t tile, STATE sum, STATE *shared)
{
    const uint32_t warps = blockDim.x < WARP ? 1 : blockDim.x / WARP, warp = threadIdx.x / WARP;
    const bool is_first = tile % SCAN_FAN == 0, writes = threadIdx.x % WARP == 0;
    struct told *const before_group = of.places + 2 * of.tiles + tile / SCAN_FAN;
    STATE *const parts = shared + blockDim.x, *const of_warp = shared + warp * WARP;
    if (warp == 0) {
        STATE part = sum_of_level(of, tile, 0, of_warp), whole = sum;
        if (writes)
            parts[0] = part;
        for (int level = 0; scan_of_level(tile, level) % SCAN_FAN == SCAN_FAN - 1;) {
            whole = A(merge)(part, whole);
            level++;
            if (writes)
                tell(&of.places[level_place(of.tiles, level, scan_of_level(tile, level))], whole, SUM);
            part = sum_of_level(of, tile, level, of_warp);
        }
    }
    if (!is_first && warp == (warps > 1) && writes && tile >= SCAN_FAN) {
        enum what what;
        parts[1] = wait_for(before_group, &what);
    }
    for (int level = 1 + (int)((warp + warps - 1) % warps); is_first && warp < warps && scan_of_level(tile, level) > 0;
         level += (int)warps) {
        const STATE part = sum_of_level(of, tile, level, of_warp);
        if (writes)
            parts[level] = part;
    }
    __syncthreads();
    STATE before = !is_first && tile >= SCAN_FAN ? parts[1] : A(zero)();
    for (int level = SCAN_LEVELS - 1; is_first && level > 0; level--)
        if (scan_of_level(tile, level) % SCAN_FAN > 0)
            before = A(merge)(before, parts[level]);
    if (is_first && threadIdx.x == 0)
        tell(before_group, before, SUM);
    return is_first ? before : A(merge)(before, parts[0]);
}

/* One thread takes what is there; what is nearer is the right side. */
static __device__ STATE look_back(const struct one_pass &of, uint64_t tile, STATE sum, STATE *shared)
{
    if (threadIdx.x == 0) {
        STATE before = A(zero)();
        enum what what = NOTHING;
        for (uint64_t p = tile; p-- > 0 && what != PREFIX;) {
            const STATE found = wait_for(&of.places[p], &what);
            before = p + 1 == tile ? found : A(merge)(found, before);
        }
        tell(&of.places[tile], A(merge)(before, sum), PREFIX);
        shared[0] = before;
    }
    __syncthreads();
    return shared[0];
}

typedef STATE what_is_before(const struct one_pass &of, uint64_t tile, STATE sum, STATE *shared);

/* A tile is taken when it is begun, not before: those behind it wait for its sum. */
template <what_is_before *BEFORE>
static __device__ void put_tiles(const struct scanned &of, const struct one_pass &pass)
{
    extern __shared__ STATE shared[];
    __shared__ uint32_t number;
    for (;;) {
        if (threadIdx.x == 0)
            number = atomicAdd(pass.next, 1u);
        __syncthreads();
        const uint64_t tile = number;
        if (tile >= pass.tiles)
            return;
        const uint64_t first = (tile * blockDim.x + threadIdx.x) * SCAN_ITEMS;
        const struct items items = load_items(of, first);
        scan_threads(shared, sum_of_items(items));
        const STATE sum = shared[blockDim.x - 1], before_thread = shared[threadIdx.x > 0 ? threadIdx.x - 1 : 0];
        if (threadIdx.x == 0)
            tell(&pass.places[tile], sum, SUM);
        __syncthreads();
        const STATE before = BEFORE(pass, tile, sum, shared);
        put_items(of, first, items, threadIdx.x > 0 ? A(merge)(before, before_thread) : before);
    }
}

KERNEL(scan_two_level)(struct scanned of, struct one_pass pass)
{
    put_tiles<before_tile>(of, pass);
}

KERNEL(scan_look_back)(struct scanned of, struct one_pass pass)
{
    put_tiles<look_back>(of, pass);
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

static uint64_t tiles_of(uint64_t n, struct launch launch)
{
    return ceil_div(n, scan_tile(launch));
}

/* Places of all tiles and groups, of what is before groups, and the next tile. */
static size_t one_pass_bytes(uint64_t tiles)
{
    return 3 * tiles * sizeof(struct told) + sizeof(uint32_t);
}

/* Blocks take tiles in their order, so that one that waits waits for others that run, however few do at once. */
static int one_pass_run(const struct scan_launch *call, void (*kernel)(struct scanned of, struct one_pass pass))
{
    const uint64_t tiles = tiles_of(call->of.n, call->launch);
    struct one_pass pass;
    pass.tiles = tiles;
    pass.places = (struct told *)call->of.states;
    pass.next = (uint32_t *)(pass.places + 3 * tiles);
    const cudaError_t cleared = cudaMemsetAsync(pass.places, 0, one_pass_bytes(tiles), call->stream);
    if (cleared != cudaSuccess)
        return cleared;
    const uint32_t threads = call->launch.threads, shared = (threads + SCAN_LEVELS) * sizeof(STATE);
    const uint64_t blocks = blocks_at_once(tiles, (const void *)kernel, threads, shared);
    kernel<<<(uint32_t)blocks, threads, shared, call->stream>>>(call->of, pass);
    return cudaGetLastError();
}

static int two_level_run(const struct scan_launch *call)
{
    return one_pass_run(call, EXPORTED(scan_two_level));
}

static int look_back_run(const struct scan_launch *call)
{
    return one_pass_run(call, EXPORTED(scan_look_back));
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

/* At most, whatever the order: two states for each number, or a power of two of them; sums of chunks; or what
 * tiles tell. */
static size_t scratch_bytes(const struct method *self, struct shape shape, struct launch launch)
{
    const uint64_t n = shape.terms;
    switch (((const struct scan_method *)self->own)->order) {
    case SCAN_ORDER_hillis_steele:
    case SCAN_ORDER_blelloch:
        return 2 * n * sizeof(STATE);
    case SCAN_ORDER_chunks:
        return ceil_div(n, scan_chunk(n, launch)) * sizeof(STATE);
    case SCAN_ORDER_two_level:
    case SCAN_ORDER_look_back:
        return one_pass_bytes(tiles_of(n, launch));
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

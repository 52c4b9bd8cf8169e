/* The device half of the scans of one accumulator and one format of additions: the orders of scan_orders.def, as scan.h
 * has them, bit for bit.
 */
#include "portable.h"

#include ACCUMULATOR_FILE

#ifndef ABSENT
#include "scan_tiles.h"

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
    const uint32_t threads = call->launch.threads, shared = (threads + WARP) * sizeof(STATE);
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

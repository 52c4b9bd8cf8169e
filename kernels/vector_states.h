/* What a thread of the fast order adds to: a state in registers for each element of a vector, so that the additions of
 * a thread do not all wait for each other.  Where no bit depends on the order fewer are enough: what binned adds to a
 * state are integers, one instruction, and more states leave no registers for what is on its way.
 *
 *   2^28 numbers, H200           a state an element   one     two
 *   binned, of CUB's speed       0.91                 0.88    0.95
 *   binned_4x20                  0.46                 0.81    0.87
 *   binned@bfloat16, of a copy   0.04                 0.40    0.49
 *   binned@binary64, of CUB      0.81                 0.90    0.82
 *   dot:binned, of cuBLAS        0.93                 1.00    0.95
 */
#pragma once

#include "vector_source.h"
#include "warp_tree.h"

#ifdef __CUDACC__
#if A(FEW_STATES)
template <typename Element> static constexpr int states_of = REAL_PRECISION == 53 ? 1 : 2;
template <typename Stored, enum operation OPERATION> static constexpr int states_of<struct pair<Stored, OPERATION>> = 1;
#else
template <typename Element> static constexpr int states_of = lanes_of<Element>;
#endif

template <typename Element> struct partial {
    STATE state[states_of<Element>];
};

template <typename Element> static __device__ void partial_add(struct partial<Element> *partial, int lane, Element x)
{
    STATE *const state = &partial->state[lane % states_of<Element>];
    *state = A(add)(*state, as_real(x));
}

template <typename Stored, enum operation OPERATION>
static __device__ void partial_add(struct partial<struct pair<Stored, OPERATION>> *partial, int lane,
                                   struct pair<Stored, OPERATION> of)
{
    STATE *const state = &partial->state[lane % states_of<struct pair<Stored, OPERATION>>];
    *state = add_term(*state, OPERATION, as_real(of.x), as_real(of.y));
}

/* In a batch, of which one is in flight while the last is added.  Four are needed to keep the memory busy, but where
 * states are large four times their additions do not fit the registers: binned with a state an element then ran at 0.41
 * of CUB's speed instead of 0.96. */
template <typename Element>
static constexpr int vectors_that_fit = sizeof(struct partial<Element>) <= 64   ? 4
                                        : sizeof(struct partial<Element>) < 192 ? 2
                                                                                : 1;
template <typename Element> static constexpr int vectors_ahead = vectors_that_fit<Element>;
template <typename Stored, enum operation OPERATION>
static constexpr int
    vectors_ahead<struct pair<Stored, OPERATION>> = (vectors_that_fit<struct pair<Stored, OPERATION>> + 1) / 2;

#include "vector_loop.h"

template <typename Element> static constexpr int vector_threads_most = MAX_THREADS;
template <typename Element> static constexpr int vector_blocks_least = 1;

template <typename Element> static __device__ void partial_clear(struct partial<Element> *partial)
{
#pragma unroll
    for (int l = 0; l < states_of<Element>; l++)
        partial->state[l] = A(zero)();
}

/* A tree over the states of a thread. */
template <typename Element> static __device__ STATE partial_sum(struct partial<Element> *partial)
{
#pragma unroll
    for (int half = states_of<Element> / 2; half > 0; half /= 2)
#pragma unroll
        for (int l = 0; l < half; l++)
            partial->state[l] = A(merge)(partial->state[l], partial->state[l + half]);
    return partial->state[0];
}

/* ---- a group: the threads that have elements, of the `threads` of a block of the order ---- */

static __device__ bool has_changed(STATE before, STATE s)
{
    uint32_t words_before[sizeof s / sizeof(uint32_t)], words[sizeof s / sizeof(uint32_t)], changed = 0;
    memcpy(words_before, &before, sizeof s);
    memcpy(words, &s, sizeof s);
#pragma unroll
    for (int w = 0; w < (int)(sizeof s / sizeof(uint32_t)); w++)
        changed |= words_before[w] ^ words[w];
    return changed != 0;
}

/* Merges `count` states that are empty: until that changes nothing, and so never will. */
static __device__ STATE merge_empty(STATE s, uint32_t count)
{
#if A(EMPTY_CHANGES_ONCE)
    return count > 0 ? A(merge)(s, A(zero)()) : s;
#else
    for (bool changed = true; changed && count > 0; count--) {
        const STATE before = s;
        s = A(merge)(s, A(zero)());
        changed = has_changed(before, s);
    }
    return s;
#endif
}

static __device__ uint32_t levels_between(uint32_t few, uint32_t many)
{
    return __ffs(many) - __ffs(few);
}

/* How many empty blocks a thread of the second pass merges after its first. */
static __device__ uint32_t empty_blocks(struct thread_grid grid, uint32_t thread)
{
    return (grid.blocks - 1 - thread) >> levels_between(1, grid.threads);
}

/* Returns the sum of each `width` threads in the first of them; both are powers of two.  The other threads of the order
 * have empty states, which the trees of warp_tree_group_sum() merge first.  Likewise the block must wait before it is
 * called again, if these are more than a warp.  Called, so that it is compiled once. */
static __device__ __noinline__ STATE group_sum(STATE mine, uint32_t width, uint32_t threads)
{
    __shared__ STATE warp_sums[MAX_THREADS / WARP];
    const uint32_t lanes = min(width, WARP), warps = width >> levels_between(1, lanes),
                   place = threadIdx.x & (width - 1);
    mine = warp_tree_sum(merge_empty(mine, levels_between(lanes, WARP)), lanes);
    if (warps > 1) {
        if (place % WARP == 0)
            warp_sums[threadIdx.x / WARP] = mine;
        __syncthreads();
        mine = place < warps ? warp_sums[(threadIdx.x - place) / WARP + place] : A(zero)();
    }
    mine = merge_empty(mine, levels_between(warps, threads / WARP));
    return warps > 1 && place < WARP ? warp_tree_sum(mine, warps) : mine;
}

/* ---- who adds what ---- */

/* Of larger states a block is slower with fewer threads: binned 0.96 of what it was at 4Ki. */
static constexpr bool few_is_faster = sizeof(STATE) <= 32;

/* In one kernel the groups of a row do the work of the order's blocks in turns; a block has a quarter of the most
 * threads, unless a row needs more, so that a multiprocessor has several.  Of short rows it adds one after another, and
 * prefetches the next. */
template <typename Element>
static struct vector_launch vector_launch_of(const struct device_call *call, const void * /* kernel */)
{
    enum { THREADS_OF_MULTIPROCESSOR = 2048 };
    const struct thread_grid grid = call->grid;
    const uint64_t vectors = ceil_div(call->n, lanes_of<Element>),
                   busy = at_most(grid.blocks, ceil_div(vectors, grid.threads));
    const bool whole_rows = call->n <= FEW || grid.blocks == 1;
    const uint64_t groups = whole_rows ? at_most(busy, MAX_THREADS / grid.threads) : 1;
    struct vector_launch launch = {};
    launch.work.n = call->n;
    launch.work.rows = call->rows;
    launch.work.grid = grid;
    launch.work.parts = whole_rows ? 1 : grid.blocks;
    launch.work.busy = (uint32_t)busy;
    launch.work.width = (uint32_t)at_most(grid.threads, UINT64_C(1) << ceil_log2(vectors));
    launch.work.groups = (uint32_t)(groups > 0 ? groups : 1);
    const bool is_one_each = busy == ceil_div(vectors, grid.threads);
    const uint64_t few_threads = is_one_each        ? at_most(FEW_THREADS, WARP * ceil_div(vectors, WARP))
                                 : grid.blocks == 1 ? grid.threads
                                                    : 0;
    launch.work.is_few =
        few_is_faster && whole_rows && call->rows == 1 && vectors > 0 && vectors <= few_threads * FEW_VECTORS;
    const uint64_t of_row = launch.work.width * launch.work.groups;
    if (launch.work.is_few) {
        launch.threads = (uint32_t)few_threads;
        launch.blocks = 1;
    } else if (whole_rows) {
        const uint64_t rows = at_most(call->rows, ceil_div(MAX_THREADS / 4, of_row));
        launch.threads = (uint32_t)(ceil_div(rows * of_row, WARP) * WARP);
        launch.blocks = ceil_div(call->rows, launch.threads / of_row);
        if (launch.blocks > 1 && launch.work.width <= WARP)
            launch.blocks = at_most(launch.blocks, attribute_of_device(cudaDevAttrMultiProcessorCount) *
                                                       (uint64_t)THREADS_OF_MULTIPROCESSOR / launch.threads);
    } else {
        launch.threads = launch.work.width;
        launch.blocks = (uint64_t)call->rows * grid.blocks;
    }
    return launch;
}

/* ---- rows ---- */

/* The sum of vectors v, v + stride, ... */
template <typename Element>
static __device__ STATE vector_thread_sum(struct source<Element> x, uint64_t n, uint64_t v, uint64_t stride)
{
    struct partial<Element> partial;
    partial_clear(&partial);
    add_vectors(&partial, x, n, v, stride);
    return partial_sum(&partial);
}

enum { BLOCKS_OF_FEW = FEW / (2 * WARP) };

/* The second pass over one sum: the other blocks are empty. */
static __device__ STATE merge_of_one(STATE sum, struct thread_grid grid)
{
    return merge_empty(A(merge)(A(zero)(), sum), empty_blocks(grid, 0) + levels_between(1, grid.threads));
}

/* The second pass over the sums of a row, of which one is in `sum` of the row's first thread, or `busy` are in shared
 * memory; the other blocks are empty.  That thread stores the result. */
static __device__ __noinline__ void finish_row(STATE sum, const STATE *sums_of_row, const struct vector_work &work,
                                               uint64_t row, struct results results)
{
    const struct thread_grid grid = work.grid;
    if (work.busy <= 1) {
        sum = merge_of_one(sum, grid);
    } else {
        sum = A(zero)();
        for (uint32_t i = threadIdx.x % grid.threads; i < grid.blocks; i += grid.threads)
            sum = A(merge)(sum, i < work.busy ? sums_of_row[i] : A(zero)());
        sum = group_sum(sum, grid.threads, grid.threads);
    }
    if (threadIdx.x % (work.width * work.groups) == 0 && row < work.rows)
        store_result(results, (uint32_t)row, sum);
}

/* Rows of which a warp has one or several, a vector for each lane: as vector_sums(), without what these do not need,
 * which took half of the time.  A thread loads vectors of several rows at once, whose trees go side by side.  Called:
 * inlined, it would move registers of the long loop, and kahan of 8 bits was 0.93 as fast. */
template <typename Element> static constexpr int rows_at_once = sizeof(struct partial<Element>) <= 32 ? 4 : 1;

template <typename Element>
static __device__ __noinline__ void vector_short_sums(struct source<Element> x, const struct vector_work &work,
                                                      struct results results)
{
    constexpr int ROWS = rows_at_once<Element>;
    const uint32_t width = work.width, member = threadIdx.x & (width - 1), in_warp = (threadIdx.x % WARP) / width;
    const uint32_t rows = work.rows, step = gridDim.x * (blockDim.x / width), first = member * lanes_of<Element>;
    const int of_row = first < work.n ? (int)at_most(work.n - first, lanes_of<Element>) : 0;
    const uint32_t levels = levels_between(1, work.grid.threads / WARP);
    const uint32_t rest = empty_blocks(work.grid, 0) + levels_between(1, work.grid.threads);
    uint64_t row = ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x) / width;
    for (; row - in_warp < rows; row += (uint64_t)ROWS * step) {
        struct vector<Element> vectors[ROWS];
        STATE sums[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (row + (uint64_t)r * step < rows && of_row > 0)
                vectors[r] = load_elements(source_from(x, (row + (uint64_t)r * step) * work.n), member, of_row);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            struct partial<Element> partial;
            partial_clear(&partial);
            add_elements(&partial, vectors[r], row + (uint64_t)r * step < rows ? of_row : 0);
            sums[r] = merge_empty(partial_sum(&partial), levels_between(width, WARP));
        }
        for (uint32_t offset = width / 2; offset > 0; offset /= 2)
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                sums[r] = A(merge)(sums[r], shuffle_down(sums[r], offset));
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const STATE sum = merge_empty(A(merge)(A(zero)(), merge_empty(sums[r], levels)), rest);
            if (member == 0 && row + (uint64_t)r * step < rows)
                store_result(results, (uint32_t)(row + (uint64_t)r * step), sum);
        }
    }
}

/* Only small states are merged in place; the code of large ones would stand here five times. */
static __device__ __noinline__ STATE called_tree_sum(STATE mine, uint32_t width)
{
    return warp_tree_sum(mine, width);
}

static __device__ STATE few_tree_sum(STATE mine, uint32_t width)
{
    return sizeof mine <= 8 ? warp_tree_sum(mine, width) : called_tree_sum(mine, width);
}

/* One row of few numbers: a thread loads up to FEW_VECTORS at once, all of one thread of the order or each of another,
 * and what the warps of the order have summed fits one warp.  With a thread for each of the order's, 32 warps issued
 * 720 instructions each on one multiprocessor, twice as long as CUB takes for all. */
template <typename Element>
static __device__ __noinline__ void vector_few_sum(struct source<Element> x, uint32_t n, struct thread_grid grid,
                                                   uint32_t busy, struct results results)
{
    __shared__ STATE warp_sums[WARP];
    const uint32_t lane = threadIdx.x % WARP, first_of_warp = threadIdx.x - lane;
    const uint32_t vectors = (n + lanes_of<Element> - 1) / lanes_of<Element>, warps = grid.threads / WARP;
    const uint32_t states = min(vectors, busy * grid.threads);
    struct vector<Element> batch[FEW_VECTORS];
    struct partial<Element> partial;
    int count[FEW_VECTORS];
#pragma unroll
    for (int k = 0; k < FEW_VECTORS; k++) {
        const uint32_t v = k * blockDim.x + threadIdx.x;
        count[k] = v < vectors ? (int)min(n - v * lanes_of<Element>, (uint32_t)lanes_of<Element>) : 0;
        if (count[k] > 0)
            batch[k] = load_elements(x, v, count[k]);
    }
    partial_clear(&partial);
#pragma unroll
    for (int k = 0; k < FEW_VECTORS; k++) {
        const uint32_t first = k * blockDim.x + first_of_warp;
        const bool is_last = k == FEW_VECTORS - 1 || first + blockDim.x >= vectors;
        add_elements(&partial, batch[k], count[k]);
        if (is_last || states == vectors) {
            const STATE sum = few_tree_sum(partial_sum(&partial), WARP);
            if (lane == 0)
                warp_sums[(states == vectors ? first : first_of_warp) / WARP] = sum;
            partial_clear(&partial);
        }
        if (is_last)
            break;
    }
    __syncthreads();
    if (threadIdx.x >= WARP)
        return;
    STATE sum = few_tree_sum(lane * WARP < states ? warp_sums[lane] : A(zero)(), warps);
    if (busy > 1) {
        sum = shuffle_from(sum, lane * warps);
        sum = A(merge)(A(zero)(), lane < busy ? sum : A(zero)());
        sum = merge_empty(sum, empty_blocks(grid, min(lane, busy - 1)));
        sum = merge_empty(few_tree_sum(sum, WARP), levels_between(1, warps));
    } else {
        sum = merge_of_one(sum, grid);
    }
    if (lane == 0)
        store_result(results, 0, sum);
}

template <typename Element>
static __device__ void vector_sums(struct source<Element> x, const struct vector_work &work, uint32_t, STATE *sums,
                                   struct results results)
{
    __shared__ STATE sums_of_blocks[BLOCKS_OF_FEW];
    const struct thread_grid grid = work.grid;
    if constexpr (few_is_faster)
        if (work.is_few) {
            vector_few_sum(x, (uint32_t)work.n, grid, work.busy, results);
            return;
        }
    if (work.rows > 1 && work.parts == 1 && work.busy == 1 && work.n <= WARP * lanes_of<Element>) {
        vector_short_sums(x, work, results);
        return;
    }
    const uint32_t of_row = work.width * work.groups, place = threadIdx.x % of_row, thread = place % work.width;
    const uint32_t in_block = threadIdx.x / of_row, rows_of_block = blockDim.x / of_row;
    const uint64_t step = (uint64_t)gridDim.x / work.parts * rows_of_block;
    STATE *const sums_of_row = sums_of_blocks + in_block * work.busy;
    for (uint64_t first = (uint64_t)blockIdx.x / work.parts * rows_of_block; first < work.rows; first += step) {
        const uint64_t row = first + in_block, n = row < work.rows ? work.n : 0;
        STATE sum = A(zero)();
        if (row + step < work.rows && thread * lanes_of<Element> < n)
            prefetch_vector(source_from(x, (row + step) * n), thread);
        for (uint32_t turn = blockIdx.x % work.parts; turn < work.busy; turn += work.groups * work.parts) {
            const uint64_t block = turn + place / work.width, stride = (uint64_t)grid.blocks * grid.threads;
            sum = vector_thread_sum(source_from(x, row * n), n, block * grid.threads + thread, stride);
            sum = group_sum(sum, work.width, grid.threads);
            if (work.parts > 1 || work.busy == 1)
                break;
            if (thread == 0 && block < work.busy)
                sums_of_row[block] = sum;
            __syncthreads();
        }
        if (work.parts > 1) {
            if (place == 0)
                sums[blockIdx.x] = sum;
            return;
        }
        finish_row(sum, sums_of_row, work, row, results);
        if (of_row > WARP)
            __syncthreads();
    }
}

/* The block merges the sums of a row; in thread 0. */
static __device__ STATE vector_merge(const STATE *sums, uint32_t count)
{
    return warp_tree_block_sum(block_stride_merge(sums, count));
}
#endif

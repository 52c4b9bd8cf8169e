/* blocked: each thread adds a run of ceil(n / G) neighbouring elements (G = blocks x threads), then all goes on as in
 * tree_two_pass.  What a loop split over threads becomes; on a GPU it reads memory badly.
 *
 *   2 blocks of 2 threads, 8 elements: thread sums 0+1, 2+3 | 4+5, 6+7
 *   (((x0 + x1) + (x2 + x3)) + ((x4 + x5) + (x6 + x7)))    height 2 + 1 + 1
 *
 * Rounding n / G up leaves the last threads without elements: 9 elements are runs of 3, 3, 3 and 0.
 */
#include "kernels/shared_tree.h"

#define blocked_can_do shared_tree_can_do
#define blocked_sums sums_of_blocks

/* Thread 0 of block 0 has a full run, and a partner at every level. */
static inline uint64_t blocked_height(uint64_t n, struct thread_grid grid)
{
    if (n == 0)
        return 0;
    const uint64_t run = ceil_div(n, grid_size(grid));
    const uint64_t threads_with_elements = ceil_div(n, run);
    const uint64_t blocks_with_elements = ceil_div(threads_with_elements, grid.threads);
    return run + ceil_log2(at_most(grid.threads, threads_with_elements)) +
           block_merge_height(blocks_with_elements, grid.threads, ceil_log2);
}

#ifndef __CUDACC__
/* The threads of a block: full runs, one that ends with the elements, and none. */
static void blocked_replay_threads(const struct replay_call *call, uint64_t begin, uint64_t run, void *partial)
{
    enum { RUNS_AT_ONCE = 64 };
    const struct verbs *verbs = call->verbs;
    struct piece runs[RUNS_AT_ONCE];
    verbs->zero(partial, call->grid.threads);
    for (uint64_t t = 0; t < call->grid.threads && begin < call->n; t += RUNS_AT_ONCE) {
        uint64_t count = 0;
        for (; count < at_most(RUNS_AT_ONCE, call->grid.threads - t) && begin < call->n; begin += run)
            runs[count++] = (struct piece){begin, at_most(run, call->n - begin)};
        verbs->add_runs(state_at(verbs, partial, t), call->x, runs, count);
    }
}

/* Worker w takes every so many-th block. */
static void blocked_replay_some_blocks(void *context, unsigned worker)
{
    const struct replay_call *call = (const struct replay_call *)context;
    const struct verbs *verbs = call->verbs;
    const uint32_t threads = call->grid.threads;
    const uint64_t run = ceil_div(call->n, grid_size(call->grid));
    void *partial = state_at(verbs, call->partial, worker * replay_states(call->grid));
    for (uint64_t b = worker; b < call->grid.blocks; b += call->workers) {
        const uint64_t begin = b * threads * run;
        void *sum = state_at(verbs, call->sums, b);
        if (begin < call->n) {
            blocked_replay_threads(call, begin, run, partial);
            replay_shared_tree(verbs, partial, threads, 1);
            memcpy(sum, partial, verbs->state_bytes);
        } else {
            verbs->zero(sum, 1); /* a block without elements merges zeros to a zero */
        }
    }
}

static const void *blocked_replay(const struct replay_call *call)
{
    workers_run(call->workers, blocked_replay_some_blocks, (void *)(uintptr_t)call);
    return replay_finish(call, call->grid.threads, replay_shared_tree);
}

static const struct order_traits blocked_traits = {.has_threads = true};
#else
static __device__ STATE run_sum(struct elements x, uint64_t n)
{
    const uint64_t grid = (uint64_t)gridDim.x * blockDim.x;
    const uint64_t thread = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const uint64_t run = ceil_div(n, grid);
    const uint64_t first = thread * run;
    return neighbours_sum(x, first, at_most(first + run, n));
}

KERNEL(blocked_blocks)(struct elements x, uint64_t n, STATE *sums)
{
    extern __shared__ STATE shared[];
    const STATE sum = shared_tree_sum(shared, run_sum(x, n));
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

KERNEL(blocked_finish)(const STATE *sums, uint32_t count, struct results results)
{
    extern __shared__ STATE shared[];
    const STATE sum = shared_tree_sum(shared, block_stride_merge(sums, count));
    if (threadIdx.x == 0)
        store_result(results, 0, sum);
}

static cudaError_t blocked_launch(const struct device_call *call)
{
    const struct thread_grid grid = call->grid;
    const size_t shared_bytes = grid.threads * sizeof(STATE);
    EXPORTED(blocked_blocks)<<<grid.blocks, grid.threads, shared_bytes, call->stream>>>(call->x, call->n, call->sums);
    EXPORTED(blocked_finish)<<<1, grid.threads, shared_bytes, call->stream>>>(call->sums, grid.blocks, call->results);
    return cudaGetLastError();
}
#endif

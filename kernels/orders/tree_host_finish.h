/* tree_host_finish: block sums as in tree_two_pass, copied to the host, where the CPU merges them left to right.  No
 * second kernel to write, but the stream is waited for.
 *
 *   3 blocks of 2 threads, 6 elements    (((x0 + x1) + (x2 + x3)) + (x4 + x5))    height 1 + 1 + 2
 */
#include "kernels/shared_tree.h"

#include <stdlib.h>

#define tree_host_finish_can_do shared_tree_can_do
#define tree_host_finish_sums sums_of_blocks

static inline uint64_t tree_host_finish_height(uint64_t n, struct thread_grid grid)
{
    return serial_finish_height(n, grid, ceil_log2);
}

#ifndef __CUDACC__
static const void *tree_host_finish_replay(const struct replay_call *call)
{
    replay_block_sums(call, call->grid.threads, replay_shared_tree);
    return replay_left_to_right(call, call->grid.blocks);
}

static const struct order_traits tree_host_finish_traits = {.has_threads = true};
#else
KERNEL(tree_host_finish_blocks)(struct elements x, uint64_t n, STATE *sums)
{
    extern __shared__ STATE shared[];
    const STATE sum = shared_tree_sum(shared, grid_stride_sum(x, n));
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

/* Copies on the call's stream and waits for it, so that the host memory may go. */
static cudaError_t copy_and_wait(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)
{
    const cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, stream);
    return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

/* The merges are the accumulator's, compiled by nvcc's host compiler without contraction. */
static cudaError_t tree_host_finish_launch(const struct device_call *call)
{
    const struct thread_grid grid = call->grid;
    const size_t bytes = grid.blocks * sizeof(STATE);
    STATE *sums = (STATE *)malloc(bytes);
    if (!sums)
        return cudaErrorMemoryAllocation;
    EXPORTED(tree_host_finish_blocks)<<<grid.blocks, grid.threads, grid.threads * sizeof(STATE), call->stream>>>(
        call->x, call->n, call->sums);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = copy_and_wait(sums, call->sums, bytes, cudaMemcpyDeviceToHost, call->stream);
    if (error == cudaSuccess) {
        double result; /* room for one of any format */
        struct results here = call->results;
        here.at = &result;
        store_result(here, 0, left_to_right(sums, grid.blocks));
        error = copy_and_wait(call->results.at, &result, NUMBER_FORMATS[here.format]->bytes, cudaMemcpyHostToDevice,
                              call->stream);
    }
    free(sums);
    return error;
}
#endif

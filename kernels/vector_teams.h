/* Bins of short rows, in the fast order of an exact accumulator: a team of 1 to 32 neighbouring lanes for each row,
 * each with bins of its own.  Where a block clears, adds up and empties all its bins for a row, a team empties those
 * that it has used, and shuffles bring their sums together.  No bit depends on it.
 *
 *   binary32, rows of 64: teams of 2, a row is 8 vectors for each; 768 rows at once on a multiprocessor of an H200
 */
#pragma once

#include "vector_bins.h"

#ifdef __CUDACC__
enum { TEAM_BLOCK = 2 * WARP }; /* small, so that the blocks that run at once fill the shared memory */

/* Empties the bins of each `width` lanes of a warp, and returns their sum in the first of them.  A bin that no lane of
 * the warp has used costs one load. */
template <typename Bin>
static __device__ STATE sum_of_team(struct bin_layout layout, Bin *bins, uint32_t apart, uint32_t width)
{
    STATE sum = A(zero)();
    double special = 0;
    for (int k = 0; k < layout.count; k++, bins += apart) {
        const Bin mine = *bins;
        if (!__any_sync(0xffffffffu, mine != 0))
            continue;
        const bool is_number = mine - mine == 0;
        const int64_t units = is_number ? bin_units(layout, (double)mine, k) : 0;
        const int64_t total = (int64_t)sum_of_lanes((uint64_t)units, width);
        sum = A(merge)(sum, A(of_integers)(&total, 1, layout.unit + k * layout.spacing, 0));
        special += is_number ? 0 : (double)mine;
        *bins = 0;
    }
    if (__any_sync(0xffffffffu, special != 0))
        for (uint32_t offset = width / 2; offset > 0; offset /= 2)
            special += __shfl_down_sync(0xffffffffu, special, offset);
    sum.special = special;
    return sum;
}

/* Row after row; a team reads neighbouring vectors. */
template <typename Element>
__global__ void __launch_bounds__(TEAM_BLOCK)
    EXPORTED(vector_two_pass_teams)(struct source<Element> x, uint64_t n, uint32_t rows, uint32_t width,
                                    struct results results)
{
    extern __shared__ double all_bins[];
    constexpr struct bin_layout layout = bins_of<Element>::layout;
    const uint32_t member = threadIdx.x % width, in_warp = threadIdx.x % WARP / width;
    const uint64_t step = (uint64_t)gridDim.x * TEAM_BLOCK / width, vectors = ceil_div(n, lanes_of<Element>);
    struct partial<Element> partial;
    partial.bins = (typename bins_of<Element>::bin *)all_bins + threadIdx.x;
    partial.apart = TEAM_BLOCK;
    for (int k = 0; k < layout.count; k++)
        partial.bins[k * TEAM_BLOCK] = 0;
    for (uint64_t row = ((uint64_t)blockIdx.x * TEAM_BLOCK + threadIdx.x) / width; row - in_warp < rows; row += step) {
        partial_begin(&partial);
        for (uint64_t v = member; v < vectors && row < rows; v += width) {
            const int count = (int)at_most(n - v * lanes_of<Element>, lanes_of<Element>);
            add_elements(&partial, load_elements(source_from(x, row * n), v, count), count);
        }
        partial_end(&partial);
        const STATE sum = sum_of_team(layout, partial.bins, TEAM_BLOCK, width);
        if (member == 0 && row < rows)
            store_sum(results, (uint32_t)row, sum);
    }
}

/* Where rows are short, or enough for all warps of the device, unless a thread would fill its bins. */
template <typename Element> static bool teams_are_faster(const struct device_call *call)
{
    enum { WARPS_OF_MULTIPROCESSOR = 64 };
    if (call->n <= FEW)
        return call->rows > 1;
    return call->rows / WARPS_OF_MULTIPROCESSOR >= attribute_of_device(cudaDevAttrMultiProcessorCount) &&
           call->n <= (uint64_t)WARP * (bins_of<Element>::layout.room - lanes_of<Element>);
}

/* A thread adds eight vectors or more, so that most of its time is not for emptying bins. */
template <typename Element> static cudaError_t launch_teams(const struct device_call *call, struct source<Element> x)
{
    enum { VECTORS_AT_LEAST = 8 };
    const auto kernel = EXPORTED(vector_two_pass_teams)<Element>;
    const uint32_t bytes = TEAM_BLOCK * bins_of<Element>::layout.count * sizeof(typename bins_of<Element>::bin);
    const uint64_t vectors = call->n / lanes_of<Element>;
    uint32_t width = 1;
    while (width < WARP && vectors >= 2 * VECTORS_AT_LEAST * width)
        width *= 2;
    const cudaError_t allowed = allow_shared_bytes((const void *)kernel, bytes);
    if (allowed != cudaSuccess)
        return allowed;
    const uint64_t blocks =
        blocks_at_once(ceil_div((uint64_t)call->rows * width, TEAM_BLOCK), (const void *)kernel, TEAM_BLOCK, bytes);
    kernel<<<(uint32_t)blocks, TEAM_BLOCK, bytes, call->stream>>>(x, call->n, call->rows, width, call->results);
    return cudaGetLastError();
}
#endif

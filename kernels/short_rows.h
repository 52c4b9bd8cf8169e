/* Short rows: a warp adds up a row that a block would, where no thread of the block has more than one element.  Lane l
 * has the states of threads l, l + 32, ..., its slots; what the block does in shared memory happens in registers, with
 * the same bits.  A block of 256 threads for each row of 64 numbers reads memory at 0.04 of a copy's speed.
 *
 *   256 threads, 64 elements: slots 0 and 1 have x_l and x_(l+32), the others are empty, and are merged as such
 */
#pragma once

#include "warp_tree.h"

#ifdef __CUDACC__
enum { SLOTS_MOST = 8, SHORT_ROWS_BLOCK = 256 };

/* Where the slots of a lane fit its registers. */
static bool rows_are_short(const struct device_call *call)
{
    const uint32_t threads = call->grid.threads;
    return sizeof(STATE) <= 16 && call->rows > 1 && call->n <= threads && threads >= WARP &&
           threads <= SLOTS_MOST * WARP;
}

/* Rows are added until there are no more; merge_slots(slots, used) merges the first `used`, which are all slots of the
 * order, or those with elements where one empty state, merged at the end, does what all do. */
template <typename Merge>
static __device__ void short_rows_sums(struct elements x, uint32_t n, uint32_t rows, uint32_t slots_of_order,
                                       struct results results, Merge merge_slots)
{
#if A(EMPTY_CHANGES_ONCE)
    const uint32_t used = (n + WARP - 1) / WARP;
#else
    const uint32_t used = slots_of_order;
#endif
    const uint32_t lane = threadIdx.x % WARP, step = gridDim.x * (SHORT_ROWS_BLOCK / WARP);
    for (uint64_t row = blockIdx.x * (SHORT_ROWS_BLOCK / WARP) + threadIdx.x / WARP; row < rows; row += step) {
        const struct elements of = elements_from(x, row * n);
        STATE slots[SLOTS_MOST];
#pragma unroll
        for (int j = 0; j < SLOTS_MOST; j++) {
            const uint32_t i = lane + j * WARP;
            slots[j] = A(zero)();
            if (j * WARP < n && i < n)
                slots[j] =
                    operation_of(of) == OPERATION_sum ? A(add)(slots[j], load(of.x, i)) : terms_sum(of, i, i + 1, 1);
        }
        STATE sum = merge_slots(slots, used);
        if (used < slots_of_order)
            sum = A(merge)(sum, A(zero)());
        if (lane == 0)
            store_result(results, (uint32_t)row, sum);
    }
}

static uint32_t short_rows_blocks(const struct device_call *call)
{
    const uint32_t wanted = (uint32_t)ceil_div(call->rows, SHORT_ROWS_BLOCK / WARP);
    return (uint32_t)at_most(wanted, 8 * (uint64_t)attribute_of_device(cudaDevAttrMultiProcessorCount));
}
#endif

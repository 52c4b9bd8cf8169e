/* What a thread of the fast order adds to where the accumulator is exact: 16 bins in shared memory, one for every 16
 * exponents, each a binary64 that never rounds.  An addition is one conversion and one binary64 addition, whatever the
 * data; the integers of the accumulator (superacc) come in when the loop is over.
 *
 *   a number of exponent field e    goes to bin e / 16, whose unit is 2^(16 (e / 16) - 150)
 *   1 has field 127                 bin 7, unit 2^-38: 2^38 units
 *
 * Exact: a number of bin k is a multiple of its unit and below 2^(24+15) units, and binary64 holds every multiple below
 * 2^53 units: 2^14 numbers.  After 2^12, which makes integers of them cheap, the bins are emptied into the block's sum.
 *
 * Why binary64: to put a number in its place in an integer costs some 15 integer instructions, and the integer units
 * are then what is short; the conversion and the binary64 units are idle otherwise (docs/decisions/0006).  Bin k of
 * thread t is at bins[k T + t]: 16 neighbouring threads, whose 128 bytes are moved at a time, use different banks,
 * whatever bins they add to.
 */
#ifndef ULPSCOPE_VECTOR_BINS_H
#define ULPSCOPE_VECTOR_BINS_H

#include "warp_tree.h"

enum {
    BINS = 16,
    FIELDS_IN_BIN = 16,
    FIELD_SHIFT = 23 + 4,                  /* of the bits of a number: past the fraction, past the place in the bin */
    BIN_ROOM = 1 << 12,                    /* numbers of 39 bits; see bin_frame() */
    SHARED_BYTES_SINCE_AMPERE = 99 * 1024, /* of a block, at least; Turing has 64 KiB, enough for 256 threads */
};

/* For all threads of a block. */
static inline size_t vector_shared_bytes(uint32_t threads)
{
    return (size_t)threads * BINS * sizeof(double);
}

static inline bool vector_partials_fit(struct thread_grid grid, char why[REASON_SIZE])
{
    const size_t bytes = vector_shared_bytes(grid.threads);
    if (bytes <= SHARED_BYTES_SINCE_AMPERE)
        return true;
    snprintf(why, REASON_SIZE, "%zu bytes of shared memory for the bins of %u threads; GPUs since Ampere have %d",
             bytes, grid.threads, SHARED_BYTES_SINCE_AMPERE);
    return false;
}

#ifdef __CUDACC__
struct partial {
    double *bins; /* of this thread, blockDim.x apart */
};

static __device__ void partial_add(struct partial *partial, int, real x)
{
    partial->bins[(real_bits(x) >> FIELD_SHIFT) % BINS * blockDim.x] += (double)x;
}

enum { VECTORS_AHEAD = 4 };

#include "vector_loop.h"

/* Returns the sum of each `width` lanes, a power of two, in the first of them. */
static __device__ uint64_t sum_of_lanes(uint64_t mine, uint32_t width)
{
    for (uint32_t offset = width / 2; offset > 0; offset /= 2)
        mine += __shfl_down_sync(0xffffffffu, mine, offset);
    return mine;
}

/* 3/2 2^52 units of the bin: added to fewer than 2^51 of them, of either sign, its last bit is one unit. */
static __device__ double bin_frame(uint32_t bin)
{
    return __hiloint2double((int)(1023 + 52 - 150 + FIELDS_IN_BIN * bin) << 20 | 1 << 19, 0);
}

/* What the block has in bin t / width, in units of it, in thread t: the first of the `width` that share the work. Below
 * 2^60, as 512 times 2^51.  Infinities and NaN, which the last bin has, are added to *special instead. */
static __device__ int64_t bin_total(const double *bins, uint32_t width, double *special)
{
    const uint32_t bin = threadIdx.x / width;
    const double frame = bin_frame(bin);
    int64_t total = 0;
    for (uint32_t t = threadIdx.x % width; t < blockDim.x; t += width) {
        const double sum = bins[bin * blockDim.x + t];
        if (sum - sum == 0)
            total += __double_as_longlong(frame + sum) - __double_as_longlong(frame);
        else
            atomicAdd(special, sum);
    }
    return (int64_t)sum_of_lanes((uint64_t)total, width);
}

/* Returns the sum of all bins of the block in thread 0. */
static __device__ STATE bins_sum(const double *bins)
{
    __shared__ int64_t totals[BINS];
    __shared__ double special;
    const uint32_t width = blockDim.x / BINS;
    STATE sum = A(zero)();
    if (threadIdx.x == 0)
        special = 0;
    __syncthreads();
    const int64_t total = bin_total(bins, width, &special);
    if (threadIdx.x % width == 0)
        totals[threadIdx.x / width] = total;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = A(of_integers)(totals);
        sum.special = special;
    }
    return sum;
}

/* Returns the block's sum in thread 0.  Pieces of x that fill no bin; one piece, unless a thread has more than 2^12
 * numbers. */
static __device__ STATE vector_grid_sum(const real *x, uint64_t n)
{
    extern __shared__ double bins[];
    const uint64_t piece = (uint64_t)gridDim.x * blockDim.x * BIN_ROOM;
    struct partial partial = {bins + threadIdx.x};
    STATE sum = A(zero)();
    for (uint64_t first = 0; first < n; first += piece) {
        for (uint32_t bin = 0; bin < BINS; bin++)
            partial.bins[bin * blockDim.x] = 0;
        add_vectors(&partial, x + first, at_most(n - first, piece));
        sum = A(merge)(sum, bins_sum(bins));
    }
    return sum;
}

/* One block merges the sums of all, limb by limb, a warp for each; in thread 0.  The halves of a limb are added apart,
 * so that no carry is lost. */
static __device__ STATE vector_merge(const STATE *sums, uint32_t count)
{
    __shared__ uint64_t low[A(LIMBS)], high[A(LIMBS)];
    __shared__ double special;
    const uint32_t lane = threadIdx.x % WARP;
    if (threadIdx.x == 0)
        special = 0;
    __syncthreads();
    for (uint32_t limb = threadIdx.x / WARP; limb < A(LIMBS); limb += blockDim.x / WARP) {
        uint64_t low_of_lane = 0, high_of_lane = 0;
        for (uint32_t i = lane; i < count; i += WARP) {
            low_of_lane += (uint32_t)sums[i].limb[limb];
            high_of_lane += sums[i].limb[limb] >> 32;
        }
        low_of_lane = sum_of_lanes(low_of_lane, WARP);
        high_of_lane = sum_of_lanes(high_of_lane, WARP);
        if (lane == 0) {
            low[limb] = low_of_lane;
            high[limb] = high_of_lane;
        }
    }
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x)
        if (sums[i].special != 0)
            atomicAdd(&special, sums[i].special);
    __syncthreads();
    STATE sum = A(of_halves)(low, high);
    sum.special = special;
    return sum;
}
#endif

#endif

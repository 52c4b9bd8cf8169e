/* The fast order of an exact accumulator: bins in place of states, and its integers only when the loop is over. */
#pragma once

#include "bins.h"
#include "warp_tree.h"

#ifdef __CUDACC__
/* Vectors of 16 bytes on their way to a thread, in what the bins leave of L1: 4 where the only bin is in a register, 8
 * beside 32 bins of binary32 and 6 beside 16 of binary64 (128 bytes either way); 8 of binary64, whose 130 bins leave
 * registers for one block. */
template <typename Element>
static constexpr int vectors_ahead = bins_of<Element>::layout.count == 1                       ? 4
                                     : sizeof(typename bins_of<Element>::bin) == sizeof(float) ? 8
                                                                                               : 6;
#if REAL_PRECISION == 53
template <> constexpr int vectors_ahead<double> = 8;
template <> constexpr int vectors_ahead<struct in_window> = 8;
#endif
template <typename Stored, enum operation OPERATION>
static constexpr int vectors_ahead<struct pair<Stored, OPERATION>> = vectors_ahead<real> / 2;

#include "vector_loop.h"
#include "window.h"

/* ---- the launch: no bit depends on it ---- */

template <typename Element> struct first_try {
    typedef Element type;
};
#if REAL_PRECISION == 53
template <> struct first_try<double> {
    typedef in_window type;
};
#endif

template <typename Element>
static constexpr int vector_threads_most = bins_of<typename first_try<Element>::type>::THREADS;

/* Blocks of a multiprocessor for which there are registers: the bins of binary64 leave room for one. */
template <typename Element>
static constexpr int vector_blocks_least = REAL_PRECISION == 53 ? 1 : MAX_THREADS / vector_threads_most<Element>;

enum { SHARED_BESIDE_BINS = 4096 };

/* All bins of some threads: of binary64, see add_in_all_bins(). */
template <typename Element>
static constexpr uint64_t bytes_for_all_bins = WARP *bins_of<Element>::layout.count *
                                               sizeof(typename bins_of<Element>::bin);
#if REAL_PRECISION == 53
template <> constexpr uint64_t bytes_for_all_bins<double> = 3 * WARP *BINS_OF_BINARY64.count * sizeof(double);
#endif

/* Shared memory that a block can have for bins. */
static uint64_t room_for_bins(void)
{
    return attribute_of_device(cudaDevAttrMaxSharedMemoryPerBlockOptin) - SHARED_BESIDE_BINS;
}

/* Of a window: as many as have one vector each, or those that have FEW_VECTORS. */
static uint64_t threads_of_few(uint64_t vectors)
{
    const uint64_t least = ceil_div(vectors, FEW_VECTORS), most = at_most(vectors, FEW_THREADS);
    return WARP * ceil_div(most > least ? most : least, WARP);
}

/* As many threads as are wanted, in blocks of as many as have room for their bins, and as many blocks as run at once:
 * bins are emptied for each.  A few numbers are for one block; of one row, for one window. */
template <typename Element>
static struct vector_launch vector_launch_of(const struct device_call *call, const void *kernel)
{
    typedef bins_of<typename first_try<Element>::type> bins;
    const uint64_t of_thread = bins::layout.count * sizeof(typename bins::bin), room = room_for_bins();
    const uint64_t fitting = at_most(vector_threads_most<Element>, room / of_thread / WARP * WARP);
    const bool few = call->n <= FEW;
    const uint64_t of_few = threads_of_few(ceil_div(call->n, lanes_of<Element>));
    const bool is_few = few && call->n > 0 && call->rows == 1 && bins::layout.count > 1 && of_few <= fitting;
    const uint64_t wanted = few ? WARP * (1 + call->n / (WARP * lanes_of<Element>)) : grid_size(call->grid);
    const uint64_t threads = is_few ? of_few : at_most(wanted, fitting), bytes = threads * of_thread;
    const uint64_t parts = few ? 1 : at_most(call->grid.blocks, ceil_div(wanted, threads));
    const uint64_t bytes_wanted = at_most(room, bytes_for_all_bins<Element>);
    struct vector_launch launch = {};
    launch.threads = (uint32_t)threads;
    launch.shared_bytes = (uint32_t)(bytes > bytes_wanted ? bytes : bytes_wanted);
    const uint64_t at_once =
        parts == 1 ? 1 : blocks_at_once(parts * call->rows, kernel, launch.threads, launch.shared_bytes);
    launch.work.n = call->n;
    launch.work.is_few = is_few;
    launch.work.parts = at_once > call->rows ? (uint32_t)(at_once / call->rows) : 1;
    launch.blocks = (uint64_t)call->rows * launch.work.parts;
    return launch;
}

/* ---- bins as integers ---- */

/* What a block has taken from its bins, each in units of its bin: low + 2^32 high. */
template <typename Element> struct totals {
    int64_t low[bins_of<Element>::layout.count], high[bins_of<Element>::layout.count];
    double special; /* the sum of infinities and NaN */
};

/* Empties one bin of `threads` threads, which are next to each other, and returns in lane 0 of the warp how many units
 * they had: fewer than 2^63.  Where a bin has fewer than 2^51 units they are the last bits of a sum with 3/2 2^52 of
 * them, a third of the instructions of a conversion. */
template <typename Element>
static __device__ int64_t bin_total(uint32_t k, typename bins_of<Element>::bin *bins, uint32_t threads, double *special)
{
    constexpr struct bin_layout layout = bins_of<Element>::layout;
    constexpr bool is_framed = layout.count > 1 && REAL_PRECISION < 53;
    const int unit = layout.unit + (int)k * layout.spacing - ((int)k >= layout.scaled ? layout.scale : 0);
    const double frame = is_framed ? __hiloint2double((1023 + 52 + unit) << 20 | 1 << 19, 0) : 0;
    int64_t total = 0;
    for (uint32_t t = threadIdx.x % WARP; t < threads; t += WARP) {
        const double sum = (double)bins[t];
        if (sum - sum != 0)
            atomicAdd(special, sum);
        else if constexpr (is_framed)
            total += __double_as_longlong(frame + sum) - __double_as_longlong(frame);
        else
            total += sum == 0 ? 0 : bin_units(layout, sum, (int)k);
        bins[t] = 0;
    }
    return (int64_t)sum_of_lanes((uint64_t)total, WARP);
}

/* Empties the bins of a block, which are `count` bins of the format from `first` on. */
template <typename Element>
static __device__ void empty_bins(struct totals<Element> *totals, typename bins_of<Element>::bin *bins,
                                  uint32_t threads, uint32_t first, uint32_t count)
{
    __syncthreads();
    for (uint32_t k = threadIdx.x / WARP; k < count; k += blockDim.x / WARP) {
        const int64_t total = bin_total<Element>(first + k, bins + k * threads, threads, &totals->special);
        if (threadIdx.x % WARP == 0) {
            totals->low[first + k] += (uint32_t)total;
            totals->high[first + k] += total >> 32;
        }
    }
    __syncthreads();
}

/* No part of the loops: inlined, it would take their registers.  One thread does it while all others wait: it is
 * written out, so that every shift is a constant. */
template <typename Element> static __device__ __noinline__ STATE sum_of_totals(const struct totals<Element> *totals)
{
    constexpr struct bin_layout layout = bins_of<Element>::layout;
    constexpr int before = layout.unit - SUPERACC_UNIT_EXPONENT, spacing = layout.count > 1 ? layout.spacing : 1;
    constexpr int apart = layout.count > 1 ? spacing : 64; /* of the bins that begin in a limb */
    static_assert(64 % apart == 0, "bins begin at the same bits of all limbs");
    superacc_signed carry = 0;
    STATE sum = A(zero)();
#pragma unroll
    for (int k = 0; k < A(LIMBS); k++) {
#pragma unroll
        for (int bit = before % apart; bit < 64; bit += apart) {
            const int bin = (64 * k + bit - before) / spacing;
            if (64 * k + bit >= before && bin < layout.count)
                carry +=
                    (totals->low[bin] + ((superacc_signed)1 << 32) * totals->high[bin]) * ((superacc_signed)1 << bit);
        }
        sum.limb[k] = (uint64_t)carry;
        carry >>= 64;
    }
    sum.special = totals->special;
    return sum;
}

template <typename Element>
static __device__ void clear(struct totals<Element> *totals, typename bins_of<Element>::bin *bins,
                             uint32_t shared_bytes)
{
    for (uint32_t k = threadIdx.x; k < bins_of<Element>::layout.count; k += blockDim.x)
        totals->low[k] = totals->high[k] = 0;
    if (threadIdx.x == 0)
        totals->special = 0;
    const int4 zeros = {0, 0, 0, 0};
    for (uint32_t i = threadIdx.x; i < shared_bytes / sizeof zeros; i += blockDim.x)
        ((int4 *)bins)[i] = zeros;
    __syncthreads();
}

/* ---- the sum of a block ---- */

/* Pieces of a row that fill no bin; often it is one piece.  A row is divided among `parts` blocks. */
template <typename Element>
static __device__ void fill_totals(struct totals<Element> *totals, typename bins_of<Element>::bin *bins,
                                   struct source<Element> x, uint64_t n, uint32_t parts, uint32_t)
{
    const uint64_t thread = (uint64_t)(blockIdx.x % parts) * blockDim.x + threadIdx.x;
    const uint64_t threads = (uint64_t)parts * blockDim.x, piece = threads * bins_of<Element>::layout.room;
    struct partial<Element> partial;
    partial.bins = bins + threadIdx.x;
    partial.apart = blockDim.x;
    for (uint64_t first = 0; first < n; first += piece) {
        partial_begin(&partial);
        add_vectors(&partial, source_from(x, first), at_most(n - first, piece), thread, threads);
        partial_end(&partial);
        empty_bins(totals, bins, blockDim.x, 0, bins_of<Element>::layout.count);
    }
}

#if REAL_PRECISION == 53
/* All bins of binary64 are 1040 bytes: room for 192 threads on a Hopper, too few to keep the memory busy.  A window of
 * 42 bins has room for more, so that a piece is added in a window first, and only what misses it with all bins.  A
 * block has its numbers one after the other: whatever threads add them, they are the same. */
enum { NO_WINDOW = UINT16_MAX };

/* The first bin of a window around numbers from all over x; NO_WINDOW when these need a wider one. */
static __device__ uint32_t window_for(const double *x, uint64_t n)
{
    enum {
        SAMPLES = 8,
        WIDTH = WINDOW_OF_BINARY64.count - 2,
        LAST = BINS_OF_BINARY64.scaled - WINDOW_OF_BINARY64.count
    };
    __shared__ uint32_t least, largest;
    const uint64_t apart = ceil_div(n, SAMPLES * blockDim.x);
    if (threadIdx.x == 0) {
        least = 0x7ff;
        largest = 0;
    }
    __syncthreads();
    for (uint64_t i = threadIdx.x * apart; i < n; i += blockDim.x * apart) {
        const uint32_t bin = bin_of_lower_part(field_of(x[i]));
        if (x[i] != 0 && bin < least)
            atomicMin(&least, bin);
        if (x[i] != 0 && bin > largest)
            atomicMax(&largest, bin);
    }
    __syncthreads();
    if (least > largest)
        return 0;
    const uint32_t middle = (least + largest + 1) / 2, first = middle - (uint32_t)at_most(middle, WIDTH / 2);
    return largest - least < WIDTH ? (uint32_t)at_most(first, LAST) : NO_WINDOW;
}

static __device__ bool add_in_window(struct totals<double> *totals, double *bins, const double *x, uint64_t n)
{
    struct source<in_window> numbers = {
        (const struct in_window *)x
    };
    struct partial<in_window> partial = {
        bins + threadIdx.x, blockDim.x, window_for(x, n), false
    };
    if (partial.first == NO_WINDOW)
        return false;
    add_vectors(&partial, numbers, n, threadIdx.x, blockDim.x);
    if (__syncthreads_or(partial.missed))
        return false;
    empty_bins(totals, bins, blockDim.x, partial.first, WINDOW_OF_BINARY64.count);
    return true;
}

static __device__ void add_in_all_bins(struct totals<double> *totals, double *bins, struct source<double> x, uint64_t n,
                                       uint32_t shared_bytes)
{
    const uint32_t of_thread = BINS_OF_BINARY64.count * sizeof *bins;
    const uint32_t threads = (uint32_t)at_most(blockDim.x, shared_bytes / of_thread / WARP * WARP);
    const uint64_t piece = threads * (uint64_t)BINS_OF_BINARY64.room;
    struct partial<double> partial = {
        bins + threadIdx.x, threads
    };
    for (uint32_t i = threadIdx.x; i < shared_bytes / sizeof *bins; i += blockDim.x)
        bins[i] = 0; /* what was added in the window */
    for (uint64_t first = 0; first < n; first += piece) {
        __syncthreads();
        if (threadIdx.x < threads)
            add_vectors(&partial, source_from(x, first), at_most(n - first, piece), threadIdx.x, threads);
        empty_bins(totals, bins, threads, 0, BINS_OF_BINARY64.count);
    }
}

template <>
__device__ void fill_totals(struct totals<double> *totals, double *bins, struct source<double> x, uint64_t n,
                            uint32_t parts, uint32_t shared_bytes)
{
    const uint64_t share = lanes_of<double> * ceil_div(ceil_div(n, lanes_of<double>), parts);
    const uint64_t begin = at_most(n, blockIdx.x % parts * share), end = at_most(n, begin + share);
    const uint64_t piece = (uint64_t)BINS_OF_BINARY64.room * blockDim.x;
    for (uint64_t first = begin; first < end; first += piece) {
        const uint64_t count = at_most(end - first, piece);
        if (!add_in_window(totals, bins, x.x + first, count))
            add_in_all_bins(totals, bins, source_from(x, first), count, shared_bytes);
    }
}
#endif

/* Called, so that it is compiled once. */
static __device__ __noinline__ void store_sum(struct results results, uint32_t row, STATE sum)
{
    store_result(results, row, sum);
}

/* No part of the loops. */
template <typename Element>
static __device__ __noinline__ bool store_window_sum(struct source<Element> x, uint32_t n, struct results results)
{
    STATE sum;
    const bool is_within = window_sum(&sum, x, n);
    if (is_within && threadIdx.x == 0)
        store_result(results, 0, sum);
    return is_within;
}

template <typename Element>
static __device__ void vector_sums(struct source<Element> x, const struct vector_work &work, uint32_t shared_bytes,
                                   STATE *sums, struct results results)
{
    extern __shared__ __align__(sizeof(int4)) double all_bins[];
    __shared__ struct totals<Element> totals;
    typename bins_of<Element>::bin *const bins = (typename bins_of<Element>::bin *)all_bins;
    const uint32_t row = blockIdx.x / work.parts;
    if constexpr (bins_of<Element>::layout.count > 1)
        if (work.is_few && store_window_sum(x, (uint32_t)work.n, results))
            return;
    clear(&totals, bins, shared_bytes);
    fill_totals(&totals, bins, source_from(x, row * work.n), work.n, work.parts, shared_bytes);
    if (threadIdx.x > 0)
        return;
    const STATE sum = sum_of_totals(&totals);
    if (work.parts > 1)
        sums[blockIdx.x] = sum;
    else
        store_sum(results, row, sum);
}

/* ---- the sum of the blocks of a row ---- */

/* The block merges the sums of a row, limb by limb, a warp for each; in thread 0.  The halves of a limb are added
 * apart, so that no carry is lost. */
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

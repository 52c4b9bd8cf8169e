/* vector_two_pass: the fast one.  A grid-stride loop over vectors of 16 bytes, with one state for each element of the
 * vector: loads are wide, several are in flight, and the additions of a thread do not all wait for each other.  Then a
 * tree over the states of a thread, the lanes of a warp and the warps of a block, and a second launch for the blocks;
 * a few numbers are added in one launch, in the same order.  An exact accumulator has bins in place of the states and
 * of the tree (kernels/vector_bins.h): no bit depends on either.  Rows have the bits of one row each: several in a
 * block where they are short or the launch has one block, else as many blocks for each as the launch has.
 *
 *   binary32, 1 block of 32 threads, 16 elements: lane 0 has x0 x1 x2 x3, lane 1 x4 ... x7, lane 2 x8 ... x11, lane 3
 * x12 ... x15
 *   (((x0+x2)+(x1+x3)) + ((x8+x10)+(x9+x11))) + (((x4+x6)+(x5+x7)) + ((x12+x14)+(x13+x15)))    height 1 + 4
 */
#include "kernels/warp_tree.h"

#ifdef __CUDACC__
#include "kernels/overlap.h"
#if A(HAS_BINS)
#include "kernels/vector_teams.h"
#else
#include "kernels/vector_states.h"
#if A(FUSES_ROWS)
#include "kernels/vector_rows.h"
#endif
#endif
#endif

#define vector_two_pass_sums sums_of_blocks

static inline bool vector_two_pass_can_do(const struct verbs *verbs, struct thread_grid grid, char why[REASON_SIZE])
{
    (void)verbs;
    return threads_are_a_power_of_two(grid, why) && threads_are_whole_warps(grid, why) && threads_fit(grid, why);
}

/* The first m threads hold a sum: the lanes of a warp, then the warps. */
static inline uint64_t vector_thread_levels(uint64_t m)
{
    return ceil_log2(at_most(WARP, m)) + ceil_log2(ceil_div(m, WARP));
}

/* The first m states of a block do. */
static inline uint64_t vector_state_levels(uint64_t m, uint64_t lanes)
{
    return ceil_log2(at_most(lanes, m)) + vector_thread_levels(ceil_div(m, lanes));
}

static inline uint64_t vector_two_pass_height(uint64_t n, struct thread_grid grid)
{
    const uint64_t states = (uint64_t)grid.lanes * grid.threads;
    const uint64_t blocks_with_elements = at_most(grid.blocks, ceil_div(n, states));
    return n == 0 ? 0
                  : ceil_div(n, grid.blocks * states) + vector_state_levels(at_most(states, n), grid.lanes) +
                        block_merge_height(blocks_with_elements, grid.threads, vector_thread_levels);
}

#ifndef __CUDACC__
static void replay_vector_threads(const struct verbs *verbs, void *threads_of, uint32_t threads, uint64_t blocks)
{
    replay_warp_trees(verbs, threads_of, WARP, blocks * threads / WARP);
    replay_warp_trees(verbs, threads_of, threads / WARP, blocks);
}

/* Of binary64, binary32, the formats of 16 bits and those of 8. */
#define VECTORS_OF(lanes)                                                                                              \
    static void replay_vectors_of_##lanes(const struct verbs *verbs, void *states, uint32_t count, uint64_t blocks)    \
    {                                                                                                                  \
        replay_warp_trees(verbs, states, lanes, blocks *count / lanes);                                                \
        replay_vector_threads(verbs, states, count / lanes, blocks);                                                   \
    }
VECTORS_OF(2)
VECTORS_OF(4)
VECTORS_OF(8)
VECTORS_OF(16)
#undef VECTORS_OF

static const void *vector_two_pass_replay(const struct replay_call *call)
{
    const uint32_t lanes = call->grid.lanes;
    replay_block_sums(call, lanes * call->grid.threads,
                      lanes == 2   ? replay_vectors_of_2
                      : lanes == 4 ? replay_vectors_of_4
                      : lanes == 8 ? replay_vectors_of_8
                                   : replay_vectors_of_16);
    return replay_finish(call, call->grid.threads, replay_vector_threads);
}

static const struct order_traits vector_two_pass_traits = {.has_threads = true};
#else
template <typename Element>
__global__ void __launch_bounds__(vector_threads_most<Element>, vector_blocks_least<Element>)
    EXPORTED(vector_two_pass_rows)(struct source<Element> x, const __grid_constant__ struct vector_work work,
                                   uint32_t shared_bytes, STATE *sums, struct results results)
{
    let_kernel_after_start();
    vector_sums(x, work, shared_bytes, sums, results);
}

/* A block for each row. */
KERNEL(vector_two_pass_finish)(const STATE *sums, uint32_t count, struct results results)
{
    wait_for_kernel_before();
    const STATE sum = vector_merge(sums + (uint64_t)blockIdx.x * count, count);
    if (threadIdx.x == 0)
        store_result(results, blockIdx.x, sum);
}

static cudaError_t vector_launch_finish(const struct device_call *call, uint32_t count)
{
    const STATE *sums = call->sums;
    struct results results = call->results;
    void *arguments[] = {&sums, &count, &results};
    return launch_overlapped((const void *)EXPORTED(vector_two_pass_finish), call->rows, call->grid.threads, arguments,
                             call->stream);
}

/* A grid has at most 2^31 - 1 blocks; CUDA refuses more. */
template <typename Element>
static cudaError_t vector_launch_rows(const struct device_call *call, struct source<Element> x)
{
#if A(HAS_BINS)
    if (teams_are_faster<Element>(call))
        return launch_teams(call, x);
#endif
    const auto kernel = EXPORTED(vector_two_pass_rows)<Element>;
    const struct vector_launch launch = vector_launch_of<Element>(call, (const void *)kernel);
    const uint32_t blocks = (uint32_t)at_most(launch.blocks, UINT32_MAX);
    const cudaError_t allowed = allow_shared_bytes((const void *)kernel, launch.shared_bytes);
    if (allowed != cudaSuccess)
        return allowed;
    kernel<<<blocks, launch.threads, launch.shared_bytes, call->stream>>>(x, launch.work, launch.shared_bytes,
                                                                          call->sums, call->results);
    const cudaError_t launched = cudaGetLastError();
    return launched != cudaSuccess || launch.work.parts == 1 ? launched : vector_launch_finish(call, launch.work.parts);
}

/* Of two arrays, the square of a number being its product with itself. */
template <enum operation OPERATION, typename Stored>
static cudaError_t vector_launch_pairs(const struct device_call *call, const Stored *x)
{
    const struct source<struct pair<Stored, OPERATION>> pairs = {
        x, (const Stored *)call->x.y.at
    };
    return vector_launch_rows(call, pairs);
}

template <typename Stored> static cudaError_t vector_launch_as(const struct device_call *call, const Stored *x)
{
#if A(FUSES_ROWS) && defined(IS_sum)
    if constexpr (sizeof(Stored) == sizeof(real)) {
        if (call->formula)
            return vector_launch_statistics(call, source<Stored>{x});
#if A(FUSES_OFFSETS)
        if (call->offsets) {
            const struct source<struct offset<Stored>> numbers = {
                x, call->offsets, call->n
            };
            return vector_launch_rows(call, numbers);
        }
#endif
    }
#endif
    switch (call->x.operation) {
#ifdef IS_sum
    case OPERATION_sum: {
        const struct source<Stored> numbers = {
            x
        };
        return vector_launch_rows(call, numbers);
    }
    case OPERATION_dot:
    case OPERATION_sumsq:
    case OPERATION_norm2:
        return vector_launch_pairs<OPERATION_dot>(call, x);
#endif
#if ADDS_EXACT_PRODUCTS
    case OPERATION_dot_exact:
        return vector_launch_pairs<OPERATION_dot_exact>(call, x);
#endif
#if A(HAS_FMA)
    case OPERATION_dot_fma:
        return vector_launch_pairs<OPERATION_dot_fma>(call, x);
#endif
    default:
        return cudaErrorInvalidValue;
    }
}

static cudaError_t vector_two_pass_launch(const struct device_call *call)
{
    switch (call->x.x.format) {
#define OF(id, type)                                                                                                   \
    case STORED_##id:                                                                                                  \
        return vector_launch_as(call, (const type *)call->x.x.at);
        STORED_FORMATS(OF)
#undef OF
    default:
        return cudaErrorInvalidValue;
    }
}
#endif

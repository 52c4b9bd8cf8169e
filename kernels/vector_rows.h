/* Statistics of rows that fit shared memory, a block for each, by the fast order: what a thread has loaded it adds up,
 * once or twice, from there; norms write it normalized.  The bits are those of one pass after another over memory.
 *
 *   2^14 rows of 4,096 numbers of binary32: read once and written once, as a copy does
 */
#pragma once

#include "offsets.h"

#include <cuda_pipeline_primitives.h>

extern "C" {
#include "statistic_formula.h"
}

/* Threads of a row: eight blocks, with 32 registers a thread, keep a multiprocessor's memory busy while one of them
 * waits for its formula. */
enum { THREADS_OF_ROW = 256, BLOCKS_OF_ROWS = 8 };

/* In thread 0; the row lies in shared memory.  A thread adds one vector after another: batches of them, which hide how
 * far memory is, took 32 registers. */
template <typename Element>
static __device__ double sum_of_row(struct source<Element> row, const struct vector_work &work)
{
    const uint32_t n = (uint32_t)work.n;
    struct partial<Element> partial;
    partial_clear(&partial);
    for (uint32_t v = threadIdx.x; v * lanes_of<Element> < n; v += work.grid.threads) {
        const uint32_t left = n - v * lanes_of<Element>;
        if (left >= lanes_of<Element>)
            add_vector(&partial, load_vector(row, v));
        else
            add_elements(&partial, load_vector(row, v), (int)left);
    }
    const STATE sum = group_sum(partial_sum(&partial), work.width, work.grid.threads);
    return (double)A(result)(merge_of_one(sum, work.grid));
}

/* A thread has vectors threadIdx.x, threadIdx.x + width, ... of a row.  Nobody else reads them, so nobody waits; all of
 * them are on their way at once, and take no registers.  (Two rows in turn, in twice the memory: 0.97 as fast.) */
template <typename Stored>
static __device__ void fetch_row(uint4 *to, struct source<Stored> row, uint32_t n, uint32_t width)
{
    for (uint32_t v = threadIdx.x; v * lanes_of<Stored> < n; v += width) {
        const uint32_t left = n - v * lanes_of<Stored>;
        if (left >= lanes_of<Stored> && is_aligned(row))
            __pipeline_memcpy_async(&to[v], (const uint4 *)row.x + v, sizeof(uint4));
        else
            to[v] = load_elements(row, v, (int)min(left, (uint32_t)lanes_of<Stored>)).x;
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

template <typename Stored>
static __device__ void normalize_row(const uint4 *row, uint32_t n, uint32_t width, struct normalizer by,
                                     Stored *results)
{
    const real mean = (real)by.mean, factor = (real)by.factor;
    const bool aligned = (uintptr_t)results % sizeof(uint4) == 0;
    for (uint32_t v = threadIdx.x; v * lanes_of<Stored> < n; v += width) {
        const uint32_t left = n - v * lanes_of<Stored>;
        Stored elements[lanes_of<Stored>];
        uint4 vector = row[v];
        memcpy(elements, &vector, sizeof vector);
#pragma unroll
        for (int l = 0; l < lanes_of<Stored>; l++)
            elements[l] = RN(RN(elements[l] - mean) * factor);
        memcpy(&vector, elements, sizeof vector);
        if (left >= lanes_of<Stored> && aligned) {
            ((uint4 *)results)[v] = vector;
            continue;
        }
        for (uint32_t l = 0; l < min(left, (uint32_t)lanes_of<Stored>); l++)
            results[v * lanes_of<Stored> + l] = elements[l];
    }
}

#if A(MEASURES) /* moments: one pass, no norms */
template <typename Stored>
__global__ void __launch_bounds__(THREADS_OF_ROW, BLOCKS_OF_ROWS)
    EXPORTED(vector_two_pass_moments)(struct source<Stored> x, const __grid_constant__ struct vector_work work,
                                      struct formula formula, Stored *results)
{
    extern __shared__ uint4 row[];
    const uint32_t n = (uint32_t)work.n;
    formula.of.algorithm = A(ALGORITHM);
    formula.in.precision = formula.added.precision = REAL_PRECISION;
    for (uint64_t r = blockIdx.x; r < work.rows; r += gridDim.x) {
        fetch_row(row, source_from(x, r * n), n, work.width);
        const double sums[PASSES_MOST] = {sum_of_row(source<Stored>{(const Stored *)row}, work), 0, 0};
        if (threadIdx.x == 0)
            results[r] = (Stored)formula_value(&formula, sums);
        __syncthreads();
    }
}

template <typename Stored> static auto kernel_of_statistics(const struct formula &)
{
    return EXPORTED(vector_two_pass_moments)<Stored>;
}
#else
template <typename Stored, enum statistic_algorithm ALGORITHM, bool NORMALIZES>
__global__ void __launch_bounds__(THREADS_OF_ROW, BLOCKS_OF_ROWS)
    EXPORTED(vector_two_pass_statistics)(struct source<Stored> x, const __grid_constant__ struct vector_work work,
                                         struct formula formula, Stored *results)
{
    extern __shared__ uint4 row[];
    __shared__ double sum, mean;
    __shared__ struct normalizer by;
    constexpr bool is_centred = ALGORITHM == BY_TWO_PASS;
    const uint32_t n = (uint32_t)work.n;
    formula.of.algorithm = ALGORITHM; /* known when compiled, so that thread 0 has registers for its formula */
    formula.in.precision = formula.added.precision = REAL_PRECISION;
    for (uint64_t r = blockIdx.x; r < work.rows; r += gridDim.x) {
        fetch_row(row, source_from(x, r * n), n, work.width);
        const double of_first = is_centred ? sum_of_row(source<Stored>{(const Stored *)row}, work) : 0;
        if (threadIdx.x == 0) {
            sum = of_first;
            mean = is_centred ? formula_parameter(&formula, of_first, 0) : 0;
        }
        __syncthreads();
        const double squares = sum_of_row(source<offset<Stored>>{(const Stored *)row, &mean, n}, work);
        const double sums[PASSES_MOST] = {is_centred ? sum : squares, is_centred ? squares : 0, 0};
        if (threadIdx.x == 0 && NORMALIZES)
            by = formula_normalizer(&formula, sums);
        else if (threadIdx.x == 0)
            results[r] = (Stored)formula_value(&formula, sums);
        __syncthreads();
        if (NORMALIZES)
            normalize_row(row, n, work.width, by, results + r * n);
    }
}

template <typename Stored> static auto kernel_of_statistics(const struct formula &formula)
{
    const bool normalizes = formula.of.normalizes, is_centred = formula.of.algorithm == BY_TWO_PASS;
    const auto norms = is_centred ? EXPORTED(vector_two_pass_statistics)<Stored, BY_TWO_PASS, true>
                                  : EXPORTED(vector_two_pass_statistics)<Stored, BY_SQUARES, true>;
    const auto values = is_centred ? EXPORTED(vector_two_pass_statistics)<Stored, BY_TWO_PASS, false>
                                   : EXPORTED(vector_two_pass_statistics)<Stored, BY_SQUARES, false>;
    return normalizes ? norms : values;
}
#endif

/* Of rows in one block of the launch, whose threads are all in use. */
template <typename Stored>
static cudaError_t vector_launch_statistics(const struct device_call *call, struct source<Stored> x)
{
    const auto kernel = kernel_of_statistics<Stored>(*call->formula);
    struct vector_work work = {};
    work.n = call->n;
    work.rows = call->rows;
    work.grid = call->grid;
    work.width = (uint32_t)at_most(call->grid.threads, UINT64_C(1) << ceil_log2(ceil_div(call->n, lanes_of<Stored>)));
    const uint32_t bytes = (uint32_t)(ceil_div(call->n, lanes_of<Stored>) * sizeof(uint4));
    const cudaError_t allowed = allow_shared_bytes((const void *)kernel, bytes);
    if (allowed != cudaSuccess)
        return allowed;
    const uint64_t blocks = blocks_at_once(call->rows, (const void *)kernel, work.width, bytes);
    kernel<<<(uint32_t)blocks, work.width, bytes, call->stream>>>(x, work, *call->formula, (Stored *)call->results.at);
    return cudaGetLastError();
}

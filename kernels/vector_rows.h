/* Statistics of rows that fit shared memory, a block for each, by the fast order: what a thread has loaded it adds up,
 * once or twice, from there; norms write it normalized.  The bits are those of one pass after another over memory.
 *
 *   2^14 rows of 4,096 numbers of binary32: read once and written once, as a copy does
 */
#pragma once

#include "offsets.h"

extern "C" {
#include "statistic_formula.h"
}

/* Threads of a row: eight blocks, with 32 registers a thread, keep a multiprocessor's memory busy while one of them
 * waits for its formula. */
enum { THREADS_OF_ROW = 256, BLOCKS_OF_ROWS = 8 };

/* In thread 0. */
template <typename Element>
static __device__ double sum_of_row(struct source<Element> row, const struct vector_work &work)
{
    STATE sum = vector_thread_sum(row, work.n, threadIdx.x, work.grid.threads);
    sum = group_sum(sum, work.width, work.grid.threads);
    return (double)A(result)(merge_of_one(sum, work.grid));
}

template <typename Stored>
static __device__ void normalize_vector(const Stored *row, uint64_t v, int count, struct normalizer by, Stored *results)
{
    Stored elements[lanes_of<Stored>];
#pragma unroll
    for (int l = 0; l < lanes_of<Stored>; l++) {
        const real off = RN(row[v * lanes_of<Stored> + (l < count ? l : 0)] - (real)by.mean);
        elements[l] = RN(off * (real)by.factor);
    }
    Stored *const to = results + v * lanes_of<Stored>;
    if (count == lanes_of<Stored> && (uintptr_t)results % sizeof(uint4) == 0) {
        uint4 vector;
        memcpy(&vector, elements, sizeof vector);
        *(uint4 *)to = vector;
        return;
    }
#pragma unroll
    for (int l = 0; l < lanes_of<Stored>; l++)
        if (l < count)
            to[l] = elements[l];
}

template <typename Stored>
__global__ void __launch_bounds__(THREADS_OF_ROW, BLOCKS_OF_ROWS)
    EXPORTED(vector_two_pass_statistics)(struct source<Stored> x, const __grid_constant__ struct vector_work work,
                                         const __grid_constant__ struct formula formula, Stored *results)
{
    extern __shared__ uint4 vectors_of_row[];
    __shared__ double mean;
    __shared__ struct normalizer by;
    Stored *const row = (Stored *)vectors_of_row;
    const uint64_t n = work.n, vectors = ceil_div(n, lanes_of<Stored>);
    const bool is_centred = formula.of.algorithm != BY_SQUARES;
    for (uint64_t r = blockIdx.x; r < work.rows; r += gridDim.x) {
        double sums[PASSES_MOST] = {0, 0, 0};
        for (uint64_t v = threadIdx.x; v < vectors; v += work.width) {
            const int count = (int)at_most(n - v * lanes_of<Stored>, lanes_of<Stored>);
            vectors_of_row[v] = load_elements(source_from(x, r * n), v, count).x;
        }
        if (is_centred)
            sums[0] = sum_of_row(source<Stored>{row}, work);
        if (threadIdx.x == 0)
            mean = is_centred ? formula_parameter(&formula, sums[0], 0) : 0;
        __syncthreads();
        sums[is_centred] = sum_of_row(source<offset<Stored>>{row, &mean, n}, work);
        if (threadIdx.x == 0 && formula.of.normalizes)
            by = formula_normalizer(&formula, sums);
        else if (threadIdx.x == 0)
            results[r] = (Stored)formula_value(&formula, sums);
        __syncthreads();
        for (uint64_t v = threadIdx.x; v < vectors && formula.of.normalizes; v += work.width)
            normalize_vector(row, v, (int)at_most(n - v * lanes_of<Stored>, lanes_of<Stored>), by, results + r * n);
    }
}

/* Of rows in one block of the launch, whose threads are all in use. */
template <typename Stored>
static cudaError_t vector_launch_statistics(const struct device_call *call, struct source<Stored> x)
{
    const auto kernel = EXPORTED(vector_two_pass_statistics)<Stored>;
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

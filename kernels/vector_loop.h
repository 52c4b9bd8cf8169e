/* The loop of the fast order: a grid-stride loop over vectors of 16 bytes, a batch of them in flight while the one
 * before it is added.  What a thread adds to is the includer's:
 *
 *   struct partial                      what it has added so far
 *   partial_add(partial, lane, x)       adds x, which stood at place `lane` of its vector
 *   VECTORS_AHEAD                       vectors in a batch
 */
#ifndef ULPSCOPE_VECTOR_LOOP_H
#define ULPSCOPE_VECTOR_LOOP_H

#include "grid_stride.h"

struct batch {
    struct vector vector[VECTORS_AHEAD];
};

static __device__ struct batch load_batch(const struct vector *first, uint64_t stride)
{
    struct batch batch;
#pragma unroll
    for (int k = 0; k < VECTORS_AHEAD; k++)
        batch.vector[k] = first[k * stride];
    return batch;
}

static __device__ void add_elements(struct partial *partial, const real *elements, int count)
{
#pragma unroll
    for (int l = 0; l < LANES; l++)
        if (l < count)
            partial_add(partial, l, TERM(elements, l));
}

static __device__ void add_batch(struct partial *partial, struct batch batch)
{
#pragma unroll
    for (int k = 0; k < VECTORS_AHEAD; k++)
        add_elements(partial, batch.vector[k].element, LANES);
}

/* Adds the thread's vectors of x[0..n): its first, and every stride-th after it.  A batch is loaded while the one
 * before it is added; without this, sums that take more than 32 registers reach 0.97 of the memory's speed instead
 * of 1.00. */
static __device__ void add_vectors(struct partial *partial, const real *x, uint64_t n)
{
    const struct vector *vectors = (const struct vector *)x;
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    const uint64_t whole = n / LANES, batch_stride = VECTORS_AHEAD * stride, last = (VECTORS_AHEAD - 1) * stride;
    uint64_t v = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (v + last < whole) {
        struct batch next = load_batch(vectors + v, stride);
        for (v += batch_stride; v + last < whole; v += batch_stride) {
            const struct batch batch = next;
            next = load_batch(vectors + v, stride);
            add_batch(partial, batch);
        }
        add_batch(partial, next);
    }
    for (; v < whole; v += stride)
        add_elements(partial, vectors[v].element, LANES);
    if (v == whole)
        add_elements(partial, x + whole * LANES, (int)(n % LANES));
}

#endif

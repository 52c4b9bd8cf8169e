/* The loop of the fast order: over vectors of 16 bytes, a batch of them in flight while the one before it is added.
 * What a thread adds to is the includer's:
 *
 *   struct partial<Stored>             what it has added so far, of numbers of this format
 *   partial_add(partial, lane, x)      adds x, which stood at place `lane` of its vector
 *   vectors_ahead<Stored>              vectors in a batch
 */
#ifndef ULPSCOPE_VECTOR_LOOP_H
#define ULPSCOPE_VECTOR_LOOP_H

#include "grid_stride.h"

/* How a kernel is launched: shared_bytes beside what its code declares. */
struct vector_launch {
    uint32_t blocks, threads;
    uint32_t shared_bytes;
};

enum { FEW = 4096 }; /* numbers that one block adds up, in one kernel */

/* Elements that one load of 16 bytes brings. */
template <typename Stored> static constexpr int lanes_of = 16 / sizeof(Stored);

template <typename Stored> struct batch {
    uint4 vector[vectors_ahead<Stored>];
};

template <typename Stored> static __device__ struct batch<Stored> load_batch(const uint4 *first, uint64_t stride) {
    struct batch<Stored> batch;
#pragma unroll
    for (int k = 0; k < vectors_ahead<Stored>; k++)
        batch.vector[k] = first[k * stride];
    return batch;
}

template <typename Stored>
static __device__ void add_vector(struct partial<Stored> *partial, uint4 vector)
{
    Stored element[lanes_of<Stored>];
    memcpy(element, &vector, sizeof element);
#pragma unroll
    for (int l = 0; l < lanes_of<Stored>; l++)
        partial_add(partial, l, element[l]);
}

template <typename Stored> static __device__ void add_batch(struct partial<Stored> *partial, struct batch<Stored> batch)
{
#pragma unroll
    for (int k = 0; k < vectors_ahead<Stored>; k++)
        add_vector(partial, batch.vector[k]);
}

/* Adds the vectors v, v + stride, ... of x[0..n), and the elements of the last, which may be fewer.  A batch is loaded
 * while the one before it is added; without this, sums that take more than 32 registers reach 0.97 of the memory's
 * speed instead of 1.00. */
template <typename Stored>
static __device__ void add_vectors(struct partial<Stored> *partial, const Stored *x, uint64_t n, uint64_t v,
                                   uint64_t stride)
{
    const uint4 *vectors = (const uint4 *)x;
    const uint64_t whole = n / lanes_of<Stored>, last = (vectors_ahead<Stored> - 1) * stride;
    if (v + last < whole) {
        struct batch<Stored> next = load_batch<Stored>(vectors + v, stride);
        for (v += last + stride; v + last < whole; v += last + stride) {
            const struct batch<Stored> batch = next;
            next = load_batch<Stored>(vectors + v, stride);
            add_batch(partial, batch);
        }
        add_batch(partial, next);
    }
    for (; v < whole; v += stride)
        add_vector(partial, vectors[v]);
    if (v == whole)
#pragma unroll
        for (int l = 0; l < lanes_of<Stored>; l++)
            if (l < (int)(n % lanes_of<Stored>))
                partial_add(partial, l, x[whole * lanes_of<Stored> + l]);
}

#endif

/* The loop of the fast order: over vectors of 16 bytes, a batch of them in flight while the one before it is added.
 * What a thread adds to is the includer's:
 *
 *   struct partial<Element>             what it has added so far, of numbers of this format
 *   partial_add(partial, lane, x)      adds x, which stood at place `lane` of its vector
 *   vectors_ahead<Element>              vectors in a batch
 */
#ifndef ULPSCOPE_VECTOR_LOOP_H
#define ULPSCOPE_VECTOR_LOOP_H

#include "grid_stride.h"
#include "vector_source.h"

/* How a kernel is launched: shared_bytes beside what its code declares. */
struct vector_launch {
    uint32_t blocks, threads;
    uint32_t shared_bytes;
};

enum { FEW = 4096 }; /* numbers that one block adds up, in one kernel */

template <typename Element> struct batch {
    struct vector<Element> vector[vectors_ahead<Element>];
};

template <typename Element>
static __device__ struct batch<Element> load_batch(struct source<Element> x, uint64_t v, uint64_t stride) {
    struct batch<Element> batch;
#pragma unroll
    for (int k = 0; k < vectors_ahead<Element>; k++)
        batch.vector[k] = load_vector(x, v + k * stride);
    return batch;
}

template <typename Element>
static __device__ void add_vector(struct partial<Element> *partial, struct vector<Element> vector)
{
    Element elements[lanes_of<Element>];
    elements_of_vector(elements, vector);
#pragma unroll
    for (int l = 0; l < lanes_of<Element>; l++)
        partial_add(partial, l, elements[l]);
}

template <typename Element>
static __device__ void add_batch(struct partial<Element> *partial, struct batch<Element> batch)
{
#pragma unroll
    for (int k = 0; k < vectors_ahead<Element>; k++)
        add_vector(partial, batch.vector[k]);
}

/* Adds the vectors v, v + stride, ... of x[0..n), and the elements of the last, which may be fewer.  A batch is loaded
 * while the one before it is added; without this, sums that take more than 32 registers reach 0.97 of the memory's
 * speed instead of 1.00. */
template <typename Element>
static __device__ void add_vectors(struct partial<Element> *partial, struct source<Element> x, uint64_t n, uint64_t v,
                                   uint64_t stride)
{
    const uint64_t whole = n / lanes_of<Element>, last = (vectors_ahead<Element> - 1) * stride;
    if (v + last < whole) {
        struct batch<Element> next = load_batch(x, v, stride);
        for (bool more = true; more;) {
            const struct batch<Element> batch = next;
            v += last + stride;
            more = v + last < whole;
            if (more)
                next = load_batch(x, v, stride);
            add_batch(partial, batch);
        }
    }
    for (; v <= whole; v += stride) {
        const int count = v < whole ? lanes_of<Element> : (int)(n % lanes_of<Element>);
        Element elements[lanes_of<Element>];
        if (v < whole)
            elements_of_vector(elements, load_vector(x, v));
#pragma unroll
        for (int l = 0; l < lanes_of<Element>; l++)
            if (v == whole && l < count)
                elements[l] = element(x, whole * lanes_of<Element> + l);
#pragma unroll
        for (int l = 0; l < lanes_of<Element>; l++)
            if (l < count)
                partial_add(partial, l, elements[l]);
    }
}

#endif

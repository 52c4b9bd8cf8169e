/* The loop of the fast order: over vectors of 16 bytes, a batch of them in flight while the one before it is added.
 * What a thread adds to is the includer's:
 *
 *   struct partial<Element>           what it has added so far, of such elements
 *   partial_add(partial, lane, x)     adds x, which stood at place `lane` of its vector
 *   vectors_ahead<Element>            vectors in a batch
 */
#pragma once

#include "grid_stride.h"
#include "vector_source.h"

/* How rows of n elements are shared out among the blocks of a launch. */
struct vector_work {
    uint64_t n;
    uint32_t rows;
    uint32_t parts; /* blocks that a row is divided among, which leave their sums to the finishing kernel; 1: a block
                       has all of a row, or of several, and finishes them */
    uint32_t width, groups;  /* threads that work together, of which each row has so many groups in a block */
    struct thread_grid grid; /* the method's */
    uint32_t busy;           /* blocks of its that have any elements */
    bool is_few;             /* one row, of which a thread of the kernel has FEW_VECTORS at most */
};

/* How a kernel is launched: shared_bytes beside what its code declares. */
struct vector_launch {
    struct vector_work work;
    uint64_t blocks;
    uint32_t threads, shared_bytes;
};

/* FEW numbers of a row are added up by one block, in one kernel; of one row by fewer threads, several vectors each. */
enum { FEW = 4096, FEW_THREADS = 256, FEW_VECTORS = 4 };

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

/* Where the states of a thread do not fit the registers, a loop over them is compiled in half the time. */
template <typename Element>
static constexpr int lanes_written_out = sizeof(struct partial<Element>) <= 192 ? lanes_of<Element> : 1;

template <typename Element>
static __device__ void add_vector(struct partial<Element> *partial, struct vector<Element> vector)
{
    constexpr int written_out = lanes_written_out<Element>;
    Element elements[lanes_of<Element>];
    elements_of_vector(elements, vector);
#pragma unroll written_out
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

/* Adds the first `count` elements of a vector. */
template <typename Element>
static __device__ void add_elements(struct partial<Element> *partial, struct vector<Element> vector, int count)
{
    constexpr int written_out = lanes_written_out<Element>;
    Element elements[lanes_of<Element>];
    elements_of_vector(elements, vector);
#pragma unroll written_out
    for (int l = 0; l < lanes_of<Element>; l++)
        if (l < count)
            partial_add(partial, l, elements[l]);
}

/* Adds the vectors v, v + stride, ... of x[0..n), and the elements of the last, which may be fewer.  A batch is loaded
 * while the one before it is added; without this, sums that take more than 32 registers reach 0.97 of the memory's
 * speed instead of 1.00. */
template <typename Element>
static __device__ void add_vectors(struct partial<Element> *partial, struct source<Element> x, uint64_t n, uint64_t v,
                                   uint64_t stride)
{
    const uint64_t whole = n / lanes_of<Element>, all = ceil_div(n, lanes_of<Element>);
    const uint64_t last = (vectors_ahead<Element> - 1) * stride;
    if (is_aligned(x) && v + last < whole) {
        struct batch<Element> next = load_batch(x, v, stride);
        for (v += last + stride; v + last < whole; v += last + stride) {
            const struct batch<Element> batch = next;
            next = load_batch(x, v, stride);
            add_batch(partial, batch);
        }
        add_batch(partial, next);
    }
    for (; v < all; v += stride) {
        const int count = (int)at_most(n - v * lanes_of<Element>, lanes_of<Element>);
        add_elements(partial, load_elements(x, v, count), count);
    }
}

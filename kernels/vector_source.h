/* What the fast order reads: vectors of 16 bytes, of one array or of two.  An element of two is a pair, and the
 * operation that makes terms of it.
 *
 *   source<float>                              x[i]
 *   source<pair<float, OPERATION_dot>>         x[i] and y[i]
 */
#pragma once

#include "stored.h"
#include "terms.h"

#ifdef __CUDACC__
template <typename Stored, enum operation OPERATION> struct pair { Stored x, y; };

/* Elements that one load of 16 bytes brings. */
template <typename Element> static constexpr int lanes_of = 16 / sizeof(Element);
template <typename Stored, enum operation OPERATION>
static constexpr int lanes_of<struct pair<Stored, OPERATION>> = lanes_of<Stored>;

/* A load of each array. */
template <typename Element> struct vector {
    uint4 x;
};
template <typename Stored, enum operation OPERATION> struct vector<struct pair<Stored, OPERATION>> { uint4 x, y; };

template <typename Element> struct source {
    const Element *x;
};
template <typename Stored, enum operation OPERATION>
struct source<struct pair<Stored, OPERATION>> {
    const Stored *x, *y;
};

template <typename Element>
static __device__ struct vector<Element> load_vector(struct source<Element> of, uint64_t v) {
    return {((const uint4 *)of.x)[v]};
}

template <typename Stored, enum operation OPERATION>
static __device__ struct vector<struct pair<Stored, OPERATION>>
load_vector(struct source<struct pair<Stored, OPERATION>> of, uint64_t v)
{
    return {((const uint4 *)of.x)[v], ((const uint4 *)of.y)[v]};
}

/* `count` neighbours at the start of a vector, one by one.  A function that is called, so that it is compiled once for
 * all formats of this size, and takes no registers of a loop. */
template <typename Bits> static __device__ __noinline__ uint4 load_one_by_one(const Bits *x, int count)
{
    enum { LANES = sizeof(uint4) / sizeof(Bits) };
    Bits bits[LANES];
    uint4 vector;
#pragma unroll
    for (int l = 0; l < LANES; l++)
        bits[l] = l < count ? x[l] : 0;
    memcpy(&vector, bits, sizeof vector);
    return vector;
}

template <size_t BYTES> struct bits_of;
template <> struct bits_of<1> {
    typedef uint8_t type;
};
template <> struct bits_of<2> {
    typedef uint16_t type;
};
template <> struct bits_of<4> {
    typedef uint32_t type;
};
template <> struct bits_of<8> {
    typedef uint64_t type;
};

/* The first `count` elements of vector v.  Rows whose length is no whole number of vectors are not aligned. */
template <typename Stored> static __device__ uint4 load_some(const Stored *x, uint64_t v, int count)
{
    typedef typename bits_of<sizeof(Stored)>::type bits;
    return count == lanes_of<Stored> && (uintptr_t)x % sizeof(uint4) == 0
               ? ((const uint4 *)x)[v]
               : load_one_by_one((const bits *)(x + v * lanes_of<Stored>), count);
}

template <typename Element>
static __device__ struct vector<Element> load_elements(struct source<Element> of, uint64_t v, int count) {
    return {load_some(of.x, v, count)};
}

template <typename Stored, enum operation OPERATION>
static __device__ struct vector<struct pair<Stored, OPERATION>>
load_elements(struct source<struct pair<Stored, OPERATION>> of, uint64_t v, int count)
{
    return {load_some(of.x, v, count), load_some(of.y, v, count)};
}

template <typename Element> static __device__ void elements_of_vector(Element elements[], struct vector<Element> vector)
{
    memcpy(elements, &vector.x, sizeof vector.x);
}

template <typename Stored, enum operation OPERATION>
static __device__ void elements_of_vector(struct pair<Stored, OPERATION> elements[],
                                          struct vector<struct pair<Stored, OPERATION>> vector)
{
    Stored x[lanes_of<Stored>], y[lanes_of<Stored>];
    memcpy(x, &vector.x, sizeof x);
    memcpy(y, &vector.y, sizeof y);
#pragma unroll
    for (int l = 0; l < lanes_of<Stored>; l++)
        elements[l] = {x[l], y[l]};
}

/* Brings a vector nearer, to L2. */
static __device__ void prefetch(const void *at)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(at)));
}

template <typename Element> static __device__ void prefetch_vector(struct source<Element> of, uint64_t v)
{
    prefetch(of.x + v * lanes_of<Element>);
}

template <typename Stored, enum operation OPERATION>
static __device__ void prefetch_vector(struct source<struct pair<Stored, OPERATION>> of, uint64_t v)
{
    prefetch(of.x + v * lanes_of<Stored>);
    prefetch(of.y + v * lanes_of<Stored>);
}

/* Whether vectors can be loaded; of two arrays both are, or neither is. */
template <typename Element> static __device__ bool is_aligned(struct source<Element> of)
{
    return (uintptr_t)of.x % sizeof(uint4) == 0;
}

/* From the first-th on. */
template <typename Element>
static __device__ struct source<Element> source_from(struct source<Element> of, uint64_t first) {
    return {of.x + first};
}

template <typename Stored, enum operation OPERATION>
static __device__ struct source<struct pair<Stored, OPERATION>>
source_from(struct source<struct pair<Stored, OPERATION>> of, uint64_t first)
{
    return {of.x + first, of.y + first};
}
#endif

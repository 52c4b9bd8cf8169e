/* What the fast order reads: vectors of 16 bytes, of one array or of two.  An element of two is a pair, and the
 * operation that makes terms of it.
 *
 *   source<float>                              x[i]
 *   source<pair<float, OPERATION_dot>>         x[i] and y[i]
 */
#ifndef ULPSCOPE_VECTOR_SOURCE_H
#define ULPSCOPE_VECTOR_SOURCE_H

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

template <typename Element> static __device__ Element element(struct source<Element> of, uint64_t i)
{
    return of.x[i];
}

template <typename Stored, enum operation OPERATION>
static __device__ struct pair<Stored, OPERATION> element(struct source<struct pair<Stored, OPERATION>> of, uint64_t i)
{
    return {of.x[i], of.y[i]};
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

#endif

/* (x - c)^2, made while the fast order adds them: an element is a number and the c of its row, a pair without a second
 * array.  Where numbers are stored in what is added the tree is that of terms that are made before.
 *
 *   source<offset<float>>    x[i], and offsets[row]
 */
#pragma once

#include "vector_states.h"

template <typename Stored> struct offset {
    Stored x, c;
};

template <typename Stored> static constexpr int lanes_of<struct offset<Stored>> = lanes_of<Stored>;

template <typename Stored> struct vector<struct offset<Stored>> {
    uint4 x;
    Stored c;
};

template <typename Stored> struct source<struct offset<Stored>> {
    const Stored *x;
    const double *offset; /* of this row */
    uint64_t n;
};

template <typename Stored>
static __device__ struct vector<struct offset<Stored>> load_vector(struct source<struct offset<Stored>> of,
                                                                   uint64_t v) {
    return {((const uint4 *)of.x)[v], (Stored)*of.offset};
}

template <typename Stored>
static __device__ struct vector<struct offset<Stored>> load_elements(struct source<struct offset<Stored>> of,
                                                                     uint64_t v, int count) {
    return {load_some(of.x, v, count), (Stored)*of.offset};
}

template <typename Stored>
static __device__ void elements_of_vector(struct offset<Stored> elements[], struct vector<struct offset<Stored>> vector)
{
    Stored x[lanes_of<Stored>];
    memcpy(x, &vector.x, sizeof x);
#pragma unroll
    for (int l = 0; l < lanes_of<Stored>; l++)
        elements[l] = {x[l], vector.c};
}

template <typename Stored> static __device__ void prefetch_vector(struct source<struct offset<Stored>> of, uint64_t v)
{
    prefetch(of.x + v * lanes_of<Stored>);
}

template <typename Stored>
static __device__ struct source<struct offset<Stored>> source_from(struct source<struct offset<Stored>> of,
                                                                   uint64_t first) {
    return {of.x + first, of.offset + (of.n > 0 ? first / of.n : 0), of.n};
}

template <typename Stored>
static __device__ void partial_add(struct partial<struct offset<Stored>> *partial, int lane, struct offset<Stored> of)
{
    STATE *const state = &partial->state[lane % states_of<struct offset<Stored>>];
    const real apart = RN(of.x - of.c);
    *state = A(add)(*state, RN(apart * apart));
}

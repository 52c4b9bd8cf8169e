/* What kernels read and write: numbers in the format that they are stored in, whatever they are added in.  Each stored
 * number is one of `real`, so that a load converts and nothing rounds; all that follows the load is the same for every
 * format.
 *
 *   bfloat16, added in binary32    element i is 2 bytes, a load of 16 bytes brings 8
 *
 * kernels/formats/ADDED.h says what `real` may be stored in and rounded to: STORED_FORMATS(OF) and RESULT_FORMATS(OF)
 * are OF(id, type) of each, and as_real() converts a number of such a type.
 */
#pragma once

#include "portable.h"
#include "stored_format.h"

#ifdef __CUDACC__
/* Device memory, aligned as cudaMalloc does. */
struct numbers {
    const void *at;
    enum stored_format format;
};

/* The numbers from the first-th on. */
static __device__ struct numbers numbers_from(struct numbers x, uint64_t first)
{
    switch (x.format) {
#define OF(id, type)                                                                                                   \
    case STORED_##id:                                                                                                  \
        x.at = (const type *)x.at + first;                                                                             \
        break;
        STORED_FORMATS(OF)
#undef OF
    default:
        __builtin_unreachable();
    }
    return x;
}

static __device__ real load(struct numbers x, uint64_t i)
{
    switch (x.format) {
#define OF(id, type)                                                                                                   \
    case STORED_##id:                                                                                                  \
        return as_real(((const type *)x.at)[i]);
        STORED_FORMATS(OF)
#undef OF
    default:
        __builtin_unreachable();
    }
}

/* Loads in flight at once: additions wait for each other, loads need not.  8 of 4 bytes from each of 2,048 threads are
 * 64 KiB a multiprocessor. */
enum { LOADS_AHEAD = 8 };

template <int COUNT, typename Stored>
static __device__ void load_strided_as(real (&loaded)[COUNT], const Stored *x, uint64_t stride)
{
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        loaded[k] = as_real(x[k * stride]);
}

/* Elements i, i + stride, i + 2 stride, ... */
template <int COUNT>
static __device__ void load_strided(real (&loaded)[COUNT], struct numbers x, uint64_t i, uint64_t stride)
{
    switch (x.format) {
#define OF(id, type)                                                                                                   \
    case STORED_##id:                                                                                                  \
        load_strided_as(loaded, (const type *)x.at + i, stride);                                                       \
        break;
        STORED_FORMATS(OF)
#undef OF
    default:
        __builtin_unreachable();
    }
}

/* By vectors, since the threads of a warp are in different places and each of their loads costs as much whether it
 * brings 4 bytes or 16. */
template <typename Stored> static __device__ void load_neighbours_as(real loaded[LOADS_AHEAD], const Stored *x)
{
    enum { BYTES = LOADS_AHEAD * sizeof(Stored), VECTOR = BYTES < 16 ? BYTES : 16 };
    struct alignas(VECTOR) piece {
        uint32_t words[VECTOR / 4];
    } pieces[BYTES / VECTOR];
    Stored elements[LOADS_AHEAD];
#pragma unroll
    for (int p = 0; p < BYTES / VECTOR; p++)
        pieces[p] = ((const struct piece *)x)[p];
    memcpy(elements, pieces, sizeof elements);
#pragma unroll
    for (int k = 0; k < LOADS_AHEAD; k++)
        loaded[k] = as_real(elements[k]);
}

/* Elements i, i + 1, i + 2, ...; i a multiple of LOADS_AHEAD. */
static __device__ void load_neighbours(real loaded[LOADS_AHEAD], struct numbers x, uint64_t i)
{
    switch (x.format) {
#define OF(id, type)                                                                                                   \
    case STORED_##id:                                                                                                  \
        load_neighbours_as(loaded, (const type *)x.at + i);                                                            \
        break;
        STORED_FORMATS(OF)
#undef OF
    default:
        __builtin_unreachable();
    }
}

/* ---- results ---- */

/* Where results go: a number of this format for each row, in device memory or the host's. */
struct results {
    void *at;
    enum stored_format format;
    bool are_roots; /* of the sums: norm2 */
};

/* Called, so that it takes no registers of a kernel. */
static __host__ __device__ __noinline__ double root_of(double sum)
{
    return sqrt(sum);
}

/* The one rounding at the end, to the format of the result.  Where a state has more bits than binary64, A(result) has
 * set the last one if anything is below it (rounded to odd), so that it is not rounded twice. */
static inline __host__ __device__ void store_result(struct results results, uint32_t row, STATE s)
{
    const double sum = A(result)(s), result = results.are_roots ? root_of(sum) : sum;
    switch (results.format) {
#define OF(id, type)                                                                                                   \
    case STORED_##id:                                                                                                  \
        ((type *)results.at)[row] = (type)result;                                                                      \
        break;
        RESULT_FORMATS(OF)
#undef OF
#if REAL_PRECISION != 53
    case STORED_binary64: /* what a formula takes (statistic.h) */
        ((double *)results.at)[row] = result;
        break;
#endif
    default:
        __builtin_unreachable();
    }
}
#endif

/* A window: what an exact accumulator adds a few numbers of similar size to, in registers.  The last bits of frame + x,
 * a frame being 3/2 2^52 units, are how many units x has, to nearest; what that leaves goes to the next frame, of units
 * 2^50 times smaller.
 *
 *   unit 2^-50, x = 0.75:  frame + x has 0.75 2^50 units more than frame, and their bits differ by that integer
 *
 * A number is within if it is below 2^51 units of the first frame, and the last one leaves nothing.  What is not, or is
 * not finite, is for bins (bins.h), in shared memory that must be cleared and emptied: of few numbers that takes longer
 * than all additions; of many, bins are faster (docs/decisions/0037).
 */
#pragma once

#include "portable.h"
#include "vector_source.h"

enum { BITS_OF_FRAME = 50 };

PORTABLE double frame_of_unit(int exponent)
{
    return double_from_bits((uint64_t)(1023 + 52 + exponent) << 52 | UINT64_C(1) << 51);
}

/* Takes from *left the units that it has, to nearest; *outside becomes 2^20 or more where it has too many. */
PORTABLE int64_t take_units(double frame, double *left, uint32_t *outside)
{
    const double sum = frame + *left;
    *left -= sum - frame;
    *outside |= (uint32_t)((double_bits(sum) ^ double_bits(frame)) >> 32);
    return (int64_t)(double_bits(sum) - double_bits(frame));
}

#ifdef __CUDACC__
/* ---- what is added: terms of binary64, exactly those of the element ---- */

template <typename Element> static constexpr int terms_of = 1;
template <typename Element> static __device__ void terms_of_element(double terms[], Element x)
{
    terms[0] = (double)as_real(x);
}

#if REAL_PRECISION == 53
template <typename Stored> static constexpr int terms_of<struct pair<Stored, OPERATION_dot_exact>> = 2;
#endif
template <typename Stored, enum operation OPERATION>
static __device__ void terms_of_element(double terms[], struct pair<Stored, OPERATION> of)
{
    const real x = as_real(of.x), y = as_real(of.y);
    if constexpr (OPERATION != OPERATION_dot_exact) {
        terms[0] = (double)dot_term(x, y);
    } else if constexpr (REAL_PRECISION == 53) {
        real error;
        terms[0] = (double)dot_exact_product(x, y, &error);
        terms[1] = (double)error;
    } else {
        terms[0] = (double)x * (double)y;
    }
}

/* Bits of a term. */
template <typename Element> static constexpr int digits_of = REAL_PRECISION;
#if REAL_PRECISION == 24
template <> constexpr int digits_of<__nv_bfloat16> = 8;
#else
template <> constexpr int digits_of<float> = 24;
#endif
template <typename Stored>
static constexpr int digits_of<struct pair<Stored, OPERATION_dot_exact>> = 2 * REAL_PRECISION;

/* So many that sizes may differ by 2^24 at least. */
template <typename Element>
static constexpr int frames_of = 1 + (digits_of<Element> + BITS_OF_FRAME / 2) / BITS_OF_FRAME;

/* ---- a window ---- */

template <typename Element> struct window {
    double frame[frames_of<Element>];
    int64_t units[frames_of<Element>];
    int unit;     /* the exponent of those of the first frame */
    bool is_open; /* false: the numbers need a wider one */
};

/* Of which every term, and every unit of a bin, is a multiple; and a frame of it is a normal number. */
enum { LEAST_UNIT = SUPERACC_UNIT_EXPONENT + 1 };

static __device__ int unit_of_frame(int unit, int f)
{
    return max(unit - f * BITS_OF_FRAME, (int)LEAST_UNIT);
}

/* The largest exponent field of terms, and 2047 less the least, in 16 bits each; 0 where all are 0 or not finite. */
template <typename Element> static __device__ uint32_t fields_of_vector(struct vector<Element> vector)
{
    Element elements[lanes_of<Element>];
    uint32_t fields = 0;
    elements_of_vector(elements, vector);
#pragma unroll
    for (int l = 0; l < lanes_of<Element>; l++) {
        double terms[terms_of<Element>];
        terms_of_element(terms, elements[l]);
#pragma unroll
        for (int t = 0; t < terms_of<Element>; t++) {
            const uint32_t field = (uint32_t)__double2hiint(terms[t]) >> 20 & 0x7ff;
            fields = __vmaxu2(fields, terms[t] == 0 || field == 0x7ff ? 0 : field << 16 | (2047 - field));
        }
    }
    return fields;
}

static __device__ uint32_t fields_of_lanes(uint32_t fields)
{
    for (uint32_t offset = WARP / 2; offset > 0; offset /= 2)
        fields = __vmaxu2(fields, __shfl_xor_sync(0xffffffffu, fields, (int)offset));
    return fields;
}

/* Around numbers of these fields. */
template <typename Element> static __device__ struct window<Element> window_around(uint32_t fields) {
    enum { LAST_FRAME = frames_of<Element> - 1, LARGEST_UNIT = 1023 - 53 };
    const int largest = fields > 0 ? (int)(fields >> 16) : 1023, least = fields > 0 ? 2047 - (int)(fields & 0xffff)
                                                                                    : 1023;
    struct window<Element> window;
    window.unit = max(min(largest - 1022 - BITS_OF_FRAME, (int)LARGEST_UNIT), (int)LEAST_UNIT);
    const int last_unit = unit_of_frame(window.unit, LAST_FRAME);
    window.is_open = last_unit == LEAST_UNIT || least - 1022 - digits_of<Element> >= last_unit;
#pragma unroll
    for (int f = 0; f <= LAST_FRAME; f++) {
        window.frame[f] = frame_of_unit(unit_of_frame(window.unit, f));
        window.units[f] = 0;
    }
    return window;
}

/* Adds the terms of a vector; false, and adds none, where one is not within. */
template <typename Element>
static __device__ bool window_add(struct window<Element> *window, struct vector<Element> vector)
{
    Element elements[lanes_of<Element>];
    int64_t units[frames_of<Element>];
    uint32_t outside = 0;
    bool is_left = false;
    elements_of_vector(elements, vector);
#pragma unroll
    for (int f = 0; f < frames_of<Element>; f++)
        units[f] = 0;
#pragma unroll
    for (int l = 0; l < lanes_of<Element>; l++) {
        double terms[terms_of<Element>];
        terms_of_element(terms, elements[l]);
#pragma unroll
        for (int t = 0; t < terms_of<Element>; t++) {
            double left = terms[t];
#pragma unroll
            for (int f = 0; f < frames_of<Element>; f++)
                units[f] += take_units(window->frame[f], &left, &outside);
            is_left |= left != 0;
        }
    }
    if (RARELY(is_left || outside >> 20 != 0))
        return false;
#pragma unroll
    for (int f = 0; f < frames_of<Element>; f++)
        window->units[f] += units[f];
    return true;
}

/* ---- the sum of a block ---- */

/* Returns the sum of each `width` lanes of a warp in the first of them. */
static __device__ uint64_t sum_of_lanes(uint64_t mine, uint32_t width)
{
    for (uint32_t offset = width / 2; offset > 0; offset /= 2)
        mine += __shfl_down_sync(0xffffffffu, mine, offset);
    return mine;
}

static __device__ STATE add_units(STATE s, int64_t units, int unit)
{
    const uint64_t magnitude = units < 0 ? -(uint64_t)units : (uint64_t)units;
    return A(add_integer)(s, magnitude, units < 0, unit - SUPERACC_UNIT_EXPONENT);
}

/* One row of at most FEW numbers, a block: a thread loads up to FEW_VECTORS at once.  In thread 0; false in all where
 * the numbers are not within one window.  Fewer than 2^13 terms have fewer than 2^63 units. */
template <typename Element> static __device__ bool window_sum(STATE *sum, struct source<Element> x, uint32_t n)
{
    enum { FRAMES = frames_of<Element> };
    __shared__ uint32_t fields_of_warps[WARP];
    __shared__ uint64_t units_of_warps[FRAMES][WARP];
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    struct vector<Element> vectors[FEW_VECTORS];
    uint32_t fields = 0;
#pragma unroll
    for (int k = 0; k < FEW_VECTORS; k++) {
        const uint32_t first = (k * blockDim.x + threadIdx.x) * lanes_of<Element>;
        vectors[k] = {};
        if (first < n)
            vectors[k] =
                load_elements(x, k * blockDim.x + threadIdx.x, (int)min(n - first, (uint32_t)lanes_of<Element>));
    }
#pragma unroll
    for (int k = 0; k < FEW_VECTORS; k++)
        fields = __vmaxu2(fields, fields_of_vector(vectors[k]));
    fields = fields_of_lanes(fields);
    if (lane == 0)
        fields_of_warps[warp] = fields;
    __syncthreads();
    struct window<Element> window = window_around<Element>(fields_of_lanes(lane < warps ? fields_of_warps[lane] : 0));
    bool is_within = window.is_open;
#pragma unroll
    for (int k = 0; k < FEW_VECTORS; k++)
        is_within &= window_add(&window, vectors[k]);
#pragma unroll
    for (int f = 0; f < FRAMES; f++) {
        const uint64_t of_warp = sum_of_lanes((uint64_t)window.units[f], WARP);
        if (lane == 0)
            units_of_warps[f][warp] = of_warp;
    }
    if (!__syncthreads_and(is_within))
        return false;
    *sum = A(zero)();
    if (warp == 0)
#pragma unroll
        for (int f = 0; f < FRAMES; f++) {
            const uint64_t units = sum_of_lanes(lane < warps ? units_of_warps[f][lane] : 0, WARP);
            if (lane == 0)
                *sum = add_units(*sum, (int64_t)units, unit_of_frame(window.unit, f));
        }
    return true;
}
#endif

/* Bins: what an exact accumulator adds to on a GPU in the fast order.  A bin is a floating-point number that never
 * rounds, for numbers of neighbouring exponents, so that an addition is one conversion and one addition, whatever the
 * data.
 *
 *   binary32    16 bins of binary64; field e of the exponent goes to bin e / 16, whose unit is 2^(16 (e / 16) - 150)
 *               1 has field 127: bin 7, unit 2^-38, 2^38 units
 *   binary64    130 bins of binary64, and two parts of each number: its upper 26 bits and its lower 27
 *   bfloat16    32 bins of binary32, each for 8 fields
 *   binary16, e4m3, e5m2    one bin of binary64, in registers: their numbers have 40 bits at most
 *   products of binary32    37 bins of binary64, and two parts of each: of its 48 bits the upper 24 and the lower 24
 *
 * Exact: all in a bin are multiples of its unit, of so many bits that ROOM of them stay below 2^53 units, or 2^24 in
 * binary32.  Then bins are emptied.
 *
 * Why floating point: to put a number in its place in an integer costs some 15 integer instructions, and the integer
 * units are then what is short; the conversion and the binary64 units are idle otherwise (docs/decisions/0006).
 */
#pragma once

#include "portable.h"
#include "stored.h"
#include "vector_source.h"

/* ---- where a number goes ---- */

/* Of a thread: bin k has units of 2^(unit + k spacing); those from `scaled` on have 2^-scale of it, which would
 * overflow. `room` numbers may be added before they are emptied; a bin of `digits` bits then has rounded none of them.
 */
struct bin_layout {
    int count, room, digits, unit, spacing, scale, scaled;
};

#ifdef __cplusplus
#define BIN_LAYOUT static constexpr struct bin_layout
#else
#define BIN_LAYOUT static const struct bin_layout
#endif
BIN_LAYOUT BINS_OF_BINARY64 = {130, 1 << 11, 53, -1075, 16, 64, 128};
BIN_LAYOUT WINDOW_OF_BINARY64 = {42, 1 << 11, 53, -1075, 16, 0, 0};
BIN_LAYOUT BINS_OF_BINARY32 = {16, 1 << 12, 53, -150, 16, 0, 0};
BIN_LAYOUT BINS_OF_PRODUCTS = {37, 1 << 12, 53, -345, 16, 0, 0};
BIN_LAYOUT BINS_OF_BFLOAT16 = {32, 1 << 9, 24, -134, 8, 16, 0};
BIN_LAYOUT BINS_OF_BINARY16 = {1, 1 << 12, 53, -24, 0, 0, 0};
BIN_LAYOUT BINS_OF_E4M3 = {1, 1 << 12, 53, -9, 0, 0, 0};
BIN_LAYOUT BINS_OF_E5M2 = {1, 1 << 12, 53, -16, 0, 0, 0};

/* 24 + 15 bits. */
PORTABLE uint32_t bin_of_binary32(float x)
{
    return (float_bits(x) >> 27) % 16;
}

/* 8 + 7 bits; as a binary32. */
PORTABLE uint32_t bin_of_bfloat16(float x)
{
    return (float_bits(x) >> 26) % 32;
}

/* 26 bits, and 27 that are left, each + 15: multiples of 2^(e - 1048) and of 2^(e - 1075), e the field.  Never in one
 * bin.
 */
PORTABLE double upper_part(double x)
{
    return double_from_bits(double_bits(x) & ~UINT64_C(0x7ffffff));
}

PORTABLE uint32_t bin_of_lower_part(uint32_t field)
{
    return field / 16;
}

/* (e + 26) / 16 is one or two bins further. */
PORTABLE uint32_t bin_of_upper_part(uint32_t field)
{
    return bin_of_lower_part(field) + (field % 16 < 6 ? 1 : 2);
}

/* A product of binary32, as binary64, whose place is its exponent field from that of 2^-298 on, 725: 24 bits and 24
 * that are left, each + 15, multiples of 2^(place - 321) and of 2^(place - 345).  Never in one bin.  0, and what is not
 * finite, may be in any. */
PORTABLE double upper_half_of_product(double product)
{
    return double_from_bits(double_bits(product) & ~UINT64_C(0x1fffffff));
}

PORTABLE uint32_t place_of_product(double product)
{
    const uint32_t field = (uint32_t)(double_bits(product) >> 52) & 0x7ff;
    return field < 725 ? 0 : field > 725 + 553 ? 553 : field - 725;
}

/* From that of the lower half to that of the upper. */
PORTABLE uint32_t further_bin_of_product(uint32_t place)
{
    return place % 16 < 8 ? 1 : 2;
}

/* What a bin has, as units. */
PORTABLE int64_t bin_units(struct bin_layout layout, double sum, int k)
{
    const int scale = k >= layout.scaled ? layout.scale : 0;
    return (int64_t)double_scaled(sum, scale - (layout.unit + k * layout.spacing));
}

#ifdef __CUDACC__
/* ---- what a thread adds to ---- */

/* Of a format: the layout, the type of a bin, and the threads of a block that serve it best. */
template <typename Stored> struct bins_of;

template <typename Stored> struct partial {
    typename bins_of<Stored>::bin *bins; /* in shared memory, as far apart as there are threads, so that those of a
                                            warp use different banks, whatever bins they add to */
    uint32_t apart;
};

template <> struct bins_of<float> {
    typedef double bin;
    static constexpr struct bin_layout layout = BINS_OF_BINARY32;
    enum { THREADS = 512 };
};

static __device__ void partial_add(struct partial<float> *partial, int, float x)
{
    partial->bins[bin_of_binary32(x) * partial->apart] += (double)x;
}

#if REAL_PRECISION == 53
template <> struct bins_of<double> {
    typedef double bin;
    static constexpr struct bin_layout layout = BINS_OF_BINARY64;
};

static __device__ uint32_t field_of(double x)
{
    return (uint32_t)(__double2hiint(x) >> 20) & 0x7ff;
}

/* Both loads, then both stores: the bins are two. */
static __device__ void add_parts(double *at_upper, double upper, double *at_lower, double lower)
{
    const double upper_sum = *at_upper + upper, lower_sum = *at_lower + lower;
    *at_upper = upper_sum;
    *at_lower = lower_sum;
}

/* Without a branch, so that the instructions of several numbers go side by side.  An infinity or a NaN is its own upper
 * part. */
static __device__ void partial_add(struct partial<double> *partial, int, double x)
{
    const uint32_t field = field_of(x), bin = bin_of_upper_part(field);
    const bool is_number = field < 0x7ff;
    const double upper = is_number ? upper_part(x) : x;
    const double scale = bin < BINS_OF_BINARY64.scaled ? 1 : 0x1p-64;
    add_parts(partial->bins + bin * partial->apart, upper * scale,
              partial->bins + bin_of_lower_part(field) * partial->apart, is_number ? x - upper : 0);
}

/* A binary64 where a block has no more bins than those of a window, which leave room for three times as many threads.
 * What is outside, or not finite, is missed. */
struct in_window {
    double x;
};

template <> struct bins_of<in_window> {
    typedef double bin;
    static constexpr struct bin_layout layout = WINDOW_OF_BINARY64;
    enum { THREADS = 512 };
};

template <> struct partial<in_window> {
    double *bins;
    uint32_t apart, first; /* first: the bin that is the window's first */
    bool missed;
};

static __device__ void partial_add(struct partial<in_window> *partial, int, struct in_window number)
{
    enum { LAST = WINDOW_OF_BINARY64.count - 3 };
    const double x = number.x, upper = upper_part(x);
    const uint32_t field = field_of(x), bin = bin_of_lower_part(field) - partial->first;
    const uint32_t further = field % 16 < 6 ? partial->apart : 2 * partial->apart;
    double *const at_lower = partial->bins + min(bin, (uint32_t)LAST) * partial->apart;
    if (bin > LAST)
        partial->missed |= x != 0;
    add_parts(at_lower + further, upper, at_lower, x - upper);
}
#endif

#if REAL_PRECISION == 24
template <> struct bins_of<__nv_bfloat16> {
    typedef float bin;
    static constexpr struct bin_layout layout = BINS_OF_BFLOAT16;
    enum { THREADS = 512 };
};

/* Scaled, it is still a number of binary32: the least is 2^-133. */
static __device__ void partial_add(struct partial<__nv_bfloat16> *partial, int, __nv_bfloat16 x)
{
    const float value = __bfloat162float(x);
    partial->bins[bin_of_bfloat16(value) * partial->apart] += value * 0x1p-16f;
}

/* One bin is a few sums, so that additions do not wait for each other. */
struct one_bin {
    typedef double bin;
    enum { THREADS = 256 };
};
struct partial_of_one_bin {
    enum { SUMS = 4 };
    double *bins;
    uint32_t apart;
    double sum[SUMS];
};
#define ONE_BIN(type, bins)                                                                                            \
    template <> struct bins_of<type> : one_bin {                                                                       \
        static constexpr struct bin_layout layout = bins;                                                              \
    };                                                                                                                 \
    template <> struct partial<type> : partial_of_one_bin {                                                            \
    };
ONE_BIN(__half, BINS_OF_BINARY16)
ONE_BIN(__nv_fp8_e4m3, BINS_OF_E4M3)
ONE_BIN(__nv_fp8_e5m2, BINS_OF_E5M2)
#undef ONE_BIN

template <typename Stored> static __device__ void partial_add(struct partial<Stored> *partial, int lane, Stored x)
{
    partial->sum[lane % partial_of_one_bin::SUMS] += (double)as_real(x);
}
#endif

/* ---- terms of two numbers: they are numbers that are added, whatever the two are stored in ---- */

#if REAL_PRECISION == 24 && defined(IS_dot_exact)
template <typename Stored, enum operation OPERATION>
struct bins_of<struct pair<Stored, OPERATION>> {
    typedef double bin; static constexpr struct bin_layout layout = BINS_OF_PRODUCTS; enum {THREADS = 512};
};

/* Both loads, then both stores: the bins are two. */
template <typename Stored, enum operation OPERATION>
static __device__ void partial_add(struct partial<struct pair<Stored, OPERATION>> *partial, int,
                                   struct pair<Stored, OPERATION> of)
{
    const double product = (double)as_real(of.x) * (double)as_real(of.y);
    const bool is_number = product - product == 0;
    const double upper = is_number ? upper_half_of_product(product) : product;
    const uint32_t place = place_of_product(product), apart = partial->apart;
    double *const at_lower = partial->bins + place / 16 * apart;
    double *const at_upper = at_lower + further_bin_of_product(place) * apart;
    const double upper_sum = *at_upper + upper, lower_sum = *at_lower + (is_number ? product - upper : 0);
    *at_upper = upper_sum;
    *at_lower = lower_sum;
}
#else
template <typename Stored, enum operation OPERATION>
struct bins_of<struct pair<Stored, OPERATION>> : bins_of<real> {
    enum {THREADS = REAL_PRECISION == 53 ? 192 : bins_of<float>::THREADS}; /* those for whom all bins have room */
};

template <typename Stored, enum operation OPERATION> struct partial<struct pair<Stored, OPERATION>> : partial<real> {};

template <typename Stored, enum operation OPERATION>
static __device__ void partial_add(struct partial<struct pair<Stored, OPERATION>> *pairs, int lane,
                                   struct pair<Stored, OPERATION> of)
{
    struct partial<real> *const terms = pairs;
    const real x = as_real(of.x), y = as_real(of.y);
    if constexpr (OPERATION == OPERATION_dot_exact) {
        real error;
        partial_add(terms, lane, dot_exact_product(x, y, &error));
        partial_add(terms, lane, error);
    } else {
        partial_add(terms, lane, dot_term(x, y));
    }
}
#endif

/* Before numbers are added: the bins in shared memory are empty. */
template <typename Stored> static __device__ void partial_begin(struct partial<Stored> *partial)
{
    if constexpr (bins_of<Stored>::layout.count == 1)
        for (int s = 0; s < partial->SUMS; s++)
            partial->sum[s] = 0;
}

/* Afterwards: all is in shared memory. */
template <typename Stored> static __device__ void partial_end(struct partial<Stored> *partial)
{
    if constexpr (bins_of<Stored>::layout.count == 1)
        for (int s = 0; s < partial->SUMS; s++)
            *partial->bins += partial->sum[s];
}
#endif

/* The random bits of an element: Random123's Philox4x32-10, a function of a counter, so that nothing has to be drawn in
 * order.  Both compilers read it. */
#pragma once

#include "format_edges.h"
#include "generator.h"

#include <Random123/philox.h>

struct random_block {
    uint32_t word[4];
};

/* 128 bits for each (seed, trial, family, i, draw); draw < 2^16, i < 2^48.
 *
 * Philox is a permutation of the counter for every key, so the layout only has to be injective:
 *
 *   key      seed 0..31 | seed 32..63
 *   counter  i 0..31 | i 32..47, draw 0..15 | trial 0..31 | family 0..31
 *
 * Nothing is folded or mixed: two draws of one seed never share a counter.  Draw 0 is element_loop.h's. */
PORTABLE struct random_block random_bits(const struct generator_call *call, uint64_t i, uint32_t draw)
{
    const philox4x32_key_t key = {{(uint32_t)call->seed, (uint32_t)(call->seed >> 32)}};
    const philox4x32_ctr_t counter = {
        {(uint32_t)i, (uint32_t)(i >> 32) | draw << 16, (uint32_t)call->trial, call->family}};
    const philox4x32_ctr_t random = philox4x32(counter, key);
    struct random_block bits;
    for (int k = 0; k < 4; k++)
        bits.word[k] = random.v[k];
    return bits;
}

/* 64 of the 128 bits: half 0 or 1. */
PORTABLE uint64_t random_half(struct random_block bits, unsigned half)
{
    return (uint64_t)bits.word[2 * half + 1] << 32 | bits.word[2 * half];
}

PORTABLE struct random_block random_block_of(uint64_t half_0, uint64_t half_1)
{
    const struct random_block bits = {
        {(uint32_t)half_0, (uint32_t)(half_0 >> 32), (uint32_t)half_1, (uint32_t)(half_1 >> 32)}};
    return bits;
}

/* What element_loop.h hands to element i: 64 bits, two elements sharing a block of Philox. */
PORTABLE uint64_t random_of_element(const struct generator_call *call, uint64_t i)
{
    return random_half(random_bits(call, i / 2, 0), i % 2);
}

/* A multiple of u in [0, 1), from p bits: the upper ones of the lower word, which has 24, or of all 64. */
PORTABLE double random_unit(const struct format *format, uint64_t random)
{
    const int p = format->precision;
    return p < 32 ? (double)(int32_t)((uint32_t)random >> (32 - p)) * power_of_two(-p)
                  : (double)(random >> (64 - p)) * power_of_two(-p);
}

/* 1 + k 2u in [1, 2), from as many bits less one: every significand of the format alike. */
PORTABLE double random_significand(const struct format *format, uint64_t random)
{
    const int p = format->precision;
    if (p == FLT_MANT_DIG) /* what the next line gives; so that four of them fit where two would */
        return (double)float_from_bits(0x3f800000u | (uint32_t)random >> 9);
    const uint64_t k = p < 32 ? (uint32_t)random >> (33 - p) : random >> (65 - p);
    return double_from_bits(UINT64_C(0x3ff) << 52 | k << (53 - p));
}

/* The same, with a sign from the last bit, which the significand does not use. */
PORTABLE double random_signed_significand(const struct format *format, uint64_t random)
{
    const double significand = random_significand(format, random);
    if (format->precision == FLT_MANT_DIG)
        return (double)float_from_bits(float_bits((float)significand) | (uint32_t)random << 31);
    return double_from_bits(double_bits(significand) | random << 63);
}

/* random * count / 2^64, rounded down: a whole number in [0, count), each with probability 1/count +- 2^-64. */
PORTABLE uint64_t random_below(uint64_t random, uint64_t count)
{
#ifdef __CUDA_ARCH__
    return __umul64hi(random, count);
#else
    __extension__ typedef unsigned __int128 product;
    return (uint64_t)((product)random * count >> 64);
#endif
}

/* All ones where a < b, else 0; both below 2^63.  With chosen() a select that gcc vectorises for any x86-64, whose
 * first version compares no 64-bit integers. */
PORTABLE uint64_t all_ones_below(uint64_t a, uint64_t b)
{
    return -((a - b) >> 63);
}

PORTABLE uint64_t chosen(uint64_t all_ones, uint64_t yes, uint64_t no)
{
    return no ^ ((yes ^ no) & all_ones);
}

/* 2^e for -149 <= e < 128, by its bits: ldexp without a library. */
PORTABLE float two_to(int e)
{
    return float_from_bits(e >= -126 ? (uint32_t)(e + 127) << 23 : 1u << (e + 149));
}

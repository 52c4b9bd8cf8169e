/* Exact sums as integers: one pass gives s, sum |x_i|, the counts of special numbers, the exponents and the largest
 * |x_i|.
 *
 * A binary32 number is sign s, exponent field e and fraction f; its top nine bits (s, e) name one of 512 counters, and
 * its bits w, all 32 of them, are added to that counter together with a 1 far above them:
 *
 *   counter[w >> 23] += w + 2^48         1.0f, 1.5f:   w = 0x3f800000, 0x3fc00000, both in counter 127
 *                                        counter 127:  2 2^48 + 0x7f400000, two terms
 *                                                      whose fractions sum to 0x7f400000 - 2 (127 2^23) = 0x400000
 *                                                      whose sum is (2 2^23 + 0x400000) 2^(127-150) = 2.5
 *
 * so a counter knows how many terms it got and the sum of their fractions; the hidden bits are the count.  Nothing is
 * masked, shifted or decided per term.  Positive and negative numbers are counted apart, which gives s = P - N and
 * sum |x_i| = P + N.  Before a counter could run over, all are folded into P and N, integers of 64-bit limbs.
 * binary64: 128 cells of two words, which significands are shifted to (bins64.h).  Proofs and speeds:
 * docs/reference.md.
 */
#pragma once

#include "src/base/status.h"

#include <stdint.h>

enum bins_of {
    BINS_OF_BINARY32,
    BINS_OF_BINARY64,
    BINS_OF_PRODUCTS32, /* x_i y_i of binary32, which binary64 holds exactly */
    BINS_OF_PRODUCTS64, /* x_i y_i of binary64, 106 bits wide */
};

/* The widest total: products of binary64 below 2^2048, to the bit 2^-2148, 2^64 of them: 4260 bits. */
enum { BINS_LIMBS_MOST = 67 };

/* Aligned, so that those of two threads share no line of a cache: products of binary64 write to them at every term. */
struct bins {
    _Alignas(128) enum bins_of of;
    int least_normal;                     /* exponent of the least normal number of the data's format */
    int unit;                             /* totals count multiples of 2^unit, the least subnormal or its square */
    unsigned limbs;                       /* of each total; least significant first */
    uint64_t totals[2][BINS_LIMBS_MOST];  /* P and N: of what is positive, and the magnitudes of what is negative */
    int least_exponent, largest_exponent; /* as in exact_sum; least > largest: none */
    double max_abs;                       /* likewise */
    uint64_t nans, infinities[2], negative_zeros, subnormals; /* infinities: positive, negative */
    uint64_t held;            /* since the last fold: binary32: terms that a counter may hold; binary64: terms */
    unsigned first, last;     /* exponent fields of counters of binary32 that are in use */
    unsigned misses, untried; /* of lanes32.h: blocks in a row that had to be counted, blocks that are counted next */
    void *counters;
};

/* Allocates; *bins is empty after a failure, and freeing it does no harm.  Numbers of a narrower format than `of` has
 * their own least normal number; else it is -126 or -1022. */
enum status bins_init(struct bins *bins, enum bins_of of, int least_normal);
void bins_free(struct bins *bins);

/* Adds x[0..n), or the products x_i y_i; y is NULL where bins are not of products. */
void bins_add(struct bins *bins, const void *x, const void *y, uint64_t n);

/* Brings totals up to date with the counters: before they are read. */
void bins_fold(struct bins *bins);

/* Both folded before.  All that `from` holds goes into `into` as well. */
void bins_merge(struct bins *into, const struct bins *from);

/* Folded before.  As though everything had been added so many times, 2^64 terms at most. */
void bins_multiply(struct bins *bins, uint64_t times);

/* For tests: the terms after which counters are folded, instead of as many as they can hold, and no block is added up
 * without them; 0: as many as they can. */
extern uint64_t bins_fold_after;

/* Likewise: exponent fields of a block that may lie apart where it is added up without counters; -1: none is. */
extern int bins_fields_apart_most;

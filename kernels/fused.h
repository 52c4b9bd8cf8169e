/* Matrix products as tensor cores add them: in fused blocks, which no IEEE operation describes.
 *
 *   matmul:hopper_wgmma/chain@e4m3           fp8 on a Hopper GPU, with "fast accumulation"
 *   matmul:hopper_wgmma/promoted_4@e4m3      the same, every 128 of k added to a binary32 register
 *
 * A block: products are exact, their significands not normalised: the exponent of a product is the sum of its factors',
 * where a subnormal factor has the least normal exponent.  E is the largest exponent of the terms that are not 0, or
 * the floor.  Each term keeps F fraction bits at E and loses the rest, toward zero; these are added without an error,
 * and the sum is truncated or rounded once.  A zero is +0.
 *
 *   F = 3, terms 1, 1/8, 1/16: 1.000 + 0.001 + 0.000 = 1.125; of 2, 1/8, 1/16: 10.00 + 0 + 0 = 2
 *
 * The model, and on which GPUs how many results have its bits: Fasi, Higham, Mikaitis and Pranesh, PeerJ CS 7:e330
 * (2021); arXiv 2512.07004.  Bounds: docs/bounds.md, "Fused blocks".
 */
#pragma once

#include "method.h"

enum fused_rounding { TRUNCATED, TO_NEAREST };

struct fused_unit {
    const char *id, *claim;
    const struct sum_format *sum_format;
    int terms, fraction, floor, output; /* of a block: see fused_units.def */
    enum fused_rounding rounding;
    int dropped, own_blocks;
};

struct fused_order {
    const char *id, *claim;
    uint32_t period, parts;
    bool compensated;
};

struct fused_method {
    const struct fused_unit *unit;
    const struct fused_order *order;
    char id[96];
};

/* What a unit takes of a number: binary32 less 13 bits is TF32. */
static inline const struct format *fused_factors(const struct fused_unit *unit)
{
    return unit->dropped ? &FORMAT_TF32 : unit->sum_format->stored;
}

/* Blocks of a sum of `inner` products; and after how many the register takes them, 0: there is no register. */
uint64_t fused_blocks(const struct fused_unit *unit, uint64_t inner);
uint64_t fused_period(const struct fused_method *method, uint64_t inner);

/* Which of the products is the place-th that a unit takes; `inner` or more: none is. */
static inline uint64_t fused_product(const struct fused_unit *unit, uint64_t place)
{
    const uint64_t of_two = 2 * (uint64_t)unit->terms, half = place % of_two / (uint64_t)unit->terms;
    const uint64_t within = place % (uint64_t)unit->terms;
    return unit->own_blocks ? place / of_two * of_two + within / 2 * 4 + half * 2 + within % 2 : place;
}

/* Those of fused_units.def. */
const struct fused_unit *fused_units(size_t *count);

/* Stores all matrix products of a format, as the list of methods has them, at most FUSED_MOST; returns how many. */
enum { FUSED_MOST = 64 };
size_t fused_methods(const struct sum_format *sum_format, struct method *methods);

/* NULL: the method is none of these. */
const struct fused_method *fused_of(const struct method *method);

/* Computes all elements of C = A B, in the result's format as the host holds it, on so many threads. */
enum status fused_replay(const struct fused_method *method, const struct operands *of, unsigned workers, void *c);

/* The mean of (computed - s) / |s| that truncation makes of sums of `terms` products, which are like these: all of one
 * sign, else NaN.  A model, not a bound (kernels/fused_law.c). */
double fused_law(const struct fused_method *method, const double *products, size_t count, uint64_t terms);

/* Whether a GPU of this compute capability ("9.0") has no such instruction; of other methods it has. */
bool fused_is_absent(const struct method *method, const char *capability);

/* The device half of a unit of Hopper (fused_kernels.cu); NULL: the unit has none. */
const struct device_method *fused_device(const struct fused_unit *unit);

/* The parts of accumulators' bounds in which their format of additions is; the others are in claim.h.  Host only. */
#pragma once

#include "claim.h"
#include "portable.h"

/* ---- products (docs/bounds.md, "Products") ----
 *
 * Each makes a claim about n exact products p_i one about the terms that are added, and returns what all terms together
 * are from the products; INFINITY where a product may be out of range.  With n = 1 a result is rounded, too: n >= 2. */

static inline double bound_underflow(const struct claim *of)
{
    return of->sum_abs > 0 ? of->n * (2 * REAL_U * (double)REAL_MIN_NORMAL) : 0;
}

static inline double bound_terms(struct claim *of, double lost)
{
    of->n = of->n == 1 ? 2 : of->n;
    of->abs_s = round_up(of->abs_s + lost);
    of->sum_abs = round_up(of->sum_abs + lost);
    of->max_abs = round_up(of->max_abs * (1 + REAL_U)) + 2 * REAL_U * (double)REAL_MIN_NORMAL;
    return of->max_abs <= (double)REAL_MAX ? lost : INFINITY;
}

/* RN(p_i). */
static inline double bound_rounded_products(struct claim *of)
{
    return bound_terms(of, round_up(bound_one_rounding(REAL_U) * of->sum_abs) + bound_underflow(of));
}

/* RN(p_i) and p_i - RN(p_i), which is at most u p_i: two additions each. */
static inline double bound_exact_products(struct claim *of)
{
    const double lost = bound_terms(of, bound_underflow(of));
    of->sum_abs = round_up(of->sum_abs * (1 + 2 * REAL_U));
    of->n *= 2;
    of->height *= 2;
    return lost;
}

/* p_i, added without an error. */
static inline double bound_whole_products(struct claim *of)
{
    of->n = of->n == 1 ? 2 : of->n;
    return 0;
}

/* p_i, of plain additions: the first of a path, which is exact in a sum, rounds.  That an addition errs by no more than
 * the smaller operand, on which (n-1)u stands, is true of numbers alone: INFINITY leaves the bound by height. */
static inline double bound_fused_products(struct claim *of)
{
    const double lost = bound_terms(of, bound_underflow(of));
    of->n = of->n > 0 ? INFINITY : 0;
    of->height += 1;
    return lost;
}

/* No claim where something on the way can overflow, and none when sum_abs is NaN or infinite.  What is added up on the
 * way, sums or errors, is at most (1 + G1) S and the bound together; twice that covers the operations of a TwoSum
 * (docs/bounds.md, "Overflow").  Where a format saturates there is no TwoSum, and sums up to REAL_SATURATES err by
 * half an ulp at most. */
static inline double bound_unless_overflow(const struct claim *of, double bound)
{
    if (of->n <= 0)
        return 0;
    const double plain = of->sum_abs * (1 + bound_first_order(of->n, of->height, REAL_U));
#ifdef REAL_SATURATES
    return plain <= REAL_SATURATES ? bound : INFINITY;
#else
    const double largest_intermediate = 2 * (plain + bound);
    return largest_intermediate <= (double)REAL_MAX ? bound : INFINITY;
#endif
}

/* The parts of a-priori bounds that no format is in (docs/bounds.md has the proofs).  Host only.
 *
 * n elements, height h, u the unit roundoff, s the exact sum, S = sum |x_i|.  Every function returns an upper bound of
 * its formula: round_up() after each step pays for the step's own roundings.  There is no libm here, because its last
 * bit differs between versions and the bound is printed in every row.
 */
#pragma once

#include "method.h" /* LAMBDA */

#include <float.h>
#include <math.h> /* INFINITY, NAN; sqrt, which is IEEE's */

/* What an accumulator's bound is a function of. */
struct claim {
    double n, height;
    double abs_s, sum_abs, max_abs; /* see struct magnitudes */
    double result_u; /* unit roundoff of the result's format, for methods that round to it once: ROUNDED_ONCE */
};

/* At least v after up to four roundings to nearest. */
static inline double round_up(double v)
{
    return v * (1 + 0x1p-50);
}

static inline double bound_min(double a, double b)
{
    return a < b ? a : b;
}

/* (1+a)(1+b) - 1 */
static inline double bound_compound(double a, double b)
{
    return round_up(a + b + a * b);
}

/* (1+e)^k - 1 by repeated squaring; 0 when k <= 0. */
static inline double bound_growth(double k, double e)
{
    double growth = 0;
    for (uint64_t left = k > 0 ? (uint64_t)k : 0; left > 0; left >>= 1) {
        if (left & 1)
            growth = growth > 0 ? bound_compound(growth, e) : round_up(e); /* infinity times 0 is NaN */
        e = bound_compound(e, e);
    }
    return growth;
}

/* The largest relative error of one addition, u/(1+u), attained at a tie just above a power of two. */
static inline double bound_one_rounding(double u)
{
    return round_up(u / (1 + u));
}

/* G1: the sum of the rounding errors of plain additions, over S.  The first addition of a path is 0 + x: exact. */
static inline double bound_first_order(double n, double height, double u)
{
    if (n <= 1 || height <= 1)
        return 0;
    return bound_min((n - 1) * u, bound_growth(height - 1, bound_one_rounding(u)));
}

/* The same were roundings random and without bias (docs/bounds.md, "Probabilistic bounds"): LAMBDA sqrt(k) u
 * (1+u)^(k-1) S with k = h - 1 roundings on a path. */
static inline double bound_probabilistic_first_order(double n, double height, double u)
{
    if (n <= 1 || height <= 1)
        return 0;
    const double one = bound_one_rounding(u);
    const double probable = round_up(LAMBDA * sqrt(height - 1) * one * (1 + bound_growth(height - 2, one)));
    return bound_min(probable, bound_first_order(n, height, u));
}

/* D2: the error of adding up those errors, over S. */
static inline double bound_second_order(double n, double height, double u)
{
    if (n <= 2 || height <= 2)
        return 0;
    const double growth = bound_growth(height - 1, bound_one_rounding(u));
    return round_up(bound_min(growth * growth, (n - 1) * (n - 2) * u * u));
}

/* D3: the error of adding up the rounding errors of D2's additions, over S. */
static inline double bound_third_order(double n, double height, double u)
{
    if (n <= 3 || height <= 2)
        return 0;
    const double one = bound_one_rounding(u), growth = bound_growth(height - 1, one);
    const double by_height = round_up(growth * growth * bound_growth(2 * (height - 1), one));
    return bound_min(by_height, round_up((n - 1) * (n - 2) * (n - 3) * u * u * u));
}

/* (1+first)(1+each)^(h-1) - 1: an error of `first` for each element and of `each` for each operation on its path. */
static inline double bound_compensated(double height, double first, double each)
{
    return height <= 1 ? 0 : bound_compound(first, bound_growth(height - 1, each));
}

/* An inner error of `inner` S, and one last rounding of the true value to a format of unit roundoff u. */
static inline double bound_last_rounding(const struct claim *of, double u, double inner)
{
    if (of->n <= 1 || of->sum_abs == 0)
        return 0;
    return round_up(bound_one_rounding(u) * of->abs_s + (1 + u) * inner * of->sum_abs);
}

/* ---- results ---- */

/* INFINITY where what is so far from s may be out of the format's range. */
static inline double bound_in_range(double bound, double abs_s, const struct format *result)
{
    return round_up(abs_s + bound) <= format_largest(result) ? bound : (double)INFINITY;
}

/* The last rounding of what was added in a format.  All terms are multiples of 2^last_place, and so is their sum: exact
 * among the subnormals of a result that has them all. */
struct to_result {
    const struct format *added, *result;
    int last_place;
    bool is_counted; /* ROUNDED_ONCE: the bound has it, but for subnormals */
    bool is_finite;  /* the result, so that nothing overflowed */
};

static inline double bound_of_result(double bound, double abs_s, struct to_result of)
{
    const double u = ldexp(1, -of.result->precision);
    if (!format_is_narrower(of.result, of.added) || (abs_s == 0 && bound == 0))
        return bound;
    if (of.result->least_exponent > of.last_place)
        bound = round_up(bound + ldexp(1, of.result->least_exponent - 1));
    if (of.result->precision < of.added->precision && !of.is_counted)
        bound = round_up(bound + bound_one_rounding(u) * (abs_s + bound));
    return round_up(of.is_finite ? bound : bound_in_range(bound, abs_s, of.result));
}

/* ---- roots (docs/bounds.md, "Norms") ---- */

/* No result of a state that is more than one number has fewer than 33 bits. */
#define STATE_U 0x1p-32

/* At least the square of a norm, of which the last bit of a binary64 may be above 0. */
static inline double bound_square(double norm)
{
    return norm > 0 ? round_up(norm * norm) + DBL_TRUE_MIN : norm;
}

/* What sqrt(t) is from s where t is within e of s^2: |sqrt(t) - s| = |t - s^2| / (sqrt(t) + s), and at most sqrt(e).  s
 * is rounded up, once. */
static inline double bound_root(double s, double e)
{
    const double least = s * s * (1 - 0x1p-48) - e; /* of t */
    if (!(least > 0x1p-960))                        /* squares below the normal numbers lose more than that */
        return round_up(sqrt(e));
    return round_up(e / ((s + sqrt(least)) * (1 - 0x1p-48)));
}

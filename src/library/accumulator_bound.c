/* The bound of one accumulator that adds in one format, compiled for each of both as kernels/verbs.c is. */
#include "kernels/portable.h"

#include "bounds.h"
#include "kernels/bound.h"

#include ACCUMULATOR_FILE

#define BOUND PASTE(PASTE(ACC, FORMAT), library_bound)
extern double (*const BOUND)(const struct bounded *of);

#ifdef ABSENT
double (*const BOUND)(const struct bounded *of) = NULL;
#else
static double round_up_count(uint64_t n)
{
    return n < UINT64_C(1) << 53 ? (double)n : round_up((double)n);
}

static bool holds(const struct format *format)
{
    return format->precision >= REAL_PRECISION && format->least_exponent <= REAL_FORMAT.least_exponent &&
           format->overflow_exponent >= REAL_FORMAT.overflow_exponent;
}

/* Adds the rounding to the format of the result, where that does not hold all that is added in. */
static double with_result_rounding(double bound, const struct bounded *of)
{
    if (holds(of->result) || of->sum_abs == 0)
        return bound;
    const double u = ldexp(1, -of->result->precision), largest = ldexp(2 - 2 * u, of->result->overflow_exponent - 1);
    if (of->result->least_exponent > REAL_FORMAT.least_exponent || of->rounds_terms)
        bound = round_up(bound + ldexp(1, of->result->least_exponent - 1));
#if A(ROUNDED_ONCE)
    const bool is_rounded_again = false;
#else
    const bool is_rounded_again = of->result->precision < REAL_PRECISION;
#endif
    if (is_rounded_again)
        bound = round_up(bound + bound_one_rounding(u) * (of->abs_s + bound));
    return of->is_finite || round_up(of->abs_s + bound) <= largest ? round_up(bound) : (double)INFINITY;
}

/* Of a finite result of plain additions (docs/bounds.md, P1): nothing overflowed on its way. */
static double bound_of_finite(const struct claim *of)
{
    return round_up(bound_first_order(of->n, of->height, REAL_U) * of->sum_abs);
}

/* A product may be fused into its addition or not: as many roundings on its path, and fused is what a claim is made for
 * by height alone. */
static double bound(const struct bounded *of)
{
    const double height = fmin(round_up_count(of->height), 0x1p63); /* an integer; 2^63 roundings are no bound either */
    struct claim claim = {
        round_up_count(of->n),           height, of->abs_s, of->sum_abs, of->is_finite ? 0 : of->sum_abs,
        ldexp(1, -of->result->precision)};
    const double lost = of->rounds_terms ? bound_fused_products(&claim) : 0;
    const double added = of->is_finite ? bound_of_finite(&claim) : A(bound)(&claim);
    return with_result_rounding(lost > 0 ? round_up(added + lost) : added, of);
}

double (*const BOUND)(const struct bounded *of) = bound;
#endif

/* The bound of one accumulator that adds in one format, compiled for each of both as kernels/verbs.c is. */
#include "kernels/portable.h"

#include "bounds.h"
#include "kernels/bound.h"

#include ACCUMULATOR_FILE

#include <limits.h>

#define BOUND PASTE(PASTE(ACC, FORMAT), library_bound)
extern double (*const BOUND)(const struct bounded *of);

#ifdef ABSENT
double (*const BOUND)(const struct bounded *of) = NULL;
#else
#if A(ROUNDED_ONCE)
enum { ROUNDED_ONCE = true };
#else
enum { ROUNDED_ONCE = false };
#endif

static double round_up_count(uint64_t n)
{
    return n < UINT64_C(1) << 53 ? (double)n : round_up((double)n);
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
    const int last_place = of->rounds_terms ? INT_MIN : REAL_FORMAT.least_exponent;
    return bound_of_result(lost > 0 ? round_up(added + lost) : added, of->abs_s,
                           (struct to_result){&REAL_FORMAT, of->result, last_place, ROUNDED_ONCE, of->is_finite});
}

double (*const BOUND)(const struct bounded *of) = bound;
#endif

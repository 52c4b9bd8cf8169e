/* A theorem about |computed - s| as the two parts of a tolerance: docs/tolerance.md has the proof. */
#include "tolerance.h"

#include "kernels/replay.h"

#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

#define UP (1 + 0x1p-40) /* above what few operations of binary64 lose */
#define TINY 0x1p-1000   /* of a sum so small a bound is what underflow adds */

static double bound_of(const struct theorem *theorem, double abs_s, double sum_abs)
{
    const struct magnitudes of = {abs_s, sum_abs, sum_abs};
    double bound = 0;
    for (size_t m = 0; m < 2; m++) {
        const struct method *const method = theorem->methods[m];
        if (!method)
            continue;
        const double one =
            theorem->height == 0 ? (theorem->is_model ? method_probabilistic_bound : method_bound)(method, theorem->n,
                                                                                                   theorem->launch, &of)
            : theorem->is_model  ? replay_probabilistic_bound(method, theorem->n, theorem->height, &of)
                                : replay_bound(method, theorem->n, (struct plain_tree){.height = theorem->height}, &of);
        bound = one > bound || isnan(one) ? one : bound;
    }
    return bound;
}

/* u of `expected`; and the comparison in the format of results: a difference is rounded up, and the tolerance itself,
 * its product and the sum down. */
static double of_comparison(double relative, double u)
{
    return relative * (1 + u) * ((1 + u) / pow(1 - u, 3)) * UP;
}

double theorem_underflow(const struct theorem *theorem)
{
    const struct method *const method = theorem->methods[0];
    const double lost = bound_of(theorem, TINY, TINY);
    return method->operation == OPERATION_sum && lost < TINY ? 0 : lost + ldexp(1, method->format->least_exponent);
}

bool theorem_pair(const struct theorem *theorem, const struct tolerance_class *class, bool is_relative,
                  struct tolerance_pair *pair, const char **why)
{
    const struct method *const method = theorem->methods[0];
    const double u = ldexp(1, -method->format->precision), sum_abs = class->sum_abs, s = sum_abs / class->condition;
    const double rounding = of_comparison(u, u);
    const double most = bound_of(theorem, sum_abs, sum_abs), least = bound_of(theorem, 0, sum_abs);
    const double bound = bound_of(theorem, s, sum_abs);
    const bool is_vacuous = !(two_digits_up(bound / sum_abs) < 1) || (is_relative && s == 0);
    *why = isnan(most)   ? "no model of such roundings is known"
           : isinf(most) ? "sums of so much may overflow"
           : is_vacuous  ? "the bound is as large as the sum of the magnitudes"
                         : NULL;
    const double underflow = theorem_underflow(theorem);
    const double of_s = most > least ? (most - least) / sum_abs : 0; /* every bound grows with |s| in a line */
    *pair = is_relative
                ? (struct tolerance_pair){of_comparison(bound / s, u) + rounding, of_comparison(underflow, u)}
                : (struct tolerance_pair){of_comparison(of_s, u) + rounding, of_comparison(least + underflow, u)};
    pair->relative = two_digits_up(pair->relative);
    pair->absolute = two_digits_up(pair->absolute);
    return !*why;
}

double two_digits_up(double value)
{
    char text[32];
    mpfr_t exact;
    if (!isfinite(value))
        return value;
    snprintf(text, sizeof text, "%.1e", value); /* which may be it: no number is rounded up twice */
    if (strtod(text, NULL) >= value)
        return strtod(text, NULL);
    mpfr_init2(exact, 53);
    mpfr_set_d(exact, value, MPFR_RNDN);
    mpfr_snprintf(text, sizeof text, "%.1RUe", exact);
    mpfr_clear(exact);
    return strtod(text, NULL);
}

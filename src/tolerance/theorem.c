/* A theorem about |computed - s| as the two parts of a tolerance: docs/tolerance.md has the proof. */
#include "tolerance.h"

#include "kernels/replay.h"

#include <mpfr.h>

#define UP (1 + 0x1p-40) /* above what few operations of binary64 lose */
#define LEAST 0x1p-1074  /* of a sum so small a bound is what underflow adds */

static double bound_of(const struct theorem *theorem, const struct method *method, double abs_s, double sum_abs)
{
    const struct magnitudes of = {abs_s, sum_abs, sum_abs, NULL};
    if (theorem->height == 0)
        return (theorem->is_model ? method_probabilistic_bound : method_bound)(method, theorem->n, theorem->launch,
                                                                               &of);
    return theorem->is_model ? replay_probabilistic_bound(method, theorem->n, theorem->height, &of)
                             : replay_bound(method, theorem->n, (struct plain_tree){.height = theorem->height}, &of);
}

/* bound <= of_s |s| + of_sum S + underflow, for every S <= X (docs/bounds.md, "As parts of a tolerance"). */
struct parts {
    double of_s, of_sum, underflow;
};

static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

/* Those of one method, from its bounds at three points; `lost` is left out of of_sum only as far as that is sure. */
static struct parts parts_of(const struct theorem *theorem, const struct method *method, double sum_abs)
{
    const double at = fmax(sum_abs, 1); /* where underflow is little */
    const double most = bound_of(theorem, method, at, at), least = bound_of(theorem, method, 0, at);
    const double lost = bound_of(theorem, method, LEAST, LEAST);
    return (struct parts){most > least ? (most - least) / at : 0, larger(least - lost * (1 - 0x1p-40), 0) / at, lost};
}

static struct parts parts_of_both(const struct theorem *theorem, double sum_abs)
{
    struct parts parts = parts_of(theorem, theorem->methods[0], sum_abs);
    if (theorem->methods[1]) {
        const struct parts other = parts_of(theorem, theorem->methods[1], sum_abs);
        parts = (struct parts){larger(parts.of_s, other.of_s), larger(parts.of_sum, other.of_sum),
                               larger(parts.underflow, other.underflow)};
    }
    return parts;
}

/* The comparison in the format of results: a difference is rounded up, and the tolerance itself, its product and the
 * sum down. */
double tolerance_of_comparison(double part, double u)
{
    return two_digits_up(part * ((1 + u) / pow(1 - u, 3)) * UP);
}

/* Of a sum without atomics that flush there is none.  Where half the least number or less is expected to be 0, `of_s`
 * times that is in no part of |expected|. */
static double underflow_of(const struct method *method, double lost, double of_s)
{
    return method->operation == OPERATION_sum && lost < 0x1p-1000
               ? 0
               : lost + ceil(fmax(1, (1 + of_s) / 2)) * ldexp(1, method->format->least_exponent);
}

double theorem_underflow(const struct theorem *theorem)
{
    const struct method *const method = theorem->methods[0];
    return method->role == INTEGER_SUMS ? 1 : underflow_of(method, parts_of_both(theorem, 1).underflow, 0);
}

bool theorem_pair(const struct theorem *theorem, const struct tolerance_class *class, bool is_relative,
                  struct tolerance_pair *pair, const char **why)
{
    const struct method *const method = theorem->methods[0];
    const double u = ldexp(1, -method->format->precision), sum_abs = class->sum_abs, s = sum_abs / class->condition;
    const struct parts parts = parts_of_both(theorem, sum_abs);
    const double of_s = parts.of_s + (is_relative ? parts.of_sum * class->condition : 0);
    const double underflow = underflow_of(method, parts.underflow, of_s);
    double most = 0, bound = 0;
    for (size_t m = 0; m < 2 && theorem->methods[m]; m++) {
        most = larger(bound_of(theorem, theorem->methods[m], sum_abs, sum_abs), most);
        bound = larger(bound_of(theorem, theorem->methods[m], s, sum_abs), bound);
    }
    const bool is_vacuous = !(two_digits_up(bound / sum_abs) < 1) || (is_relative && s == 0);
    *why = isnan(most)   ? "no model of such roundings is known"
           : isinf(most) ? "sums of so much may overflow"
           : is_vacuous  ? "the bound is as large as the sum of the magnitudes"
                         : NULL;
    const double rest = underflow + (is_relative ? 0 : parts.of_sum * sum_abs);
    *pair = (struct tolerance_pair){tolerance_of_comparison((of_s + u) * (1 + u), u), tolerance_of_comparison(rest, u)};
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

/* What sums and what is computed of them may err by: five rules, one for each operation that rounds (docs/bounds.md).
 * Host only. */
#pragma once

#include "claim.h"
#include "statistic_bound.h"

/* |exact| <= value, |computed - exact| <= error; INFINITY: no claim. */
struct bounded {
    double value, error;
};

/* ---- what a format does ---- */

static inline double unit(const struct format *in)
{
    return ldexp(1, -in->precision);
}

static inline double one_rounding(const struct format *in)
{
    return bound_one_rounding(unit(in));
}

/* What our own steps lose where they underflow. */
#define OWN_UNDERFLOW 0x1p-1060

/* What * and / may lose below the normal numbers: half the least number. */
static inline double half_least(const struct format *in)
{
    return ldexp(1, in->least_exponent - 1) + OWN_UNDERFLOW;
}

/* A relative error of so many roundings. */
static inline double roundings(const struct format *in, int count)
{
    return bound_growth(count, one_rounding(in));
}

/* t where the quotient by a count, rounded to the format, is 1 + t times that by the count itself. */
static inline double count_error(const struct format *in, uint64_t n)
{
    return (double)n > ldexp(1, in->precision) ? unit(in) : 0;
}

/* ---- the five rules ---- */

/* |fl(w) - w| <= ub |w| + q/2 where |w| is at most the exact value and what was propagated; + and roots need no q/2. */
static inline struct bounded rounded(const struct format *in, double value, double propagated, double underflow)
{
    const double most = round_up(value + propagated);
    const double error = round_up(propagated + one_rounding(in) * most + (underflow + OWN_UNDERFLOW));
    return (struct bounded){value, most <= format_largest(in) ? error : (double)INFINITY};
}

static inline struct bounded add(const struct format *in, struct bounded x, struct bounded y, double exact)
{
    return rounded(in, exact, x.error + y.error, 0);
}

static inline struct bounded mul(const struct format *in, struct bounded x, struct bounded y)
{
    const double propagated = round_up(x.value * y.error + y.value * x.error + x.error * y.error);
    return rounded(in, round_up(x.value * y.value), propagated, half_least(in));
}

/* x^/y^ - x/y = (x^ - x - (y^ - y) x/y) / y^; |y| is at least y_below. */
static inline struct bounded quotient(const struct format *in, struct bounded x, struct bounded y, double y_below)
{
    const double least = (y_below - y.error) * (1 - 0x1p-50), exact = round_up(x.value / y_below);
    const double propagated = least > 0 ? round_up((x.error + exact * y.error) / least) : (double)INFINITY;
    return rounded(in, exact, propagated, half_least(in));
}

static inline struct bounded root(const struct format *in, struct bounded x, double x_below)
{
    return rounded(in, round_up(sqrt(x.value)), bound_root(sqrt(x_below), x.error), 0);
}

static inline struct bounded count(const struct format *in, uint64_t n)
{
    return (struct bounded){(double)n, fabs(rounded_to((double)n, in) - (double)n)};
}

static inline struct bounded per(const struct format *in, struct bounded x, uint64_t n)
{
    return quotient(in, x, count(in, n), (double)n);
}

static inline struct bounded converted(const struct format *from, const struct format *to, struct bounded x)
{
    return format_is_narrower(to, from) ? rounded(to, x.value, x.error, half_least(to)) : x;
}

/* ---- sums ---- */

static inline struct bounded sum_of_data(const struct statistic_claim *claim, struct magnitudes exact)
{
    return (struct bounded){exact.abs_s, claim->of_data.of(claim->of_data.context, claim->n, &exact)};
}

/* Each term is made with an error of `relative` of it, and of `absolute`. */
static inline struct bounded sum_of_terms(const struct statistic_claim *claim, struct magnitudes exact, double relative,
                                          double absolute)
{
    const double lost = round_up(relative * exact.sum_abs + (double)claim->n * absolute + OWN_UNDERFLOW);
    const struct magnitudes made = {round_up(exact.abs_s + lost), round_up(exact.sum_abs + lost),
                                    round_up(exact.max_abs * (1 + relative) + absolute), NULL};
    const double added = claim->of_terms.of(claim->of_terms.context, claim->n, &made);
    return (struct bounded){exact.abs_s,
                            made.max_abs <= format_largest(claim->added) ? round_up(added + lost) : (double)INFINITY};
}

static inline struct bounded sum_of_products(const struct statistic_claim *claim, double abs_s, double sum_abs,
                                             double max_abs)
{
    return sum_of_terms(claim, (struct magnitudes){abs_s, sum_abs, max_abs, NULL}, one_rounding(claim->added),
                        half_least(claim->added));
}

static inline struct bounded sum_of_squares(const struct statistic_claim *claim, double sum, double max_abs)
{
    return sum_of_products(claim, sum, sum, max_abs);
}

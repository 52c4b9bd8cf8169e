#include "softmax_bound.h"

#include "bounded.h"
#include "src/base/elementary.h"

/* ---- exp and log of bounds: at least their values ---- */

/* e^a - 1, a >= 0 */
static double exp_less_1(double a)
{
    return a < 0x1p-10 ? round_up(a + a * a) : round_up(exp_any(a) - 1) * (1 + 0x1p-38);
}

/* log(1 + a), a >= 0 */
static double log_of_1_and(double a)
{
    return a < 0x1p-10 ? a : log_any(1 + a) * (1 + 0x1p-38);
}

/* -log(1 - a), a >= 0 */
static double log_of_1_less(double a)
{
    return a < 0x1p-10 ? round_up(a + a * a) : a < 1 ? -log_any(1 - a) * (1 + 0x1p-38) : (double)INFINITY;
}

/* ---- what exp and log err by in a format ---- */

/* Relative to e^t, and what may be lost beside it where the result is below the normal numbers. */
struct exp_error {
    double relative, lost;
};

static struct exp_error exp_error(const struct statistic_claim *claim, const struct format *in)
{
    const bool is_fast = claim->algorithm == BY_FAST_EXP;
    const double own = is_fast ? EXP_FAST_ERROR : EXP_ERROR, flushed = is_fast ? 0x1p-126 : 0;
    const bool is_rounded = in->precision < (is_fast ? 24 : 53);
    return (struct exp_error){is_rounded ? bound_compound(own, one_rounding(in)) : own, half_least(in) + flushed};
}

static double log_error(const struct format *in)
{
    return in->precision < 53 ? bound_compound(LOG_ERROR, one_rounding(in)) : LOG_ERROR;
}

/* ---- the sum of exponentials ---- */

/* How often on a path from a number to the result an exponential may be below the normal numbers, whose arguments add
 * up to z. */
static double times_below_normal(const struct statistic_claim *claim, const struct moments *of)
{
    const int own = claim->added->least_exponent + claim->added->precision - 1;
    const int normal = claim->algorithm == BY_FAST_EXP && own < -126 ? -126 : own;
    const double reach = round_up((of->largest - of->least) * (1 + one_rounding(claim->added)));
    return floor(reach / (-0x1.62e42p-1 * normal));
}

/* sum e^z (e^(ub |z|) - 1), what rounding x - M costs: at most ub e^(ub Z) sum e^z |z|, |z| <= Z = -log(q/2), and below
 * that q/2 e^(ub Z) each. */
static double moved(const struct statistic_claim *claim, const struct moments *of)
{
    if (claim->algorithm == BY_EXP)
        return 0;
    const double ub = one_rounding(claim->added), least = ldexp(1, claim->added->least_exponent);
    const double ends = (1 - claim->added->least_exponent) * 0x1.62e43p-1, range = round_up(of->largest - of->least);
    const double most = 1 + exp_less_1(round_up(ub * bound_min(ends, range)));
    return round_up(most * (ub * of->exps_moved + (range > ends ? of->unmasked * least : 0)));
}

/* What the log of the computed sum is off by: INFINITY where that may be 0, or overflow.  D is the exact sum, between
 * below and above. */
static double of_terms(const struct statistic_claim *claim, const struct moments *of, double below, double above)
{
    const struct exp_error exp = exp_error(claim, claim->added);
    const double scale = claim->algorithm == BY_EXP ? exp_any(of->largest) * (1 + 0x1p-50) : 1;
    const double lost = times_below_normal(claim, of) > 0 || claim->algorithm == BY_EXP ? of->unmasked * exp.lost : 0;
    const double made = round_up(exp.relative * above + (1 + exp.relative) * moved(claim, of) + lost);
    const struct magnitudes terms = {round_up(above + made), round_up(above + made),
                                     round_up(scale * (1 + exp.relative) + lost), NULL};
    const double added = claim->of_terms.of(claim->of_terms.context, claim->n, &terms);
    if (!(terms.max_abs <= format_largest(claim->added)) || !(added < INFINITY) || !(below > 0))
        return INFINITY;
    const double off = round_up((above - below + made) / below), all = round_up((above - below + made + added) / below);
    if (!claim->sums_are_plain)
        return log_of_1_less(all);
    /* of terms >= 0 no sum is below theirs over 1 + g */
    const double g = claim->n > 1 ? bound_min(((double)claim->n - 1) * unit(claim->added),
                                              bound_growth((double)claim->height - 1, unit(claim->added)))
                                  : 0;
    return fmax(round_up(log_of_1_and(g) + log_of_1_less(off)), log_of_1_and(all));
}

/* As many rescalings as additions may be on a path, whose arguments add up to z. */
static double of_online(const struct statistic_claim *claim, const struct moments *of)
{
    const struct format *in = claim->added;
    const struct exp_error exp = exp_error(claim, in);
    const double k = claim->height > 1 ? (double)claim->height - 1 : 0, n = (double)claim->n;
    const double off = round_up(2 * k * unit(in) + (1 + k) * log_of_1_less(exp.relative));
    const double times = bound_min(times_below_normal(claim, of), 1 + k);
    const double below = of->unmasked * (times * exp.lost + (times > 0 ? half_least(in) : 0));
    const double lost = below > 0 ? round_up((1 + exp_less_1(2 * off)) * below) : 0;
    const double most = round_up(n * (1 + bound_min(n * unit(in), bound_growth(k, one_rounding(in)))));
    const double r = round_up((of->exps - of->exps_below + moved(claim, of) + lost) / of->exps_below);
    return most <= format_largest(in) ? round_up(off + log_of_1_less(r)) : (double)INFINITY;
}

/* |log(computed sum) - log(exact)| */
static double log_off(const struct statistic_claim *claim, const struct moments *of)
{
    const double scale = claim->algorithm == BY_EXP ? exp_any(of->largest) : 1;
    const double off = claim->algorithm == BY_ONLINE
                           ? of_online(claim, of)
                           : of_terms(claim, of, of->exps_below * scale * (1 - 0x1p-50), round_up(of->exps * scale));
    return off >= 0 ? off : (double)INFINITY;
}

/* ---- results ---- */

/* The computed log of the sum, before M is added. */
static double of_log(const struct statistic_claim *claim, const struct moments *of, double off)
{
    const double value = claim->algorithm == BY_EXP ? of->abs_lse : of->log_exps;
    return round_up(off + log_error(claim->formula) * (value + off));
}

static struct bounded lse(const struct statistic_claim *claim, const struct moments *of, double off)
{
    const double error = of_log(claim, of, off);
    return claim->algorithm == BY_EXP ? (struct bounded){of->abs_lse, error}
                                      : rounded(claim->formula, of->abs_lse, error, 0);
}

/* Grows with the exact result, which may be less than abs_result. */
static struct bounded softmax(const struct statistic_claim *claim, const struct moments *of, double off)
{
    const struct format *in = claim->formula;
    const struct exp_error exp = exp_error(claim, in);
    const double ub = one_rounding(in), p = claim->abs_result,
                 log_p = p > 0 ? fmax(0x1p-50 - log_any(p) * (1 + 0x1p-50), 0) : 0;
    if (claim->algorithm == BY_LOGSUMEXP) {
        const double moved = round_up((1 + ub) * lse(claim, of, off).error + ub * log_p);
        return (struct bounded){p, round_up(p * bound_compound(exp.relative, exp_less_1(moved)) + exp.lost)};
    }
    const bool is_naive = claim->algorithm == BY_EXP;
    const double z = is_naive ? 0 : fmax(round_up(log_p - of->log_exps_below), 0);
    const double sum = of->exps_below * (is_naive ? exp_any(of->largest) : 1) * (1 - 0x1p-49);
    const double each = bound_compound(exp.relative, exp_less_1(round_up(ub * z + off)));
    const double lost = round_up((1 + ub) * (1 + exp_less_1(off)) * exp.lost / sum);
    return (struct bounded){p, round_up(p * bound_compound(ub, each) + lost + half_least(in))};
}

static struct bounded log_softmax(const struct statistic_claim *claim, const struct moments *of, double off)
{
    const struct format *in = claim->formula;
    const double log_p = claim->abs_result, z = fmax(round_up(log_p - of->log_exps_below), 0);
    const bool is_last = claim->algorithm == BY_LOGSUMEXP;
    const double before = is_last ? lse(claim, of, off).error : one_rounding(in) * z + of_log(claim, of, off);
    return rounded(in, log_p, round_up(before), 0);
}

/* lse sum y - sum x y, y >= 0; of a masked x no product is a number. */
static struct bounded cross_entropy(const struct statistic_claim *claim, const struct moments *of, double off)
{
    const struct format *in = claim->formula;
    const double y = of->sum_weights_abs, xy = round_up(fabs(of->largest) * y + of->weighted_offsets);
    const struct bounded products = sum_of_products(claim, xy, xy, xy),
                         weights = sum_of_data(claim, (struct magnitudes){y, y, y, NULL});
    return of->unmasked == of->n ? add(in, mul(in, lse(claim, of, off), weights), products, claim->abs_result)
                                 : (struct bounded){0, INFINITY};
}

double softmax_bound(const struct statistic_claim *claim, const struct moments *of)
{
    const double off = claim->n > 0 ? log_off(claim, of) : (double)INFINITY;
    if (!(off < INFINITY))
        return INFINITY;
    const struct bounded result = claim->of == SOFTMAX       ? softmax(claim, of, off)
                                  : claim->of == LOG_SOFTMAX ? log_softmax(claim, of, off)
                                  : claim->of == LOGSUMEXP   ? lse(claim, of, off)
                                                             : cross_entropy(claim, of, off);
    const double error = converted(claim->formula, claim->result, result).error;
    return error >= 0 ? error : (double)INFINITY;
}

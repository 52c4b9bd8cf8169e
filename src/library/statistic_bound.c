#include "statistic_bound.h"

#include "bounds.h"
#include "kernels/claim.h"
#include "kernels/statistic_bound.h"

bool statistic_has_bound(const struct problem *problem)
{
    return !problem->has_products && !format_is_narrower(problem->added, problem->terms_format);
}

/* Of a sum of plain additions, before any other rounding. */
struct plain_sums {
    const struct format *added;
    uint64_t height;
};

static double plain_sum(const void *context, uint64_t n, const struct magnitudes *of)
{
    const struct plain_sums *const sums = context;
    const struct bounded bounded = {n, sums->height, of->abs_s, of->sum_abs, false, true, &FORMAT_BINARY64};
    return bound_of("plain", sums->added, &bounded);
}

/* Of the numbers' own sums that a value tells, rounded up: n |mean| is |s|; of Q = sum x^2 and C = sum (x - mean)^2
 *
 *   s^2 = n (Q - C)      S <= root (n Q)      max |x| <= root Q      max - min <= root (2 C) */
static struct moments magnitudes_in(const struct problem *problem, const struct ulpscope_value *value)
{
    const double n = (double)problem->terms, divisor = (double)(problem->terms - problem->ddof);
    const bool is_mean = problem->operation == ULPSCOPE_MEAN;
    const bool is_root = problem->operation == ULPSCOPE_STD || problem->operation == ULPSCOPE_RMS;
    const bool is_centred = problem->operation == ULPSCOPE_VARIANCE || problem->operation == ULPSCOPE_STD;
    const double times = is_centred ? divisor : n, v = value->abs_above, scale = value->sum_abs_above;
    const double numerator = round_up(times * round_up(is_root ? round_up(v * v) : v)),
                 all = round_up(times * round_up(is_root ? round_up(scale * scale) : scale)),
                 below = numerator * (1 - 0x1p-45), root = round_up(sqrt(all));
    if (is_mean)
        return (struct moments){.sum_abs = all, .abs_sum = numerator, .max_abs = all, .range = 2 * all};
    const double sum = round_up(sqrt(round_up(n * all)));
    return (struct moments){.sum_abs = sum,
                            .abs_sum = sum,
                            .max_abs = root,
                            .sum_squares = all,
                            .sum_squares_below = all * (1 - 0x1p-45),
                            .range = round_up(sqrt(2 * numerator)),
                            .centred = numerator,
                            .centred_below = below};
}

double statistic_bound_of(const struct problem *problem, struct plain_tree tree, const struct ulpscope_value *value)
{
    static const enum statistic_algorithm means[] = {BY_SUM_THEN_DIVIDE, BY_TIMES_RECIPROCAL, BY_SCALED_FIRST},
                                          squares[] = {BY_SQUARES},
                                          variances[] = {BY_TWO_PASS, BY_TWO_PASS_CORRECTED, BY_WELFORD};
    const bool is_any_order = tree.height >= problem->terms;
    const bool is_mean = problem->operation == ULPSCOPE_MEAN,
               is_square = problem->operation == ULPSCOPE_MEAN_SQUARE || problem->operation == ULPSCOPE_RMS;
    const enum statistic_algorithm *const by = is_mean ? means : is_square ? squares : variances;
    const size_t count = is_mean ? 3 : is_square ? 1 : is_any_order ? 3 : 2;
    const struct plain_sums sums = {problem->added, tree.height};
    double most = 0;
    if (!statistic_has_bound(problem) || problem->terms <= problem->ddof || problem->ddof > 1 || tree.atomics > 0 ||
        isnan(value->condition))
        return (double)INFINITY;
    const struct moments of = magnitudes_in(problem, value);
    for (size_t b = 0; b < count; b++) {
        const struct statistic_claim claim = {
            .algorithm = by[b],
            .of_sample = problem->ddof == 1,
            .is_root = problem->operation == ULPSCOPE_STD || problem->operation == ULPSCOPE_RMS,
            .added = problem->added,
            .formula = problem->added,
            .result = problem->result,
            .of_data = {plain_sum, &sums},
            .of_terms = {plain_sum, &sums},
            .n = problem->terms,
            .height = tree.height,
        };
        most = fmax(most, statistic_bound(&claim, &of));
    }
    return most;
}

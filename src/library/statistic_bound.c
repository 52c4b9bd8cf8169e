#include "statistic_bound.h"

#include "bounds.h"
#include "kernels/claim.h"
#include "kernels/statistic_bound.h"

bool statistic_has_bound(const struct problem *problem)
{
    return !problem_is_of_exponentials(problem) && !format_is_narrower(problem->added, problem->terms_format) &&
           (!problem->has_products || !format_is_narrower(problem->added, format_of(problem->y.format)));
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

/* The theorems that are held at once; of steps one after another the last is, and in any order alone. */
static const struct {
    enum statistic_algorithm by[3];
    size_t count, in_a_tree;
} algorithms[] = {
    [ULPSCOPE_MEAN] = {{BY_SUM_THEN_DIVIDE, BY_TIMES_RECIPROCAL, BY_SCALED_FIRST}, 3, 3},
    [ULPSCOPE_MEAN_SQUARE] = {{BY_SQUARES}, 1, 1},
    [ULPSCOPE_RMS] = {{BY_SQUARES}, 1, 1},
    [ULPSCOPE_VARIANCE] = {{BY_TWO_PASS, BY_TWO_PASS_CORRECTED, BY_WELFORD}, 3, 2},
    [ULPSCOPE_STD] = {{BY_TWO_PASS, BY_TWO_PASS_CORRECTED, BY_WELFORD}, 3, 2},
    [ULPSCOPE_MEAN_WEIGHTED] = {{BY_WEIGHTS}, 1, 1},
    [ULPSCOPE_COSINE] = {{BY_COSINE}, 1, 1},
    [ULPSCOPE_LAYER_NORM] = {{BY_TWO_PASS, BY_WELFORD}, 2, 1},
    [ULPSCOPE_RMS_NORM] = {{BY_SQUARES}, 1, 1},
};

static double bound_of_row(const struct problem *problem, struct plain_tree tree, const struct moments *moments,
                           double abs_result)
{
    const struct plain_sums sums = {problem->added, tree.height};
    const bool is_any_order = tree.height >= problem->terms;
    const size_t count = is_any_order ? algorithms[problem->operation].count : algorithms[problem->operation].in_a_tree;
    double most = 0;
    for (size_t b = 0; b < count; b++) {
        const struct statistic_claim claim = {
            .algorithm = algorithms[problem->operation].by[b],
            .of_sample = problem->ddof == 1,
            .is_root = problem->operation == ULPSCOPE_STD || problem->operation == ULPSCOPE_RMS,
            .normalizes = problem_is_per_number(problem),
            .eps = problem->eps,
            .abs_result = abs_result,
            .added = problem->added,
            .formula = problem->added,
            .result = problem->result,
            .of_data = {plain_sum, &sums},
            .of_terms = {plain_sum, &sums},
            .n = problem->terms,
            .height = tree.height,
        };
        most = fmax(most, statistic_bound(&claim, moments));
    }
    return most;
}

/* Of a norm a bound is a + b |s|, but for 20 roundings up of 2^-50, up to the largest that there is, root(n); of the
 * others the value is among the moments. */
struct bound_line statistic_bound_line(const struct problem *problem, struct plain_tree tree,
                                       const struct moments *moments)
{
    const double most = sqrt((double)problem->terms) + 1;
    if (!moments || !statistic_has_bound(problem) || problem->terms <= problem->ddof || problem->ddof > 1 ||
        tree.atomics > 0)
        return (struct bound_line){(double)INFINITY, 0};
    const double of_0 = bound_of_row(problem, tree, moments, 0);
    const double of_most = problem_is_per_number(problem) ? bound_of_row(problem, tree, moments, most) : of_0;
    return isinf(of_most) ? (struct bound_line){of_most, 0} : (struct bound_line){of_0, (of_most - of_0) / most};
}

double bound_at(struct bound_line line, double abs_s)
{
    return line.growth > 0 ? (line.of_0 + line.growth * abs_s) * (1 + 0x1p-40) : line.of_0;
}

#include "judge.h"

#include "bounds.h"
#include "cause.h"
#include "problem.h"
#include "reference/near.h"
#include "results.h"
#include "src/base/status.h"
#include "statistic_bound.h"
#include "verdict_words.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <sys/param.h>

/* atomicAdd flushes two subnormals for each sum of binary32 (kernels/accumulators/plain.h); a result has half a place
 * at most on top. */
double judge_bound(const struct problem *problem, struct plain_tree tree, const struct ulpscope_value *value,
                   const struct moments *moments)
{
    if (problem_is_statistic(problem))
        return isnan(value->condition) ? (double)INFINITY
                                       : bound_at(statistic_bound_line(problem, tree, moments), value->abs_above);
    const bool flushes = problem->added->precision == FORMAT_BINARY32.precision;
    const double lost = flushes ? tree.atomics * 2 * (double)FLT_MIN : 0;
    const double bound = bound_in_tree(problem->has_products, problem->terms_format, problem->added, problem->result,
                                       problem->terms, tree.height, value->abs_above, value->sum_abs_above);
    return lost > 0 ? nextafter(bound + 2 * lost, (double)INFINITY) : bound;
}

double judge_bound_at(const struct problem *problem, struct plain_tree tree, const struct result *result,
                      struct bound_line *line)
{
    const struct ulpscope_value *const value = &result->error->exact;
    const struct problem of = problem_of_result(problem, result->row, result->column);
    tree.height = MIN(tree.height, of.terms);
    if (!problem_is_statistic(problem))
        return judge_bound(&of, tree, value, NULL);
    if (result->column == 0)
        *line = statistic_bound_line(problem, tree, result->moments);
    return isnan(value->condition) ? (double)INFINITY : bound_at(*line, value->abs_above);
}

/* A cause is looked for in copies of the elements, 16 or 32 bytes each, some twenty times over. */
enum { CAUSE_TERMS_MOST = 1 << 22 };

struct judgement {
    const struct problem *problem;
    struct library_limit limit;
    struct plain_tree tree; /* of its bound */
    struct ulpscope_verdict *verdict;
    struct visitor visitor;
    struct bound_line line;              /* of the row in hand */
    struct moments moments;              /* of the worst, */
    const struct moments *worst_moments; /* or NULL */
    struct pair row_sum;                 /* of the results of the row in hand, a softmax, */
    double divergence;                   /* and p ln(p / result) */
    struct ulpscope_error first;         /* that fails, and its place */
    uint64_t first_row, first_column, like_before, like_own;
    double before; /* the exact result before; like_before: those that fail, and are 16 times nearer to it; like_own:
                      those that pass, and are 16 times farther from it */
    double worst_share, worst_off; /* a share that passes is less than one that does not, whatever it is off by */
    uint64_t zeros_pass, last_dropped_pass;
    bool has_rows;
};

/* What a limit allows of a bound, rounded down. */
static double share_of(const struct library_limit *limit, double bound)
{
    return limit->most == 1 ? bound : nextafter(limit->most * bound, 0);
}

/* Beyond binary64 error and bound are infinite; as shares of sum |x_i| they are not. */
static struct library_limit limit_for(const struct judgement *judgement, const struct result *result, double bound)
{
    struct library_limit limit = judgement->limit;
    if (limit.unit == LIMIT_AUTO && isinf(bound) && !problem_is_statistic(judgement->problem)) {
        const struct problem of = problem_of_result(judgement->problem, result->row, result->column);
        limit.unit = LIMIT_BACKWARD;
        limit.most = share_of(&limit, judge_bound(&of, judgement->tree,
                                                  &(struct ulpscope_value){.abs_above = 1, .sum_abs_above = 1}, NULL));
    }
    return limit;
}

static bool holds(const struct library_limit *limit, const struct ulpscope_error *of, double bound)
{
    struct ulpscope_error error = *of;
    error.bound = bound;
    return limit_holds(limit, &error);
}

/* What is said of a result of 0. */
static struct ulpscope_error error_of_zero(const struct ulpscope_value *exact)
{
    const double off = exact->abs_above, none = off > 0 ? 1 : 0;
    return (struct ulpscope_error){.exact = *exact,
                                   .error = off,
                                   .ulp_error = off / exact->ulp,
                                   .relative_error = none,
                                   .backward_error = off > 0 ? 1 / exact->condition : 0};
}

/* Of a row as probabilities, as verdicts have them. */
static void judge_row(struct judgement *judgement, const struct result *result)
{
    struct ulpscope_verdict *const verdict = judgement->verdict;
    const struct ulpscope_error *const error = result->error;
    const double q = error->computed, p = error->exact.abs_above;
    if (judgement->problem->operation != ULPSCOPE_SOFTMAX || isnan(p))
        return;
    if (result->column == 0) {
        judgement->row_sum = (struct pair){0, 0};
        judgement->divergence = 0;
    }
    const struct pair sum = pair_sum(judgement->row_sum.high, q);
    judgement->row_sum = (struct pair){sum.high, judgement->row_sum.low + sum.low};
    if (error->exact.nearest > 0 || !(q >= 0))
        judgement->divergence += isfinite(p / q) ? p * log(p / q) : p * (log(p) - log(q)); /* of q = 0 infinite */
    if (result->column + 1 < judgement->problem->columns)
        return;
    const double low = judgement->row_sum.low, all = judgement->row_sum.high + (isfinite(low) ? low : 0);
    if (isnan(verdict->row_sum) || !(fabs(all - 1) <= fabs(verdict->row_sum - 1)))
        verdict->row_sum = all;
    if (!judgement->has_rows || !(judgement->divergence <= verdict->divergence))
        verdict->divergence = judgement->divergence;
    judgement->has_rows = true;
}

static void judge_result(void *context, const struct result *result)
{
    struct judgement *const judgement = context;
    struct ulpscope_verdict *const verdict = judgement->verdict;
    const bool by_bound = judgement->limit.unit == LIMIT_AUTO;
    const struct ulpscope_error zero = error_of_zero(&result->error->exact);
    struct ulpscope_error error = *result->error;
    error.bound = by_bound ? share_of(&judgement->limit,
                                      judge_bound_at(judgement->problem, judgement->tree, result, &judgement->line))
                           : INFINITY;
    const struct library_limit limit = limit_for(judgement, result, error.bound);
    const bool passes = limit_holds(&limit, &error);
    const double off = limit_share(&limit, &error), share = passes ? fmin(off, DBL_MAX) : INFINITY;
    if (verdict->count == 0 || share > judgement->worst_share || (!passes && off > judgement->worst_off)) {
        judgement->worst_share = share;
        judgement->worst_off = off;
        verdict->worst = error;
        verdict->row = result->row;
        verdict->column = result->column;
        judgement->worst_moments = result->moments ? &judgement->moments : NULL;
        if (result->moments)
            judgement->moments = *result->moments;
    }
    const double before = result->column > 0 ? judgement->before : 0;
    judgement->like_before += !passes && 16 * fabs(error.computed - before) <= error.error;
    judgement->like_own += passes && 16 * error.error < fabs(error.exact.nearest - before);
    judgement->before = error.exact.nearest;
    if (!passes && verdict->failed == 0) {
        judgement->first = error;
        judgement->first_row = result->row;
        judgement->first_column = result->column;
    }
    judge_row(judgement, result);
    verdict->count++;
    verdict->failed += !passes;
    if (isnan(error.exact.condition)) /* infinite or NaN: one result is right, and all others fail */
        return;
    judgement->zeros_pass += holds(&limit, &zero, error.bound);
    judgement->last_dropped_pass += result->without_last && holds(&limit, result->without_last, error.bound);
    judgement->visitor.wants_without_last &=
        judgement->last_dropped_pass == verdict->count; /* all, or it is not asked */
}

ulpscope_status judge(const struct problem *problem, const void *computed, const char *limit,
                      struct ulpscope_verdict *verdict)
{
    struct judgement judgement = {.problem = problem, .verdict = verdict};
    judgement.visitor = (struct visitor){judge_result, &judgement, limit != NULL, true};
    char why[TREE_WHY_SIZE];
    ulpscope_status status = limit_read(limit, problem->result, &judgement.limit);
    if (status == ULPSCOPE_OK &&
        !tree_word_tree(&judgement.limit.tree, problem->terms, (struct launch){TREE_BLOCKS, TREE_THREADS},
                        problem->terms_format, &judgement.tree, why)) {
        complain("limit \"%s\": %s", limit, why);
        status = ULPSCOPE_BAD_ARGUMENT;
    }
    if (status == ULPSCOPE_OK && judgement.limit.unit == LIMIT_AUTO && problem_is_statistic(problem) &&
        !statistic_has_bound(problem))
        status = problem_is_of_exponentials(problem)
                     ? bad_argument("limit \"%s\": the bound of %s depends on its algorithm, which is not known here; "
                                    "give a limit such as "
                                    "\"4ulp\" or \"1e-6abs\"",
                                    limit, problem_name(problem))
                     : bad_argument(
                           "limit \"%s\": no bound is known of %s added in a narrower format than its numbers; give a "
                           "limit such as \"4ulp\" or \"1e-6abs\"",
                           limit, problem_name(problem));
    *verdict = (struct ulpscope_verdict){.size = sizeof *verdict, .row_sum = (double)NAN, .divergence = (double)NAN};
    verdict->worst.size = sizeof verdict->worst;
    verdict->worst.exact.size = sizeof verdict->worst.exact;
    if (status == ULPSCOPE_OK)
        status = results_visit(problem, computed, &judgement.visitor);
    if (status != ULPSCOPE_OK)
        return status;
    const bool is_held = limit && problem->terms > 0 && verdict->count > 0;
    verdict->passed = verdict->failed == 0;
    const struct problem of = problem_of_result(problem, verdict->row, verdict->column);
    verdict->worst.bound =
        judge_bound(&of, (struct plain_tree){.height = of.terms}, &verdict->worst.exact, judgement.worst_moments);
    verdict->zeros_pass = is_held && judgement.zeros_pass == verdict->count;
    verdict->last_dropped_passes = is_held && judgement.last_dropped_pass == verdict->count;
    if (problem->operation == ULPSCOPE_SCAN && verdict->failed > 1 && judgement.like_before == verdict->failed &&
        judgement.like_own == 0)
        strcpy(verdict->cause, "the scan is exclusive, each result that before it");
    else if (verdict->failed > 0 && of.terms <= CAUSE_TERMS_MOST)
        problem_is_statistic(problem) ? cause_of_statistic(problem, verdict) : cause_find(&of, computed, verdict);
    words_write(&(struct words_of){problem, &of, &judgement.first, judgement.first_row, judgement.first_column,
                                   judgement.worst_moments, &judgement.limit, judgement.tree,
                                   is_held ? judgement.zeros_pass : 0, judgement.has_rows},
                verdict);
    return ULPSCOPE_OK;
}

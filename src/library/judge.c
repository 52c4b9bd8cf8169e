#include "judge.h"

#include "bounds.h"
#include "cause.h"
#include "limit.h"
#include "results.h"
#include "words.h"

#include <float.h>
#include <math.h>

/* atomicAdd flushes two subnormals for each sum of binary32 (kernels/accumulators/plain.h); a result has half a place
 * at most on top. */
double judge_bound(const struct problem *problem, struct plain_tree tree, const struct ulpscope_value *value)
{
    const bool flushes = problem->added->precision == FORMAT_BINARY32.precision;
    const double lost = flushes ? tree.atomics * 2 * (double)FLT_MIN : 0;
    const double bound = bound_in_tree(problem->has_products, problem->terms_format, problem->added, problem->result,
                                       problem->terms, tree.height, value->abs_above, value->sum_abs_above);
    return lost > 0 ? nextafter(bound + 2 * lost, (double)INFINITY) : bound;
}

/* A cause is looked for in copies of the elements, 16 or 32 bytes each, some twenty times over. */
enum { CAUSE_TERMS_MOST = 1 << 22 };

struct judgement {
    const struct problem *problem;
    struct library_limit limit;
    struct plain_tree tree; /* of its bound */
    struct ulpscope_verdict *verdict;
    double worst_share, worst_off; /* a share that passes is less than one that does not, whatever it is off by */
    uint64_t zeros_pass, last_dropped_pass;
};

/* What a limit allows of a bound, rounded down. */
static double share_of(const struct library_limit *limit, double bound)
{
    return limit->most == 1 ? bound : nextafter(limit->most * bound, 0);
}

/* Beyond binary64 error and bound are infinite; as shares of sum |x_i| they are not. */
static struct library_limit limit_for(const struct judgement *judgement, double bound)
{
    struct library_limit limit = judgement->limit;
    if (limit.unit == LIMIT_AUTO && isinf(bound)) {
        limit.unit = LIMIT_BACKWARD;
        limit.most = share_of(&limit, judge_bound(judgement->problem, judgement->tree,
                                                  &(struct ulpscope_value){.abs_above = 1, .sum_abs_above = 1}));
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

static void judge_result(void *context, const struct result *result)
{
    struct judgement *const judgement = context;
    struct ulpscope_verdict *const verdict = judgement->verdict;
    const bool by_bound = judgement->limit.unit == LIMIT_AUTO;
    const struct ulpscope_error zero = error_of_zero(&result->error->exact);
    struct ulpscope_error error = *result->error;
    error.bound = by_bound ? share_of(&judgement->limit, judge_bound(judgement->problem, judgement->tree, &error.exact))
                           : INFINITY;
    const struct library_limit limit = limit_for(judgement, error.bound);
    const bool passes = limit_holds(&limit, &error);
    const double off = limit_share(&limit, &error), share = passes ? fmin(off, DBL_MAX) : INFINITY;
    if (verdict->count == 0 || share > judgement->worst_share || (!passes && off > judgement->worst_off)) {
        judgement->worst_share = share;
        judgement->worst_off = off;
        verdict->worst = error;
        verdict->row = result->row;
        verdict->column = result->column;
    }
    verdict->count++;
    verdict->failed += !passes;
    if (isnan(error.exact.condition)) /* infinite or NaN: one result is right, and all others fail */
        return;
    judgement->zeros_pass += holds(&limit, &zero, error.bound);
    judgement->last_dropped_pass += result->without_last && holds(&limit, result->without_last, error.bound);
}

ulpscope_status judge(const struct problem *problem, const void *computed, const char *limit,
                      struct ulpscope_verdict *verdict)
{
    struct judgement judgement = {.problem = problem, .verdict = verdict};
    char why[TREE_WHY_SIZE];
    ulpscope_status status = limit_read(limit, problem->result, &judgement.limit);
    if (status == ULPSCOPE_OK &&
        !tree_word_tree(&judgement.limit.tree, problem->terms, (struct launch){TREE_BLOCKS, TREE_THREADS},
                        problem->terms_format, &judgement.tree, why)) {
        complain("limit \"%s\": %s", limit, why);
        status = ULPSCOPE_BAD_ARGUMENT;
    }
    *verdict = (struct ulpscope_verdict){.size = sizeof *verdict};
    verdict->worst.size = sizeof verdict->worst;
    verdict->worst.exact.size = sizeof verdict->worst.exact;
    if (status == ULPSCOPE_OK)
        status = results_visit(problem, computed, &(struct visitor){judge_result, &judgement, limit != NULL});
    if (status != ULPSCOPE_OK)
        return status;
    const bool is_held = limit && problem->terms > 0 && verdict->count > 0;
    verdict->passed = verdict->failed == 0;
    verdict->worst.bound = judge_bound(problem, (struct plain_tree){.height = problem->terms}, &verdict->worst.exact);
    verdict->zeros_pass = is_held && judgement.zeros_pass == verdict->count;
    verdict->last_dropped_passes = is_held && judgement.last_dropped_pass == verdict->count;
    if (verdict->failed > 0 && problem->terms <= CAUSE_TERMS_MOST)
        cause_find(problem, computed, verdict);
    words_write(&(struct words_of){problem, &judgement.limit, judgement.tree, is_held ? judgement.zeros_pass : 0},
                verdict);
    return ULPSCOPE_OK;
}

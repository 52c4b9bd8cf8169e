#include "judge.h"

#include "bounds.h"
#include "cause.h"
#include "include/ulpscope/ulpscope.h"
#include "kernels/tree_word.h"
#include "problem.h"
#include "reference/near.h"
#include "results.h"
#include "src/base/fp.h"
#include "src/base/limit_text.h"
#include "src/base/status.h"
#include "statistic_bound.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

/* A limit (src/base/limit_text.h): errors in ulp, relative, relative to sum |x_i|, exact, a share of the bound. */

struct library_limit {
    enum limit_unit { LIMIT_NONE, LIMIT_ULP, LIMIT_EXACT, LIMIT_AUTO, LIMIT_RELATIVE, LIMIT_BACKWARD } unit;
    double most; /* of LIMIT_AUTO the share of the bound; rounded down, as errors are rounded up: what fails never
                    passes by a rounding */
    struct tree_word tree; /* of LIMIT_AUTO */
    char text[64];
};

static ulpscope_status bad_limit(const char *text, const char *why)
{
    complain("expected a limit such as \"2ulp\", \"4u\", \"exact\", \"auto\", \"auto:pairwise\", \"bound*0.5\", "
             "\"1e-6\", \"0.1%%\" or "
             "\"1e-6abs\", found \"%.40s\"%s; correct it",
             text, why);
    return ULPSCOPE_BAD_ARGUMENT;
}

/* A number of unit roundoffs, rounded down, also where it is subnormal. */
static double in_roundoffs(double number, int precision)
{
    const double value = ldexp(number, -precision);
    return ldexp(value, precision) > number ? nextafter(value, 0) : value;
}

/* text: NULL for none; of results of a format, whose unit roundoff is u. */
static ulpscope_status limit_read(const char *text, const struct format *result, struct library_limit *limit)
{
    static const enum limit_unit units[FORMS] = {
        [FORM_ULP] = LIMIT_ULP,      [FORM_U] = LIMIT_RELATIVE,      [FORM_PERCENT] = LIMIT_RELATIVE,
        [FORM_ABS] = LIMIT_BACKWARD, [FORM_NUMBER] = LIMIT_RELATIVE, [FORM_EXACT] = LIMIT_EXACT,
        [FORM_AUTO] = LIMIT_AUTO,    [FORM_BOUND] = LIMIT_AUTO};
    struct limit_text read;
    char why[TREE_WHY_SIZE];
    *limit = (struct library_limit){.unit = LIMIT_NONE};
    if (!text)
        return ULPSCOPE_OK;
    if (strlen(text) >= sizeof limit->text || limit_text_read(text, &read) != LIMIT_FINE)
        return bad_limit(text, "");
    if (read.tree && !tree_word_read(read.tree, &limit->tree, why)) {
        complain("limit \"%s\": %s", text, why);
        return ULPSCOPE_BAD_ARGUMENT;
    }
    if (read.form == FORM_BASELINE)
        return bad_limit(text, ", and baselines are files of `ulpscope check`");
    if (read.form == FORM_BOUND && read.number > 1)
        return bad_limit(text, ", and no sum is beyond its bound");
    strcpy(limit->text, text);
    limit->unit = units[read.form];
    limit->most = read.form == FORM_U         ? in_roundoffs(read.below, result->precision)
                  : read.form == FORM_PERCENT ? nextafter(read.below / 100, 0)
                                              : read.below;
    return ULPSCOPE_OK;
}

static bool is_number(double x)
{
    return isfinite(x);
}

/* Errors are rounded up, so that they are numbers, or infinite. */
static double error_in(const struct library_limit *limit, const struct ulpscope_error *error)
{
    switch (limit->unit) {
    case LIMIT_RELATIVE:
        return error->relative_error;
    case LIMIT_BACKWARD:
        return error->backward_error;
    case LIMIT_AUTO:
        return error->error;
    default:
        return error->ulp_error;
    }
}

static double most_of(const struct library_limit *limit, const struct ulpscope_error *error)
{
    return limit->unit == LIMIT_AUTO ? error->bound : limit->most;
}

static bool limit_holds(const struct library_limit *limit, const struct ulpscope_error *error)
{
    const double off = error_in(limit, error);
    if (limit->unit == LIMIT_NONE)
        return true;
    if (!is_number(error->computed))
        return off == 0;
    if (limit->unit == LIMIT_EXACT)
        return error->computed == error->exact.nearest;
    return off <= most_of(limit, error);
}

/* How far beyond it, in units of its own: at most 1 passes.  Of an error whose bound is known where it is asked for.
 * INFINITY where one of both numbers is none, and they differ. */
static double limit_share(const struct library_limit *limit, const struct ulpscope_error *error)
{
    const double off = error_in(limit, error);
    const bool is_measured = limit->unit != LIMIT_NONE && limit->unit != LIMIT_EXACT;
    if (isnan(off))
        return INFINITY;
    return is_measured && off > 0 ? off / most_of(limit, error) : off;
}

/* ---- A verdict in words ---- */

/* Beside what is in a verdict: the tree that a bound is of, and how many zeros would pass. */
struct words_of {
    const struct problem *all, *problem; /* problem: that of the worst */
    const struct ulpscope_error *first;  /* of a scan the first that fails, in this row and column */
    uint64_t row, column;
    const struct moments *moments; /* of the worst; NULL: there are none */
    const struct library_limit *limit;
    struct plain_tree tree;
    uint64_t zeros_pass;
    bool has_rows; /* of a softmax that is defined */
};

struct words {
    char *text;
    size_t size, length;
};

static void say(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct words *words, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int written = vsnprintf(words->text + words->length, words->size - words->length, format, arguments);
    va_end(arguments);
    if (written > 0)
        words->length += (size_t)written;
    if (words->length >= words->size)
        words->length = words->size - 1;
}

/* With as many digits as tell numbers of the format apart. */
static void say_number(struct words *words, const struct format *format, double value)
{
    say(words, "%.*g", format->precision * 30103 / 100000 + 2, value);
}

/* Beside a sum of 0 or far below its terms: more than binary64 has. */
static void say_ulps(struct words *words, double ulps)
{
    if (isinf(ulps))
        say(words, "more than 1e308 ulp");
    else
        say(words, "%.3g ulp", ulps);
}

/* "0.8 ulp", of a share of the limit's unit */
static void say_error(struct words *words, const struct library_limit *limit, const struct ulpscope_error *error)
{
    if (limit->unit == LIMIT_RELATIVE)
        say(words, "a relative error of %.3g", error->relative_error);
    else if (limit->unit == LIMIT_BACKWARD)
        say(words, "a backward error of %.3g", error->backward_error);
    else
        say_ulps(words, error->ulp_error);
}

/* Beyond the sum of the magnitudes a bound claims nothing: zeros are within it.  A variance may be far below its own,
 * and is then what is claimed. */
static bool is_centred(const struct problem *problem)
{
    return problem->operation == ULPSCOPE_VARIANCE || problem->operation == ULPSCOPE_STD;
}

static double most_claimed(const struct problem *problem, const struct ulpscope_value *exact)
{
    return is_centred(problem) ? exact->abs_above : exact->sum_abs_above;
}

static bool claims_nothing(const struct words_of *of, struct plain_tree tree, const struct ulpscope_error *worst)
{
    return judge_bound(of->problem, tree, &worst->exact, of->moments) > most_claimed(of->problem, &worst->exact);
}

/* What a bound is of. */
static const char *what_adds(const struct problem *problem)
{
    static const char *const of[] = {[ULPSCOPE_VARIANCE] = "two passes of plain addition",
                                     [ULPSCOPE_STD] = "two passes of plain addition",
                                     [ULPSCOPE_MEAN_WEIGHTED] = "plain addition, divided by that of the weights,",
                                     [ULPSCOPE_COSINE] = "plain addition, divided by that of the norms,",
                                     [ULPSCOPE_LAYER_NORM] = "two passes of plain addition",
                                     [ULPSCOPE_RMS_NORM] = "plain addition and a root"};
    return !problem_is_statistic(problem) ? "plain addition"
           : problem->operation < sizeof of / sizeof *of && of[problem->operation]
               ? of[problem->operation]
               : "plain addition and a division by n";
}

/* "the bound of plain addition in any order", or "in a tree of height 14 (pairwise)" */
static void say_bound(struct words *words, const struct words_of *of)
{
    say(words, "the bound of %s in ", what_adds(of->problem));
    if (of->limit->tree.kind == TREE_OF_ANY_ORDER)
        say(words, "any order");
    else
        say(words, "a tree of height %llu (%s)", (unsigned long long)of->tree.height, strchr(of->limit->text, ':') + 1);
}

/* The word of a tree whose bound claims something. */
static void say_lower_tree(struct words *words, const struct words_of *of, const struct ulpscope_error *worst)
{
    const struct ulpscope_value one = {.abs_above = 1, .sum_abs_above = 1};
    const char *text;
    struct plain_tree tree;
    for (size_t i = 0; (text = tree_word_lower(i, of->problem->terms, of->problem->terms_format, &tree)); i++)
        if (!claims_nothing(of, tree, worst)) {
            if (problem_is_statistic(of->problem))
                say(words, "; auto:%s would claim %.3g", text,
                    judge_bound(of->problem, tree, &worst->exact, of->moments));
            else
                say(words, "; auto:%s would claim %.3g of it", text, judge_bound(of->problem, tree, &one, NULL));
            return;
        }
}

static void say_no_claim(struct words *words, const struct words_of *of, const struct ulpscope_error *worst)
{
    say(words, "no claim: ");
    say_bound(words, of);
    say(words, " is beyond %s",
        is_centred(of->problem)              ? "the exact value itself"
        : problem_is_per_number(of->problem) ? "(|x| + the mean of |x|) / root(v + eps)"
        : problem_is_statistic(of->problem)  ? "the mean of the magnitudes"
                                             : "the sum of the magnitudes");
    say_lower_tree(words, of, worst);
    if (problem_is_statistic(of->problem))
        say(words, "; a backward error of %.3g", worst->backward_error);
}

static void say_limit(struct words *words, const struct words_of *of, const struct ulpscope_error *worst)
{
    const struct library_limit *const limit = of->limit;
    const double bound = judge_bound(of->problem, of->tree, &worst->exact, of->moments);
    say(words, limit->unit == LIMIT_NONE ? "" : ", limit ");
    if (limit->unit == LIMIT_ULP) {
        say(words, "%g ulp", limit->most);
    } else if (limit->unit == LIMIT_AUTO && limit->most == 1 && isfinite(bound)) {
        say(words, "%.3g, ", bound);
        say_bound(words, of);
    } else if (limit->unit != LIMIT_NONE) {
        say(words, "%s", limit->text);
    }
}

static void say_place(struct words *words, const struct problem *problem, unsigned long long row,
                      unsigned long long column)
{
    if (problem->operation == ULPSCOPE_MATMUL)
        say(words, " in row %llu, column %llu", row, column);
    else if (problem_is_per_number(problem) && problem->x.dimensions > 1)
        say(words, " in row %llu, element %llu", row, column);
    else if (problem_is_per_number(problem))
        say(words, " in element %llu", column);
    else if (problem->x.dimensions > 1)
        say(words, " in row %llu", row);
}

/* What is wrong there is carried into those behind it. */
static void say_first(struct words *words, const struct words_of *of)
{
    say(words, ", the first");
    say_place(words, of->all, of->row, of->column);
    say(words, ", ");
    say_number(words, of->problem->result, of->first->computed);
    say(words, " for ");
    say_number(words, of->problem->result, of->first->exact.nearest);
    if (!isnan(of->first->ulp_error)) {
        say(words, ": ");
        say_error(words, of->limit, of->first);
    }
}

/* Beside another limit than a bound, where an error stands to that of any order. */
static void say_standing(struct words *words, const struct words_of *of, const struct ulpscope_error *worst)
{
    const bool is_within = worst->error <= worst->bound;
    say(words, "; ");
    if (is_within && claims_nothing(of, (struct plain_tree){.height = of->problem->terms}, worst))
        say_no_claim(words, of, worst);
    else
        say(words, "%s the bound of %s in any order, %.3g", is_within ? "within" : "beyond", what_adds(of->problem),
            worst->bound);
}

static void say_failure(struct words *words, const struct words_of *of, const struct ulpscope_verdict *verdict)
{
    const struct problem *const problem = of->problem;
    const struct library_limit *const limit = of->limit;
    const struct ulpscope_error *const worst = &verdict->worst;
    if (verdict->count > 1)
        say(words, "%llu of %llu results fail", (unsigned long long)verdict->failed,
            (unsigned long long)verdict->count);
    const bool is_scan = verdict->failed > 1 && of->all->operation == ULPSCOPE_SCAN;
    const bool is_first = is_scan && of->row == verdict->row && of->column == verdict->column;
    if (is_scan && !is_first)
        say_first(words, of);
    say(words, is_first ? "; the first and worst is " : verdict->count > 1 ? "; the worst is " : "found ");
    say_number(words, problem->result, worst->computed);
    say_place(words, of->all, verdict->row, verdict->column);
    say(words, ", expected ");
    say_number(words, problem->result, worst->exact.nearest);
    if (!isnan(worst->ulp_error)) {
        say(words, ": ");
        say_error(words, limit, worst);
        if (limit->unit == LIMIT_AUTO)
            say(words, ", off by %.3g", worst->error);
        else if (limit->unit == LIMIT_RELATIVE || limit->unit == LIMIT_BACKWARD) {
            say(words, " (");
            say_ulps(words, worst->ulp_error);
            say(words, ", off by %.3g)", worst->error);
        }
        say_limit(words, of, worst);
    }
    if (limit->unit != LIMIT_AUTO && isfinite(worst->bound) && worst->bound > 0 && isfinite(worst->error))
        say_standing(words, of, worst);
    if (verdict->cause[0])
        say(words, ". Likely: %s", verdict->cause);
}

static void say_pass(struct words *words, const struct words_of *of, const struct ulpscope_verdict *verdict)
{
    const struct ulpscope_error *const worst = &verdict->worst;
    const bool is_vacuous = of->limit->unit == LIMIT_AUTO &&
                            of->limit->most * judge_bound(of->problem, of->tree, &worst->exact, of->moments) >
                                most_claimed(of->problem, &worst->exact);
    if (of->limit->unit == LIMIT_EXACT)
        say(words, "correctly rounded");
    else if (isfinite(worst->computed)) {
        say(words, "within ");
        say_error(words, of->limit, worst);
        say(words, is_vacuous ? "; " : "");
        (is_vacuous ? say_no_claim : say_limit)(words, of, worst);
    } else if (problem_is_statistic(of->problem) && isnan(worst->computed))
        say(words, "not defined, and nan");
    else
        say(words, "%g, as IEEE 754 has it", worst->computed);
    if (of->zeros_pass > 0 && verdict->count > 1)
        say(words, "; zeros would pass in %llu of %llu", (unsigned long long)of->zeros_pass,
            (unsigned long long)verdict->count);
}

static void say_probabilities(struct words *words, const struct words_of *of, const struct ulpscope_verdict *verdict)
{
    if (of->problem->operation == ULPSCOPE_SOFTMAX && of->has_rows)
        say(words, "; rows sum to 1%+.3g, divergence %.3g", verdict->row_sum - 1, verdict->divergence);
}

/* verdict->words, of what else is in it. */
static void words_write(const struct words_of *of, struct ulpscope_verdict *verdict)
{
    struct words words = {verdict->words, sizeof verdict->words, 0};
    if (verdict->count == 0)
        say(&words, "no results");
    else if (verdict->passed && !isnan(verdict->worst.ulp_error)) /* NaN: it fails wherever there is a limit */
        say_pass(&words, of, verdict);
    else
        say_failure(&words, of, verdict);
    say_probabilities(&words, of, verdict);
}

/* ---- the verdict ---- */

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
    uint64_t first_row, first_column, like_before;
    double before; /* the exact result before; like_before: those that fail, and are 16 times nearer to it */
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
    if (problem->operation == ULPSCOPE_SCAN && verdict->failed > 1 && judgement.like_before == verdict->failed)
        strcpy(verdict->cause, "the scan is exclusive, each result that before it");
    else if (verdict->failed > 0 && of.terms <= CAUSE_TERMS_MOST)
        problem_is_statistic(problem) ? cause_of_statistic(problem, verdict) : cause_find(&of, computed, verdict);
    words_write(&(struct words_of){problem, &of, &judgement.first, judgement.first_row, judgement.first_column,
                                   judgement.worst_moments, &judgement.limit, judgement.tree,
                                   is_held ? judgement.zeros_pass : 0, judgement.has_rows},
                verdict);
    return ULPSCOPE_OK;
}

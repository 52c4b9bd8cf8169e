#include "verdict_words.h"

#include "judge.h"
#include "src/base/fp.h"
#include "statistic_bound.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

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

void words_write(const struct words_of *of, struct ulpscope_verdict *verdict)
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

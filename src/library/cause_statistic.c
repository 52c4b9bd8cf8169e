/* What a wrong mean, variance or cosine is instead: each candidate is a problem of its own, which the result is held
 * against; and E[x^2] - E[x]^2, whose errors are those of the squares. */
#include "cause.h"
#include "statistic.h"

#include "src/base/format.h"

#include <math.h>
#include <stdio.h>

/* Another quantity of the same row. */
struct candidate {
    ulpscope_operation of, operation;
    int ddof; /* -1: any, and the candidate has the same; else that of the problem, and the candidate has the other */
    const char *words;
};

static const struct candidate candidates[] = {
    {ULPSCOPE_VARIANCE, ULPSCOPE_VARIANCE, 0, "divided by n - 1, not n (ddof=1)"},
    {ULPSCOPE_VARIANCE, ULPSCOPE_VARIANCE, 1, "divided by n, not n - 1 (ddof=0)"},
    {ULPSCOPE_VARIANCE, ULPSCOPE_STD, -1, "it is the standard deviation: the root was taken"},
    {ULPSCOPE_VARIANCE, ULPSCOPE_MEAN_SQUARE, -1, "the mean is not subtracted"},
    {ULPSCOPE_STD, ULPSCOPE_STD, 0, "divided by n - 1, not n (ddof=1)"},
    {ULPSCOPE_STD, ULPSCOPE_STD, 1, "divided by n, not n - 1 (ddof=0)"},
    {ULPSCOPE_STD, ULPSCOPE_VARIANCE, -1, "it is the variance: the root was not taken"},
    {ULPSCOPE_STD, ULPSCOPE_RMS, -1, "the mean is not subtracted"},
    {ULPSCOPE_MEAN, ULPSCOPE_SUM, -1, "it is the sum: not divided by n"},
    {ULPSCOPE_MEAN_SQUARE, ULPSCOPE_RMS, -1, "the root was taken"},
    {ULPSCOPE_RMS, ULPSCOPE_MEAN_SQUARE, -1, "the root was not taken"},
    {ULPSCOPE_MEAN_WEIGHTED, ULPSCOPE_MEAN, -1, "the weights are left out"},
    {ULPSCOPE_MEAN_WEIGHTED, ULPSCOPE_DOT, -1, "not divided by the sum of the weights"},
    {ULPSCOPE_COSINE, ULPSCOPE_DOT, -1, "not divided by the norms"},
};

struct suspicion {
    const struct problem *problem;
    struct ulpscope_problem row; /* of the worst result */
    const struct ulpscope_verdict *verdict;
};

/* One dimension of it, from an element on. */
static struct ulpscope_array part_of(const struct ulpscope_array *array, struct line line, uint64_t first, uint64_t n)
{
    return (struct ulpscope_array){.data = (const void *)(line.first + first * (uint64_t)line.stride),
                                   .format = array->format,
                                   .dimensions = 1,
                                   .shape = {n},
                                   .strides = {line.stride}};
}

/* Whether the result is what another problem asks for, as well as rounding lets it: 16 times as near as what was asked
 * for, and within n roundings. */
static bool is_result_of(const struct suspicion *suspicion, const struct ulpscope_problem *problem)
{
    const struct ulpscope_error *const worst = &suspicion->verdict->worst;
    const double u = ldexp(1, -suspicion->problem->added->precision), n = (double)problem->x.shape[0];
    struct ulpscope_error error = {.size = sizeof error};
    uint64_t stored = 0;
    format_store(suspicion->problem->result, &stored, 0, format_bits(suspicion->problem->result, worst->computed));
    return ulpscope_errors(problem, &stored, &error) == ULPSCOPE_OK && isfinite(error.error) &&
           error.error <= worst->error / 16 && (error.ulp_error <= 2 || error.backward_error <= (n + 4) * u);
}

static const char *other_quantity(const struct suspicion *suspicion)
{
    for (size_t c = 0; c < sizeof candidates / sizeof *candidates; c++) {
        struct ulpscope_problem other = suspicion->row;
        const int ddof = candidates[c].ddof;
        if (candidates[c].of != other.operation || (ddof >= 0 && (uint64_t)ddof != other.ddof))
            continue;
        other.operation = candidates[c].operation;
        other.ddof = ddof >= 0 ? 1 - other.ddof : other.ddof;
        if (is_result_of(suspicion, &other))
            return candidates[c].words;
    }
    return NULL;
}

static const char *other_elements(const struct suspicion *suspicion)
{
    const struct problem *const problem = suspicion->problem;
    const struct ulpscope_verdict *const verdict = suspicion->verdict;
    struct ulpscope_problem other = suspicion->row;
    const uint64_t n = problem->terms;
    for (int first = 0; first < 2 && n > 1; first++) {
        const struct line x = problem_row(problem, verdict->row), y = problem_second(problem, verdict->row, 0);
        other.x = part_of(&problem->x, x, (uint64_t)first, n - 1);
        other.y = part_of(&problem->y, y, (uint64_t)first, n - 1);
        if (is_result_of(suspicion, &other))
            return first ? "the first element is left out" : "the last element is left out";
    }
    if (problem->x.dimensions > 1 && problem->rows == n && !problem->has_products) {
        const struct ulpscope_array *const x = &problem->x;
        other.x.data = (const void *)((uintptr_t)x->data + verdict->row * (uint64_t)x->strides[1]);
        other.x.shape[0] = n;
        other.x.strides[0] = x->strides[0];
        if (is_result_of(suspicion, &other))
            return "it is that of the column, not of the row";
    }
    return NULL;
}

/* ---- E[x^2] - E[x]^2 ---- */

/* One after another, in the format that is added. */
static double textbook(const struct problem *problem, struct line x, bool is_root)
{
    const struct format *const added = problem->added;
    const double n = rounded_to((double)x.n, added);
    double sum = 0, squares = 0, room;
    for (uint64_t i = 0; i < x.n; i++) {
        const double number = rounded_to(*(const double *)line_read(&x, i, 1, &FORMAT_BINARY64, &room), added);
        sum = rounded_to(sum + number, added);
        squares = rounded_to(squares + rounded_to(number * number, added), added);
    }
    const double mean = rounded_to(sum / n, added);
    const double v = rounded_to(rounded_to(squares / n, added) - rounded_to(mean * mean, added), added);
    const double sample =
        rounded_to(rounded_to(v * n, added) / rounded_to((double)(x.n - problem->ddof), added), added);
    const double variance = problem->ddof > 0 ? sample : v;
    return rounded_to(is_root ? rounded_to(sqrt(variance), added) : variance, problem->result);
}

static const char *difference_of_squares(const struct suspicion *suspicion)
{
    const struct problem *const problem = suspicion->problem;
    const struct ulpscope_error *const worst = &suspicion->verdict->worst;
    const bool is_root = problem->operation == ULPSCOPE_STD;
    const double u = ldexp(1, -problem->added->precision), n = (double)problem->terms;
    const double kappa_squared = is_root ? worst->exact.condition * worst->exact.condition : worst->exact.condition;
    if (!is_root && problem->operation != ULPSCOPE_VARIANCE)
        return NULL;
    const double expected = textbook(problem, problem_row(problem, suspicion->verdict->row), is_root);
    if (expected == worst->computed || (isnan(expected) && isnan(worst->computed)))
        return "computed as E[x^2] - E[x]^2, bit for bit";
    if (worst->computed < 0)
        return "it is below 0, as E[x^2] - E[x]^2 may be, and no sum of squares is";
    /* (3 n + 4) u, of the mean of squares */
    if (!is_root && kappa_squared >= 16 && worst->backward_error <= (3 * n + 4) * u)
        return "as far off as E[x^2] - E[x]^2 may be, whose errors are relative to the mean of squares";
    return NULL;
}

/* ---- norms ---- */

/* Means of a row in binary64, which is near enough for a hint. */
struct row_means {
    double mean, square, variance;
};

static struct row_means means_of(struct line x)
{
    struct row_means of = {0, 0, 0};
    for (int pass = 0; pass < 2; pass++)
        for (uint64_t i = 0; i < x.n; i++) {
            double room;
            const double number = *(const double *)line_read(&x, i, 1, &FORMAT_BINARY64, &room), d = number - of.mean;
            of.variance += pass > 0 ? d * d / (double)x.n : 0;
            of.square += pass > 0 ? number * number / (double)x.n : 0;
            of.mean += pass > 0 ? 0 : number / (double)x.n;
        }
    return of;
}

static const char *other_norm(const struct problem *problem, const struct ulpscope_verdict *verdict)
{
    const struct line row = problem_row(problem, verdict->row);
    const struct row_means of = means_of(row);
    const bool is_centred = problem->operation == ULPSCOPE_LAYER_NORM;
    const double n = (double)problem->terms, eps = problem->eps, u = ldexp(1, -problem->added->precision);
    double room;
    const double x = *(const double *)line_read(&row, verdict->column, 1, &FORMAT_BINARY64, &room);
    const double d = is_centred ? x - of.mean : x, v = is_centred ? of.variance : of.square, sample = v * n / (n - 1);
    const struct {
        double value;
        const char *words;
    } others[] = {
        {d / sqrt(v), "eps is left out"},
        {d / (sqrt(v) + eps), "eps is added to the root, not under it"},
        {d / sqrt(sample + eps), "the variance is divided by n - 1, not n"},
        {d / (sqrt(sample) + eps), "the variance is divided by n - 1, not n, and eps is added to its root"},
        {d / sqrt(v * n + eps), "the sum of squares is not divided by n"},
        {is_centred ? x / sqrt(of.square + eps) : (x - of.mean) / sqrt(of.variance + eps),
         is_centred ? "the mean is not subtracted" : "the mean is subtracted"},
        {is_centred ? d / sqrt(of.square + eps) : x / sqrt(of.variance + eps),
         is_centred ? "the mean of squares is in the place of the variance" : "the variance is in that of the squares"},
    };
    for (size_t o = 0; o < sizeof others / sizeof *others; o++) {
        const double off = fabs(verdict->worst.computed - others[o].value);
        if (off <= verdict->worst.error / 16 &&
            (off <= 2 * verdict->worst.exact.ulp || off <= (n + 4) * u * verdict->worst.exact.sum_abs_above))
            return others[o].words;
    }
    return NULL;
}

/* ---- exponentials ---- */

static const char *of_exponentials(const struct problem *problem, const struct ulpscope_verdict *verdict)
{
    const struct line row = problem_row(problem, verdict->row);
    double largest = -(double)INFINITY, room;
    for (uint64_t i = 0; i < row.n; i++)
        largest = fmax(largest, *(const double *)line_read(&row, i, 1, &FORMAT_BINARY64, &room));
    const double range = problem->added->overflow_exponent * 0x1.62e43p-1;
    if (!isfinite(verdict->worst.computed) && (largest > range || largest < -range))
        return "the maximum is not subtracted: e^x is out of range";
    if (fabs(verdict->row_sum - 1) > 0x1p-4)
        return "a row does not sum to 1: its divisor is another sum, or was added in too few bits";
    return NULL;
}

void cause_of_statistic(const struct problem *problem, struct ulpscope_verdict *verdict)
{
    const struct line x = problem_row(problem, verdict->row), y = problem_second(problem, verdict->row, 0);
    struct suspicion suspicion = {.problem = problem, .verdict = verdict};
    const char *words = NULL;
    suspicion.row = ulpscope_problem_of(problem->operation, part_of(&problem->x, x, 0, problem->terms),
                                        part_of(&problem->y, y, 0, problem->terms));
    suspicion.row.result = problem->result_format;
    suspicion.row.ddof = problem->ddof;
    if (isnan(verdict->worst.exact.condition) || problem->terms <= problem->ddof)
        return;
    if (problem_is_of_exponentials(problem)) {
        words = of_exponentials(problem, verdict);
    } else if (problem_is_per_number(problem)) {
        words = other_norm(problem, verdict);
    } else if (isfinite(verdict->worst.computed)) {
        words = other_quantity(&suspicion);
        words = words ? words : other_elements(&suspicion);
    }
    words = words ? words : difference_of_squares(&suspicion);
    snprintf(verdict->cause, sizeof verdict->cause, "%s", words ? words : "");
}

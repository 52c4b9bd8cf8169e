#include "inquiry.h"

#include "judge.h"

#include "src/base/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- one result ---- */

static double element(const struct ulpscope_array *array, uint64_t i, uint64_t j)
{
    const uint64_t offset = i * (uint64_t)array->strides[0] + j * (uint64_t)array->strides[1];
    return number_at(format_of(array->format), (const void *)((uintptr_t)array->data + offset), 0);
}

/* Element (i, j) of a matrix; transposed: of the same numbers in a row, read column after column. */
static double element_of_matrix(const struct ulpscope_array *array, bool transposed, uint64_t i, uint64_t j)
{
    const uint64_t place = j * array->shape[0] + i;
    return transposed ? element(array, place / array->shape[1], place % array->shape[1]) : element(array, i, j);
}

bool inquiry_look(struct inquiry *inquiry, struct view view)
{
    const struct problem *const problem = inquiry->problem;
    const uint64_t place = inquiry->row * problem->columns + inquiry->column;
    const uint64_t row = (view.result_transposed ? place % problem->rows : inquiry->row) + (uint64_t)view.row;
    const uint64_t column = (view.result_transposed ? place / problem->rows : inquiry->column) + (uint64_t)view.column;
    if (row >= problem->rows || column >= problem->columns)
        return false;
    for (uint64_t k = 0; k < inquiry->n; k++) {
        inquiry->changed_x[k] = problem->x.dimensions > 1 ? element_of_matrix(&problem->x, view.x_transposed, row, k)
                                                          : element(&problem->x, k, 0);
        if (inquiry->y)
            inquiry->changed_y[k] = problem->y.dimensions > 1
                                        ? element_of_matrix(&problem->y, view.y_transposed, k, column)
                                        : element(&problem->y, k, 0);
    }
    return true;
}

double last_bit(double value)
{
    int exponent;
    const int64_t bits = (int64_t)ldexp(frexp(value, &exponent), 53);
    return ldexp((double)(bits & -bits), exponent - 53);
}

/* The largest number of which all terms are multiples, as integers are of 1: errors of less say nothing. */
static double grid(const struct inquiry *inquiry)
{
    double least = (double)INFINITY;
    for (uint64_t i = 0; i < inquiry->n; i++) {
        const double y = inquiry->y ? inquiry->y[i] : 1;
        if (isfinite(inquiry->x[i]) && isfinite(y) && inquiry->x[i] != 0 && y != 0)
            least = fmin(least, last_bit(inquiry->x[i]) * last_bit(y));
    }
    return isfinite(least) ? least : 0;
}

ulpscope_format name_of(const struct format *format)
{
    return (ulpscope_format)(format_index(format) + 1);
}

static double *terms_new(uint64_t n)
{
    return calloc(n + 1, sizeof(double));
}

/* As a judge has it: beyond binary64 the bound is infinite, but as a share of sum |x_i| it is not. */
static void bring_bound_into_range(const struct problem *problem, struct ulpscope_error *of)
{
    const double share = judge_bound(problem, (struct plain_tree){.height = problem->terms},
                                     &(struct ulpscope_value){.abs_above = 1, .sum_abs_above = 1}, NULL);
    if (!isfinite(of->bound))
        of->bound = of->backward_error > 0 && isfinite(of->error) ? of->error * (share / of->backward_error) : 0;
}

void inquiry_begin(struct inquiry *inquiry, const struct problem *problem, const void *results,
                   const struct ulpscope_verdict *verdict)
{
    *inquiry = (struct inquiry){.problem = problem,
                                .results = results,
                                .row = problem->rows > 1 ? verdict->row : 0, /* a sum may be one of a scan's */
                                .column = problem->columns > 1 ? verdict->column : 0,
                                .computed = verdict->worst.computed,
                                .n = problem->terms,
                                .x = terms_new(problem->terms),
                                .changed_x = terms_new(problem->terms),
                                .y = problem->has_products ? terms_new(problem->terms) : NULL,
                                .changed_y = problem->has_products ? terms_new(problem->terms) : NULL,
                                .sound = verdict->worst};
    inquiry->failed =
        !inquiry->x || !inquiry->changed_x || (problem->has_products && (!inquiry->y || !inquiry->changed_y));
    if (inquiry->failed)
        return;
    bring_bound_into_range(problem, &inquiry->sound);
    inquiry_look(inquiry, (struct view){0});
    memcpy(inquiry->x, inquiry->changed_x, inquiry->n * sizeof *inquiry->x);
    if (inquiry->y)
        memcpy(inquiry->y, inquiry->changed_y, inquiry->n * sizeof *inquiry->y);
    inquiry->unit = fmax(format_spacing(problem->result, inquiry->computed), grid(inquiry));
}

void inquiry_copy(struct inquiry *inquiry)
{
    memcpy(inquiry->changed_x, inquiry->x, inquiry->n * sizeof *inquiry->x);
    if (inquiry->y)
        memcpy(inquiry->changed_y, inquiry->y, inquiry->n * sizeof *inquiry->y);
}

void inquiry_end(struct inquiry *inquiry)
{
    free(inquiry->x);
    free(inquiry->y);
    free(inquiry->changed_x);
    free(inquiry->changed_y);
}

/* ---- hypotheses ---- */

bool inquiry_errors(struct inquiry *inquiry, const double *x, const double *y, uint64_t n, const struct format *format,
                    double computed, struct ulpscope_error *errors)
{
    const struct ulpscope_array terms = ulpscope_vector(ULPSCOPE_BINARY64, x, n);
    struct ulpscope_problem problem =
        y ? ulpscope_dot_of(terms, ulpscope_vector(ULPSCOPE_BINARY64, y, n)) : ulpscope_sum_of(terms);
    uint64_t stored = 0;
    problem.result = name_of(format);
    problem.added = name_of(inquiry->problem->added);
    format_store(format, &stored, 0, format_bits(format, computed));
    *errors = (struct ulpscope_error){.size = sizeof *errors};
    if (ulpscope_errors(&problem, &stored, errors) != ULPSCOPE_OK)
        inquiry->failed = true;
    else
        bring_bound_into_range(inquiry->problem, errors);
    return !inquiry->failed;
}

void inquiry_move(struct inquiry *inquiry, uint64_t row, uint64_t column)
{
    const struct problem *const problem = inquiry->problem;
    inquiry->row = row;
    inquiry->column = column;
    inquiry->computed = number_at(problem->result, inquiry->results, row * problem->columns + column);
    inquiry_look(inquiry, (struct view){0});
    inquiry_errors(inquiry, inquiry->changed_x, inquiry->changed_y, inquiry->n, problem->result, inquiry->computed,
                   &inquiry->sound);
}

double inquiry_unexplained(const struct inquiry *inquiry)
{
    const double error = inquiry->sound.error;
    return isfinite(error) ? log2(1 + error / inquiry->unit) : (double)INFINITY;
}

bool inquiry_is_sound(const struct inquiry *inquiry)
{
    return isfinite(inquiry->sound.error) && inquiry->sound.error <= inquiry->sound.bound;
}

/* Whether the result is that of plain additions one after another, as they are added in, or in binary64. */
static bool is_serial_sum(const struct inquiry *inquiry, const double *x, const double *y, uint64_t n)
{
    const struct format *const added = inquiry->problem->added, *const result = inquiry->problem->result;
    double sum = 0, wide = 0;
    for (uint64_t i = 0; i < n; i++) {
        const double term = y ? x[i] * y[i] : x[i];
        sum = rounded_to(sum + rounded_to(term, added), added);
        wide += term;
    }
    return rounded_to(sum, result) == inquiry->computed || rounded_to(wide, result) == inquiry->computed;
}

/* What it costs, in bits, where no order is seen that gives the result bit for bit. */
static const double ORDER_UNKNOWN = 4;

double inquiry_weigh(struct inquiry *inquiry, const double *x, const double *y, uint64_t n)
{
    struct ulpscope_error errors;
    const struct ulpscope_error *const sound = &inquiry->sound;
    if (!inquiry_errors(inquiry, x, y, n, inquiry->problem->result, inquiry->computed, &errors))
        return (double)INFINITY;
    const bool is_the_same = errors.error == sound->error && errors.exact.nearest == sound->exact.nearest;
    if (is_the_same || !(errors.error <= errors.bound))
        return (double)INFINITY;
    return errors.error == 0 || is_serial_sum(inquiry, x, y, n)
               ? 0
               : ORDER_UNKNOWN + log2(1 + errors.error / inquiry->unit);
}

void inquiry_suspect(struct inquiry *inquiry, double cost, double weight, uint64_t left_out, const char *format, ...)
{
    if (!(cost + weight < (double)INFINITY) || inquiry->count == SUSPECTS_MOST)
        return;
    struct suspect *const suspect = &inquiry->suspects[inquiry->count++];
    suspect->score = cost + weight;
    suspect->left_out = left_out;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(suspect->words, sizeof suspect->words, format, arguments);
    va_end(arguments);
}

static bool is_said(const struct inquiry *inquiry, size_t i)
{
    const struct suspect *const list = inquiry->suspects;
    for (size_t o = 0; o < inquiry->count; o++)
        if (strcmp(list[o].words, list[i].words) == 0 &&
            (list[o].score < list[i].score || (list[o].score == list[i].score && o < i)))
            return true;
    return false;
}

/* The best first, and of equals the first; each once. */
static size_t rank(const struct inquiry *inquiry, const struct suspect *ranked[SUSPECTS_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < inquiry->count; i++) {
        size_t at = count;
        if (is_said(inquiry, i))
            continue;
        for (; at > 0 && inquiry->suspects[i].score < ranked[at - 1]->score; at--)
            ranked[at] = ranked[at - 1];
        ranked[at] = &inquiry->suspects[i];
        count++;
    }
    return count;
}

/* What needs a cause at all, in bits: of a result that may be sound errors of less than the spacing of partial sums,
 * which are as large as sum |x_i|, say nothing. */
static double unexplained_by_none(const struct inquiry *inquiry)
{
    const struct ulpscope_error *const sound = &inquiry->sound;
    const double step = format_spacing(inquiry->problem->added, sound->exact.sum_abs_above);
    return inquiry_is_sound(inquiry) ? log2(1 + sound->error / fmax(inquiry->unit, step))
                                     : inquiry_unexplained(inquiry);
}

void inquiry_conclude(const struct inquiry *inquiry, char *words, size_t size)
{
    enum { NAMED_MOST = 3 };
    const struct suspect *ranked[SUSPECTS_MOST];
    const size_t count = rank(inquiry, ranked);
    size_t rivals = 0; /* the best among them */
    bool same_count = true;
    while (rivals < count && (rivals == 0 || ranked[rivals]->score < ranked[0]->score + INQUIRY_LEAD))
        same_count = ranked[rivals++]->left_out == ranked[0]->left_out && same_count;
    words[0] = '\0';
    if (count == 0 || !(ranked[0]->score + INQUIRY_LEAD <= unexplained_by_none(inquiry))) {
        if (inquiry_is_sound(inquiry))
            snprintf(words, size, "no fault is needed: plain additions in %s may be this inaccurate",
                     inquiry->problem->added->name);
    } else if (rivals > 1 && same_count && ranked[0]->left_out == 1)
        snprintf(words, size, "one element is left out");
    else if (rivals > 1 && same_count && ranked[0]->left_out > 1)
        snprintf(words, size, "%" PRIu64 " elements are left out", ranked[0]->left_out);
    else
        for (size_t r = 0, length = 0; r < rivals && r < NAMED_MOST && length < size; r++)
            length += (size_t)snprintf(words + length, size - length, "%s%s", r > 0 ? ", or " : "", ranked[r]->words);
}

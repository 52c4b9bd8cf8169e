#include "inquiry.h"

#include "src/base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Bits by which a hypothesis has to lead the others: 16 to 1. */
static const double LEAD = 4;

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
    const struct problem *const problem = &inquiry->problem;
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

double spacing(const struct format *format, double value)
{
    const int exponent = isfinite(value) && value != 0 ? ilogb(value) : format->least_exponent;
    const int last_place = exponent - (format->precision - 1);
    return ldexp(1, last_place > format->least_exponent ? last_place : format->least_exponent);
}

ulpscope_format name_of(const struct format *format)
{
    ulpscope_format name = ULPSCOPE_BINARY64;
    while (format_of(name) != format)
        name++;
    return name;
}

static double *terms_new(uint64_t n)
{
    return calloc(n + 1, sizeof(double));
}

ulpscope_status inquiry_begin(struct inquiry *inquiry, const struct ulpscope_problem *problem, const void *computed,
                              uint64_t row, uint64_t column)
{
    *inquiry = (struct inquiry){.row = row, .column = column, .sound_score = (double)INFINITY};
    inquiry->status = problem_read(problem, &inquiry->problem);
    if (inquiry->status != ULPSCOPE_OK)
        return inquiry->status;
    const struct problem *const of = &inquiry->problem;
    const uint64_t place = row * of->columns + column;
    inquiry->added = name_of(of->added);
    inquiry->result = name_of(of->result);
    inquiry->bits = (const char *)computed + place * of->result->bytes;
    inquiry->computed = number_at(of->result, computed, place);
    inquiry->unit = spacing(of->result, inquiry->computed);
    inquiry->n = of->terms;
    inquiry->x = terms_new(of->terms);
    inquiry->changed_x = terms_new(of->terms);
    inquiry->y = of->has_products ? terms_new(of->terms) : NULL;
    inquiry->changed_y = of->has_products ? terms_new(of->terms) : NULL;
    if (!inquiry->x || !inquiry->changed_x || (of->has_products && (!inquiry->y || !inquiry->changed_y))) {
        out_of_memory("the cause of a wrong result");
        return inquiry->status = ULPSCOPE_OUT_OF_MEMORY;
    }
    inquiry_look(inquiry, (struct view){0});
    memcpy(inquiry->x, inquiry->changed_x, inquiry->n * sizeof *inquiry->x);
    if (inquiry->y)
        memcpy(inquiry->y, inquiry->changed_y, inquiry->n * sizeof *inquiry->y);
    inquiry_errors(inquiry, inquiry->x, inquiry->y, inquiry->n, inquiry->result, inquiry->bits, &inquiry->sound);
    return inquiry->status;
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

bool inquiry_errors(struct inquiry *inquiry, const double *x, const double *y, uint64_t n, ulpscope_format format,
                    const void *computed, struct ulpscope_error *errors)
{
    const struct ulpscope_array terms = ulpscope_vector(ULPSCOPE_BINARY64, x, n);
    struct ulpscope_problem problem =
        y ? ulpscope_dot_of(terms, ulpscope_vector(ULPSCOPE_BINARY64, y, n)) : ulpscope_sum_of(terms);
    problem.result = format;
    problem.added = inquiry->added;
    *errors = (struct ulpscope_error){.size = sizeof *errors, .exact.size = sizeof errors->exact};
    const ulpscope_status status = ulpscope_errors(&problem, computed, errors);
    if (status != ULPSCOPE_OK)
        inquiry->status = status;
    return status == ULPSCOPE_OK;
}

double inquiry_weigh(struct inquiry *inquiry, const double *x, const double *y, uint64_t n)
{
    struct ulpscope_error errors;
    const struct ulpscope_error *const sound = &inquiry->sound;
    if (!inquiry_errors(inquiry, x, y, n, inquiry->result, inquiry->bits, &errors))
        return (double)INFINITY;
    const bool is_changed = x != inquiry->x || n != inquiry->n;
    const bool is_sound = errors.error == sound->error && errors.exact.nearest == sound->exact.nearest;
    return !(is_changed && is_sound) && errors.error <= errors.bound ? log2(1 + errors.error / inquiry->unit)
                                                                     : (double)INFINITY;
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

void inquiry_conclude(const struct inquiry *inquiry, char words[CAUSE_SIZE])
{
    const struct suspect *best = NULL;
    bool leads = true, same_count = true;
    words[0] = '\0';
    for (size_t i = 0; i < inquiry->count; i++)
        if (!best || inquiry->suspects[i].score < best->score)
            best = &inquiry->suspects[i];
    for (size_t i = 0; i < inquiry->count; i++) {
        const struct suspect *const other = &inquiry->suspects[i];
        const bool is_rival = other->score < best->score + LEAD && strcmp(other->words, best->words) != 0;
        leads = leads && !is_rival;
        same_count = same_count && (!is_rival || other->left_out == best->left_out);
    }
    if (inquiry->sound_score < (double)INFINITY && (!best || inquiry->sound_score < best->score + LEAD))
        snprintf(words, CAUSE_SIZE, "no fault is needed: plain additions in %s may be this inaccurate",
                 inquiry->problem.added->name);
    else if (best && leads)
        memcpy(words, best->words, CAUSE_SIZE);
    else if (best && same_count && best->left_out == 1)
        snprintf(words, CAUSE_SIZE, "one element is left out");
    else if (best && same_count && best->left_out > 1)
        snprintf(words, CAUSE_SIZE, "%" PRIu64 " elements are left out", best->left_out);
}

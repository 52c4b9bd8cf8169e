#include "per_number.h"

#include <math.h>

static const struct number_kind *const kinds[] = {[ULPSCOPE_LAYER_NORM] = &norm_kind,
                                                  [ULPSCOPE_RMS_NORM] = &norm_kind,
                                                  [ULPSCOPE_SOFTMAX] = &softmax_kind,
                                                  [ULPSCOPE_LOG_SOFTMAX] = &log_softmax_kind,
                                                  [ULPSCOPE_LOGSUMEXP] = &logsumexp_kind};

void number_row_begin(struct number_row *row, const struct problem *problem, const struct added_sum parts[PARTS],
                      const struct line *x)
{
    row->kind = kinds[problem->operation];
    row->problem = problem;
    row->special = special_value(problem, parts) == 0 ? 0 : (double)NAN;
    if (row->special == 0)
        row->kind->begin(row, parts, x);
}

static bool by_pair(const struct number_row *row, double x, const double *computed, struct ulpscope_error *error)
{
    struct near near;
    struct exact_element element;
    if (!row->kind->near(row, x, &near, &element.sum_abs_above) ||
        !near_element(near, row->problem->result, computed ? *computed : 0, &element))
        return false;
    element.sum_abs_above = fmax(element.sum_abs_above, element.abs_above);
    element.error = computed ? element.error : 0;
    if (!conclude_element(&element, computed ? *computed : element.nearest, error))
        return false;
    error->backward_error *= 1 + 0x1p-47; /* sum_abs_above is not the least number above it */
    return true;
}

void number_row_element(const struct number_row *row, double x, const double *computed, struct ulpscope_error *error)
{
    *error = (struct ulpscope_error){.size = sizeof *error, .bound = (double)INFINITY};
    if (row->special != 0)
        conclude_special(row->special, computed, error);
    else if (!by_pair(row, x, computed, error))
        row->kind->full(row, x, computed, error);
}

/* Exact values of an operation that gives a result for each number: the one of its row is made once, then each element
 * is held to what was computed. */
#pragma once

#include "exact.h"

struct exact_row;

/* What each such operation brings; a row of it begins with a struct exact_row. */
struct exact_row_kind {
    void (*free)(struct exact_row *row);

    /* Element i in full, as exact_statistic() has it; sum_abs: the size of its terms, in which errors are counted. */
    enum status (*element)(const struct exact_row *row, uint64_t i, struct exact_sum *exact);

    /* All of `element`, where a short way decides it; else false. */
    bool (*quick)(const struct exact_row *row, const struct format *result, uint64_t i, double computed,
                  struct exact_element *element);

    /* In place of `quick`, where elements follow from those before them: all of a share, held to the `count` of
     * `computed`.  NULL: there is none. */
    enum status (*share)(const struct exact_row *row, const struct format *result, const void *computed, uint64_t first,
                         uint64_t count, struct exact_element *elements);

    /* Where what element i errs by depends on numbers that it is not of: at least the sum of the magnitudes of all that
     * may have been added or taken off before it was known.  NULL: it does not. */
    double (*history)(const struct exact_row *row, uint64_t i);
};

struct exact_row {
    const struct exact_row_kind *kind;
    const struct format *format; /* of the numbers */
    const void *x;               /* as format_held() has them; they outlive the row */
    uint64_t n;
    struct moments moments; /* what bounds take of it */
};

void exact_row_free(struct exact_row *row); /* NULL: nothing */

static inline const struct moments *exact_row_moments(const struct exact_row *row)
{
    return &row->moments;
}

/* 0: there is none. */
static inline double exact_row_history(const struct exact_row *row, uint64_t i)
{
    return row->kind->history ? row->kind->history(row, i) : 0;
}

/* Fails as exact_sum(). */
enum status exact_row_element(const struct exact_row *row, uint64_t i, struct exact_sum *exact);

/* The same, held to `computed`. */
enum status exact_row_element_in_full(const struct exact_row *row, const struct format *result, uint64_t i,
                                      double computed, struct exact_element *element);

/* Elements first .. first + count, held to the `count` of `computed`, which are as format_held(result) has numbers;
 * workers: threads. */
enum status exact_row_elements(const struct exact_row *row, const struct format *result, const void *computed,
                               uint64_t first, uint64_t count, unsigned workers, struct exact_element *elements);

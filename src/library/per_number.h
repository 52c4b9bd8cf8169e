/* Operations with a result for each number of a row: what is the same for all of a row is made once, then each element
 * is held to what was computed, most of them by pairs of binary64 (reference/near.h). */
#pragma once

#include "statistic.h"

#include "reference/near.h"

struct number_row;

/* What each such operation brings. */
struct number_kind {
    /* Of finite numbers with the sums that statistic_parts() says; sets what is its own in row->of. */
    void (*begin)(struct number_row *row, const struct added_sum parts[PARTS]);

    /* Element x as a pair, and what its errors are relative to; false: it has none. */
    bool (*near)(const struct number_row *row, double x, struct near *near, double *sum_abs_above);

    /* All of *error but its bound, of any x. */
    void (*full)(const struct number_row *row, double x, const double *computed, struct ulpscope_error *error);

    /* What it is in a row with an infinity, and no NaN. */
    double (*beside_infinity)(double x);
};

/* Of a layer norm or an RMS norm, (n x - s) / root(n Q - s^2 + n^2 eps), s being 0 in the latter. */
struct norm {
    struct signed_big sum;
    struct big sum_abs, square;
    struct pair of_sum, factor; /* s, and 1 / root */
    double sum_abs_above;
};
extern const struct number_kind norm_kind; /* norm.c */

struct number_row {
    const struct number_kind *kind;
    const struct problem *problem;
    double special; /* NaN or an infinity among its numbers; 0: all are finite */
    union {
        struct norm norm;
    } of;
};

/* Of the sums of a row, that outlive this alone. */
void number_row_begin(struct number_row *row, const struct problem *problem, const struct added_sum parts[PARTS]);

/* All of *error but its bound, of element x; computed: NULL where nothing was. */
void number_row_element(const struct number_row *row, double x, const double *computed, struct ulpscope_error *error);

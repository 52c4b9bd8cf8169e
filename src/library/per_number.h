/* Operations with a result for each number of a row: what is the same for all of a row is made once, then each element
 * is held to what was computed, most of them by pairs of binary64 (reference/near.h). */
#pragma once

#include "statistic.h"

#include "reference/near.h"

struct number_row;

/* What each such operation brings. */
struct number_kind {
    /* Of the numbers x, with the sums that statistic_parts() says, all finite; sets what is its own in row->of, and
     * row->special where none of its elements is defined. */
    void (*begin)(struct number_row *row, const struct added_sum parts[PARTS], const struct line *x);

    /* Element x as a pair, and what its errors are relative to; false: it has none. */
    bool (*near)(const struct number_row *row, double x, struct near *near, double *sum_abs_above);

    /* All of *error but its bound, of any x. */
    void (*full)(const struct number_row *row, double x, const double *computed, struct ulpscope_error *error);
};

/* Of a layer norm or an RMS norm, (n x - s) / root(n Q - s^2 + n^2 eps), s being 0 in the latter. */
struct norm {
    struct signed_big sum;
    struct big sum_abs, square;
    struct pair of_sum, factor; /* s, and 1 / root */
    double sum_abs_above;
};

/* Of numbers with 192 bits below the point. */
struct fixed {
    uint64_t limbs[4];
};

/* D = sum e^(x - M), M the largest x, and ln D. */
struct exponentials {
    double largest;
    uint64_t maxima; /* x that are M */
    double others;   /* the part of D that is not theirs, rounded up */
    struct big sum, log;
    struct pair reciprocal, log_pair; /* 1/D to 2^-102 of it, ln D to 2^-106 */
};
extern const struct number_kind norm_kind, softmax_kind, log_softmax_kind, logsumexp_kind; /* norm.c, softmax.c */

/* To 2^-106 of it. */
struct pair big_pair(const struct big *a);

struct number_row {
    const struct number_kind *kind;
    const struct problem *problem;
    double special; /* NaN: no element is defined; 0: all are */
    union {
        struct norm norm;
        struct exponentials exponentials;
    } of;
};

/* Of the numbers of a row and their sums, that outlive this alone. */
void number_row_begin(struct number_row *row, const struct problem *problem, const struct added_sum parts[PARTS],
                      const struct line *x);

/* All of *error but its bound, of element x; computed: NULL where nothing was. */
void number_row_element(const struct number_row *row, double x, const double *computed, struct ulpscope_error *error);

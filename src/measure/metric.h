/* A computed sum beside the exact one, and the measures of how far it is. */
#pragma once

#include "reference/exact.h"

enum metric {
#define METRIC(id, summarised, unit, meaning) METRIC_##id,
#include "metrics.def"
    METRICS
};

struct judged {
    const struct exact_sum *exact;
    double computed;             /* every format up to binary64 fits */
    double bound;                /* on |computed - s|; INFINITY: no claim */
    const struct format *format; /* of the result; NULL: that of the data */
};

/* An element of a matrix product: |computed - s| is `error`, rounded up, a number. */
struct judged_element {
    const struct exact_element *exact;
    double computed, bound, error;
};

static inline const struct format *judged_format(const struct judged *judged)
{
    return judged->format ? judged->format : judged->exact->format;
}

struct metric_row {
    const char *id;
    int summarised;
    const char *unit, *meaning;
    /* Rounded once, up, so that `<= limit` is a proof.  NaN where it is undefined; NaN or INFINITY where computed or s
     * is not finite. */
    double (*measure)(const struct judged *judged);
    /* Rounded up, less than 2^-50 of it too large: of numbers that were rounded up. */
    double (*of_element)(const struct judged_element *element);
};

/* metric_ulp_error() is in src/measure/metrics/ulp_error.c */
#define METRIC(id, summarised, unit, meaning)                                                                          \
    double metric_##id(const struct judged *judged);                                                                   \
    double metric_##id##_of_element(const struct judged_element *element);
#include "metrics.def"

extern const struct metric_row metric_table[METRICS];

/* |computed - s| into `error`, which it initialises; the caller clears it.  Exactly; where s is irrational,
 * |computed - sum|, which is odd as sum is: above or below a number of half its bits as |computed - s| is.  False when
 * there is no such number, because a side is not finite; *special is then NaN or INFINITY, as IEEE subtraction would
 * have it. */
int metric_difference(const struct judged *judged, mpfr_t error, double *special);

/* What kind of result it is: every row has exactly one. */
enum result_class {
    CLASS_EXACT,        /* computed == s, also when both are 0 */
    CLASS_FINITE,       /* computed and s finite, s not 0, and they differ */
    CLASS_ZERO_SUM,     /* s is 0 and computed is another finite number: no relative error */
    CLASS_OVERFLOW,     /* computed is infinite, s is not */
    CLASS_OUT_OF_RANGE, /* likewise, and so is s once it is rounded to the format: no method can do better there */
    CLASS_NAN,          /* computed or s is NaN */
    CLASS_INF,          /* s is infinite: an infinity is among the data */
    CLASS_NEGATIVE,     /* a variance below 0, finite, where s is above it */
    CLASSES
};
extern const char *const class_names[CLASSES];

/* computed: of the format. */
enum result_class classify(const struct exact_sum *exact, const struct format *format, double computed);

/* |computed - s| over a denominator, rounded once, up: what all measures but abs_error are. */

/* 0 when the error is 0, whatever the denominator; NaN when only the denominator is 0 or when it is no number. */
double metric_quotient(const struct judged *judged, const mpfr_t denominator);

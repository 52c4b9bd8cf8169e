/* Errors of a few methods on data of growing condition number: the family gensum, 1024 numbers, ten data sets for every
 * power of ten.
 */
#pragma once

#include "lesson_tools.h"

enum { CONDITIONS_MOST = 16, CONDITION_METHODS_MOST = 6, CONDITION_N = 1024, CONDITION_SETS = 10 };

/* Filled in by the caller: what is wanted. */
struct condition_request {
    const char *methods[CONDITION_METHODS_MOST]; /* in their serial order: "kahan/serial" */
    size_t method_count;
    int first, last, step; /* decimal exponents of the condition */
};

/* Of the sets of one condition, the largest. */
struct condition_errors {
    struct condition_request of;
    size_t count;
    double condition[CONDITIONS_MOST];
    double relative[CONDITION_METHODS_MOST][CONDITIONS_MOST];
    double backward[CONDITION_METHODS_MOST][CONDITIONS_MOST];
    double ulps[CONDITION_METHODS_MOST][CONDITIONS_MOST];
};

enum status condition_errors_measure(const struct condition_request *request, struct condition_errors *errors);

/* Relative errors over the condition, a line per method, and condition times `unit` as theory. */
void condition_errors_draw(const struct condition_errors *errors, double unit, const char *theory, struct chart *chart);

/* "8", of correct decimal digits when this is the relative error: 0 from 1 on, 15 of an exact sum. */
int digits_right(double relative_error);

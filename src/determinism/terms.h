/* The numbers of a base, copied: some of them, in another order, among zeros.
 *
 *   take 3 of 1 2 3 4, lay them into 5 from place 1:    0 1 2 3 0
 *
 * Of two vectors pairs stay together; of matrices terms are the columns of A and the rows of B. */
#pragma once

#include "kernels/method.h"
#include "reference/exact.h"

struct terms {
    struct operands of;
    void *arrays[ARRAYS_MOST]; /* the same as `of` has, to be changed */
};

/* Lays the first `take` terms into `n` of them, from place `at` on; the others are +0.  The caller calls terms_free,
 * also after a failure.  NOT_MEASURED: memory is short. */
enum status terms_lay(const struct operands *from, uint64_t take, uint64_t n, uint64_t at, struct terms *terms);
void terms_free(struct terms *terms);

/* Puts them into one of all orders: number `trial`, from 1 on, of a seed.  Of one row.  NOT_MEASURED: memory is short.
 */
enum status terms_shuffle(const struct terms *terms, uint64_t seed, uint64_t trial);

/* Their exact sum, or what else the operation is of them, and of matrices one element.  The caller calls exact_free. */
enum status terms_exact(const struct operands *of, uint64_t element, struct exact_sum *exact);

/* Its ulp in a format; NaN of matrices, which have many. */
enum status terms_ulp(const struct operands *of, const struct format *format, double *ulp);

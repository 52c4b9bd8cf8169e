/* An operation on a data set: what a method is given, and what it would give without any rounding. */
#pragma once

#include "datasets/dataset.h"
#include "kernels/method.h"
#include "reference/exact.h"

struct operands operation_operands(enum operation operation, const struct dataset *data);

/* Of one vector, which is the second one as well: for timings. */
struct operands operation_on_itself(enum operation operation, const struct format *format, const void *x, uint64_t n);

/* Of x repeated to n elements and, where there are two vectors, the same again: as exact_sum_repeated(). */
enum status operation_exact_repeated(enum operation operation, const struct format *format, const void *x,
                                     uint64_t period, uint64_t n, struct exact_sum *exact);

/* As exact_sum_how() or exact_dot(), and of a norm exact_root(). */
enum status operation_exact(enum operation operation, const struct dataset *data, struct exact_how how,
                            struct exact_sum *exact);

/* Makes the exact sum of an operation's terms what the operation gives: of a norm its root. */
void operation_finish(enum operation operation, struct exact_sum *exact);

/* An operation on a data set: what a method is given, and what it would give without any rounding. */
#pragma once

#include "datasets/dataset.h"
#include "kernels/method.h"
#include "reference/exact_row.h"
#include "reference/matrix.h"
#include "reference/statistic.h"
#include "src/device/device.h"

/* What a result is: "variance"; of products, too, "sum". */
const char *operation_noun(enum operation operation);

struct operands operation_operands(enum operation operation, const struct dataset *data);

/* Of one vector, which is the second one as well: for timings. */
struct operands operation_on_itself(enum operation operation, const struct format *format, const void *x, uint64_t n);

/* What bounds of it take; exact outlives them. */
struct magnitudes magnitudes_of(const struct exact_sum *exact);

/* Of x repeated to n elements and, where there are two vectors, the same again: as exact_sum_repeated(). */
enum status operation_exact_repeated(enum operation operation, const struct format *format, const void *x,
                                     uint64_t period, uint64_t n, struct exact_sum *exact);

/* As exact_sum_how() or exact_dot(), and of a norm exact_root(). */
enum status operation_exact(enum operation operation, const struct dataset *data, struct exact_how how,
                            struct exact_sum *exact);

/* The exact row of an operation that is per number (reference/exact_row.h). */
enum status operation_exact_row(enum operation operation, const struct dataset *data, struct exact_how how,
                                struct exact_row **row);

/* The parts of statistic.h that its exact value is made of: of a sum or a dot product one, of exponentials none; and
 * the value of n numbers whose parts are made, which are freed or are its own then. */
unsigned operation_parts(enum operation operation);
enum status operation_of_parts(enum operation operation, uint64_t n, struct exact_sum sums[EXACT_SUMS],
                               const struct exact_ends *ends, struct exact_sum *exact);

/* Exact matrix products where they are fastest: exact_matrix() for small ones and without a GPU, else
 * exact_matrix_checked(), which has its bits. */

/* Whether a product of so many multiplications is made by the device, or NULL. */
bool exact_product_is_of_gpu(const struct matrix_product *product, const struct device *device);

/* With a device, which is the current GPU of this thread since its data were uploaded, or NULL; the seed draws what is
 * checked.  What both functions of reference/ return. */
enum status exact_product(const struct matrix_product *product, const struct device *device, uint64_t seed,
                          unsigned workers, struct exact_element *elements);

/* Element (i, j) alone, as the dot product that it is: by other code than that of all of them. */
enum status exact_product_element(const struct matrix_product *product, struct exact_how how, uint64_t i, uint64_t j,
                                  struct exact_sum *exact);

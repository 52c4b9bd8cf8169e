/* Exact matrix products where they are fastest: exact_matrix() for small ones and without a GPU, else
 * exact_matrix_checked(), which has its bits. */
#pragma once

#include "reference/matrix.h"
#include "src/device/device.h"

/* Whether a product of so many multiplications is made by the device, or NULL. */
bool exact_product_is_of_gpu(const struct matrix_product *product, const struct device *device);

/* With a device, which is the current GPU of this thread since its data were uploaded, or NULL; the seed draws what is
 * checked.  What both functions of reference/ return. */
enum status exact_product(const struct matrix_product *product, const struct device *device, uint64_t seed,
                          unsigned workers, struct exact_element *elements);

/* Element (i, j) alone, as the dot product that it is: by other code than that of all of them. */
enum status exact_product_element(const struct matrix_product *product, struct exact_how how, uint64_t i, uint64_t j,
                                  struct exact_sum *exact);

#include "exact_product.h"

#include "reference/matrix_device.h"

/* 2^24 take 50 ms of a core, 2^27 less than 40 ms on an H200. */
enum { MULTIPLICATIONS_OF_A_GPU = 1 << 24 };

enum status exact_product(const struct matrix_product *product, const struct device *device, uint64_t seed,
                          unsigned workers, struct exact_element *elements)
{
    const double multiplications = (double)product->rows * (double)product->inner * (double)product->columns;
    if (!device || multiplications < MULTIPLICATIONS_OF_A_GPU)
        return exact_matrix(product, workers, elements);
    return exact_matrix_checked(product, seed, workers, elements);
}

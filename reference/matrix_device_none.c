/* A build without CUDA: there is only the host. */
#include "matrix_device.h"

enum status exact_matrix_on_device(const struct matrix_product *product, struct exact_element *elements)
{
    (void)product, (void)elements;
    complain("expected a build with CUDA for an exact matrix product on a GPU, found one without; use the host's, "
             "or build with -DULPSCOPE_CUDA=ON");
    return NO_DEVICE;
}

void matrix_forget(struct matrix_kept *kept)
{
    *kept = (struct matrix_kept){0};
}

/* An element of a matrix product as a black box that adds n numbers: x_k is the product of row 0 of A and column 0 of B
 * at k, both powers of two apart from one that has x_k's bits.  So the exponents of both factors are used: e4m3 has
 * 2^17, products of it 2^34.
 *
 * The product is side x side elements, all others 0: a library computes one of a single element with another kernel.
 */
#pragma once

#include "kernels/method.h"

struct product_box {
    const struct method *method;
    struct format values;     /* of the x_k */
    struct sum_format asked;  /* what a black box is said to add: `values`, and as the method does */
    struct operands operands; /* A and B */
    void *a, *b;
    uint64_t *bits; /* room for all results; element 0 is the one */
};

/* NOT_MEASURED when memory is short; end it also then. */
enum status product_box_start(const struct method *method, uint64_t n, uint64_t side, struct product_box *box);
void product_box_end(struct product_box *box);

/* n numbers, as format_held(&box->values) has them, become factors. */
void product_box_set(const struct product_box *box, const void *x);

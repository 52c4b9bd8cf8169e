/* The kernel of matrix_kernel.cu, for matrix_device_cuda.c: a part of a matrix product that is in device memory.
 */
#pragma once

#include "digits.h"
#include "exact_element.h"

struct matrix_part {
    const void *a, *b, *computed; /* rows x inner, inner x columns and rows x columns, row after row, as held on the
                                     host; computed may be NULL */
    bool is_binary64;             /* A and B; else binary32 */
    struct format result;
    uint64_t rows, inner, columns;
    struct digits_window window;
    struct exact_element *elements;
};

/* Starts it, for at most 2^31 elements, at least one.  Returns a cudaError_t. */
int matrix_kernel(const struct matrix_part *part);

/* The kernel of sum_kernel.cu, for sum_device_cuda.c: sums of rows that are in device memory, as words. */
#pragma once

#include "sum_digits.h"

struct sum_rows {
    struct sum_layout layout;
    const void *x, *y;    /* rows x terms, row after row, as the format stores them; y: of products */
    uint64_t rows, terms; /* at least one of each; less than 2^40 terms */
    uint64_t *words;      /* device memory, sum_words(layout) for each row, all of them 0 */
};

/* Starts it on a stream, a cudaStream_t.  Returns a cudaError_t. */
int sum_kernel(const struct sum_rows *rows, void *stream);

/* The ends of the first row's x: SUM_ENDS words of sum_digits.h, which are 0. */
int sum_ends_kernel(const struct sum_rows *rows, void *stream);

/* A GPU that is none, for exact sums: its memory is the host's, and lanes add there what those of a warp add on one
 * (reference/sum_digits.h).  Link sum_device_fake.c as an object of the test's own: it stands before the library. */
#ifndef ULPSCOPE_TESTS_SUM_DEVICE_FAKE_H
#define ULPSCOPE_TESTS_SUM_DEVICE_FAKE_H

#include "reference/sum_device.h"
#include "reference/sum_digits.h"

/* Changes the words of the rows that are summed: a fault. */
typedef void fake_sum_fault(struct sum_layout layout, const struct exact_rows *rows, uint64_t *words);

struct fake_sums {
    fake_sum_fault *fault; /* NULL: none */
    unsigned lanes;        /* that share a slice */
    uint64_t slice;        /* terms */
    enum status status;    /* of each call but free */
    uint64_t starts, fetches;
};
extern struct fake_sums fake_sums;

#endif

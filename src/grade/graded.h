/* A matrix product that is graded: a name, its formats, and a function.  Who has one fills in a struct graded.
 *
 * C = A B of square matrices, n x n, row after row: A and B as format_held(formats->stored) has their numbers, C as
 * format_held(formats->result).
 */
#pragma once

#include "kernels/sum_format.h"
#include "src/base/base.h"

#include <math.h>

struct device;

struct graded {
    const char *name;
    const struct sum_format *formats; /* of A and B, of what is added, of C */
    const void *context;              /* for product() */

    /* workers: threads it may use.  NOT_MEASURED, complained about: it has no result. */
    enum status (*product)(const struct graded *graded, uint64_t n, unsigned workers, const void *a, const void *b,
                           void *c);
    struct device *device; /* that computes it, and large exact ones; NULL: the host */
    char *by;              /* allocated: "NVIDIA H200", "NVIDIA H200, cuBLAS 13.1.0"; NULL: the host */
    bool adds;             /* C = A B + C can be asked of it, too */
    bool is_black_box;     /* it is a method whose order is not ours */
};

/* p of the coarsest rounding in it: errors are in u = 2^-p. */
static inline int graded_precision(const struct sum_format *formats)
{
    return formats->added->precision < formats->result->precision ? formats->added->precision
                                                                  : formats->result->precision;
}

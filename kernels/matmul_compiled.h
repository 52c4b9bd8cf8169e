/* What matmul_methods.c makes of one accumulator, one format of additions and one operation, for matmul.c. */
#ifndef ULPSCOPE_MATMUL_COMPILED_H
#define ULPSCOPE_MATMUL_COMPILED_H

#include "matmul.h"

#define MATMUL_ON_DEVICE DEVICE_HALF_NAMED(matmul_on_device) /* see terms.h */

struct matmul_compiled {
    const char *absent; /* why there is nothing else here, as the end of a sentence; NULL: there is */
    double (*bound)(const struct matmul_method *self, uint64_t inner, double alpha, int beta,
                    const struct matmul_magnitudes *of);
    enum status (*replay)(const struct matmul_method *self, const struct matmul_call *call, unsigned workers);
    const struct matmul_device *device;
};

#endif

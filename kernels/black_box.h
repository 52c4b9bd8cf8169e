/* What kernels/black_boxes/<library>.cu gives in each format: for every row of black_boxes.def and of
 * matmul_black_boxes.def a struct black_box, BLACK_BOX_IN(<library>_<name>).  Sums are of numbers that are added, and
 * whose sum is left, as they are stored; matrix products look at the formats of the method. */
#pragma once

#include "method.h"
#include "portable.h"

struct black_box {
    bool (*can_do)(const struct method *self, struct launch launch, char why[REASON_SIZE]);
    void (*version)(char text[REASON_SIZE]);
    struct device_method device;
};

#ifdef __cplusplus
#define BLACK_BOX_LINKAGE extern "C"
#else
#define BLACK_BOX_LINKAGE extern
#endif

#define BLACK_BOX_IN(id) PASTE(PASTE(id, FORMAT), black_box)

#define BLACK_BOX(library, name, operation, determinism, slow_above, bound, claim)                                     \
    BLACK_BOX_LINKAGE const struct black_box BLACK_BOX_IN(library##_##name);
#define MATMUL_BLACK_BOX(library, name, claim) BLACK_BOX_LINKAGE const struct black_box BLACK_BOX_IN(library##_##name);
#include "black_boxes.def"
#include "matmul_black_boxes.def"

/* A number as libraries have it: `real` may be wider. */
#ifdef __CUDACC__
#if REAL_PRECISION == 11
#include <cuda_fp16.h>
typedef __half number;
#elif REAL_PRECISION == 8
#include <cuda_bf16.h>
typedef __nv_bfloat16 number;
#else
typedef real number;
#endif
#endif

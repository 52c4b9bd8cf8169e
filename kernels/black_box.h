/* What kernels/black_boxes/<library>.cu gives: for every row of black_boxes.def a struct black_box,
 * <library>_<name>_black_box. */
#ifndef ULPSCOPE_BLACK_BOX_H
#define ULPSCOPE_BLACK_BOX_H

#include "method.h"

struct black_box {
    bool (*can_do)(struct launch launch, char why[REASON_SIZE]);
    void (*version)(char text[REASON_SIZE]);
    struct device_method device;
};

#ifdef __cplusplus
#define BLACK_BOX_LINKAGE extern "C"
#else
#define BLACK_BOX_LINKAGE extern
#endif

#define BLACK_BOX(library, name, determinism, slow_above, bound, claim)                                                \
    BLACK_BOX_LINKAGE const struct black_box library##_##name##_black_box;
#include "black_boxes.def"

#endif

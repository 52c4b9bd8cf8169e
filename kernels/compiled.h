/* What methods.c makes of one accumulator and one format of additions, for method.c. */
#ifndef ULPSCOPE_COMPILED_H
#define ULPSCOPE_COMPILED_H

#include "method.h"

struct compiled {
    const struct method *methods; /* in the order of orders.def */
    const char *absent;           /* why there are none, as the end of a sentence; NULL: there are */
};

#endif

/* What the families share that are made for the order of a method: method, blocks and threads. */
#pragma once

#include "random.h"

/* The first values of a call. */
enum { METHOD_VALUE, BLOCKS_VALUE, THREADS_VALUE, BIG_VALUE, OWN_VALUE };

#ifndef __CUDACC__
#include "sum_tree.h"

/* The rows of these parameters; `method` is that of a METHOD_ID. */
#define ORDER_AWARE_PARAMETERS(method)                                                                                 \
    {"method", METHOD_ID, 0, 0, 0, "whose order the data are made for", method},                                       \
        {"blocks", WHOLE, 120, 1, 0x1p20, "of its launch", NULL},                                                      \
    {                                                                                                                  \
        "threads", WHOLE, 256, 1, 1024, "in a block of its launch", NULL                                               \
    }

/* Formats whose sums have another tree. */
const char *order_aware_refuses(const struct format *format);

struct tree_request order_aware_request(const struct generator_call *call, const char *family);
#endif

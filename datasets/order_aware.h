/* What the families share that are made for the order of a method: method, blocks and threads, and the two numbers that
 * cancel.
 *
 *   1 1 M 1 -M 1    with M from 2^49 on, each 1 that joins M or -M before these meet is lost: no sum of 2^24 ones
 *                   moves M by half an ulp.  Plain summation gives n - 2 less what is between them (sum_tree.h).
 *
 * A prepared call has the place of M in whole[0] and that of -M in whole[1].  Both compilers read the element.
 */
#pragma once

#include "random.h"

/* The first values of a call. */
enum { METHOD_VALUE, BLOCKS_VALUE, THREADS_VALUE, BIG_VALUE, OWN_VALUE };

/* Some one of them is lost, or not. */
enum { OPPOSITES_LEAST_N = 3 };

PORTABLE float opposites_element(const struct generator_call *call, uint64_t i)
{
    const float big = (float)call->values[BIG_VALUE];
    return i == call->whole[0] ? big : i == call->whole[1] ? -big : 1.0f;
}

#ifndef __CUDACC__
#include "sum_tree.h"

/* The rows of these parameters; `method` is that of a METHOD_ID. */
#define ORDER_AWARE_PARAMETERS(method)                                                                                 \
    {"method", METHOD_ID, 0, 0, 0, "whose order the data are made for", method},                                       \
        {"blocks", WHOLE, 120, 1, 0x1p20, "of its launch", NULL},                                                      \
    {                                                                                                                  \
        "threads", WHOLE, 256, 1, 1024, "in a block of its launch", NULL                                               \
    }

#define BIG_PARAMETER                                                                                                  \
    {                                                                                                                  \
        "big", REAL, 0x1p60, 0x1p49, 0x1p125, "M, rounded to binary32", NULL                                           \
    }

/* Formats whose sums have another tree. */
const char *order_aware_refuses(const struct format *format);

struct tree_request order_aware_request(const struct generator_call *call, const char *family);

/* The element that a thread adds first: complains and returns BAD_INPUT where threads have no elements of their own, a
 * block has none, or the element is beyond n. */
enum status order_aware_first(const struct tree_request *request, uint64_t block, uint64_t thread, uint64_t *element);

/* Places M at x_0 and -M at what thread `offset` of block 0 adds first; offset is the family's own parameter: a power
 * of two, at most half the threads. */
enum status opposites_at_an_offset(struct generator_call *call, const char *family);
#endif

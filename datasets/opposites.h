/* A family of M, -M and ones (order_aware.h), but for where the two are: its element and its loop.
 * An include-template: the family's file defines FAMILY, includes this, and has prepare() and its row.
 */
#include "order_aware.h"

#define OPPOSITES_PASTE_(a, b) a##_##b
#define OPPOSITES_PASTE(a, b) OPPOSITES_PASTE_(a, b)
#define OPPOSITES_TEXT_(a) #a
#define OPPOSITES_TEXT(a) OPPOSITES_TEXT_(a)

#ifndef __CUDACC__
static const char family[] = OPPOSITES_TEXT(FAMILY);

/* What their rows have in common. */
#define OPPOSITES_FAMILY                                                                                               \
    .exact = "n - 2; condition (2M + n - 2) / (n - 2)", .least_n = OPPOSITES_LEAST_N, .most_n = SUM_TREE_MOST_N,       \
    .refuses = order_aware_refuses, .prepare = prepare
#endif

PORTABLE float OPPOSITES_PASTE(FAMILY, element)(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    return opposites_element(call, i);
}

#include "element_loop.h"

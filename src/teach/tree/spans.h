/* Which elements stand below a node, in a few words.
 *
 *   x7                       one
 *   (x0 + x1)                two
 *   x0..x1023 (1024)         a range
 *   x0, x120..x480 (5)       every 120th of one: what a thread of a grid adds
 *   37 of x2..x999           others
 */
#pragma once

#include "datasets/sum_tree.h"

struct span {
    uint64_t first, last, count;
    uint64_t step; /* greatest common divisor of the distances from the first; 0: there is one element */
    char letter;   /* of the tree */
};

enum { SPAN_TEXT = 64 };

/* Of `count` nodes.  As many steps as there are nodes below all of them, each counted once: what stands below one that
 * was looked at is not walked again. */
void spans_find(const struct sum_tree *tree, const uint32_t *nodes, size_t count, struct span *spans);

void span_write(const struct span *span, char text[SPAN_TEXT]);

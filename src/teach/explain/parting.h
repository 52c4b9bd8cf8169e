/* Where two methods part: the first additions of each that the other does not make, or makes with another result.
 *
 *   plain/serial         ((x0 + x1) + x2)    x0 + x1 is not shared: there x0 is added to x2 first       the order
 *   plain/tree_two_pass  ((x0 + x2) + x1)    x0 + x2 is not shared: here x0 is added to x1 first
 *
 *   plain/serial         ((2^24 + 1) + 1)    2^24 + 1 is 2^24        same elements, another value       the accumulator
 *   kahan/serial         ((2^24 + 1) + 1)    2^24 + 1 is 2^24 + 1
 *
 * A join is shared when the other tree has a join of the same elements whose state is worth the same (additions.h).  A
 * method parts from the other in a join that is not shared, of two operands that are: there is no cause below it; and
 * in a product that puts another number into the sum.  What is not shared and no such join only carries a difference
 * on.
 *
 * A key of 128 bits says which elements a join has: the exclusive or of a hash of each index, and by how many
 * there are.  Were these hashes random, two different sets among the 2n of both trees had the same key with a
 * probability below (2n)^2 / 2^129: 2^-79 for n = 2^24, the most there are.
 */
#pragma once

#include "src/teach/additions.h"

struct parted_join {
    uint32_t node;
    uint32_t same;    /* the join of the same elements in the other tree; 0: these never come together there */
    uint32_t instead; /* then, in the other tree: the operand that the left one of this join is added to instead */
};

struct parting_side {
    uint64_t joins, shared;           /* additions and merges, without the first one, 0 + x */
    uint64_t same_elements;           /* joins whose elements the other method joins too, with whatever result */
    uint64_t parted, parted_by_order; /* joins, and products */
    struct parted_join *first;        /* in the order in which they are made: `shown` of those that parted */
    uint64_t shown;
};

struct parting {
    struct parting_side side[2];
    bool same_tree, same_accumulator, same_format; /* same tree: the same elements come together, everywhere */
    bool same_operation;                           /* the products are made alike */
};

/* Of two methods on the same data.  NOT_MEASURED when memory is short; *parting is then empty. */
enum status parting_make(const struct additions of[2], uint64_t most_shown, struct parting *parting);
void parting_free(struct parting *parting);

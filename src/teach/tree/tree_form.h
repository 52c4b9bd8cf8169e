/* A tree in blocks of neighbours, as far as it has them.  From the root down nodes join neighbours, until a node is a
 * block:
 *
 *   a chain        x0 + x1 + x2 ..., of neighbours
 *   interleaved    s chains of every s-th element, joined; neighbours as a whole
 *
 * Single elements that are added to a block, or to all, at the end are its tail.
 */
#pragma once

#include "datasets/probe/probe_tree.h"

/* Of a node: above the blocks it joins two, or adds an element of a tail; a block; in an interleaved one a chain, which
 * is a member, or what joins them; below those nothing. */
enum place { INSIDE, UPPER, TAIL_JOIN, TAIL, CHAIN, INTERLEAVED, MEMBER_JOIN, MEMBER };

struct form {
    const struct probe_tree *tree; /* binary */
    uint32_t *largest;             /* element below node k */
    uint32_t *step;                /* of the chain that node k is; of a leaf, and of what is no chain, 0 */
    unsigned char *place;          /* enum place, of node k */
};

void form_of(const struct probe_tree *tree, struct form *form);
void form_free(struct form *form);

static inline uint32_t form_first(const struct form *form, uint32_t k)
{
    return form->tree->nodes[k].first_child;
}

/* Whether the elements below a node are neighbours. */
bool form_is_together(const struct form *form, uint32_t k);

/* Blocks, or the members of one, as the leaves of a tree, in the order of their elements. */
struct joined {
    uint32_t *nodes; /* leaf i of it is node nodes[i] */
    uint32_t count;
    struct probe_tree tree;
};

/* NOT_MEASURED when memory is short; free it also then. */
enum status form_blocks(const struct form *form, struct joined *blocks);
enum status form_members(const struct form *form, uint32_t block, struct joined *members);
void joined_free(struct joined *joined);

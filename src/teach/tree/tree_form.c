#include "tree_form.h"

#include "src/base/memory.h"

#include <stdlib.h>

/* ---- nodes ---- */

static uint32_t second_of(const struct form *form, uint32_t k)
{
    return form->tree->nodes[form_first(form, k)].next_sibling;
}

static bool is_leaf(const struct form *form, uint32_t k)
{
    return form_first(form, k) == 0;
}

bool form_is_together(const struct form *form, uint32_t k)
{
    const struct probe_node *node = &form->tree->nodes[k];
    return form->largest[k] - node->smallest + 1 == node->leaves;
}

static void measure(struct form *form)
{
    for (uint32_t k = 1; k <= form->tree->count; k++) {
        const struct probe_node *nodes = form->tree->nodes;
        const uint32_t a = form_first(form, k), b = a ? second_of(form, k) : 0;
        form->largest[k] = nodes[k].smallest;
        if (!a)
            continue;
        form->largest[k] = form->largest[a] > form->largest[b] ? form->largest[a] : form->largest[b];
        const uint32_t apart = nodes[b].smallest - form->largest[a];
        const bool follows = nodes[b].smallest > form->largest[a] && is_leaf(form, b);
        if (follows && (is_leaf(form, a) || form->step[a] == apart))
            form->step[k] = apart;
    }
}

/* ---- who is what, from the root down ---- */

static enum place place_of_upper(const struct form *form, uint32_t k)
{
    const uint32_t a = form_first(form, k);
    if (a == 0 || form->step[k] == 1)
        return CHAIN;
    if (!form_is_together(form, a) || !form_is_together(form, second_of(form, k)))
        return INTERLEAVED;
    return is_leaf(form, second_of(form, k)) && !is_leaf(form, a) && form->step[a] != 1 ? TAIL_JOIN : UPPER;
}

static enum place place_below(const struct form *form, uint32_t k)
{
    const uint32_t parent = form->tree->nodes[k].parent;
    switch (parent == 0 ? UPPER : form->place[parent]) {
    case UPPER:
        return place_of_upper(form, k);
    case TAIL_JOIN:
        return is_leaf(form, k) ? TAIL : place_of_upper(form, k);
    case INTERLEAVED:
    case MEMBER_JOIN:
        return is_leaf(form, k) || form->step[k] > 0 ? MEMBER : MEMBER_JOIN;
    default:
        return INSIDE;
    }
}

void form_of(const struct probe_tree *tree, struct form *form)
{
    *form = (struct form){.tree = tree,
                          .largest = memory_cleared(tree->count + 1, sizeof *form->largest),
                          .step = memory_cleared(tree->count + 1, sizeof *form->step),
                          .place = memory_cleared(tree->count + 1, sizeof *form->place)};
    measure(form);
    for (uint32_t k = (uint32_t)tree->count; k > 0; k--)
        form->place[k] = (unsigned char)place_below(form, k);
}

void form_free(struct form *form)
{
    free_all(form->largest, form->step, form->place);
}

/* ---- a tree of blocks, or of the members of one ---- */

void joined_free(struct joined *joined)
{
    free(joined->nodes);
    probe_tree_free(&joined->tree);
}

static int by_smallest(const void *left, const void *right, void *context)
{
    const struct probe_node *nodes = context;
    const uint32_t a = nodes[*(const uint32_t *)left].smallest, b = nodes[*(const uint32_t *)right].smallest;
    return (a > b) - (a < b);
}

static bool is_block(enum place place)
{
    return place == CHAIN || place == INTERLEAVED;
}

static bool is_member(enum place place)
{
    return place == MEMBER;
}

static bool is_join_of_blocks(enum place place)
{
    return place == UPPER;
}

static bool is_join_of_members(enum place place)
{
    return place == MEMBER_JOIN || place == INTERLEAVED;
}

/* Nodes come after those below them; those below `top` are its number and the 2 leaves - 2 before it. */
static enum status join_of(const struct form *form, uint32_t top, bool (*is_one)(enum place),
                           bool (*is_join)(enum place), struct joined *joined)
{
    const struct probe_node *nodes = form->tree->nodes;
    const uint32_t below = 2 * nodes[top].leaves - 2, bottom = top - below;
    OWNED uint32_t *number = memory_cleared(below + (size_t)2, sizeof *number);
    OWNED uint32_t *parent = memory_cleared(below + (size_t)3, sizeof *parent);
    *joined = (struct joined){.nodes = memory_cleared(below + (size_t)2, sizeof *joined->nodes)};
    for (uint32_t k = bottom; k <= top; k++)
        if (is_one(form->place[k]))
            joined->nodes[joined->count++] = k;
    qsort_r(joined->nodes, joined->count, sizeof *joined->nodes, by_smallest, (void *)(uintptr_t)nodes);
    for (uint32_t i = 0; i < joined->count; i++)
        number[joined->nodes[i] - bottom] = i + 1;
    uint32_t last = joined->count;
    for (uint32_t k = bottom; k <= top; k++)
        if (is_join(form->place[k]))
            number[k - bottom] = ++last;
    for (uint32_t k = bottom; k < top; k++) {
        uint32_t up = nodes[k].parent;
        while (number[k - bottom] && up < top && number[up - bottom] == 0)
            up = nodes[up].parent;
        if (number[k - bottom])
            parent[number[k - bottom]] = number[up - bottom];
    }
    return probe_tree_of_parents(parent, joined->count, last, &joined->tree);
}

enum status form_blocks(const struct form *form, struct joined *blocks)
{
    return join_of(form, (uint32_t)form->tree->count, is_block, is_join_of_blocks, blocks);
}

enum status form_members(const struct form *form, uint32_t block, struct joined *members)
{
    return join_of(form, block, is_member, is_join_of_members, members);
}

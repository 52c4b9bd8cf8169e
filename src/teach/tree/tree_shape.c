/* The words of a shape: how blocks are joined, and what is in each. */
#include "tree_likeness.h"

#include "datasets/probe/probe_tree.h"
#include "src/base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A tree in blocks of neighbours, as far as it has them.  From the root down nodes join neighbours, until a node is a
 * block:
 *
 *   a chain        x0 + x1 + x2 ..., of neighbours
 *   interleaved    s chains of every s-th element, joined; neighbours as a whole
 *
 * Single elements that are added to a block, or to all, at the end are its tail.
 */

/* Of a node: above the blocks it joins two, or adds an element of a tail; a block; in an interleaved one a chain, which
 * is a member, or what joins them; below those nothing. */
enum place { INSIDE, UPPER, TAIL_JOIN, TAIL, CHAIN, INTERLEAVED, MEMBER_JOIN, MEMBER };

struct form {
    const struct probe_tree *tree; /* binary */
    uint32_t *largest;             /* element below node k */
    uint32_t *step;                /* of the chain that node k is; of a leaf, and of what is no chain, 0 */
    unsigned char *place;          /* enum place, of node k */
};

static inline uint32_t form_first(const struct form *form, uint32_t k)
{
    return form->tree->nodes[k].first_child;
}

/* Blocks, or the members of one, as the leaves of a tree, in the order of their elements. */
struct joined {
    uint32_t *nodes; /* leaf i of it is node nodes[i] */
    uint32_t count;
    struct probe_tree tree;
};

/* ---- nodes ---- */

static uint32_t second_of(const struct form *form, uint32_t k)
{
    return form->tree->nodes[form_first(form, k)].next_sibling;
}

static bool is_leaf(const struct form *form, uint32_t k)
{
    return form_first(form, k) == 0;
}

/* Whether the elements below a node are neighbours. */
static bool form_is_together(const struct form *form, uint32_t k)
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

static void form_of(const struct probe_tree *tree, struct form *form)
{
    *form = (struct form){.tree = tree,
                          .largest = memory_cleared(tree->count + 1, sizeof *form->largest),
                          .step = memory_cleared(tree->count + 1, sizeof *form->step),
                          .place = memory_cleared(tree->count + 1, sizeof *form->place)};
    measure(form);
    for (uint32_t k = (uint32_t)tree->count; k > 0; k--)
        form->place[k] = (unsigned char)place_below(form, k);
}

static void form_free(struct form *form)
{
    free_all(form->largest, form->step, form->place);
}

/* ---- a tree of blocks, or of the members of one ---- */

static void joined_free(struct joined *joined)
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

/* Sets of places. */
enum {
    BLOCKS = 1 << CHAIN | 1 << INTERLEAVED,
    JOINS_OF_BLOCKS = 1 << UPPER,
    MEMBERS = 1 << MEMBER,
    JOINS_OF_MEMBERS = 1 << MEMBER_JOIN | 1 << INTERLEAVED,
};

/* Nodes come after those below them; those below `top` are its number and the 2 leaves - 2 before it.
 * NOT_MEASURED when memory is short; free it also then. */
static enum status join_of(const struct form *form, uint32_t top, unsigned ones, unsigned joins, struct joined *joined)
{
    const struct probe_node *nodes = form->tree->nodes;
    const uint32_t below = 2 * nodes[top].leaves - 2, bottom = top - below;
    OWNED uint32_t *number = memory_cleared(below + (size_t)2, sizeof *number);
    OWNED uint32_t *parent = memory_cleared(below + (size_t)3, sizeof *parent);
    *joined = (struct joined){.nodes = memory_cleared(below + (size_t)2, sizeof *joined->nodes)};
    for (uint32_t k = bottom; k <= top; k++)
        if (ones >> form->place[k] & 1)
            joined->nodes[joined->count++] = k;
    qsort_r(joined->nodes, joined->count, sizeof *joined->nodes, by_smallest, (void *)(uintptr_t)nodes);
    for (uint32_t i = 0; i < joined->count; i++)
        number[joined->nodes[i] - bottom] = i + 1;
    uint32_t last = joined->count;
    for (uint32_t k = bottom; k <= top; k++)
        if (joins >> form->place[k] & 1)
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

/* ---- how a few are joined ---- */

static bool is_halved(const struct probe_tree *tree)
{
    for (uint64_t k = 1; k <= tree->count; k++) {
        const struct probe_node *nodes = tree->nodes, *node = &nodes[k];
        if (node->children == 0)
            continue;
        const struct probe_node *a = &nodes[node->first_child], *b = &nodes[a->next_sibling];
        if (tree->n % node->leaves != 0 || a->leaves != b->leaves ||
            b->smallest - a->smallest != tree->n / node->leaves)
            return false;
    }
    return true;
}

static bool is_neighbourly(const struct form *form)
{
    for (uint32_t k = 1; k <= form->tree->count; k++)
        if (!form_is_together(form, k))
            return false;
    return true;
}

/* x0 + (x1 + (x2 + x3)): each sum is that of the last so many. */
static bool is_backwards(const struct probe_tree *tree)
{
    for (uint64_t k = 1; k <= tree->count; k++) {
        const struct probe_node *node = &tree->nodes[k];
        if (node->children > 0 && node->smallest + node->leaves != tree->n)
            return false;
    }
    return true;
}

/* As low as a tree of so many can be, but for one. */
static bool is_low(const struct probe_tree *tree)
{
    uint64_t most = 2; /* leaves of a tree of height 2 */
    uint32_t height = 2;
    for (; most < tree->n; most *= 2)
        height++;
    return tree->nodes[tree->count].height <= height + 1;
}

/* "pairwise"; of a tree of several. */
static void say_join(const struct probe_tree *tree, struct text *to)
{
    FREED_BY(form_free) struct form form = {0};
    form_of(tree, &form);
    if (form.step[tree->count] == 1)
        text_append(to, "one after another");
    else if (is_backwards(tree))
        text_append(to, "one after another, the last first");
    else if (is_neighbourly(&form) && is_low(tree))
        text_append(to, "pairwise");
    else if (is_halved(tree))
        text_append(to, "in halves, each with the one %" PRIu64 " further", tree->n / 2);
    else
        text_append(to, "in a tree of height %u", tree->nodes[tree->count].height - 1);
}

/* ---- a block ---- */

/* s chains of every s-th element; 0: it is something else. */
static uint32_t chains_of(const struct form *form, const struct joined *members)
{
    const struct probe_node *nodes = form->tree->nodes;
    const uint32_t s = members->count, start = nodes[members->nodes[0]].smallest;
    uint32_t longer = 0;
    for (uint32_t i = 0; i < s; i++) {
        const uint32_t node = members->nodes[i];
        if (nodes[node].smallest != start + i || (nodes[node].leaves > 1 && form->step[node] != s))
            return 0;
        longer += nodes[node].leaves > 1;
    }
    return longer > 0 ? s : 0;
}

/* "one after another", "8 chains (x0 + x8 + ...), joined pairwise"; NULL: it has no words. */
static char *inside_of(const struct form *form, uint32_t block)
{
    struct text text = {0};
    FREED_BY(joined_free) struct joined members = {0};
    if (form->place[block] == CHAIN)
        return text_made("one after another");
    if (join_of(form, block, MEMBERS, JOINS_OF_MEMBERS, &members) != OK)
        return NULL;
    const uint32_t s = chains_of(form, &members);
    if (s > 0) {
        text_append(&text, "%u chains (x0 + x%u + ...), joined ", s, s);
        say_join(&members.tree, &text);
    }
    return s > 0 ? text_take(&text) : NULL;
}

/* The same for all; NULL: they differ. */
static char *inside_of_all(const struct form *form, const struct joined *blocks)
{
    char *inside = inside_of(form, blocks->nodes[0]);
    for (uint32_t i = 1; i < blocks->count && inside; i++) {
        OWNED char *other = inside_of(form, blocks->nodes[i]);
        if (!other || strcmp(other, inside) != 0) {
            free(inside);
            inside = NULL;
        }
    }
    return inside;
}

/* ---- all of it ---- */

static void say_blocks(const struct form *form, const struct joined *blocks, const char *inside, struct text *to)
{
    const struct probe_node *nodes = form->tree->nodes;
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < blocks->count; i++) {
        const uint32_t leaves = nodes[blocks->nodes[i]].leaves;
        least = leaves < least ? leaves : least;
        most = leaves > most ? leaves : most;
    }
    text_append(to, "%u blocks of ", blocks->count);
    if (least < most)
        text_append(to, "%u to ", least);
    text_append(to, "%u neighbours, joined ", most);
    say_join(&blocks->tree, to);
    text_append(to, "; in each %s", inside);
}

/* Elements that are added to the whole at the end, and to a block before it is joined. */
static void say_tails(const struct form *form, struct text *to)
{
    const struct probe_tree *tree = form->tree;
    uint32_t of_all = 0, of_blocks = 0;
    for (uint32_t k = (uint32_t)tree->count; form->place[k] == TAIL_JOIN; k = form_first(form, k))
        of_all++;
    for (uint32_t k = 1; k <= tree->count; k++)
        of_blocks += form->place[k] == TAIL;
    of_blocks -= of_all;
    if (of_blocks > 0)
        text_append(to, "; %u element%s added to the end of a block", of_blocks, of_blocks == 1 ? " is" : "s are");
    if (of_all > 0)
        text_append(to, "; then the last %u, one after another", of_all);
}

/* Blocks of fewer are no shape that somebody chose. */
enum { FEW_OF_A_BLOCK = 4 };

static char *shape_of(const struct form *form)
{
    const uint32_t root = (uint32_t)form->tree->count;
    struct text text = {0};
    FREED_BY(joined_free) struct joined blocks = {0};
    if (join_of(form, root, BLOCKS, JOINS_OF_BLOCKS, &blocks) != OK)
        return NULL;
    const bool is_one_join =
        form->step[root] != 1 && ((is_neighbourly(form) && is_low(form->tree)) || is_backwards(form->tree));
    OWNED char *inside = is_one_join ? NULL : inside_of_all(form, &blocks);
    if (is_one_join || is_halved(form->tree))
        say_join(form->tree, &text);
    else if (inside && blocks.count == 1)
        text_append(&text, "%s", inside);
    else if (inside && blocks.count <= form->tree->n / FEW_OF_A_BLOCK)
        say_blocks(form, &blocks, inside, &text);
    if (text.length > 0 && inside)
        say_tails(form, &text);
    return text.length > 0 ? text_take(&text) : NULL;
}

char *tree_shape(const struct probe_tree *tree)
{
    FREED_BY(form_free) struct form form = {0};
    if (tree->n < 2 || !probe_tree_is_binary(tree))
        return NULL;
    form_of(tree, &form);
    return shape_of(&form);
}

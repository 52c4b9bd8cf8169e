/* The words of a shape.  From the root down nodes join neighbours (upper joins), until a node is
 *
 *   a chain        x0 + x1 + x2 ..., of neighbours
 *   interleaved    s chains of every s-th element, joined; neighbours as a whole
 *
 * These are the blocks.  Single elements that are added to a block, or to all, at the end are its tail.
 */
#include "tree_likeness.h"

#include "src/base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

enum place { INSIDE, UPPER, TAIL_JOIN, TAIL, CHAIN, INTERLEAVED, MEMBER_JOIN, MEMBER };

struct form {
    const struct probe_tree *tree;
    uint32_t *largest;    /* element below node k */
    uint32_t *step;       /* of the chain that node k is; of a leaf, and of what is no chain, 0 */
    unsigned char *place; /* enum place, of node k */
};

static uint32_t first_of(const struct form *shape, uint32_t k)
{
    return shape->tree->nodes[k].first_child;
}

static uint32_t second_of(const struct form *shape, uint32_t k)
{
    return shape->tree->nodes[first_of(shape, k)].next_sibling;
}

static bool is_leaf(const struct form *shape, uint32_t k)
{
    return first_of(shape, k) == 0;
}

static bool is_together(const struct form *shape, uint32_t k)
{
    const struct probe_node *node = &shape->tree->nodes[k];
    return shape->largest[k] - node->smallest + 1 == node->leaves;
}

static void measure(struct form *shape)
{
    for (uint32_t k = 1; k <= shape->tree->count; k++) {
        const struct probe_node *nodes = shape->tree->nodes;
        const uint32_t a = first_of(shape, k), b = a ? second_of(shape, k) : 0;
        shape->largest[k] = nodes[k].smallest;
        if (!a)
            continue;
        shape->largest[k] = shape->largest[a] > shape->largest[b] ? shape->largest[a] : shape->largest[b];
        const uint32_t apart = nodes[b].smallest - shape->largest[a];
        const bool follows = nodes[b].smallest > shape->largest[a] && is_leaf(shape, b);
        if (follows && (is_leaf(shape, a) || shape->step[a] == apart))
            shape->step[k] = apart;
    }
}

/* ---- who is what, from the root down ---- */

static enum place place_of_upper(const struct form *shape, uint32_t k)
{
    const uint32_t a = first_of(shape, k);
    if (a == 0 || shape->step[k] == 1)
        return CHAIN;
    if (!is_together(shape, a) || !is_together(shape, second_of(shape, k)))
        return INTERLEAVED;
    return is_leaf(shape, second_of(shape, k)) && !is_leaf(shape, a) && shape->step[a] != 1 ? TAIL_JOIN : UPPER;
}

static enum place place_below(const struct form *shape, uint32_t k)
{
    const uint32_t parent = shape->tree->nodes[k].parent;
    switch (parent == 0 ? UPPER : shape->place[parent]) {
    case UPPER:
        return place_of_upper(shape, k);
    case TAIL_JOIN:
        return is_leaf(shape, k) ? TAIL : place_of_upper(shape, k);
    case INTERLEAVED:
    case MEMBER_JOIN:
        return is_leaf(shape, k) || shape->step[k] > 0 ? MEMBER : MEMBER_JOIN;
    default:
        return INSIDE;
    }
}

/* ---- a tree of blocks, or of the chains of one ---- */

/* The nodes that are `leaf` below `top`, as the leaves of a tree in the order of their elements; joins but those with a
 * tail are its nodes. */
struct joined {
    uint32_t *nodes; /* leaf i of it is node nodes[i] */
    uint32_t count;
    struct probe_tree tree;
};

static void free_joined(struct joined *joined)
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
static enum status join_of(const struct form *shape, uint32_t top, bool (*is_one)(enum place),
                           bool (*is_join)(enum place), struct joined *joined)
{
    const struct probe_node *nodes = shape->tree->nodes;
    const uint32_t below = 2 * nodes[top].leaves - 2, bottom = top - below;
    uint32_t *number = memory_cleared(below + (size_t)2, sizeof *number);
    uint32_t *parent = memory_cleared(below + (size_t)3, sizeof *parent);
    *joined = (struct joined){.nodes = memory_cleared(below + (size_t)2, sizeof *joined->nodes)};
    for (uint32_t k = bottom; k <= top; k++)
        if (is_one(shape->place[k]))
            joined->nodes[joined->count++] = k;
    qsort_r(joined->nodes, joined->count, sizeof *joined->nodes, by_smallest, (void *)(uintptr_t)nodes);
    for (uint32_t i = 0; i < joined->count; i++)
        number[joined->nodes[i] - bottom] = i + 1;
    uint32_t last = joined->count;
    for (uint32_t k = bottom; k <= top; k++)
        if (is_join(shape->place[k]))
            number[k - bottom] = ++last;
    for (uint32_t k = bottom; k < top; k++) {
        uint32_t up = nodes[k].parent;
        while (number[k - bottom] && up < top && number[up - bottom] == 0)
            up = nodes[up].parent;
        if (number[k - bottom])
            parent[number[k - bottom]] = number[up - bottom];
    }
    const enum status status = probe_tree_of_parents(parent, joined->count, last, &joined->tree);
    free(number);
    free(parent);
    return status;
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

static bool is_neighbourly(const struct form *shape)
{
    for (uint32_t k = 1; k <= shape->tree->count; k++)
        if (!is_together(shape, k))
            return false;
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

static void start_shape(const struct probe_tree *tree, struct form *shape)
{
    *shape = (struct form){.tree = tree,
                           .largest = memory_cleared(tree->count + 1, sizeof *shape->largest),
                           .step = memory_cleared(tree->count + 1, sizeof *shape->step),
                           .place = memory_cleared(tree->count + 1, sizeof *shape->place)};
    measure(shape);
}

static void end_shape(struct form *shape)
{
    free(shape->largest);
    free(shape->step);
    free(shape->place);
}

/* "pairwise"; of a tree of several. */
static void say_join(const struct probe_tree *tree, struct text *to)
{
    struct form shape;
    start_shape(tree, &shape);
    if (shape.step[tree->count] == 1)
        text_append(to, "one after another");
    else if (is_neighbourly(&shape) && is_low(tree))
        text_append(to, "pairwise");
    else if (is_halved(tree))
        text_append(to, "in halves, each with the one %" PRIu64 " further", tree->n / 2);
    else
        text_append(to, "in a tree of height %u", tree->nodes[tree->count].height - 1);
    end_shape(&shape);
}

/* ---- a block ---- */

/* s chains of every s-th element; 0: it is something else. */
static uint32_t chains_of(const struct form *shape, const struct joined *members)
{
    const struct probe_node *nodes = shape->tree->nodes;
    const uint32_t s = members->count, start = nodes[members->nodes[0]].smallest;
    uint32_t longer = 0;
    for (uint32_t i = 0; i < s; i++) {
        const uint32_t node = members->nodes[i];
        if (nodes[node].smallest != start + i || (nodes[node].leaves > 1 && shape->step[node] != s))
            return 0;
        longer += nodes[node].leaves > 1;
    }
    return longer > 0 ? s : 0;
}

/* "one after another", "8 chains (x0 + x8 + ...), joined pairwise"; NULL: it has no words. */
static char *inside_of(const struct form *shape, uint32_t block)
{
    struct text text = {0};
    struct joined members;
    if (shape->place[block] == CHAIN)
        return text_made("one after another");
    if (join_of(shape, block, is_member, is_join_of_members, &members) != OK)
        return NULL;
    const uint32_t s = chains_of(shape, &members);
    if (s > 0) {
        text_append(&text, "%u chains (x0 + x%u + ...), joined ", s, s);
        say_join(&members.tree, &text);
    }
    free_joined(&members);
    return s > 0 ? text_take(&text) : NULL;
}

/* The same for all; NULL: they differ. */
static char *inside_of_all(const struct form *shape, const struct joined *blocks)
{
    char *inside = inside_of(shape, blocks->nodes[0]);
    for (uint32_t i = 1; i < blocks->count && inside; i++) {
        char *other = inside_of(shape, blocks->nodes[i]);
        if (!other || strcmp(other, inside) != 0) {
            free(inside);
            inside = NULL;
        }
        free(other);
    }
    return inside;
}

/* ---- all of it ---- */

static void say_blocks(const struct form *shape, const struct joined *blocks, const char *inside, struct text *to)
{
    const struct probe_node *nodes = shape->tree->nodes;
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
static void say_tails(const struct form *shape, struct text *to)
{
    const struct probe_tree *tree = shape->tree;
    uint32_t of_all = 0, of_blocks = 0;
    for (uint32_t k = (uint32_t)tree->count; shape->place[k] == TAIL_JOIN; k = first_of(shape, k))
        of_all++;
    for (uint32_t k = 1; k <= tree->count; k++)
        of_blocks += shape->place[k] == TAIL;
    of_blocks -= of_all;
    if (of_blocks > 0)
        text_append(to, "; %u element%s added to the end of a block", of_blocks, of_blocks == 1 ? " is" : "s are");
    if (of_all > 0)
        text_append(to, "; then the last %u, one after another", of_all);
}

/* Blocks of fewer are no shape that somebody chose. */
enum { FEW_OF_A_BLOCK = 4 };

static char *shape_of(struct form *shape)
{
    const uint32_t root = (uint32_t)shape->tree->count;
    struct text text = {0};
    struct joined blocks;
    for (uint32_t k = root; k > 0; k--)
        shape->place[k] = (unsigned char)place_below(shape, k);
    if (join_of(shape, root, is_block, is_join_of_blocks, &blocks) != OK)
        return NULL;
    const bool is_pairwise = is_neighbourly(shape) && is_low(shape->tree) && shape->step[root] != 1;
    char *inside = is_pairwise ? NULL : inside_of_all(shape, &blocks);
    if (is_pairwise || is_halved(shape->tree))
        say_join(shape->tree, &text);
    else if (inside && blocks.count == 1)
        text_append(&text, "%s", inside);
    else if (inside && blocks.count <= shape->tree->n / FEW_OF_A_BLOCK)
        say_blocks(shape, &blocks, inside, &text);
    if (text.length > 0 && inside)
        say_tails(shape, &text);
    free(inside);
    free_joined(&blocks);
    return text.length > 0 ? text_take(&text) : NULL;
}

char *tree_shape(const struct probe_tree *tree)
{
    struct form shape;
    if (tree->n < 2 || !probe_tree_is_binary(tree))
        return NULL;
    start_shape(tree, &shape);
    char *words = shape_of(&shape);
    end_shape(&shape);
    return words;
}

#include "join_text.h"

#include "../../src/number.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

enum { NAMED = 3 };

/* Of a set of elements: the first ones, the last one, and how many. */
struct below {
    uint64_t first[NAMED + 1], last, count;
};

/* A node has a greater number than those below it. */
static void mark(const struct sum_tree *tree, uint32_t node, bool *marked)
{
    marked[node] = true;
    for (uint32_t k = node; k > 0; k--)
        if (marked[k] && !sum_tree_is_leaf(tree, k))
            marked[tree->joined[k - 1].left] = marked[tree->joined[k - 1].right] = true;
}

static struct below elements_below(const struct sum_tree *tree, const bool *marked)
{
    struct below below = {.count = 0};
    for (uint64_t i = 0; i < tree->n; i++) {
        if (!marked[tree->leaf[i]])
            continue;
        if (below.count <= NAMED)
            below.first[below.count] = i;
        below.last = i;
        below.count++;
    }
    return below;
}

static void write_below(const struct below *below, struct text *to)
{
    if (below->count > 2 && below->last - below->first[0] + 1 == below->count) {
        text_append(to, "x%" PRIu64 "..x%" PRIu64, below->first[0], below->last);
        return;
    }
    const bool all = below->count <= NAMED + 1;
    const uint64_t named = all ? below->count : NAMED;
    for (uint64_t i = 0; i < named; i++)
        text_append(to, "%sx%" PRIu64, i > 0 ? " + " : "", below->first[i]);
    if (!all)
        text_append(to, " + ... (%" PRIu64 " elements)", below->count);
}

void join_elements(const struct sum_tree *tree, uint32_t node, struct text *to)
{
    if (sum_tree_is_leaf(tree, node)) {
        text_append(to, "x%" PRIu64, (uint64_t)tree->joined[node - 1].leaf);
        return;
    }
    bool *marked = calloc(tree->count + 1, sizeof *marked);
    if (!marked) {
        to->failed = 1;
        return;
    }
    mark(tree, node, marked);
    const struct below below = elements_below(tree, marked);
    write_below(&below, to);
    free(marked);
}

void join_expression(const struct sum_tree *tree, uint32_t node, const float *x, struct text *to)
{
    const struct tape_node *joined = &tree->joined[node - 1];
    char number[NUMBER_TEXT];
    if (joined->left != 0) {
        text_append(to, "(");
        join_expression(tree, joined->left, x, to);
        text_append(to, " + ");
        join_expression(tree, joined->right, x, to);
        text_append(to, ")");
    } else if (x) {
        write_plainly((double)x[(uint64_t)joined->leaf], number);
        text_append(to, "%s", number);
    } else
        text_append(to, "x%" PRIu64, (uint64_t)joined->leaf);
}

#include "tree_summary.h"

#include <stdlib.h>

static void see_join(const struct sum_tree *tree, uint32_t k, struct tree_summary *summary)
{
    const struct tape_node *node = &tree->joined[k - 1];
    summary->additions += node->added;
    summary->merges += !node->added;
    if (tree->place[k].leaves != 2)
        return;
    if (summary->pairs < TREE_PAIRS_NAMED) {
        summary->pair[summary->pairs][0] = (uint64_t)tree->joined[node->left - 1].leaf;
        summary->pair[summary->pairs][1] = (uint64_t)tree->joined[node->right - 1].leaf;
    }
    summary->pairs++;
}

/* path[k]: nodes from k to the root, with both; the root comes last. */
static void measure_paths(const struct sum_tree *tree, uint32_t *path, struct tree_summary *summary)
{
    uint64_t all = 0;
    path[0] = 0;
    summary->shortest_path = summary->height;
    for (uint32_t k = (uint32_t)tree->count; k > 0; k--) {
        path[k] = path[tree->place[k].parent] + 1;
        if (!sum_tree_is_leaf(tree, k))
            continue;
        all += path[k];
        if (path[k] < summary->shortest_path)
            summary->shortest_path = path[k];
    }
    summary->mean_path = (double)all / (double)tree->n;
}

enum status tree_summary_make(const struct sum_tree *tree, struct tree_summary *summary)
{
    *summary = (struct tree_summary){.n = tree->n, .height = sum_tree_height(tree)};
    if (tree->count == 0)
        return OK;
    OWNED uint32_t *path = malloc((tree->count + 1) * sizeof *path);
    if (!path)
        return out_of_memory("the summary of a tree");
    summary->deepest = sum_tree_deepest(tree);
    measure_paths(tree, path, summary);
    for (uint32_t k = 1; k <= tree->count; k++)
        if (!sum_tree_is_leaf(tree, k))
            see_join(tree, k, summary);
    return OK;
}

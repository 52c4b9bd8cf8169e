#include "blame.h"

#include <math.h>

/* Returns the largest. */
static uint32_t measure_distances(const struct sum_tree *tree, uint32_t *distance)
{
    uint32_t largest = 0;
    distance[0] = 0; /* above the root */
    for (uint32_t k = (uint32_t)tree->count; k > 0; k--) {
        distance[k] = distance[tree->place[k].parent] + 1;
        if (!sum_tree_is_leaf(tree, k) && distance[k] > largest)
            largest = distance[k];
    }
    return largest;
}

static void divide(uint64_t largest, struct levels *levels)
{
    const bool one_each = largest <= LEVELS_MOST;
    *levels = (struct levels){.count = 0};
    for (uint64_t first = 1, next; first <= largest; first = next) {
        next = one_each ? first + 1 : 2 * first;
        levels->level[levels->count++] = (struct level){.first = first, .last = next > largest ? largest : next - 1};
    }
}

/* Below 2^24 elements there are at most 24 levels by doubling. */
static struct level *level_at(struct levels *levels, uint32_t distance)
{
    size_t i = 0;
    while (levels->level[i].last < distance)
        i++;
    return &levels->level[i];
}

enum status levels_make(const struct additions *of, struct levels *levels)
{
    const struct sum_tree *tree = &of->tree;
    OWNED uint32_t *distance = malloc((tree->count + 1) * sizeof *distance);
    if (!distance)
        return out_of_memory("the distances of additions");
    divide(measure_distances(tree, distance), levels);
    for (uint32_t k = 1; k <= tree->count; k++) {
        struct level *level = sum_tree_is_leaf(tree, k) ? &levels->products : level_at(levels, distance[k]);
        level->additions++;
        level->inexact += of->error[k] != 0;
        level->lost += fabs(of->error[k]);
        level->net += of->error[k];
    }
    return OK;
}

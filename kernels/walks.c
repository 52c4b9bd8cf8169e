/* How a tree becomes steps, and where the walkers are found: one of each accumulator that SUMS and each format that
 * numbers are added in, from walk.c. */
#include "walk.h"

#include "only.h"

#include <stdlib.h>
#include <string.h>

/* ---- steps ---- */

/* Whether a leaf is added to a state, and never becomes one: node k is added where `added` says so of a later one. */
static void mark_added(const struct tape_node *nodes, uint64_t count, bool *is_added)
{
    for (uint64_t k = 0; k < count; k++)
        if (nodes[k].left != 0 && nodes[k].added)
            is_added[nodes[k].right] = true;
}

/* The places of states; one is free again when a merge has used it up. */
struct places {
    uint32_t *of_node, *free;
    uint32_t free_count;
};

static struct walk_step step_of(const struct tape_node *nodes, uint64_t k, struct places *places, uint32_t *most)
{
    const struct tape_node *node = &nodes[k - 1];
    if (node->left == 0) {
        const uint32_t place = places->free_count > 0 ? places->free[--places->free_count] : (*most)++;
        places->of_node[k] = place;
        return (struct walk_step){place, (uint32_t)node->leaf, WALK_START, node->settled};
    }
    const uint32_t place = places->of_node[k] = places->of_node[node->left];
    if (node->added)
        return (struct walk_step){place, (uint32_t)nodes[node->right - 1].leaf, WALK_ADD, node->settled};
    const uint32_t other = places->of_node[node->right];
    places->free[places->free_count++] = other;
    return (struct walk_step){place, other, WALK_MERGE, node->settled};
}

enum status walk_make(const struct tape_node *nodes, uint64_t count, struct walk *walk)
{
    *walk = (struct walk){.steps = malloc((count + 1) * sizeof *walk->steps)};
    bool *is_added = calloc(count + 1, sizeof *is_added);
    struct places places = {malloc((count + 1) * sizeof *places.of_node), malloc((count + 1) * sizeof *places.free), 0};
    const bool has_room = walk->steps && is_added && places.of_node && places.free;
    if (has_room) {
        mark_added(nodes, count, is_added);
        for (uint64_t k = 1; k <= count; k++)
            if (!is_added[k])
                walk->steps[walk->count++] = step_of(nodes, k, &places, &walk->places);
        walk->root = count > 0 ? places.of_node[count] : 0;
    } else {
        walk_free(walk);
    }
    free(is_added);
    free(places.of_node);
    free(places.free);
    return has_room ? OK : out_of_memory("the steps of a tree");
}

void walk_free(struct walk *walk)
{
    free(walk->steps);
    *walk = (struct walk){0};
}

/* ---- walkers ---- */

/* Rows of other roles vanish. */
#define OF_SUMS(...) __VA_ARGS__
#define OF_MEASURES(...)
#define OF_MEASURES_ON_HOST(...)

#define ACCUMULATOR(id, role, claim)                                                                                   \
    OF_##role(extern const struct walker id##_binary64_sum_walker, id##_binary32_sum_walker, id##_binary16_sum_walker, \
              id##_bfloat16_sum_walker;)
#include "accumulators.def"
extern const struct walker plain_e4m3_sum_walker, plain_e5m2_sum_walker;

/* As NUMBER_FORMATS. */
static const struct walker *const table[][STORED_FORMAT_COUNT] = {
#define ACCUMULATOR(id, role, claim)                                                                                   \
    OF_##role({&id##_binary64_sum_walker, &id##_binary32_sum_walker, &id##_binary16_sum_walker,                        \
               &id##_bfloat16_sum_walker, IN_8_BITS(id, &plain_e4m3_sum_walker, NULL),                                 \
               IN_8_BITS(id, &plain_e5m2_sum_walker, NULL)}, )
#include "accumulators.def"
};

const struct walker *walker_find(const struct method *method)
{
    const bool is_known = method->replay && method->role == SUMS && method->operation == OPERATION_sum &&
                          method_index(method) != SIZE_MAX; /* a broken one has the sound one's name */
    for (size_t i = 0; is_known && i < sizeof table / sizeof *table; i++)
        for (int f = 0; f < STORED_FORMAT_COUNT; f++)
            if (table[i][f] && strcmp(table[i][f]->accumulator, method->accumulator) == 0 && table[i][f]->sums &&
                strcmp(NUMBER_FORMATS[f]->name, method->sum_format->added->name) == 0)
                return table[i][f];
    return NULL;
}

#include "explain.h"

#include "datasets/splitmix64.h"

#include <math.h>

/* ---- the key of a set of elements ---- */

struct set_key {
    uint64_t half[2];
};

static struct set_key key_of_element(uint64_t i)
{
    return (struct set_key){{splitmix64(2 * i), splitmix64(2 * i + 1)}};
}

/* Children come before their parents. */
static struct set_key *make_keys(const struct sum_tree *tree)
{
    struct set_key *keys = calloc(tree->count + 1, sizeof *keys);
    for (uint32_t k = 1; keys && k <= tree->count; k++) {
        const struct tape_node *node = &tree->joined[k - 1];
        if (node->left == 0)
            keys[k] = key_of_element((uint64_t)node->leaf);
        else
            for (int h = 0; h < 2; h++)
                keys[k].half[h] = keys[node->left].half[h] ^ keys[node->right].half[h];
    }
    return keys;
}

/* ---- the joins of a tree, to be found by their key ---- */

struct side {
    const struct additions *of;
    struct set_key *keys; /* of each node */
    uint32_t *slots;      /* nodes, at or behind the place that their key says; 0: free */
    uint64_t mask;        /* slots less 1; at most half of them are taken */
    uint32_t *same;       /* of each node: the one with the same elements in the other tree, or 0 */
    bool *shared;         /* of each node */
};

static void file_nodes(struct side *side)
{
    for (uint32_t k = 1; k <= side->of->tree.count; k++) {
        uint64_t at = side->keys[k].half[0] & side->mask;
        while (side->slots[at] != 0)
            at = (at + 1) & side->mask;
        side->slots[at] = k;
    }
}

static uint32_t find_node(const struct side *side, const struct set_key *key, uint32_t leaves)
{
    for (uint64_t at = key->half[0] & side->mask; side->slots[at] != 0; at = (at + 1) & side->mask) {
        const uint32_t node = side->slots[at];
        if (memcmp(&side->keys[node], key, sizeof *key) == 0 && side->of->tree.place[node].leaves == leaves)
            return node;
    }
    return 0;
}

static enum status make_side(const struct additions *of, struct side *side)
{
    const uint64_t nodes = of->tree.count + 1;
    side->of = of;
    for (side->mask = 1; side->mask < 2 * nodes; side->mask *= 2)
        ;
    side->slots = calloc(side->mask--, sizeof *side->slots);
    side->keys = make_keys(&of->tree);
    side->same = calloc(nodes, sizeof *side->same);
    side->shared = calloc(nodes, sizeof *side->shared);
    if (!side->slots || !side->keys || !side->same || !side->shared)
        return out_of_memory("the sets of elements of two trees");
    file_nodes(side);
    return OK;
}

/* ---- what is shared, and where they part ---- */

static bool same_double(double a, double b)
{
    return double_bits(a) == double_bits(b) || (isnan(a) && isnan(b));
}

/* As far as both tell. */
static bool same_worth(const struct additions *a, uint32_t node, const struct additions *b, uint32_t same)
{
    return same_double(a->value[node], b->value[same]) &&
           additions_is_beyond(a, node) == additions_is_beyond(b, same) &&
           (!a->rest || !b->rest || a->rest[node] == b->rest[same]);
}

static void compare_sides(struct side *side, const struct side *other, struct parting_side *counts)
{
    for (uint32_t k = 1; k <= side->of->tree.count; k++) {
        const uint32_t same = find_node(other, &side->keys[k], side->of->tree.place[k].leaves);
        side->same[k] = same;
        side->shared[k] = same != 0 && same_worth(side->of, k, other->of, same);
        if (sum_tree_is_leaf(&side->of->tree, k))
            continue;
        counts->joins++;
        counts->same_elements += same != 0;
        counts->shared += side->shared[k];
    }
}

static bool parts_in(const struct side *side, uint32_t node)
{
    const struct tape_node *joined = &side->of->tree.joined[node - 1];
    return !side->shared[node] &&
           (sum_tree_is_leaf(&side->of->tree, node) || (side->shared[joined->left] && side->shared[joined->right]));
}

static enum status list_parted(const struct side *side, const struct side *other, uint64_t most,
                               struct parting_side *counts)
{
    counts->first = malloc((most + 1) * sizeof *counts->first);
    if (!counts->first)
        return out_of_memory("the additions in which methods part");
    for (uint32_t k = 1; k <= side->of->tree.count; k++) {
        if (!parts_in(side, k))
            continue;
        const uint32_t same = side->same[k], left = same ? 0 : side->same[side->of->tree.joined[k - 1].left];
        counts->parted++;
        counts->parted_by_order += same == 0;
        if (counts->shown < most)
            counts->first[counts->shown++] = (struct parted_join){
                .node = k, .same = same, .instead = same ? 0 : sum_tree_sibling(&other->of->tree, left)};
    }
    return OK;
}

enum status parting_make(const struct additions of[2], uint64_t most_shown, struct parting *parting)
{
    enum status status = OK;
    struct side sides[2] = {{0}, {0}};
    *parting = (struct parting){0};
    for (int s = 0; s < 2; s++)
        TRY_DONE(make_side(&of[s], &sides[s]));
    for (int s = 0; s < 2; s++)
        compare_sides(&sides[s], &sides[1 - s], &parting->side[s]);
    for (int s = 0; s < 2; s++)
        TRY_DONE(list_parted(&sides[s], &sides[1 - s], most_shown, &parting->side[s]));
    parting->same_tree = parting->side[0].same_elements == parting->side[0].joins;
    parting->same_format = of[0].method->sum_format == of[1].method->sum_format;
    parting->same_operation = of[0].method->operation == of[1].method->operation;
    parting->same_accumulator = strcmp(of[0].method->accumulator, of[1].method->accumulator) == 0;
done:
    for (int s = 0; s < 2; s++)
        free_all(sides[s].slots, sides[s].keys, sides[s].same, sides[s].shared);
    if (status != OK)
        parting_free(parting);
    return status;
}

void parting_free(struct parting *parting)
{
    for (int s = 0; s < 2; s++)
        free(parting->side[s].first);
    *parting = (struct parting){0};
}

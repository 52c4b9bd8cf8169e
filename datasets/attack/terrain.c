#include "terrain.h"

#include "src/base/quiet.h"

/* Up to here a probe takes less than a second. */
enum { PROBED_MOST_N = 1 << 10 };

static enum status take_room(struct terrain *terrain)
{
    terrain->element = malloc((terrain->n + 1) * sizeof *terrain->element);
    terrain->nodes = malloc((terrain->n + 1) * sizeof *terrain->nodes);
    return terrain->element && terrain->nodes ? OK : out_of_memory("the tree of an attack");
}

/* The root has all ranks; a node gives the first of its own to the left one below it. */
static enum status read_tree(struct sum_tree *tree, struct terrain *terrain)
{
    OWNED uint32_t *first = calloc(tree->count + 1, sizeof *first);
    TRY(first ? OK : out_of_memory("the tree of an attack"));
    for (uint64_t k = tree->count; k > 0; k--) {
        struct tape_node *node = &tree->joined[k - 1];
        if (node->left == 0) {
            terrain->element[first[k]] = (uint32_t)node->leaf;
            node->leaf = first[k];
            continue;
        }
        first[node->left] = first[k];
        first[node->right] = first[k] + tree->place[node->left].leaves;
    }
    for (uint64_t k = 1; k <= tree->count; k++) {
        const struct tape_node *node = &tree->joined[k - 1];
        if (node->left != 0)
            terrain->nodes[terrain->node_count++] =
                (struct terrain_node){first[k], first[node->right], first[k] + tree->place[k].leaves};
    }
    terrain->tape = tree->joined;
    terrain->tape_count = tree->count;
    tree->joined = NULL;
    return OK;
}

static void assume_a_loop(struct terrain *terrain)
{
    for (uint32_t i = 0; i < terrain->n; i++)
        terrain->element[i] = i;
    for (uint32_t i = 1; i < terrain->n; i++)
        terrain->nodes[terrain->node_count++] = (struct terrain_node){0, i, i + 1};
}

static bool asks_for_tree(const struct tree_request *request)
{
    return request->method->replay || (request->method->ask && request->n <= PROBED_MOST_N);
}

enum status terrain_make(const struct tree_request *request, struct terrain *terrain)
{
    struct sum_tree tree = {0};
    *terrain = (struct terrain){.n = request->n};
    if (method_is_on_host(request->method))
        TRY(sum_tree_possible(request));
    const bool was_quiet = complaints_quiet(request->method->ask != NULL);
    enum status status = asks_for_tree(request) ? sum_tree_make(request, &tree) : BAD_INPUT;
    complaints_quiet(was_quiet);
    const bool is_known = status == OK;
    if (!is_known && request->method->replay)
        return status;
    status = take_room(terrain);
    if (status == OK && is_known)
        status = read_tree(&tree, terrain);
    else if (status == OK)
        assume_a_loop(terrain);
    sum_tree_free(&tree);
    if (status != OK)
        terrain_free(terrain);
    return status;
}

void terrain_free(struct terrain *terrain)
{
    free_all(terrain->element, terrain->nodes, terrain->tape);
    *terrain = (struct terrain){0};
}

#include "sum_tree.h"

#include "datasets/probe/revealed.h"
#include "src/base/base.h"

#include <sys/param.h>

enum status sum_tree_possible(const struct tree_request *request)
{
    const struct method *method = request->method;
    char why[REASON_SIZE];
    if (!method_is_on_host(method))
        complain("%s: method=%s is a black box, whose order nobody knows; expected a method with a replay; see "
                 "`ulpscope list methods`",
                 request->family, method->id);
    else if (!method_can_do(method, request->launch, why))
        complain("%s: method=%s refuses blocks=%u,threads=%u: %s; choose another launch, or another method",
                 request->family, method->id, request->launch.blocks, request->launch.threads, why);
    else if (request->n > SUM_TREE_MOST_N)
        complain("%s: n=%llu; expected at most %d, where binary32 still counts every index; choose such an n",
                 request->family, (unsigned long long)request->n, SUM_TREE_MOST_N);
    else
        return OK;
    return BAD_INPUT;
}

char *tree_request_words(const struct tree_request *request)
{
    const struct method *method = request->method;
    return method->replay ? text_made("%s, n = %" PRIu64 ", %u x %u", method->id, request->n, request->launch.blocks,
                                      request->launch.threads)
                          : text_made("%s, n = %" PRIu64 ", as its sums show it", method->id, request->n);
}

static const struct method *tracing(const struct method *method)
{
    enum { ID_SIZE = 128 };
    char id[ID_SIZE];
    snprintf(id, sizeof id, "trace/%s", method->order);
    return method_in(method_find(id), method->sum_format);
}

bool sum_tree_is_one_of_many(const struct tree_request *request)
{
    return request->method->replay && tracing(request->method)->determinism == ORDER_OF_ARRIVAL;
}

/* Takes the nodes from the tape: a tape records until it is freed, and the tree is to outlive that. */
static enum status record(const struct tree_request *request, const float *labels, struct sum_tree *tree)
{
    FREED_BY(tape_free) struct tape tape = {0};
    float root;
    tape_start(&tape);
    enum status status = method_sum(tracing(request->method), labels, request->n, request->launch, 1, &root);
    if (status == OK)
        status = tape.status;
    tree->joined = tape.nodes;
    tree->count = tape.count;
    tape.nodes = NULL;
    return status;
}

static enum status record_indices(const struct tree_request *request, struct sum_tree *tree)
{
    OWNED float *labels = malloc((request->n + 1) * sizeof *labels);
    TRY(labels ? OK : out_of_memory("the labels of a tree"));
    for (uint64_t i = 0; i < request->n; i++)
        labels[i] = (float)i;
    return record(request, labels, tree);
}

static void find_places(struct sum_tree *tree)
{
    struct sum_tree_place *place = tree->place;
    for (uint32_t k = 1; k <= tree->count; k++) {
        const struct tape_node *node = &tree->joined[k - 1];
        if (node->left == 0) {
            place[k].leaves = place[k].height = 1;
            tree->leaf[(uint64_t)node->leaf] = k;
            continue;
        }
        place[k].leaves = place[node->left].leaves + place[node->right].leaves;
        place[k].height = MAX(place[node->left].height, place[node->right].height) + 1;
        place[node->left].parent = place[node->right].parent = k;
    }
}

static enum status take_places(struct sum_tree *tree)
{
    tree->place = calloc(tree->count + 1, sizeof *tree->place);
    tree->leaf = malloc((tree->n + 1) * sizeof *tree->leaf);
    TRY(tree->place && tree->leaf ? OK : out_of_memory("the places in a tree"));
    find_places(tree);
    return OK;
}

static char letter_of(const struct method *method)
{
    return method->operation == OPERATION_sum ? 'x' : 'p';
}

static enum status make_revealed(const struct tree_request *request, struct sum_tree *tree)
{
    const struct revealed *revealed;
    if (request->n == 0)
        return take_places(tree);
    TRY(revealed_order(request, &revealed));
    TRY(probe_tree_to_sum_tree(&revealed->probe.tree, tree));
    tree->letter = letter_of(request->method);
    return OK;
}

enum status sum_tree_make(const struct tree_request *request, struct sum_tree *tree)
{
    *tree = (struct sum_tree){.n = request->n, .letter = letter_of(request->method)};
    TRY(sum_tree_possible(request));
    enum status status = request->method->replay ? record_indices(request, tree) : make_revealed(request, tree);
    if (status == OK && request->method->replay)
        status = take_places(tree);
    if (status != OK)
        sum_tree_free(tree);
    return status;
}

enum status sum_tree_of_nodes(struct tape_node *nodes, uint64_t count, uint64_t n, struct sum_tree *tree)
{
    *tree = (struct sum_tree){.n = n, .count = count, .letter = 'x', .joined = nodes};
    const enum status status = take_places(tree);
    if (status != OK)
        sum_tree_free(tree);
    return status;
}

void sum_tree_free(struct sum_tree *tree)
{
    free_all(tree->joined, tree->place, tree->leaf);
    *tree = (struct sum_tree){0};
}

static uint32_t root_of(const struct sum_tree *tree)
{
    return (uint32_t)tree->count;
}

uint64_t sum_tree_height(const struct sum_tree *tree)
{
    return tree->count == 0 ? 0 : tree->place[root_of(tree)].height;
}

uint64_t sum_tree_deepest(const struct sum_tree *tree)
{
    uint32_t k = root_of(tree);
    while (tree->place[k].leaves > 1) {
        const struct tape_node *node = &tree->joined[k - 1];
        const bool left = tree->place[node->left].height >= tree->place[node->right].height;
        k = left ? node->left : node->right;
    }
    return (uint64_t)tree->joined[k - 1].leaf;
}

uint32_t sum_tree_sibling(const struct sum_tree *tree, uint32_t node)
{
    const uint32_t parent = tree->place[node].parent;
    if (parent == 0)
        return 0;
    const struct tape_node *joined = &tree->joined[parent - 1];
    return joined->left == node ? joined->right : joined->left;
}

uint64_t sum_tree_leftmost(const struct sum_tree *tree, uint32_t node)
{
    while (tree->joined[node - 1].left != 0)
        node = tree->joined[node - 1].left;
    return (uint64_t)tree->joined[node - 1].leaf;
}

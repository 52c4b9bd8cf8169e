#include "probe_tree.h"

/* Nodes with the numbers they were given; `last_child` while children are appended. */
struct draft {
    const uint32_t *parent;
    struct probe_node *nodes;
    uint32_t *last_child;
    uint32_t *renumbered;
    uint32_t root;
};

static void append_child(struct draft *draft, uint32_t node, uint32_t child)
{
    struct probe_node *nodes = draft->nodes;
    if (nodes[node].children++ == 0)
        nodes[node].first_child = child;
    else
        nodes[draft->last_child[node]].next_sibling = child;
    draft->last_child[node] = child;
}

/* Elements climb in their order, each up to a node where a smaller one was before: so every node meets its children in
 * the order of their smallest elements, and the whole takes as many steps as there are nodes. */
static void find_children(struct draft *draft, uint64_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t node = i + 1;
        draft->nodes[node].smallest = i;
        for (uint32_t parent; (parent = draft->parent[node]) != 0; node = parent) {
            const bool reached = draft->nodes[parent].children > 0;
            append_child(draft, parent, node);
            if (reached)
                break;
            draft->nodes[parent].smallest = i;
        }
        if (draft->parent[node] == 0)
            draft->root = node;
    }
}

static uint32_t first_leaf(const struct probe_node *nodes, uint32_t node)
{
    while (nodes[node].first_child != 0)
        node = nodes[node].first_child;
    return node;
}

/* Each node after its children, and these from the first to the last. */
static void number_nodes(struct draft *draft)
{
    const struct probe_node *nodes = draft->nodes;
    uint32_t number = 0, node = first_leaf(nodes, draft->root);
    for (;;) {
        draft->renumbered[node] = ++number;
        if (node == draft->root)
            return;
        node = nodes[node].next_sibling ? first_leaf(nodes, nodes[node].next_sibling) : draft->parent[node];
    }
}

static void place_node(struct probe_tree *tree, uint32_t number, const struct probe_node *from, const struct draft *as)
{
    struct probe_node *node = &tree->nodes[number];
    *node = *from;
    node->first_child = as->renumbered[from->first_child];
    node->next_sibling = as->renumbered[from->next_sibling];
    if (from->children == 0)
        tree->leaf[from->smallest] = number;
}

/* Children come first, so that one pass knows all. */
static void add_up_places(struct probe_tree *tree)
{
    struct probe_node *nodes = tree->nodes;
    for (uint64_t k = 1; k <= tree->count; k++) {
        if (nodes[k].children == 0)
            nodes[k].leaves = nodes[k].height = 1;
        for (uint32_t child = nodes[k].first_child; child != 0; child = nodes[child].next_sibling) {
            nodes[child].parent = (uint32_t)k;
            nodes[k].leaves += nodes[child].leaves;
            if (nodes[k].height < nodes[child].height + 1)
                nodes[k].height = nodes[child].height + 1;
        }
    }
}

enum status probe_tree_of_parents(const uint32_t *parent, uint64_t n, uint64_t count, struct probe_tree *tree)
{
    enum status status = OK;
    struct draft draft = {.parent = parent,
                          .nodes = calloc(count + 1, sizeof *draft.nodes),
                          .last_child = calloc(count + 1, sizeof *draft.last_child),
                          .renumbered = calloc(count + 1, sizeof *draft.renumbered)};
    *tree = (struct probe_tree){.n = n,
                                .count = count,
                                .nodes = calloc(count + 1, sizeof *tree->nodes),
                                .leaf = calloc(n + 1, sizeof *tree->leaf)};
    if (!draft.nodes || !draft.last_child || !draft.renumbered || !tree->nodes || !tree->leaf)
        TRY_DONE(out_of_memory("a summation tree"));
    if (count == 0)
        goto done;
    find_children(&draft, n);
    number_nodes(&draft);
    for (uint64_t k = 1; k <= count; k++)
        place_node(tree, draft.renumbered[k], &draft.nodes[k], &draft);
    add_up_places(tree);
done:
    free_all(draft.nodes, draft.last_child, draft.renumbered);
    if (status != OK)
        probe_tree_free(tree);
    return status;
}

void probe_tree_free(struct probe_tree *tree)
{
    free_all(tree->nodes, tree->leaf);
    *tree = (struct probe_tree){0};
}

/* Elements first, then the joins, in their order. */
static void renumber(const struct sum_tree *from, uint32_t *number)
{
    uint32_t joins = (uint32_t)from->n;
    for (uint64_t k = 1; k <= from->count; k++) {
        const struct tape_node *node = &from->joined[k - 1];
        number[k] = node->left == 0 ? (uint32_t)node->leaf + 1 : ++joins;
    }
}

enum status probe_tree_of_sum_tree(const struct sum_tree *from, struct probe_tree *tree)
{
    OWNED uint32_t *number = calloc(from->count + 1, sizeof *number);
    OWNED uint32_t *parent = calloc(from->count + 1, sizeof *parent);
    *tree = (struct probe_tree){0};
    TRY(number && parent ? OK : out_of_memory("a summation tree"));
    renumber(from, number);
    for (uint64_t k = 1; k <= from->count; k++)
        parent[number[k]] = number[from->place[k].parent];
    return probe_tree_of_parents(parent, from->n, from->count, tree);
}

bool probe_tree_is_binary(const struct probe_tree *tree)
{
    for (uint64_t k = 1; k <= tree->count; k++)
        if (tree->nodes[k].children > 2)
            return false;
    return true;
}

enum status probe_tree_to_sum_tree(const struct probe_tree *from, struct sum_tree *tree)
{
    struct tape_node *joined = calloc(from->count + 1, sizeof *joined);
    *tree = (struct sum_tree){0};
    TRY(joined ? OK : out_of_memory("a summation tree"));
    for (uint64_t k = 1; k <= from->count; k++) {
        const struct probe_node *node = &from->nodes[k];
        struct tape_node *to = &joined[k - 1];
        to->leaf = node->smallest;
        to->left = node->first_child;
        to->right = node->first_child ? from->nodes[node->first_child].next_sibling : 0;
        to->added = to->right && from->nodes[to->right].children == 0;
    }
    return sum_tree_of_nodes(joined, from->count, from->n, tree);
}

bool probe_tree_same(const struct probe_tree *a, const struct probe_tree *b)
{
    if (a->n != b->n || a->count != b->count)
        return false;
    for (uint64_t k = 1; k <= a->count; k++)
        if (a->nodes[k].parent != b->nodes[k].parent || a->nodes[k].smallest != b->nodes[k].smallest)
            return false;
    return true;
}

/* A node has a greater number than those below it, so the one with the smaller number climbs. */
uint32_t probe_tree_meeting(const struct probe_tree *tree, uint64_t i, uint64_t j)
{
    uint32_t a = tree->leaf[i], b = tree->leaf[j];
    while (a != b)
        if (a < b)
            a = tree->nodes[a].parent;
        else
            b = tree->nodes[b].parent;
    return a;
}

static void write_node(const struct probe_tree *tree, uint32_t number, struct text *to)
{
    const struct probe_node *nodes = tree->nodes, *node = &nodes[number];
    if (node->children == 0) {
        text_append(to, "x%u", node->smallest);
        return;
    }
    const bool fused = node->children > 2, outer = node->parent == 0;
    text_append(to, fused ? "[" : outer ? "" : "(");
    for (uint32_t child = node->first_child; child != 0; child = nodes[child].next_sibling) {
        write_node(tree, child, to);
        if (nodes[child].next_sibling != 0)
            text_append(to, fused ? " " : " + ");
    }
    text_append(to, fused ? "]" : outer ? "" : ")");
}

void probe_tree_write(const struct probe_tree *tree, struct text *to)
{
    if (tree->count > 0)
        write_node(tree, (uint32_t)tree->count, to);
}

#include "walk.h"

#include "compiled.h"
#include "replay.h"

#include <stdlib.h>
#include <sys/param.h>

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

static struct walk_step step_of(const struct tape_node *nodes, uint32_t k, struct places *places, uint32_t *most)
{
    const struct tape_node *node = &nodes[k - 1];
    if (node->left == 0) {
        const uint32_t place = places->free_count > 0 ? places->free[--places->free_count] : (*most)++;
        places->of_node[k] = place;
        return (struct walk_step){place, (uint32_t)node->leaf, k, WALK_START, node->settled};
    }
    const uint32_t place = places->of_node[k] = places->of_node[node->left];
    if (node->added)
        return (struct walk_step){place, (uint32_t)nodes[node->right - 1].leaf, k, WALK_ADD, node->settled};
    const uint32_t other = places->of_node[node->right];
    places->free[places->free_count++] = other;
    return (struct walk_step){place, other, k, WALK_MERGE, node->settled};
}

enum status walk_make(const struct tape_node *nodes, uint64_t count, struct walk *walk)
{
    *walk = (struct walk){.steps = malloc((count + 1) * sizeof *walk->steps)};
    bool *is_added = calloc(count + 1, sizeof *is_added);
    struct places places = {malloc((count + 1) * sizeof *places.of_node), malloc((count + 1) * sizeof *places.free), 0};
    const bool has_room = walk->steps && is_added && places.of_node && places.free;
    if (has_room) {
        mark_added(nodes, count, is_added);
        for (uint32_t k = 1; k <= count; k++) {
            walk->elements += nodes[k - 1].left == 0;
            if (!is_added[k])
                walk->steps[walk->count++] = step_of(nodes, k, &places, &walk->places);
        }
        walk->root = count > 0 ? places.of_node[count] : 0;
    } else {
        walk_free(walk);
    }
    free_all(is_added, places.of_node, places.free);
    return has_room ? OK : out_of_memory("the steps of a tree");
}

void walk_free(struct walk *walk)
{
    free(walk->steps);
    *walk = (struct walk){0};
}

/* ---- many sums ---- */

const struct verbs *walk_verbs(const struct method *method)
{
    return method->operation == OPERATION_sum && method_adds(method) ? replay_verbs(method) : NULL;
}

/* What has the same bits in any order takes all elements in one state of each data set, and nothing is merged. */
void walk_sums(const struct verbs *verbs, const struct walk *walk, const void *x, void *states,
               double results[WALK_LANES])
{
    const uint64_t root = verbs->any_order ? 0 : walk->root;
    if (verbs->any_order || walk->count == 0) {
        verbs->zero(states, WALK_LANES);
        verbs->add_rows(states, x, WALK_LANES, walk->elements, WALK_LANES);
    } else {
        verbs->walk(states, walk->steps, walk->count, x);
    }
    for (uint64_t k = 0; k < WALK_LANES; k++)
        results[k] = verbs->result(state_at(verbs, states, root * WALK_LANES + k));
}

/* ---- one sum, watched ---- */

/* Its own, or those of its accumulator's name: of a plug-in whose order is known. */
static const struct verbs *watched_verbs(const struct method *method)
{
    if (replay_verbs(method) || !method->sum_format || method->operation >= VECTOR_OPERATIONS)
        return replay_verbs(method);
    const struct compiled *compiled = compiled_find(method->operation, method->sum_format, method->accumulator);
    return compiled ? compiled->verbs : NULL;
}

bool walk_is_watched(const struct method *method)
{
    return watched_verbs(method) && watched_verbs(method)->parts;
}

struct watched {
    const struct verbs *verbs;
    const struct tape_node *nodes;
    const char *terms;
    void *states, *settled; /* those that live at once; one more */
    bool products;
    step_visitor *visit;
    void *to;
};

/* An element that the next node adds to a state, of products: nothing is made of it. */
static void visit_added(const struct watched *in, uint32_t node, const double *worth)
{
    static const double nothing[MOST_PARTS];
    in->visit(in->to, &(struct step){node, ELEMENT_PARTS, nothing, worth, worth});
}

static void settle(const struct watched *in, void *state)
{
    in->verbs->zero(in->settled, 1);
    in->verbs->merge(in->settled, state, merges_of(1));
    memcpy(state, in->settled, in->verbs->state_bytes);
}

static void take(const struct watched *in, const struct walk_step *step)
{
    const struct verbs *verbs = in->verbs;
    double left[MOST_PARTS] = {0}, right[MOST_PARTS] = {0}, made[MOST_PARTS] = {0};
    void *state = state_at(verbs, in->states, step->place);
    const void *other = state_at(verbs, in->states, step->other), *term = in->terms + step->other * verbs->term_bytes;
    if (step->kind == WALK_START)
        verbs->zero(state, 1);
    else
        verbs->parts(state, left);
    if (step->kind == WALK_MERGE) {
        verbs->parts(other, right);
        verbs->merge(state, other, merges_of(1));
    } else {
        verbs->worth(term, right);
        if (step->kind == WALK_ADD && in->products)
            visit_added(in, in->nodes[step->node - 1].right, right);
        verbs->add_run(state, term, 1);
    }
    if (step->settled)
        settle(in, state);
    const int parts = verbs->parts(state, made);
    if (step->kind != WALK_START || in->products)
        in->visit(in->to,
                  &(struct step){step->node, in->products ? MAX(parts, ELEMENT_PARTS) : parts, left, right, made});
}

enum status walk_watched(const struct method *method, const struct tape_node *nodes, uint64_t count,
                         const struct operands *of, step_visitor *visit, void *to, double *result)
{
    const struct verbs *verbs = watched_verbs(method);
    FREED_BY(walk_free) struct walk walk = {0};
    TRY(walk_make(nodes, count, &walk));
    OWNED char *terms = malloc((of->shape.terms + 1) * verbs->term_bytes);
    OWNED char *states = malloc((walk.places + (size_t)2) * verbs->state_bytes);
    struct watched in = {verbs, nodes, terms, states, NULL, of->operation != OPERATION_sum, visit, to};
    const bool has_room = terms && states;
    if (has_room) {
        in.settled = state_at(verbs, states, walk.places + 1);
        verbs->make_terms(of, terms);
        verbs->zero(states, 1);
        for (uint64_t i = 0; i < walk.count; i++)
            take(&in, &walk.steps[i]);
        *result = verbs->result(state_at(verbs, states, walk.root));
    }
    return has_room ? OK : out_of_memory("the states of a sum that is watched");
}

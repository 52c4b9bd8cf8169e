/* The stepper of one accumulator: compiled once per accumulator that SUMS with -DACC=<id>, as methods.c is. */
#include "steps.h"

#include "portable.h"

#include "bound.h"
#include "src/base/format.h"

#include ACCUMULATOR_FILE

extern const struct stepper EXPORTED(stepper);
#ifdef ABSENT
const struct stepper EXPORTED(stepper) = {.accumulator = TEXT(ACC)};
#else

#include <stdlib.h>

/* States that live at once have a place each, which is free again when a merge has used it up. */
struct places {
    STATE *states;
    uint32_t *of_node; /* the place of node k: of_node[k] */
    uint32_t *free;    /* a stack of those that are free */
    uint32_t free_count;
};

/* At no time do more states live than leaves have been made and not joined yet. */
static uint32_t most_living(const struct tape_node *nodes, uint64_t count)
{
    uint32_t living = 0, most = 0;
    for (uint64_t k = 0; k < count; k++) {
        living = nodes[k].left == 0 ? living + 1 : living - 1;
        most = living > most ? living : most;
    }
    return most;
}

static void free_places(struct places *places)
{
    free(places->states);
    free(places->of_node);
    free(places->free);
}

static enum status make_places(const struct tape_node *nodes, uint64_t count, struct places *places)
{
    const uint32_t most = most_living(nodes, count);
    *places = (struct places){
        .states = malloc((most + (size_t)1) * sizeof *places->states),
        .of_node = malloc((count + 1) * sizeof *places->of_node),
        .free = malloc((most + (size_t)1) * sizeof *places->free),
    };
    if (!places->states || !places->of_node || !places->free) {
        free_places(places);
        return out_of_memory("the states of a sum that is watched");
    }
    while (places->free_count < most) {
        places->free[places->free_count] = most - 1 - places->free_count;
        places->free_count++;
    }
    return OK;
}

static STATE settled(STATE state, const struct tape_node *node)
{
    return node->settled ? A(merge)(A(zero)(), state) : state;
}

static STATE *start_leaf(struct places *places, uint32_t number, const struct tape_node *node, real x)
{
    const uint32_t place = places->free[--places->free_count];
    places->of_node[number] = place;
    places->states[place] = settled(A(add)(A(zero)(), x), node);
    return &places->states[place];
}

static STATE *join(struct places *places, uint32_t number, const struct tape_node *node, real x)
{
    const uint32_t place = places->of_node[node->left], other = places->of_node[node->right];
    STATE *state = &places->states[place];
    *state = settled(node->added ? A(add)(*state, x) : A(merge)(*state, places->states[other]), node);
    places->of_node[number] = place;
    places->free[places->free_count++] = other;
    return state;
}

static real element(const struct operands *of, const struct tape_node *leaf)
{
    return (real)held_number(of->format, of->arrays[0], (uint64_t)leaf->leaf);
}

static enum status walk(const struct tape_node *nodes, uint64_t count, const struct operands *of, step_visitor *visit,
                        void *to, double *result)
{
    struct places places;
    STATE root = A(zero)();
    TRY(make_places(nodes, count, &places));
    for (uint32_t k = 1; k <= count; k++) {
        const struct tape_node *node = &nodes[k - 1];
        if (node->left == 0) {
            root = *start_leaf(&places, k, node, element(of, node));
            continue;
        }
        double left[MOST_PARTS] = {0}, right[MOST_PARTS] = {0}, made[MOST_PARTS] = {0};
        const real added = node->added ? element(of, &nodes[node->right - 1]) : 0;
        A(parts)(places.states[places.of_node[node->left]], left);
        if (node->added)
            right[0] = (double)added;
        else
            A(parts)(places.states[places.of_node[node->right]], right);
        root = *join(&places, k, node, added);
        const int parts = A(parts)(root, made);
        visit(to, &(struct step){k, parts, left, right, made});
    }
    *result = A(result)(root);
    free_places(&places);
    return OK;
}

const struct stepper EXPORTED(stepper) = {.accumulator = TEXT(ACC), .walk = walk};
#endif

/* The stepper of one accumulator: compiled once per accumulator that SUMS with -DACC=<id>, as verbs.c is. */
#include "steps.h"

#include "portable.h"

#include "bound.h"
#include "src/base/format.h"

#include ACCUMULATOR_FILE

extern const struct stepper EXPORTED(stepper);
#ifdef ABSENT
const struct stepper EXPORTED(stepper) = {.accumulator = TEXT(ACC)};
#else

#include "terms.h"

#include <stdlib.h>

/* ---- elements, of one vector or of two ---- */

struct pair {
    real x, y;
};

static struct pair element(const struct operands *of, const struct tape_node *leaf)
{
    const uint64_t i = (uint64_t)leaf->leaf;
    const void *x = of->arrays[0], *y = operation_table[of->operation].vectors > 1 ? of->arrays[1] : x;
    return (struct pair){(real)held_number(of->format, x, i), (real)held_number(of->format, y, i)};
}

#if !A(HAS_FMA)
static STATE dot_fma_add(STATE s, real x, real y)
{
    (void)s, (void)x, (void)y;
    __builtin_unreachable(); /* no method asks for it */
}
#endif

#ifndef ADDS_EXACT_PRODUCTS
#define ADDS_EXACT_PRODUCTS 0 /* it has a state of its own for them, which nobody watches */
static STATE dot_exact_add(STATE s, real x, real y)
{
    (void)s, (void)x, (void)y;
    __builtin_unreachable(); /* stepper_find() has none */
}
#endif

static STATE add(STATE s, enum operation operation, struct pair of)
{
    switch (operation) {
#define TERMS_NUMBERS(id)                                                                                              \
    case OPERATION_##id:                                                                                               \
        return A(add)(s, id##_term(of.x, of.y));
#define TERMS_OWN(id)                                                                                                  \
    case OPERATION_##id:                                                                                               \
        return id##_add(s, of.x, of.y);
#define OPERATION(id, vectors, terms, of, claim) TERMS_##terms(id)
#include "operations.def"
#undef TERMS_NUMBERS
#undef TERMS_OWN
    default:
        __builtin_unreachable();
    }
}

/* What should be added: the term, or where terms are no numbers the product, which two numbers hold exactly unless it
 * underflows or overflows in binary64. */
static void write_worth(enum operation operation, struct pair of, double parts[ELEMENT_PARTS])
{
    const double product = (double)of.x * (double)of.y;
    switch (operation) {
#define TERMS_NUMBERS(id)                                                                                              \
    case OPERATION_##id:                                                                                               \
        parts[0] = (double)id##_term(of.x, of.y);                                                                      \
        break;
#define TERMS_OWN(id)                                                                                                  \
    case OPERATION_##id:                                                                                               \
        parts[0] = product;                                                                                            \
        parts[1] = REAL_PRECISION == 53 ? (double)product_error(of.x, of.y, (real)product) : 0;                        \
        break;
#define OPERATION(id, vectors, terms, of, claim) TERMS_##terms(id)
#include "operations.def"
    default:
        __builtin_unreachable();
    }
}

/* ---- states ---- */

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

static STATE *start_leaf(struct places *places, uint32_t number, const struct tape_node *node, enum operation operation,
                         struct pair of)
{
    const uint32_t place = places->free[--places->free_count];
    places->of_node[number] = place;
    places->states[place] = settled(add(A(zero)(), operation, of), node);
    return &places->states[place];
}

static STATE *join(struct places *places, uint32_t number, const struct tape_node *node, enum operation operation,
                   struct pair added)
{
    const uint32_t place = places->of_node[node->left], other = places->of_node[node->right];
    STATE *state = &places->states[place];
    *state = settled(node->added ? add(*state, operation, added) : A(merge)(*state, places->states[other]), node);
    places->of_node[number] = place;
    places->free[places->free_count++] = other;
    return state;
}

/* ---- the walk ---- */

struct view {
    double left[MOST_PARTS], right[MOST_PARTS], made[MOST_PARTS];
};

static int greater(int a, int b)
{
    return a > b ? a : b;
}

/* Adds an element to nothing; one that the next node adds to a state makes none. */
static void visit_leaf(uint32_t number, const STATE *state, bool is_added, enum operation operation, struct pair of,
                       step_visitor *visit, void *to)
{
    struct view view = {{0}, {0}, {0}};
    int parts = 0;
    write_worth(operation, of, view.right);
    if (is_added)
        memcpy(view.made, view.right, ELEMENT_PARTS * sizeof *view.made);
    else
        parts = A(parts)(*state, view.made);
    visit(to, &(struct step){number, greater(parts, ELEMENT_PARTS), view.left, view.right, view.made});
}

static enum status walk(const struct tape_node *nodes, uint64_t count, const struct operands *of, step_visitor *visit,
                        void *to, double *result)
{
    struct places places;
    const enum operation operation = of->operation;
    STATE root = A(zero)();
    TRY(make_places(nodes, count, &places));
    for (uint32_t k = 1; k <= count; k++) {
        const struct tape_node *node = &nodes[k - 1];
        if (node->left == 0) {
            const struct pair first = element(of, node);
            root = *start_leaf(&places, k, node, operation, first);
            if (operation != OPERATION_sum)
                visit_leaf(k, &root, k < count && nodes[k].added && nodes[k].right == k, operation, first, visit, to);
            continue;
        }
        struct view view = {{0}, {0}, {0}};
        struct pair added = {0};
        A(parts)(places.states[places.of_node[node->left]], view.left);
        if (node->added) {
            added = element(of, &nodes[node->right - 1]);
            write_worth(operation, added, view.right);
        } else {
            A(parts)(places.states[places.of_node[node->right]], view.right);
        }
        root = *join(&places, k, node, operation, added);
        const int parts = A(parts)(root, view.made);
        visit(to, &(struct step){k, operation == OPERATION_sum ? parts : greater(parts, ELEMENT_PARTS), view.left,
                                 view.right, view.made});
    }
    *result = A(result)(root);
    free_places(&places);
    return OK;
}

const struct stepper EXPORTED(stepper) = {
    .accumulator = TEXT(ACC), .takes_exact_products = ADDS_EXACT_PRODUCTS, .walk = walk};
#endif

/* A method of an accumulator's verbs and an order. */
#pragma once

#include "method.h"
#include "plain_tree.h"
#include "verbs.h"

/* Of what a method consists; it has to outlive it. */
enum { CELL_ID_SIZE = 64 };
struct cell {
    const struct verbs *verbs;
    const struct order *order;
    char id[CELL_ID_SIZE]; /* "kahan/serial" */
};

/* A sum in the order of that number in orders.def, in the format that is added in throughout; what it is in another
 * place of a table, and role and claim of its accumulator, are left to the caller. */
struct method replay_method(struct cell *cell, const struct verbs *verbs, int order);

/* Whether the order of that name takes this launch, with states of so many bytes; false with the numbers in `why`. */
bool order_can_do(const char *order, size_t state_bytes, struct thread_grid grid, char why[REASON_SIZE]);

/* Its tree, as that of plain additions; false likewise. */
bool order_tree(const char *order, uint64_t n, struct thread_grid grid, struct plain_tree *tree, char why[REASON_SIZE]);

/* The bounds of a method that replay_method() made, in another tree. */
double replay_bound(const struct method *method, uint64_t n, struct plain_tree tree, const struct magnitudes *of);
double replay_probabilistic_bound(const struct method *method, uint64_t n, uint64_t height,
                                  const struct magnitudes *of);

/* Of a method that replay_method() made; NULL of any other. */
const struct verbs *replay_verbs(const struct method *method);

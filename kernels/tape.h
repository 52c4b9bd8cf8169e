/* The tape that the accumulator `trace` records a summation tree on: nodes in the order in which they are made.
 *
 *   struct tape tape = {0};
 *   tape_start(&tape);            this thread records on it from now on
 *   method_sum(method, ...);
 *   tape_print(&tape, stdout);    ((0 + 2) + (1 + 3))
 *   tape_free(&tape);
 */
#pragma once

#include "src/base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct tape_node {
    double leaf;          /* the value of a leaf */
    uint32_t left, right; /* numbers of nodes, counted from 1; both 0 in a leaf */
    bool added;   /* a join that was no merge of two states: its right node, a leaf, was added to the left one */
    bool settled; /* its state was merged with an empty one: which ends a started block, where states have one */
};

struct tape {
    struct tape_node *nodes; /* node number k is nodes[k - 1]; the last one is the root */
    uint64_t count, capacity;
    enum status status; /* NOT_MEASURED once memory ran out; nothing is recorded after that */
};

void tape_start(struct tape *tape);

/* Both return the number of the node of the new state.  An empty state has none: 0. */
uint64_t tape_add(uint64_t state, double value);
uint64_t tape_merge(uint64_t left, uint64_t right);
void tape_free(struct tape *tape);

/* The parenthesised sum, or "0" for an empty tape. */
void tape_print(const struct tape *tape, FILE *to);

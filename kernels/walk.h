/* An accumulator, taken through a given tree, addition by addition: one sum that is watched, or many side by side.
 *
 *   kahan, ((2^24 + 1) + 1)
 *     node 3   2^24 and 1 give 2^24 and 1         parts: the sum, and minus the excess;
 *     node 5   2^24, 1 and 1 give 2^24 + 2 and 0  their exact sum is what the state is worth
 *
 * The tree is a tape (tape.h) whose leaves are indices of elements, as datasets/sum_tree.h makes it of an order; it
 * becomes a list of steps once.  A replay walks through its launch, also where that is empty: 120 blocks of 256 threads
 * merge 30,000 states over 64 numbers.  A walk makes the n - 1 additions and merges of states that are not empty, and
 * its result, once rounded, has the replay's bits.
 */
#pragma once

#include "tape.h"
#include "verbs.h"

/* ---- steps ---- */

enum walk_kind {
    WALK_START, /* an element is added to nothing */
    WALK_ADD,   /* an element is added to a state */
    WALK_MERGE, /* two states are merged */
};

struct walk_step {
    uint32_t place, other; /* the state that is made; the element, or the place of the state that is merged into it */
    uint32_t node;         /* its number on the tape, from 1 */
    enum walk_kind kind;
    bool settled; /* as of a tape_node */
};

struct walk {
    struct walk_step *steps;
    uint64_t count, elements;
    uint32_t places, root; /* states that live at once; the place of the last one */
};

/* Of nodes[0..count).  NOT_MEASURED, with *walk empty, when memory is short. */
enum status walk_make(const struct tape_node *nodes, uint64_t count, struct walk *walk);
void walk_free(struct walk *walk);

/* ---- many sums ---- */

/* Of the accumulator, in the format that the method adds in.  NULL for all but sums with a replay of our own. */
const struct verbs *walk_verbs(const struct method *method);

/* Adds WALK_LANES data sets, each of its lane before the next step begins: element i of number k is x[i * WALK_LANES +
 * k], in binary64 or binary32, term_bytes each.  `states` has room for places x WALK_LANES.  Stores what is left to be
 * rounded to the format of the result. */
void walk_sums(const struct verbs *verbs, const struct walk *walk, const void *x, void *states,
               double results[WALK_LANES]);

/* ---- one sum, watched ---- */

enum {
    MOST_PARTS = 69,  /* of superacc in binary64: 34 limbs, two each, and infinities and NaN */
    ELEMENT_PARTS = 2 /* of a product */
};

/* One addition or merge; of products also an element: nothing, to which the product is added.  What a state is worth is
 * the exact sum of its parts; one of the parts is not finite where the state holds an infinity or a NaN. */
struct step {
    uint32_t node;       /* its number on the tape, from 1 */
    int parts;           /* of each state, and of each product */
    const double *left;  /* before */
    const double *right; /* likewise; of an addition the element, or its term, and zeros */
    const double *made;  /* after; of an element that is added to a state next as `right` */
};

typedef void step_visitor(void *to, const struct step *step);

/* Not of what does not sum, of matrix products and black boxes, and of dot_exact where whole products are added in
 * a state of its own. */
bool walk_is_watched(const struct method *method);

/* Adds the terms of the elements in the order of nodes[0..count), and stores what is left to be rounded to the format
 * of the result, or of norm2 rooted; visits every node that is no leaf, in the order of the tape, and of products the
 * leaves, too.  NOT_MEASURED when memory is short. */
enum status walk_watched(const struct method *method, const struct tape_node *nodes, uint64_t count,
                         const struct operands *of, step_visitor *visit, void *to, double *result);

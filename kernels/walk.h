/* Many sums in one tree: WALK_LANES data sets side by side, for who has millions of short ones.
 *
 *   ((x0 + x1) + x2)    start 0: x0;  add 0: x1;  add 0: x2        each for all data sets before the next one begins
 *
 * The tree is a tape (tape.h) whose leaves are indices of elements, as of steps.h; it becomes a list of steps once.  A
 * replay walks through its launch, also where that is empty: 120 blocks of 256 threads merge 30,000 states over 64
 * numbers.  A walker makes the n - 1 additions and merges of states that are not empty, and has the replay's bits.
 */
#ifndef ULPSCOPE_WALK_H
#define ULPSCOPE_WALK_H

#include "method.h"
#include "tape.h"

enum { WALK_LANES = 8 };

enum walk_kind {
    WALK_START, /* an element is added to nothing */
    WALK_ADD,   /* an element is added to a state */
    WALK_MERGE, /* two states are merged */
};

struct walk_step {
    uint32_t place, other; /* the state that is made; the element, or the place of the state that is merged into it */
    enum walk_kind kind;
    bool settled; /* as of a tape_node */
};

struct walk {
    struct walk_step *steps;
    uint64_t count;
    uint32_t places, root; /* states that live at once; the place of the last one */
};

/* Of nodes[0..count).  NOT_MEASURED, with *walk empty, when memory is short. */
enum status walk_make(const struct tape_node *nodes, uint64_t count, struct walk *walk);
void walk_free(struct walk *walk);

struct walker {
    const char *accumulator;
    size_t state_bytes;  /* `states` has room for places x WALK_LANES of them */
    size_t number_bytes; /* of an element: 4, a float, or 8, a double */

    /* Adds each of the data sets; element i of number k is x[i * WALK_LANES + k].  Stores what is left to be rounded to
     * the format of the result. */
    void (*sums)(const struct walk *walk, const void *x, void *states, double results[WALK_LANES]);
};

/* Of the accumulator, in the format that the method adds in.  NULL for all but sums with a replay of the table. */
const struct walker *walker_find(const struct method *method);

#endif

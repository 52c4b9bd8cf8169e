/* One accumulator, taken through a given tree, addition by addition: what a replay does, watched.
 *
 *   kahan, ((2^24 + 1) + 1)
 *     node 3   2^24 and 1 give 2^24 and 1         parts: the sum, and minus the excess;
 *     node 5   2^24, 1 and 1 give 2^24 + 2 and 0  their exact sum is what the state is worth
 *
 * The tree is a tape (tape.h) whose leaves are indices of elements, as datasets/sum_tree.h makes it of an order.  The
 * result, once rounded, has the bits of the replay in that order.
 */
#ifndef ULPSCOPE_STEPS_H
#define ULPSCOPE_STEPS_H

#include "method.h"
#include "tape.h"

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

struct stepper {
    const char *accumulator;
    bool takes_exact_products; /* of dot_exact; false: their state is another one */

    /* Adds the terms of the elements in the order of nodes[0..count), and stores what is left to be rounded to the
     * format of the result, or of norm2 rooted; visits every node that is no leaf, in the order of the tape, and of
     * products the leaves, too.  NOT_MEASURED when memory is short.
     */
    enum status (*walk)(const struct tape_node *nodes, uint64_t count, const struct operands *of, step_visitor *visit,
                        void *to, double *result);
};

/* Of the accumulator, in the format that the method adds in; NULL for methods that do not sum, products of matrices,
 * dot_exact where it is not taken, and black boxes. */
const struct stepper *stepper_find(const struct method *method);

#endif

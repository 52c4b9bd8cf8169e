/* Labels of a tree whose data are known: elements with their values, joins with what they make and its local error. */
#pragma once

#include "src/teach/additions.h"
#include "tree_drawing.h"

/* How many bits fell off in an addition: those of the exact sum of both operands behind the last place of the result.
 *
 *   binary32, 2^24 + 1 = 2^24       the last place is 2, the exact sum 2^24 + 1 has a bit below it: 1, all that 1 has
 *   binary32, 2^24 + 3 = 2^24 + 4   1 of the 2 bits of 3
 */
struct bits_lost {
    bool known; /* false: the state has several parts and no last place, or is not finite */
    int bits;
    bool all; /* no bit of the smaller operand is at or above the last place */
};

struct bits_lost bits_lost_in(const struct additions *of, uint32_t node);

enum tree_labels_style {
    TREE_LABELS_IN_COLUMNS, /* for lines: lined up, with the bits lost */
    TREE_LABELS_STACKED,    /* for a picture: one below the other */
};

struct tree_labels {
    char **list;  /* of node k: list[k] */
    double *heat; /* of node k: |error| as a share of the largest */
    char *name;   /* what stands in columns */
    char *heat_name;
    uint64_t count; /* of nodes */
};

/* NOT_MEASURED when memory is short; *labels is then empty. */
enum status tree_labels_make(const struct additions *of, enum tree_labels_style style, struct tree_labels *labels);
void tree_labels_free(struct tree_labels *labels);

/* The tree with them; they and the title must outlive the drawing. */
struct tree_drawing tree_labels_drawing(const struct tree_labels *labels, const struct sum_tree *tree,
                                        const char *title);

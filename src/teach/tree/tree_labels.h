/* Labels of a tree whose data are known: elements with their values, joins with what they make and its local error. */
#pragma once

#include "src/teach/additions.h"

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

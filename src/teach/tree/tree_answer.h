/* What `ulpscope tree` answers: a tree, and what the additions in it do to given data.  tree_text.c and tree_json.c
 * write it; tree_drawing.h has the pictures.
 */
#pragma once

#include "src/teach/additions.h"
#include "tree_summary.h"

#include <stdio.h>

/* In JSON, where nobody looks at it, there is room for more than in a picture. */
enum { TREE_JSON_MOST_N = 1 << 16 };

struct tree_answer {
    struct tree_request request;
    const struct sum_tree *tree;
    struct tree_summary summary;
    bool summary_only;                 /* no nodes in JSON */
    const char *data;                  /* the spec; NULL: there are none, nor what follows */
    const struct additions *additions; /* NULL: likewise */
    const struct exact_sum *exact;
};

/* "kahan/tree_two_pass, n = 37, 2 x 4, uniform:n=37": the caller frees it. */
char *tree_answer_title(const struct tree_answer *answer);

/* The lines below a drawing: what the tree is, the sum and its error. */
void tree_write_notes(const struct tree_answer *answer, FILE *to);

/* The lines of --summary. */
void tree_write_summary(const struct tree_answer *answer, FILE *to);

/* The object of schema ulpscope-tree/1. */
enum status tree_write_json(const struct tree_answer *answer, const char *path);

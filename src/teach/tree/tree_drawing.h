/* The tree in which a method adds, drawn: leaves from left to right as they are joined, the sum at the top or the root.
 *
 *   tree_draw_lines     for a terminal
 *   tree_draw_svg       a picture that needs nothing else, readable on white and on black
 */
#pragma once

#include "datasets/sum_tree.h"

#include <stdio.h>

/* Beyond these nobody sees anything: a drawing complains, names the limit and `--summary`, and returns BAD_INPUT. */
enum { TREE_LINES_MOST_N = 128, TREE_SVG_MOST_N = 512 };

/* The same before a tree is made; `what` is "lines" or "SVG". */
enum status tree_fits(const char *what, uint64_t n, uint64_t most);

struct tree_drawing {
    const struct sum_tree *tree;
    const char *title; /* "kahan/tree_two_pass, n = 8, 1 x 4" */
    const char *const
        *labels;             /* of node k: labels[k]; NULL for all or one: its element "x3", or of a join its height */
    const char *labels_name; /* what stands in labels of joins: "value, and what is lost"; NULL with labels: nothing */
    const double *heat;      /* of node k, from 0 to 1: how much is lost there; NULL: no colours */
    const char *heat_name;   /* what heat is, for the legend: "|local error|, largest 2^-20" */
};

enum status tree_draw_lines(const struct tree_drawing *drawing, FILE *to);
enum status tree_draw_svg(const struct tree_drawing *drawing, FILE *to);

/* By one of these, to a file that appears whole or not at all; "-" is stdout. */
enum status tree_draw_file(const struct tree_drawing *drawing,
                           enum status (*draw)(const struct tree_drawing *drawing, FILE *to), const char *path);

/* What the two drawings of a tree share: who stands left of whom, what is written beside a node, how hot it is. */

enum { TREE_LABEL_TEXT = 32, TREE_HEAT_STEPS = 7 };

/* first[k]: the leaves that stand left of all those below node k; the caller frees it. */
uint32_t *tree_first_leaves(const struct sum_tree *tree);

/* The node's own label, or else "x3" and the height of a join, which is written to `text`. */
const char *tree_label(const struct tree_drawing *drawing, uint32_t node, char text[TREE_LABEL_TEXT]);

/* 0: nothing is lost there, or nobody asked; else 1 to TREE_HEAT_STEPS.  What is no number is as hot as can be. */
int tree_heat_step(const struct tree_drawing *drawing, uint32_t node);

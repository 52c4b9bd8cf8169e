/* What the three drawings of a tree share: who stands left of whom, what is written beside a node, how hot it is. */
#pragma once

#include "tree_drawing.h"

enum { TREE_LABEL_TEXT = 32, TREE_HEAT_STEPS = 7 };

/* first[k]: the leaves that stand left of all those below node k; the caller frees it. */
uint32_t *tree_first_leaves(const struct sum_tree *tree);

/* The node's own label, or else "x3" and the height of a join, which is written to `text`. */
const char *tree_label(const struct tree_drawing *drawing, uint32_t node, char text[TREE_LABEL_TEXT]);

/* 0: nothing is lost there, or nobody asked; else 1 to TREE_HEAT_STEPS.  What is no number is as hot as can be. */
int tree_heat_step(const struct tree_drawing *drawing, uint32_t node);

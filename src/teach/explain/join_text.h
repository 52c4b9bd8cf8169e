/* The nodes of a tree in words: which elements are below one, and how it is added up.
 *
 *   x0    x0..x40 (41)    x0, x512..x16384 (33)        ((x0 + x2) + x1)
 */
#pragma once

#include "src/base/base.h"
#include "src/teach/additions.h"

/* Appends the elements below a node, as tree/spans.h has them; of 0, what a product is added to, "nothing". */
void join_elements(const struct sum_tree *tree, uint32_t node, struct text *to);

/* Appends the parenthesised sum; of the leaves' names, or of value[node], numbers of the format, where that is not
 * NULL.  Recurses: for small trees.
 */
void join_expression(const struct sum_tree *tree, uint32_t node, const struct format *format, const double *value,
                     struct text *to);

/* What the state of a join is worth, in hex: "0x1p+53", or "0x1p+53 + 0x1p+0" where a rest is kept. */
void join_worth(const struct additions *of, uint32_t node, struct text *to);

/* A number of the format in decimal: as write_plainly() has it, but of binary64 with all digits. */
void join_number(const struct format *format, double value, char text[NUMBER_TEXT]);

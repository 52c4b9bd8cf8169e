/* Markdown whose columns are aligned, so that it reads as text and can be pasted: names to the left, numbers to the
 * right. A table grows row by row: its widths are settled before. */
#pragma once

#include "reports/grid.h"

/* A row of as many cells as the grid has columns; below the heads the rule. */
void aligned_row(const struct grid *grid, size_t row, const int *widths);
void aligned_rule(size_t columns, const int *widths);

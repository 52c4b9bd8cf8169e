/* Text and tables in Markdown, as GitHub reads it. */
#pragma once

#include "grid.h"

/* A name as text: whatever Markdown or HTML would read as markup is escaped. */
void markdown_name(FILE *file, const char *name);

/* Bad cells are bold. */
void markdown_grid(FILE *file, const struct grid *grid);

/* The same as a text, to be measured, of a grid that is done with: frees it.  Allocated. */
char *markdown_grid_taken(struct grid grid);

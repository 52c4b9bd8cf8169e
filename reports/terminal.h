/* Tables and lines on a terminal: as wide as it is, or 100 columns; wider tables go on below. */
#pragma once

#include "grid.h"

struct terminal {
    FILE *file;
    bool colour;
    size_t width; /* columns of a line */
};

struct terminal terminal_of(FILE *file, bool colour);

/* In the colour of its tone, and no line break behind it. */
void terminal_word(const struct terminal *terminal, enum tone tone, const char *word);

void terminal_bold(const struct terminal *terminal, const char *text);

/* In as many lines as it needs, broken after a semicolon. */
void terminal_faint(const struct terminal *terminal, const char *text);

/* Broken between words, the lines after the first indented. */
void terminal_sentence(const struct terminal *terminal, const char *text);

/* A sentence a line; the lines are cut in place. */
void terminal_sentences(const struct terminal *terminal, char *lines);

void terminal_grid(const struct terminal *terminal, const struct grid *grid);

/* Without a blank line above it: below its heading. */
void terminal_grid_below(const struct terminal *terminal, const struct grid *grid);

/* The same of a grid that is done with: frees it. */
void terminal_grid_taken(const struct terminal *terminal, struct grid *grid);

/* The first `top` lines of it, 0: all, below a blank line and what its columns mean; frees it. */
void terminal_table(const struct terminal *terminal, const char *legend, struct grid *grid, size_t top);

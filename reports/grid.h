/* A table of text, laid out by each output in its own way: row 0 is the header, the last rows may be a footer.
 *
 * The first `labels` columns name a row; wide tables are broken between the others.  A footer's label spans them.
 * Of a long table the first `top` rows are seen at once: the others are folded or, on a terminal, counted.
 */
#pragma once

#include "outcome.h"

struct cell {
    char *text; /* NULL: empty */
    char *word; /* what the text means, beside or under it; NULL: none */
    enum tone tone;
    bool left;    /* in the header: the column is aligned to the left */
    int spare;    /* in the header: where a terminal is too narrow the column is left out, 1 first; 0: never */
    bool rounded; /* the text begins with a number for people, which is: */
    double value;
};

struct grid {
    size_t columns, rows, labels;
    size_t footer; /* the first row of the footer; `rows` when there is none */
    size_t top;    /* rows below the header that are seen at once; 0: all */
    struct cell *cells;
    size_t capacity; /* in rows */
};

struct grid grid_of(size_t columns, size_t labels);

/* With its heads, of which those behind a > are aligned to the right: "method | > sums | > of its bound". */
struct grid grid_headed(size_t labels, const char *heads);

/* Appends an empty row; the footer, if there is to be one, starts with the row that grid_footer appends. */
void grid_row(struct grid *grid);
void grid_footer(struct grid *grid);

/* What a cell says, with a tone, or plainly. */
struct cell cell_toned(enum tone tone, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define cell_text(...) cell_toned(TONE_PLAIN, __VA_ARGS__)
struct cell cell_count(uint64_t count);
struct cell cell_number(double value); /* up to three digits; "-" for NaN, undefined */
struct cell cell_error(double value);  /* the same, rounded up: write_error */

/* Appends a row that begins with these cells: grid_add(grid, cell_text("%s", name), cell_count(n), cell_error(error)).
 */
#define grid_add(grid, ...)                                                                                            \
    grid_append(grid, (const struct cell[]){__VA_ARGS__},                                                              \
                sizeof((const struct cell[]){__VA_ARGS__}) / sizeof(struct cell))
void grid_append(struct grid *grid, const struct cell *cells, size_t count);

/* Sets a cell of the last row. */
void grid_put(struct grid *grid, size_t column, struct cell cell);
#define grid_set(grid, column, ...) grid_put(grid, column, cell_toned(__VA_ARGS__))
#define grid_number(grid, column, value) grid_put(grid, column, cell_number(value))
#define grid_error(grid, column, value) grid_put(grid, column, cell_error(value))
#define grid_count(grid, column, value) grid_put(grid, column, cell_count(value))
void grid_word(struct grid *grid, size_t column, const char *word); /* of a cell that was set */
void grid_value(struct grid *grid, size_t column, double value); /* in full, of a cell that begins with it, rounded */
void grid_alike(struct grid *grid, size_t column); /* numbers of a column: all with an exponent when one has it */
void grid_head(struct grid *grid, size_t column, bool left, const char *text);

/* Of a head that was set. */
enum { SPARE_MOST = 4 };
void grid_spare(struct grid *grid, size_t column, int rank);

/* A row of heads; sides[c] says how column c is aligned, 'l' or 'r': "lrr". */
void grid_heads(struct grid *grid, const char *sides, const char *const *texts);

/* The same table turned: a line for each column of `grid` from `first` on, named by its head, and a column for each
 * row. heads[r] is what names row r there, heads[0] the name of the first column. */
struct grid grid_turned(const struct grid *grid, size_t first, const struct cell *heads);

const struct cell *grid_cell(const struct grid *grid, size_t row, size_t column);
const char *grid_text(const struct grid *grid, size_t row, size_t column);    /* "" when empty */
const char *grid_word_of(const struct grid *grid, size_t row, size_t column); /* "" when there is none */

/* The end of the rows that are seen at once, but for the footer. */
size_t grid_seen(const struct grid *grid);

/* Columns on a terminal of "text, word". */
size_t grid_width(const struct grid *grid, size_t row, size_t column);
void grid_free(struct grid *grid);

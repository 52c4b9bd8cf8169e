/* A row of any table, as 64 bits a column: how it is bound, read and sealed. */
#pragma once

#include "store_file.h"

/* Of a text the word is its length.  NULL is LINE_NULL, which as a number is NaN. */
#define LINE_NULL UINT64_MAX

struct line {
    int count;
    uint64_t words[COLUMNS]; /* no table has more */
    const char *texts[COLUMNS];
};

/* Each sets a column, of any table. */
void line_set_number(struct line *line, int column, double number);
void line_set_text(struct line *line, int column, const char *text); /* NULL is NULL; the text is not copied */

double line_number(const struct line *line, int column);

/* The types are those of a table. */
void line_bind(sqlite3_stmt *statement, const char *types, const struct line *line);
void line_give(sqlite3_context *to, char type, int column,
               const struct line *line); /* one value; texts are not copied */

/* The row that the statement has now; its texts live until the next step.  False: a value is of another type. */
bool line_read(sqlite3_stmt *row, const char *types, struct line *line);

/* Lines that SQLite reads from us as a table, so that one statement stores many: `INSERT INTO measured SELECT * FROM
 * rows_in_hand` takes a third less time than a statement for each row, its values bound one by one. */
#pragma once

#include <sqlite3.h>
#include <stdint.h>

struct line;

struct line_source {
    const char *types; /* of the columns, as in struct table */
    void (*make)(const void *context, uint64_t position, struct line *line);
    const void *context; /* with `count`: what the next statement reads */
    uint64_t count;
};

/* A table of this name, for statements of this database; the source outlives it.  A result of SQLite's. */
int source_offer(sqlite3 *database, const char *name, struct line_source *source);

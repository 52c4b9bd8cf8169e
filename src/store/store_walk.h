/* Rows in the order of their ids, each beside what it has in `elements`.
 *
 *   TRY(walk_begin(store, &walk));
 *   while ((status = walk_next(&walk)) == OK && walk.has_row)
 *       ... walk.rows, and unless it is NULL walk_element(&walk) ...
 *   walk_end(&walk);
 */
#pragma once

#include "store_file.h"

struct row_walk {
    struct store *store;
    sqlite3_stmt *rows, *elements; /* each stands on a row of its table, if there is one left */
    bool has_row, has_element;
    uint64_t id, element_id;
};

enum status walk_begin(struct store *store, struct row_walk *walk);
enum status walk_next(struct row_walk *walk);
void walk_end(struct row_walk *walk);

/* Of the row where the walk stands. */
static inline sqlite3_stmt *walk_element(const struct row_walk *walk)
{
    return walk->has_element && walk->element_id == walk->id ? walk->elements : NULL;
}

/* An element was passed whose row is not there. */
static inline bool walk_lost_row(const struct row_walk *walk)
{
    return walk->has_element && (!walk->has_row || walk->element_id < walk->id);
}

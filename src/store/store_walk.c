#include "store_walk.h"

static enum status step(const struct store *store, sqlite3_stmt *statement, bool *has, uint64_t *id)
{
    const int result = sqlite3_step(statement);
    *has = result == SQLITE_ROW;
    if (*has)
        *id = (uint64_t)sqlite3_column_int64(statement, 0);
    return *has || result == SQLITE_DONE ? OK : store_failed(store, "cannot be read");
}

enum status walk_begin(struct store *store, struct row_walk *walk)
{
    *walk = (struct row_walk){.store = store};
    TRY(store_prepare(store, store_measured.rows, &walk->rows));
    TRY(store_prepare(store, store_elements.rows, &walk->elements));
    return step(store, walk->elements, &walk->has_element, &walk->element_id);
}

enum status walk_next(struct row_walk *walk)
{
    if (walk->has_row && walk_element(walk))
        TRY(step(walk->store, walk->elements, &walk->has_element, &walk->element_id));
    return step(walk->store, walk->rows, &walk->has_row, &walk->id);
}

void walk_end(struct row_walk *walk)
{
    sqlite3_finalize(walk->rows);
    sqlite3_finalize(walk->elements);
}

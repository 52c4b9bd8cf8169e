#include "store.h"

#include "store_file.h"

static enum status note(struct store *store, const char *key, const char *value)
{
    const char *const values[] = {key, value};
    TRY(store_begin(store));
    TRY(store_put_texts(store, "INSERT OR IGNORE INTO run VALUES(?, ?)", values, 2));
    store->has_new_facts = true;
    return store_end(store);
}

enum status store_note_command(struct store *store, const char *whole)
{
    return note(store, "whole", whole);
}

enum status store_note_end(struct store *store)
{
    store->is_kept = true;
    return note(store, "ended", "1");
}

#include "store_file.h"

#include <endian.h>

/* ---- of rows ---- */

static void add_word(struct sha256_ctx *seal, uint64_t word)
{
    word = htole64(word);
    sha256_update(seal, sizeof word, (const uint8_t *)&word);
}

void seal_end(struct sha256_ctx *seal, uint8_t bytes[SEAL_SIZE])
{
    sha256_digest(seal, SEAL_SIZE, bytes);
}

void seal_add(struct sha256_ctx *seal, const struct line *line)
{
    uint64_t words[COLUMNS];
    for (int c = 0; c < line->count; c++)
        words[c] = htole64(line->words[c]);
    sha256_update(seal, (size_t)line->count * sizeof *words, (const uint8_t *)words);
    for (int c = 0; c < line->count; c++)
        if (line->texts[c])
            sha256_update(seal, (size_t)line->words[c], (const uint8_t *)line->texts[c]);
}

/* ---- of the small tables ---- */

struct table_in_hand {
    const struct store *store;
    const struct table *table;
    struct sha256_ctx *seal;
};

static enum status add_line(void *context, sqlite3_stmt *row)
{
    const struct table_in_hand *hand = context;
    struct line line;
    if (!line_read(row, hand->table->types, &line))
        return store_damaged(hand->store, "`%s` gives a value of another type", hand->table->rows);
    seal_add(hand->seal, &line);
    return OK;
}

enum status seal_of_tables(struct store *store, uint8_t bytes[SEAL_SIZE])
{
    struct sha256_ctx seal;
    sha256_init(&seal);
    for (size_t t = 0; t < SMALL_TABLES; t++) {
        struct table_in_hand hand = {store, &store_small_tables[t], &seal};
        add_word(&seal, t);
        TRY(store_each_line(store, hand.table->rows, add_line, &hand));
    }
    seal_end(&seal, bytes);
    return OK;
}

static enum status seal_tables(struct store *store)
{
    uint8_t seal[SEAL_SIZE];
    sqlite3_stmt *statement = NULL;
    TRY(seal_of_tables(store, seal));
    TRY(store_prepare(store, "UPDATE seal SET seal = ?", &statement));
    sqlite3_bind_blob(statement, 1, seal, sizeof seal, SQLITE_STATIC);
    const enum status status = store_step(store, statement);
    sqlite3_finalize(statement);
    return status;
}

enum status store_begin(struct store *store)
{
    store->new_cases = 0;
    return store_execute(store, "BEGIN");
}

static enum status count_cases(struct store *store)
{
    char sql[80];
    snprintf(sql, sizeof sql, "UPDATE seal SET cases = cases + %llu", (unsigned long long)store->new_cases);
    return store->new_cases > 0 ? store_execute(store, sql) : OK;
}

/* What is not ended is taken back when the store is closed. */
enum status store_end(struct store *store)
{
    TRY(count_cases(store));
    if (store->has_new_facts)
        TRY(seal_tables(store));
    TRY(store_execute(store, "COMMIT"));
    store->has_new_facts = false;
    store->has_rows |= store->has_new_rows;
    return OK;
}

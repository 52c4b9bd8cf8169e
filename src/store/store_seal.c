#include "store_seal.h"

#include "src/base/fp.h"

#include <endian.h>
#include <string.h>

/* ---- of rows ---- */

static void add_word(struct sha256_ctx *seal, uint64_t word)
{
    word = htole64(word);
    sha256_update(seal, sizeof word, (const uint8_t *)&word);
}

void seal_begin(struct sha256_ctx *seal, uint64_t index, bool is_finished)
{
    sha256_init(seal);
    add_word(seal, index);
    add_word(seal, is_finished);
}

void seal_end(struct sha256_ctx *seal, uint8_t bytes[SEAL_SIZE])
{
    sha256_digest(seal, SEAL_SIZE, bytes);
}

/* A text with a NUL would be read as less than it is. */
static bool read_value(sqlite3_stmt *row, int column, char type, uint64_t *word, const char **text)
{
    const int found = sqlite3_column_type(row, column);
    *text = NULL;
    if (type == 'i' && found == SQLITE_INTEGER) {
        *word = (uint64_t)sqlite3_column_int64(row, column);
        return true;
    }
    if (type == 't' && found == SQLITE_TEXT) {
        *text = (const char *)sqlite3_column_text(row, column);
        *word = (uint64_t)sqlite3_column_bytes(row, column);
        return *text && strlen(*text) == *word;
    }
    if ((type == 'r' || type == 'n') && found == SQLITE_FLOAT) {
        *word = double_bits(sqlite3_column_double(row, column));
        return true;
    }
    *word = UINT64_MAX; /* a NaN, which SQLite stores as NULL */
    return type == 'n' && found == SQLITE_NULL;
}

bool line_read(sqlite3_stmt *row, const char *types, struct line *line)
{
    for (line->count = 0; types[line->count]; line->count++)
        if (!read_value(row, line->count, types[line->count], &line->words[line->count], &line->texts[line->count]))
            return false;
    return true;
}

double line_number(const struct line *line, enum column column)
{
    double number;
    memcpy(&number, &line->words[column], sizeof number);
    return number;
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
    return store_execute(store, "BEGIN");
}

/* What is not ended is taken back when the store is closed. */
enum status store_end(struct store *store)
{
    TRY(seal_tables(store));
    return store_execute(store, "COMMIT");
}

/* ---- of a case ---- */

static enum status note_case(struct store *store, uint64_t index, bool is_finished, int rows,
                             const uint8_t seal[SEAL_SIZE])
{
    sqlite3_stmt *insert = store->insert_case;
    sqlite3_bind_int64(insert, 1, (sqlite3_int64)index);
    sqlite3_bind_int(insert, 2, is_finished);
    sqlite3_bind_int(insert, 3, rows);
    sqlite3_bind_blob(insert, 4, seal, SEAL_SIZE, SQLITE_STATIC);
    TRY(store_step(store, insert));
    return store_step(store, store->count_case);
}

enum status store_seal_case(struct store *store, uint64_t index, bool is_finished)
{
    struct sha256_ctx seal;
    struct line line;
    uint8_t bytes[SEAL_SIZE];
    int rows = 0, result;
    seal_begin(&seal, index, is_finished);
    sqlite3_bind_int64(store->read_case, 1, (sqlite3_int64)index);
    while ((result = sqlite3_step(store->read_case)) == SQLITE_ROW) {
        if (line_read(store->read_case, store_results.types, &line))
            seal_add(&seal, &line);
        rows++;
    }
    sqlite3_reset(store->read_case);
    if (result != SQLITE_DONE)
        return store_failed(store, "cannot be read");
    seal_end(&seal, bytes);
    return note_case(store, index, is_finished, rows, bytes);
}

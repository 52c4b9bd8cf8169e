#include "store_file.h"

#include <endian.h>

/* Zeros have one sign: SQLite keeps whole numbers as integers, and gives 0 for -0. */
void line_set_number(struct line *line, int column, double number)
{
    line->words[column] = isnan(number) ? LINE_NULL : number == 0 ? 0 : double_bits(number);
    line->texts[column] = NULL;
}

void line_set_text(struct line *line, int column, const char *text)
{
    line->words[column] = text ? strlen(text) : LINE_NULL;
    line->texts[column] = text;
}

double line_number(const struct line *line, int column)
{
    double number;
    memcpy(&number, &line->words[column], sizeof number);
    return number;
}

static void bind_value(sqlite3_stmt *statement, int column, char type, const struct line *line)
{
    const uint64_t word = line->words[column];
    if (type == 'i')
        sqlite3_bind_int64(statement, column + 1, (sqlite3_int64)word);
    else if (word == LINE_NULL)
        sqlite3_bind_null(statement, column + 1);
    else if (line->texts[column])
        sqlite3_bind_text(statement, column + 1, line->texts[column], (int)word, SQLITE_STATIC);
    else
        sqlite3_bind_double(statement, column + 1, line_number(line, column));
}

void line_bind(sqlite3_stmt *statement, const char *types, const struct line *line)
{
    for (int c = 0; c < line->count; c++)
        bind_value(statement, c, types[c], line);
}

/* A text with a NUL would be read as less than it is. */
static bool read_text(sqlite3_stmt *row, int column, uint64_t *word, const char **text)
{
    *text = (const char *)sqlite3_column_text(row, column);
    *word = (uint64_t)sqlite3_column_bytes(row, column);
    return *text && strlen(*text) == *word;
}

static bool read_value(sqlite3_stmt *row, int column, char type, uint64_t *word, const char **text)
{
    const int found = sqlite3_column_type(row, column);
    *text = NULL;
    *word = LINE_NULL;
    if (found == SQLITE_INTEGER && type == 'i') {
        *word = (uint64_t)sqlite3_column_int64(row, column);
        return true;
    }
    if (found == SQLITE_TEXT)
        return (type == 't' || type == 'm') && read_text(row, column, word, text);
    if (found == SQLITE_FLOAT && (type == 'r' || type == 'n')) {
        *word = double_bits(sqlite3_column_double(row, column));
        return true;
    }
    return found == SQLITE_NULL && (type == 'n' || type == 'm');
}

bool line_read(sqlite3_stmt *row, const char *types, struct line *line)
{
    for (line->count = 0; types[line->count]; line->count++)
        if (!read_value(row, line->count, types[line->count], &line->words[line->count], &line->texts[line->count]))
            return false;
    return true;
}

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

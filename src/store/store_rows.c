/* Cases as they are stored: what their rows share, the rows, and a seal over both. */
#include "store_file.h"

/* ---- lines ---- */

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Most rows have the exact sum of the first; elements of a product have their own. */
static void line_of_case(const struct store *store, const struct finished_case *finished, struct line *line)
{
    const struct study_case place = study_case_at(store->study, finished->index);
    *line = (struct line){
        .count = CASE_SEALED,
        .words = {[CASE_INDEX] = finished->index,
                  [CASE_ENTRY] = place.entry,
                  [CASE_SPEC] = place.spec,
                  [CASE_TRIAL] = place.trial,
                  [CASE_N] = finished->n,
                  [CASE_IS_FINISHED] = !finished->unfinished,
                  [CASE_ROWS] = finished->row_count},
    };
    const bool has_rows = finished->row_count > 0;
    line_set_text(line, CASE_EXACT, has_rows ? finished->rows[0].exact : "nan");
    line_set_number(line, CASE_CONDITION, has_rows ? finished->rows[0].condition : 0);
}

static void line_of_row(uint64_t id, const struct measured *row, struct line *line)
{
    *line = (struct line){
        .count = COLUMNS,
        .words = {[ROW_ID] = id,
                  [LAUNCH_INDEX] = row->launch,
                  [BACKEND_INDEX] = row->backend,
                  [METHOD_INDEX] = row->method,
                  [REPEAT] = row->repeat,
                  [WEIGHT] = row->weight,
                  [COMPUTED_BITS] = row->computed_bits,
                  [NEAREST_BITS] = row->nearest_bits,
                  [HEIGHT] = row->height,
                  [CLASS] = row->class},
    };
    for (int m = 0; m < METRICS; m++)
        line_set_number(line, FIRST_METRIC + m, row->metrics[m]);
    line_set_number(line, COMPUTED, row->computed);
    line_set_number(line, BOUND, row->bound);
    line_set_number(line, PROBABLE_BOUND, row->probabilistic_bound);
}

static bool is_of_case(const struct finished_case *finished, const struct measured *row)
{
    const struct measured *first = &finished->rows[0];
    return same_number(row->condition, first->condition) &&
           (row->exact == first->exact || strcmp(row->exact, first->exact) == 0);
}

/* Whether the row has something in the table `elements`. */
static bool has_element(const struct finished_case *finished, const struct measured *row)
{
    bool has_means = false;
    for (int m = 0; m < METRICS; m++)
        has_means |= !isnan(row->means[m]);
    return has_means || row->i != 0 || row->j != 0 || row->digest || row->map || !is_of_case(finished, row);
}

static void line_of_element(const struct finished_case *finished, uint64_t id, const struct measured *row,
                            struct line *line)
{
    const bool is_shared = is_of_case(finished, row);
    *line = (struct line){.count = ELEMENT_COLUMNS,
                          .words = {[ELEMENT_ROW_ID] = id, [ELEMENT_I] = row->i, [ELEMENT_J] = row->j}};
    line_set_text(line, EXACT, is_shared ? NULL : row->exact);
    line_set_number(line, CONDITION, is_shared ? (double)NAN : row->condition);
    line_set_text(line, DIGEST, row->digest);
    line_set_text(line, MAP, row->map);
    for (int m = 0; m < METRICS; m++)
        line_set_number(line, (int)FIRST_MEAN + m, row->means[m]);
}

/* ---- a seal ---- */

static int by_place(const void *left, const void *right)
{
    const struct measured *a = left, *b = right;
    const uint64_t places[][2] = {{a->launch, b->launch}, {a->backend, b->backend},
                                  {a->method, b->method}, {a->repeat, b->repeat},
                                  {a->i, b->i},           {a->j, b->j}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (places[i][0] != places[i][1])
            return places[i][0] < places[i][1] ? -1 : 1;
    return 0;
}

struct seal store_seal_case(const struct store *store, struct finished_case *finished)
{
    struct sha256_ctx sum;
    struct line line;
    struct seal seal;
    if (finished->row_count > 0)
        qsort(finished->rows, finished->row_count, sizeof *finished->rows, by_place);
    line_of_case(store, finished, &line);
    sha256_init(&sum);
    seal_add(&sum, &line);
    for (size_t i = 0; i < finished->row_count; i++) {
        const struct measured *row = &finished->rows[i];
        line_of_row(row_id(finished->index, i), row, &line);
        seal_add(&sum, &line);
        if (!has_element(finished, row))
            continue;
        line_of_element(finished, row_id(finished->index, i), row, &line);
        seal_add(&sum, &line);
    }
    seal_end(&sum, seal.bytes);
    return seal;
}

/* ---- rows as a table that SQLite reads ---- */

/* What SQLite calls a virtual table, and a cursor of it; each begins with SQLite's own part. */
struct offered {
    sqlite3_vtab of_sqlite;
    const struct line_source *source;
};

struct cursor {
    sqlite3_vtab_cursor of_sqlite;
    const struct line_source *source;
    uint64_t position;
    struct line line;
};

static int declare(sqlite3 *database, size_t columns)
{
    struct text text = {0};
    for (size_t c = 0; c < columns; c++)
        text_append(&text, "%s c%zu", c > 0 ? "," : "CREATE TABLE lines(", c);
    text_append(&text, ")");
    OWNED char *sql = text_take(&text);
    return sqlite3_declare_vtab(database, sql);
}

static int connect(sqlite3 *database, void *source, int count, const char *const *arguments, sqlite3_vtab **table,
                   char **why)
{
    (void)count, (void)arguments, (void)why;
    const int result = declare(database, strlen(((const struct line_source *)source)->types));
    if (result != SQLITE_OK)
        return result;
    struct offered *offered = memory_cleared(1, sizeof *offered);
    offered->source = source;
    *table = &offered->of_sqlite;
    return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *table)
{
    free(table);
    return SQLITE_OK;
}

/* Lines are read from the first to the last, whatever is asked. */
static int plan(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table, (void)info;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **opened)
{
    struct cursor *cursor = memory_cleared(1, sizeof *cursor);
    cursor->source = ((struct offered *)table)->source;
    *opened = &cursor->of_sqlite;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *opened)
{
    free(opened);
    return SQLITE_OK;
}

static int move_to(struct cursor *cursor, uint64_t position)
{
    cursor->position = position;
    if (position < cursor->source->count)
        cursor->source->make(cursor->source->context, position, &cursor->line);
    return SQLITE_OK;
}

static int begin_reading(sqlite3_vtab_cursor *opened, int plan, const char *plan_text, int count,
                         sqlite3_value **values)
{
    (void)plan, (void)plan_text, (void)count, (void)values;
    return move_to((struct cursor *)opened, 0);
}

static int next_line(sqlite3_vtab_cursor *opened)
{
    struct cursor *cursor = (struct cursor *)opened;
    return move_to(cursor, cursor->position + 1);
}

static int is_over(sqlite3_vtab_cursor *opened)
{
    const struct cursor *cursor = (struct cursor *)opened;
    return cursor->position >= cursor->source->count;
}

static int give_column(sqlite3_vtab_cursor *opened, sqlite3_context *to, int column)
{
    const struct cursor *cursor = (struct cursor *)opened;
    line_give(to, cursor->source->types[column], column, &cursor->line);
    return SQLITE_OK;
}

static int give_position(sqlite3_vtab_cursor *opened, sqlite3_int64 *position)
{
    *position = (sqlite3_int64)((struct cursor *)opened)->position;
    return SQLITE_OK;
}

/* A table of this name, for statements of this database; the source outlives it.  A result of SQLite's.  Without
 * xCreate it is there by its name alone. */
static int source_offer(sqlite3 *database, const char *name, struct line_source *source)
{
    static const sqlite3_module module = {
        .xConnect = connect,
        .xDisconnect = disconnect,
        .xBestIndex = plan,
        .xOpen = open_cursor,
        .xClose = close_cursor,
        .xFilter = begin_reading,
        .xNext = next_line,
        .xEof = is_over,
        .xColumn = give_column,
        .xRowid = give_position,
    };
    return sqlite3_create_module(database, name, &module, source);
}

/* ---- a case ---- */

static void make_row(const void *context, uint64_t position, struct line *line)
{
    const struct finished_case *finished = context;
    line_of_row(row_id(finished->index, position), &finished->rows[position], line);
}

/* Whatever fails takes all back that was begun, so that SQLite need not be able to take back one statement. */
enum status store_prepare_case(struct store *store)
{
    store->rows_in_hand = (struct line_source){.types = store_measured.types, .make = make_row};
    if (source_offer(store->database, "rows_in_hand", &store->rows_in_hand) != SQLITE_OK)
        return store_failed(store, "cannot be written");
    TRY(store_prepare(store, "INSERT OR ROLLBACK INTO measured SELECT * FROM rows_in_hand", &store->insert_rows));
    TRY(store_prepare_insert(store, "", "elements", ELEMENT_COLUMNS, &store->insert_element));
    return store_prepare_insert(store, "", "cases", CASE_SEAL + 1, &store->insert_case);
}

void store_finish_case(struct store *store)
{
    sqlite3_finalize(store->insert_rows);
    sqlite3_finalize(store->insert_element);
    sqlite3_finalize(store->insert_case);
}

static enum status put_elements(struct store *store, const struct finished_case *finished)
{
    struct line line;
    for (size_t i = 0; i < finished->row_count; i++) {
        if (!has_element(finished, &finished->rows[i]))
            continue;
        line_of_element(finished, row_id(finished->index, i), &finished->rows[i], &line);
        line_bind(store->insert_element, store_elements.types, &line);
        TRY(store_step(store, store->insert_element));
    }
    return OK;
}

static enum status put_rows(struct store *store, const struct finished_case *finished, const struct seal *seal)
{
    struct line of_case;
    line_of_case(store, finished, &of_case);
    store->rows_in_hand.context = finished;
    store->rows_in_hand.count = finished->row_count;
    TRY(store_step(store, store->insert_rows));
    TRY(put_elements(store, finished));
    line_bind(store->insert_case, store_cases.types, &of_case);
    sqlite3_bind_blob(store->insert_case, CASE_SEAL + 1, seal->bytes, SEAL_SIZE, SQLITE_STATIC);
    store->new_cases++;
    return store_step(store, store->insert_case);
}

/* An unfinished case makes room for what it is now.  *is_less: for less than it was, which is no gain. */
static enum status forget_case(struct store *store, const struct finished_case *now, bool *is_less)
{
    char sql[256];
    sqlite3_int64 rows = 0;
    const unsigned long long index = now->index, first = row_id(index, 0), end = row_id(index + 1, 0);
    snprintf(sql, sizeof sql, "SELECT row_count FROM cases WHERE case_index = %llu", index);
    TRY(store_number(store, sql, &rows));
    *is_less = now->unfinished && now->row_count < (uint64_t)rows;
    if (*is_less)
        return OK;
    snprintf(sql, sizeof sql,
             "DELETE FROM measured WHERE id >= %llu AND id < %llu; DELETE FROM elements WHERE id >= %llu AND id < "
             "%llu;DELETE FROM cases WHERE case_index = %llu; UPDATE seal SET cases = cases - 1",
             first, end, first, end, index);
    return store_execute(store, sql);
}

static enum status put_case(struct store *store, const struct finished_case *finished, const struct seal *seal)
{
    bool is_less = false;
    if (finished->row_count >> POSITION_BITS > 0)
        return bad_input("case %llu has %zu rows; expected fewer than 2^%d; choose fewer methods, launches or repeats",
                         (unsigned long long)finished->index, finished->row_count, POSITION_BITS);
    if (store->has_case[finished->index] == HAS_UNFINISHED)
        TRY(forget_case(store, finished, &is_less));
    return is_less ? OK : put_rows(store, finished, seal);
}

enum status store_put_sealed(struct store *store, const struct finished_case *finished, const struct seal *seal)
{
    const bool is_alone = sqlite3_get_autocommit(store->database);
    if (is_alone)
        TRY(store_begin(store));
    const enum status status = put_case(store, finished, seal);
    if (status != OK) {
        (void)sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
        return status;
    }
    store->has_case[finished->index] = finished->unfinished ? HAS_UNFINISHED : HAS_FINISHED;
    store->case_count += !finished->unfinished;
    store->has_new_rows |= finished->row_count > 0;
    return is_alone ? store_end(store) : OK;
}


#include "store_file.h"
#include <errno.h>
#include <sys/stat.h>

/* ---- before ---- */

enum {
    LENGTH_MOST = 1 << 26, /* of a text, or of a row */
    STEPS_MOST = 1000000,  /* of SQLite's machine, to find out which tables there are: it takes hundreds */
};

static int stop(void *context)
{
    (void)context;
    return 1;
}

enum status store_guard(struct store *store)
{
    static const int off[] = {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_VIEW,
                              SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION};
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        sqlite3_db_config(store->database, off[i], 0, NULL);
    sqlite3_limit(store->database, SQLITE_LIMIT_LENGTH, LENGTH_MOST);
    sqlite3_progress_handler(store->database, STEPS_MOST, stop, NULL);
    return store_execute(store, "PRAGMA cell_size_check = ON");
}

void store_unguard(struct store *store)
{
    sqlite3_progress_handler(store->database, 0, NULL, NULL);
}

/* ---- the tables ---- */

static enum status add_definition(void *seal, sqlite3_stmt *row)
{
    for (int c = 0; c < sqlite3_column_count(row); c++)
        sha256_update(seal, (size_t)sqlite3_column_bytes(row, c) + 1, (const uint8_t *)store_text(row, c));
    return OK;
}

static enum status seal_definitions(struct store *store, uint8_t bytes[SEAL_SIZE])
{
    struct sha256_ctx seal;
    sha256_init(&seal);
    TRY(store_each_line(store, "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name, sql",
                        add_definition, &seal));
    seal_end(&seal, bytes);
    return OK;
}

/* What SQLite makes of the statements that make the tables. */
static enum status seal_expected(uint8_t bytes[SEAL_SIZE])
{
    struct store model = {0};
    enum status status = OK;
    if (sqlite3_open(":memory:", &model.database) != SQLITE_OK)
        TRY_DONE(store_failed(&model, "cannot be made"));
    TRY_DONE(store_execute(&model, store_tables));
    TRY_DONE(seal_definitions(&model, bytes));
done:
    sqlite3_close(model.database);
    return status;
}

static enum status verify_definitions(struct store *store)
{
    uint8_t expected[SEAL_SIZE], found[SEAL_SIZE];
    TRY(seal_expected(expected));
    TRY(seal_definitions(store, found));
    if (memcmp(expected, found, SEAL_SIZE) == 0)
        return OK;
    return store_damaged(store,
                         "its tables, views, triggers and indices are not those that a run of this ulpscope makes");
}

/* ---- pages ---- */

static enum status hear_check(void *store, sqlite3_stmt *row)
{
    const char *said = store_text(row, 0);
    if (strcmp(said, "ok") == 0)
        return OK;
    const char *last = strrchr(said, '\n'); /* "*** in database main ***" stands before it */
    return store_damaged(store, "%s", last ? last + 1 : said);
}

/* A log that a killed run left beside the file has pages of its own. */
static bool has_log(const struct store *store)
{
    OWNED char *name = text_made("%s-wal", store->path);
    struct stat facts;
    return stat(name, &facts) == 0 && facts.st_size > 0;
}

static enum status verify_pages(struct store *store)
{
    sqlite3_int64 pages = 0, page_size = 0;
    struct stat facts;
    TRY(store_each_line(store, "PRAGMA quick_check(1)", hear_check, store));
    TRY(store_number(store, "PRAGMA page_count", &pages));
    TRY(store_number(store, "PRAGMA page_size", &page_size));
    if (has_log(store))
        return OK;
    if (stat(store->path, &facts) != 0) {
        const int cause = errno;
        return caused_by(cause, "%s: cannot be looked at: %s; nothing was changed; try again", store->path,
                         strerror(cause));
    }
    if (facts.st_size == pages * page_size)
        return OK;
    return store_damaged(store, "the file is not as long as its %lld pages of %lld bytes", (long long)pages,
                         (long long)page_size);
}

/* ---- seals ---- */

/* Of the small tables; *cases: how many there should be. */
static enum status verify_tables(struct store *store, uint64_t *cases)
{
    uint8_t seal[SEAL_SIZE];
    sqlite3_stmt *row = NULL;
    TRY(seal_of_tables(store, seal));
    TRY(store_prepare(store, "SELECT cases, seal FROM seal", &row));
    bool is_whole = sqlite3_step(row) == SQLITE_ROW && sqlite3_column_type(row, 1) == SQLITE_BLOB &&
                    sqlite3_column_bytes(row, 1) == SEAL_SIZE &&
                    memcmp(sqlite3_column_blob(row, 1), seal, SEAL_SIZE) == 0;
    *cases = (uint64_t)sqlite3_column_int64(row, 0);
    is_whole = is_whole && sqlite3_step(row) == SQLITE_DONE;
    sqlite3_finalize(row);
    return is_whole ? OK
                    : store_damaged(store, "its study, facts, speeds or variations differ from those that were stored");
}

/* All cases, and beside them all rows. */
struct case_walk {
    struct row_walk rows; /* stands on a row that no case has taken */
    uint64_t cases;
    struct place place;
};

static uint64_t case_of_row(const struct case_walk *walk)
{
    return walk->rows.id >> POSITION_BITS;
}

static enum status refuse_row(const struct case_walk *walk)
{
    return store_damaged(walk->rows.store, "case %" PRIu64 " has rows, but was never stored", case_of_row(walk));
}

static enum status next_row(struct case_walk *walk)
{
    TRY(walk_next(&walk->rows));
    if (!walk_lost_row(&walk->rows))
        return OK;
    return store_damaged(walk->rows.store, "case %" PRIu64 " has an element of a row that is not there",
                         walk->rows.element_id >> POSITION_BITS);
}

/* Takes the rows of the case; *fault: of the first of them that has one. */
static enum status take_rows(struct case_walk *walk, uint64_t index, struct sha256_ctx *seal, const char **fault)
{
    struct line row, element;
    while (walk->rows.has_row && case_of_row(walk) == index) {
        sqlite3_stmt *of_element = walk_element(&walk->rows);
        if (!line_read(walk->rows.rows, store_measured.types, &row) ||
            (of_element && !line_read(of_element, store_elements.types, &element)))
            return store_damaged(walk->rows.store, "case %" PRIu64 " has a value of another type", index);
        seal_add(seal, &row);
        if (of_element)
            seal_add(seal, &element);
        if (!*fault)
            *fault = row_fault(&walk->place, &row, of_element ? &element : NULL);
        walk->place.rows++;
        TRY(next_row(walk));
    }
    return OK;
}

static bool is_case(sqlite3_stmt *row, struct line *of_case)
{
    return line_read(row, store_cases.types, of_case) && of_case->words[CASE_IS_FINISHED] <= 1 &&
           sqlite3_column_type(row, CASE_SEAL) == SQLITE_BLOB && sqlite3_column_bytes(row, CASE_SEAL) == SEAL_SIZE;
}

static enum status verify_case(void *context, sqlite3_stmt *row)
{
    struct case_walk *walk = context;
    const uint64_t index = (uint64_t)sqlite3_column_int64(row, CASE_INDEX);
    struct line of_case;
    struct sha256_ctx seal;
    uint8_t bytes[SEAL_SIZE];
    if (index >= walk->place.study->cases || !is_case(row, &of_case))
        return store_damaged(walk->rows.store, "no run writes a case %" PRIu64 " like the one in it", index);
    place_move(&walk->place, index);
    if (walk->rows.has_row && case_of_row(walk) < index)
        return refuse_row(walk);
    sha256_init(&seal);
    seal_add(&seal, &of_case);
    const char *fault = case_fault(&walk->place, &of_case);
    TRY(take_rows(walk, index, &seal, &fault));
    seal_end(&seal, bytes);
    if (walk->place.rows != of_case.words[CASE_ROWS] ||
        memcmp(sqlite3_column_blob(row, CASE_SEAL), bytes, SEAL_SIZE) != 0)
        return store_damaged(walk->rows.store, "the rows of case %" PRIu64 " differ from those that were stored",
                             index);
    if (fault)
        return store_damaged(walk->rows.store, "case %" PRIu64 " has a row of %s", index, fault);
    walk->cases++;
    return OK;
}

static enum status walk_cases(struct case_walk *walk, uint64_t cases)
{
    TRY(next_row(walk));
    TRY(store_each_line(walk->rows.store, store_cases.rows, verify_case, walk));
    if (walk->rows.has_row)
        return refuse_row(walk);
    if (walk->cases == cases)
        return OK;
    return store_damaged(walk->rows.store, "it has %" PRIu64 " cases of the %" PRIu64 " that were stored", walk->cases,
                         cases);
}

static enum status verify_cases(struct store *store, const struct study_record *study, uint64_t cases)
{
    struct case_walk walk = {.place = {.study = study}};
    enum status status = walk_begin(store, &walk.rows);
    if (status == OK)
        status = walk_cases(&walk, cases);
    walk_end(&walk.rows);
    return status;
}

struct values_in_hand {
    const struct store *store;
    const struct study_record *study;
};

static enum status refuse_fault(const struct store *store, const char *fault)
{
    return fault ? store_damaged(store, "%s", fault) : OK;
}

static enum status verify_speed(void *context, const struct stored_speed *speed)
{
    const struct values_in_hand *hand = context;
    return refuse_fault(hand->store, speed_fault(hand->study, speed));
}

static enum status verify_variation(void *context, const struct stored_variation *variation)
{
    const struct values_in_hand *hand = context;
    return refuse_fault(hand->store, variation_fault(hand->study, variation));
}

static enum status verify_backend(void *store, sqlite3_stmt *row)
{
    return refuse_fault(store,
                        backend_fault((uint64_t)sqlite3_column_int64(row, 0), store_text(row, 1), store_text(row, 2)));
}

static enum status verify_class(void *store, sqlite3_stmt *row)
{
    return refuse_fault(store, class_fault((uint64_t)sqlite3_column_int64(row, 0), store_text(row, 1)));
}

static enum status verify_names(struct store *store)
{
    sqlite3_int64 backends = 0, classes = 0;
    TRY(store_number(store, "SELECT count(*) FROM backends", &backends));
    TRY(store_number(store, "SELECT count(*) FROM classes", &classes));
    if (backends != BACKENDS || classes != CLASSES)
        return store_damaged(store, "it has other backends or classes than a run of this ulpscope");
    TRY(store_each_line(store, "SELECT backend_index, id, device FROM backends", verify_backend, store));
    return store_each_line(store, "SELECT class, name FROM classes", verify_class, store);
}

static enum status verify_values(struct store *store, uint64_t cases)
{
    FREED_BY(study_record_free) struct study_record study = {0};
    TRY(store_get_study(store, &study));
    TRY(refuse_fault(store, study_fault(&study)));
    TRY(store_each_speed(store, verify_speed, &(struct values_in_hand){store, &study}));
    TRY(store_each_variation(store, verify_variation, &(struct values_in_hand){store, &study}));
    return verify_cases(store, &study, cases);
}

enum status store_verify(struct store *store)
{
    uint64_t cases = 0;
    TRY(verify_definitions(store));
    store_unguard(store);
    TRY(verify_pages(store));
    TRY(verify_tables(store, &cases));
    TRY(verify_names(store));
    return verify_values(store, cases);
}

/* A run.db that others changed.  The first byte says how:
 *
 *   b   bytes of the file: 3 for the place, 1 for how many (0: the file ends there), and they.  What is not refused
 *       gives the results of before, to the last byte
 *   v   values of its tables: 1 for the table, 1 for the column, 1 for the row, 1 for the kind, and the value; the
 * seals are made anew.  Whatever is not refused can be reported B V the same, and the run is resumed
 */
#include "fuzz.h"

#include "reports/report.h"
#include "src/results/results_load.h"
#include "src/run/run.h"
#include "tests/support/seal_again.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TABLES_MOST = 16, NAMES_MOST = 64, VALUE_MOST = 64 };

struct table_names {
    char *name, *columns[NAMES_MOST], *key; /* "a, b" */
    size_t count;
};

static struct {
    struct study study;
    char folder[64], path[80], *identity;
    unsigned char *image;
    size_t size;
    char *csv;
    size_t csv_size;
    struct table_names tables[TABLES_MOST];
    size_t table_count;
} base;

/* ---- the run that is changed ---- */

static void remove_folder(void)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    char name[sizeof base.path + 16];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(name, sizeof name, "%s%s", base.path, endings[i]);
        unlink(name);
    }
    rmdir(base.folder);
}

static void make_folder(void)
{
    const char *in = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(base.folder, sizeof base.folder, "%s/ulpscope_fuzz.XXXXXX", in);
    fuzz_check(mkdtemp(base.folder), "no folder");
    snprintf(base.path, sizeof base.path, "%s/run.db", base.folder);
    atexit(remove_folder);
}

static void write_file(const unsigned char *bytes, size_t size)
{
    remove_folder();
    fuzz_check(access(base.folder, F_OK) == 0 || mkdir(base.folder, 0700) == 0, "no folder");
    const int fd = open(base.path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    fuzz_check(fd >= 0 && write(fd, bytes, size) == (ssize_t)size && close(fd) == 0, "no file");
}

static void read_image(void)
{
    FILE *file = fopen(base.path, "rb");
    fuzz_check(file && fseek(file, 0, SEEK_END) == 0, "no run");
    base.size = (size_t)ftell(file);
    base.image = malloc(base.size);
    rewind(file);
    fuzz_check(base.image && fread(base.image, 1, base.size, file) == base.size, "no run");
    fclose(file);
}

static char *text_at(sqlite3_stmt *row, int column)
{
    return strdup((const char *)sqlite3_column_text(row, column));
}

static void read_names(sqlite3 *database)
{
    sqlite3_stmt *row;
    static const char query[] = "SELECT m.name, c.name, c.pk FROM sqlite_master m, pragma_table_info(m.name) c"
                                " WHERE m.type = 'table' ORDER BY m.name, c.cid";
    fuzz_check(sqlite3_prepare_v2(database, query, -1, &row, NULL) == SQLITE_OK, "no tables");
    while (sqlite3_step(row) == SQLITE_ROW) {
        struct table_names *table = base.table_count > 0 ? &base.tables[base.table_count - 1] : NULL;
        char *name = text_at(row, 0), *key = NULL;
        if (!table || strcmp(table->name, name) != 0) {
            fuzz_check(base.table_count < TABLES_MOST, "more tables than TABLES_MOST");
            table = &base.tables[base.table_count++];
            *table = (struct table_names){.name = strdup(name), .key = strdup("")};
        }
        fuzz_check(table->count < NAMES_MOST, "more columns than NAMES_MOST");
        table->columns[table->count++] = text_at(row, 1);
        if (sqlite3_column_int(row, 2) > 0 &&
            asprintf(&key, "%s%s%s", table->key, *table->key ? ", " : "", table->columns[table->count - 1]) >= 0) {
            free(table->key);
            table->key = key;
        }
        free(name);
    }
    sqlite3_finalize(row);
    for (size_t i = 0; i < base.table_count; i++)
        if (!*base.tables[i].key) {
            free(base.tables[i].key);
            base.tables[i].key = strdup("rowid");
        }
}

static void read_identity(sqlite3 *database)
{
    sqlite3_stmt *row;
    fuzz_check(sqlite3_prepare_v2(database, "SELECT value FROM run WHERE key = 'identity'", -1, &row, NULL) ==
                       SQLITE_OK &&
                   sqlite3_step(row) == SQLITE_ROW,
               "no identity");
    base.identity = text_at(row, 0);
    sqlite3_finalize(row);
}

static enum status report(struct store *store, const char *format)
{
    struct results results;
    enum status status = results_load(store, &results);
    const char *const names[] = {"run"};
    const struct report of = {.runs = &results, .names = names, .run_count = 1, .top = 3};
    if (status == OK)
        status = report_find(format)->write(&of, "-");
    results_free(&results);
    return status;
}

static void make_base(void)
{
    static const char study[] =
        "schema: ulpscope-study/1\ntitle: t\nmethods: [naive, kahan/serial]\nlaunch: {blocks: 2, "
        "threads: 4}\ndata:\n- {spec: \"uniform:n=8\", trials: 2}\n- {spec: \"integers:n=4\"}\n";
    const struct run_options options = {
        .directory = base.folder, .device = "host", .jobs = 1, .quiet = true, .command_line = "x"};
    struct store *store = NULL;
    sqlite3 *database;
    make_folder();
    fuzz_file(study, sizeof study - 1);
    fuzz_check(study_read(FUZZ_PATH, NULL, &base.study) == OK && run_study(&base.study, &options, &store) == OK,
               "no run");
    fuzz_check(report(store, "csv") == OK && store_close(store) == OK, "no report");
    base.csv_size = fuzz_written_size;
    base.csv = fuzz_text(fuzz_written, fuzz_written_size);
    read_image();
    fuzz_check(sqlite3_open(base.path, &database) == SQLITE_OK, "no run");
    read_names(database);
    read_identity(database);
    sqlite3_close(database);
}

/* ---- bytes of the file ---- */

static void change_bytes(const unsigned char *in, size_t size)
{
    unsigned char *bytes = malloc(base.size);
    size_t length = base.size;
    fuzz_check(bytes, "no memory");
    memcpy(bytes, base.image, length);
    while (size >= 4) {
        const size_t place = ((size_t)in[0] << 16 | (size_t)in[1] << 8 | in[2]) % base.size, count = in[3] % 16;
        in += 4, size -= 4;
        if (count == 0)
            length = place;
        for (size_t i = 0; i < count && size > 0 && place + i < base.size; i++, in++, size--)
            bytes[place + i] = *in;
    }
    write_file(bytes, length);
    free(bytes);
}

/* ---- values of the tables ---- */

static void bind_value(sqlite3_stmt *statement, unsigned kind, const unsigned char *value, size_t size)
{
    static const char *const words[] = {"",         "0",      "nan",     "kahan/serial", "naive", "uniform:n=8",
                                        "replay",   "kernel", "\x1b[2J", "=1+1",         "\xff",  "GPU",
                                        "binary16", "sum",    "exact",   "no digit"};
    int64_t bits = 0;
    double number;
    memcpy(&bits, value, size < sizeof bits ? size : sizeof bits);
    memcpy(&number, &bits, sizeof number);
    switch (kind % 8) {
    case 0:
        sqlite3_bind_int64(statement, 1, (int8_t)bits);
        break;
    case 1:
        sqlite3_bind_int64(statement, 1, bits);
        break;
    case 2:
        sqlite3_bind_double(statement, 1, number);
        break;
    case 3:
        sqlite3_bind_text(statement, 1, (const char *)value, (int)size, SQLITE_TRANSIENT);
        break;
    case 4:
        sqlite3_bind_null(statement, 1);
        break;
    case 5:
        sqlite3_bind_blob(statement, 1, value, (int)size, SQLITE_TRANSIENT);
        break;
    case 6:
        sqlite3_bind_text(statement, 1, words[(size_t)bits % (sizeof words / sizeof *words)], -1, SQLITE_STATIC);
        break;
    default:
        sqlite3_bind_double(statement, 1, (double)(int8_t)bits / 4);
    }
}

/* One UPDATE or DELETE; what SQLite refuses is left. */
static void change_value(sqlite3 *database, const unsigned char place[4], const unsigned char *value, size_t size)
{
    const struct table_names *table = &base.tables[place[0] % base.table_count];
    sqlite3_stmt *statement = NULL;
    char *sql = NULL, *where = NULL;
    if (asprintf(&where, "(%s) = (SELECT %s FROM %s LIMIT 1 OFFSET %d)", table->key, table->key, table->name,
                 place[2] % 16) < 0 ||
        (place[3] < 16 ? asprintf(&sql, "DELETE FROM %s WHERE %s", table->name, where)
                       : asprintf(&sql, "UPDATE %s SET %s = ? WHERE %s", table->name,
                                  table->columns[place[1] % table->count], place[3] < 32 ? "1" : where)) < 0)
        abort();
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK) {
        if (place[3] >= 16)
            bind_value(statement, place[3], value, size);
        (void)sqlite3_step(statement);
    }
    sqlite3_finalize(statement);
    free(where);
    free(sql);
}

/* What nothing can seal stays without. */
static void seal(sqlite3 *database)
{
    struct store store = {.path = base.path, .database = database};
    seal_again(&store);
    fuzz_forget_words();
}

static void change_values(const unsigned char *in, size_t size)
{
    sqlite3 *database = NULL;
    write_file(base.image, base.size);
    fuzz_check(sqlite3_open(base.path, &database) == SQLITE_OK, "no run");
    (void)sqlite3_exec(database, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", NULL, NULL, NULL);
    while (size >= 4) {
        const unsigned char *end = memchr(in + 4, '\n', size - 4);
        const size_t length = end ? (size_t)(end - in) - 4 : size - 4;
        change_value(database, in, in + 4, length < VALUE_MOST ? length : VALUE_MOST);
        size -= 4 + length + (end != NULL);
        in += 4 + length + (end != NULL);
    }
    seal(database);
    sqlite3_close(database);
}

/* ---- what becomes of it ---- */

static void read_run(bool same, size_t size)
{
    static const char *const formats[] = {"csv", "summary", "json", "table", "html"};
    const size_t pick = size % 32;
    struct store *store = NULL;
    enum status status = store_open_to_read(base.path, &store);
    if (status == OK) {
        status = report(store, formats[same || pick >= sizeof formats / sizeof *formats ? 0 : pick]);
        fuzz_check(!same || status != OK ||
                       (fuzz_written_size == base.csv_size && memcmp(fuzz_written, base.csv, base.csv_size) == 0),
                   "a changed run.db gives other results");
        (void)store_close(store);
    }
    fuzz_check_words(status);
}

static void resume_run(void)
{
    struct store *store = NULL;
    const enum status status = store_open(base.folder, STORE_RESUME, &base.study, base.identity, "", &store);
    if (status == OK) {
        (void)report(store, "csv");
        (void)store_close(store);
        fuzz_forget_words();
    }
    fuzz_check_words(status);
}

static void one(const char *bytes, size_t size)
{
    if (!base.image)
        make_base();
    if (size < 5)
        return;
    const bool values = (*bytes | 0x20) == 'v', resumes = !(*bytes & 0x20);
    (values ? change_values : change_bytes)((const unsigned char *)bytes + 1, size - 1);
    if (resumes)
        resume_run();
    else
        read_run(!values, size);
}

static const struct fuzz_seed seeds[] = {
    SEED("b\0\0\x10\x01\x01"),
    SEED("b\0\x40\0\x04zzzz\x01\0\0\x08"
         "12345678"),
    SEED("B\0\x20\0\0"),
    SEED("v\0\0\0\x20"
         "5\n"),
    SEED("v\3\2\1\x23plain/none\n"),
    SEED("v\5\x10\1\x2a\1\0\0\0\0\0\xf0\x7f\n"),
    SEED("v\5\7\0\x26\3\n"),
    SEED("v\2\1\1\x24x\n"),
    SEED("V\4\1\1\x01\n"),
    SEED("v\1\1\1\x21\xff\xff\xff\xff\n"),
    SEED("v\4\2\0\x40"
         "7\n\6\3\1\x43name\n"),
    {0},
};
const struct fuzz_family fuzz_store = {.one = one, .seeds = seeds, .is_slow = true};

/* For tests that look into a run.db, change it or spoil it.
 *
 *   change_database("out/run.db", "UPDATE ...");    as anybody could: the run is refused from then on
 *   change_run("out/run.db", "UPDATE ...");         as only its program should: with seals that fit
 */
#ifndef ULPSCOPE_TESTS_DATABASE_H
#define ULPSCOPE_TESTS_DATABASE_H

#include "program.h"
#include "seal_again.h"

#include <sqlite3.h>

/* `results`, a view, is changed as a table would be (changeable.sql). */
static inline void make_changeable(sqlite3 *database)
{
    char sql[8192];
    FILE *file = fopen(SOURCE_DIRECTORY "/tests/support/changeable.sql", "r");
    assert_non_null(file);
    const size_t length = fread(sql, 1, sizeof sql - 1, file);
    assert_true(length < sizeof sql - 1);
    sql[length] = '\0';
    assert_int_equal(fclose(file), 0);
    assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
}

static inline void change_database(const char *name, const char *sql)
{
    sqlite3 *database;
    assert_int_equal(sqlite3_open(in_folder(name).text, &database), SQLITE_OK);
    if (strstr(sql, " results") && !strstr(sql, "TABLE"))
        make_changeable(database);
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(database));
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

static inline void seal_run(const char *name)
{
    struct store store = {.path = (char *)name};
    assert_int_equal(sqlite3_open(in_folder(name).text, &store.database), SQLITE_OK);
    seal_again(&store);
    assert_int_equal(sqlite3_close(store.database), SQLITE_OK);
}

static inline void change_run(const char *name, const char *sql)
{
    change_database(name, sql);
    seal_run(name);
}

static inline int64_t number_in(const char *name, const char *sql)
{
    sqlite3 *database;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(in_folder(name).text, &database), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    const int64_t number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
    return number;
}

/* Spoils the last page of a table that has several: up to there all reads well. */
static inline void spoil_last_page(const char *name, const char *table)
{
    char sql[128];
    unsigned char child[4], rubbish[64];
    snprintf(sql, sizeof sql, "SELECT rootpage FROM sqlite_master WHERE name = '%s'", table);
    const int64_t root = number_in(name, sql), page_size = number_in(name, "PRAGMA page_size");
    FILE *file = fopen(in_folder(name).text, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, (root - 1) * page_size, SEEK_SET), 0);
    const int kind = fgetc(file);
    assert_true(kind == 5 || kind == 2); /* an inner page, of a table or an index */
    assert_int_equal(fseek(file, (root - 1) * page_size + 8, SEEK_SET), 0);
    assert_int_equal(fread(child, 1, sizeof child, file), sizeof child);
    const int64_t last = (int64_t)child[0] << 24 | child[1] << 16 | child[2] << 8 | child[3];
    memset(rubbish, 0xff, sizeof rubbish);
    assert_int_equal(fseek(file, (last - 1) * page_size, SEEK_SET), 0);
    assert_int_equal(fwrite(rubbish, 1, sizeof rubbish, file), sizeof rubbish);
    assert_int_equal(fclose(file), 0);
}

#endif

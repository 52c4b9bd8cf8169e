#include "store_file.h"

#include <math.h>
#include <string.h>

/* ---- writing ---- */

/* SQLite has no NaN: it stores NULL. */
static void bind_row(const struct store *store, const struct finished_case *finished, const struct measured *row)
{
    sqlite3_stmt *s = store->insert_row;
    const struct study *study = store->study;
    const struct study_case place = study_case_at(study, finished->index);
    const struct launch launch = study->launches[row->launch];
    const sqlite3_int64 integers[][2] = {
        {CASE_INDEX, (sqlite3_int64)finished->index},
        {LAUNCH_INDEX, (sqlite3_int64)row->launch},
        {ON_DEVICE, row->on_device},
        {METHOD_INDEX, (sqlite3_int64)row->method},
        {REPEAT, (sqlite3_int64)row->repeat},
        {ENTRY, (sqlite3_int64)place.entry},
        {SPEC, (sqlite3_int64)place.spec},
        {N, (sqlite3_int64)finished->n},
        {SEED, (sqlite3_int64)study->seed},
        {TRIAL, (sqlite3_int64)place.trial},
        {BLOCKS, launch.blocks},
        {THREADS, launch.threads},
        {COMPUTED_BITS, row->computed_bits},
        {NEAREST_BITS, finished->nearest_bits},
    };
    const struct {
        enum column column;
        const char *text;
    } texts[] = {
        {METHOD, study->methods[row->method]->id},
        {DATA, study->entries[place.entry].specs[place.spec].text},
        {FORMAT, study->methods[row->method]->format},
        {OPERATION, study->methods[row->method]->operation},
        {BACKEND, row->on_device ? "cuda" : "replay"},
        {DEVICE, row->on_device ? store->device : "host"},
        {EXACT, finished->exact},
        {CLASS, class_names[row->class]},
    };
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        sqlite3_bind_int64(s, (int)integers[i][0] + 1, integers[i][1]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        sqlite3_bind_text(s, (int)texts[i].column + 1, texts[i].text, -1, SQLITE_STATIC);
    for (int m = 0; m < METRICS; m++)
        sqlite3_bind_double(s, FIRST_METRIC + m + 1, row->metrics[m]);
    sqlite3_bind_double(s, COMPUTED + 1, row->computed);
    sqlite3_bind_double(s, CONDITION + 1, finished->condition);
    sqlite3_bind_double(s, BOUND + 1, row->bound);
}

static enum status put_rows(struct store *store, const struct finished_case *finished)
{
    for (size_t i = 0; i < finished->row_count; i++) {
        bind_row(store, finished, &finished->rows[i]);
        TRY(store_step(store, store->insert_row));
    }
    if (finished->unfinished)
        return OK;
    sqlite3_bind_int64(store->insert_case, 1, (sqlite3_int64)finished->index);
    return store_step(store, store->insert_case);
}

enum status store_put_case(struct store *store, const struct finished_case *finished)
{
    TRY(store_execute(store, "BEGIN"));
    enum status status = put_rows(store, finished);
    if (status == OK)
        status = store_execute(store, "COMMIT");
    if (status == OK) {
        store->case_count += !finished->unfinished;
        store->has_rows |= finished->row_count > 0;
        return OK;
    }
    (void)sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* ---- reading ---- */

static double real_at(sqlite3_stmt *s, int column)
{
    return sqlite3_column_type(s, column) == SQLITE_NULL ? NAN : sqlite3_column_double(s, column);
}

static enum result_class class_of(const char *name)
{
    int class = 0;
    while (class < CLASSES - 1 && strcmp(class_names[class], name) != 0)
        class ++;
    return (enum result_class) class;
}

static struct stored read_row(sqlite3_stmt *s)
{
    struct stored row = {
        .entry = (size_t)sqlite3_column_int64(s, ENTRY),
        .spec = (size_t)sqlite3_column_int64(s, SPEC),
        .launch = (size_t)sqlite3_column_int64(s, LAUNCH_INDEX),
        .method = (size_t)sqlite3_column_int64(s, METHOD_INDEX),
    };
    struct result *result = &row.result;
    result->method = (const char *)sqlite3_column_text(s, METHOD);
    result->data = (const char *)sqlite3_column_text(s, DATA);
    result->n = (uint64_t)sqlite3_column_int64(s, N);
    result->format = (const char *)sqlite3_column_text(s, FORMAT);
    result->operation = (const char *)sqlite3_column_text(s, OPERATION);
    result->seed = (uint64_t)sqlite3_column_int64(s, SEED);
    result->trial = (uint64_t)sqlite3_column_int64(s, TRIAL);
    result->backend = (const char *)sqlite3_column_text(s, BACKEND);
    result->device = (const char *)sqlite3_column_text(s, DEVICE);
    result->launch.blocks = (uint32_t)sqlite3_column_int64(s, BLOCKS);
    result->launch.threads = (uint32_t)sqlite3_column_int64(s, THREADS);
    result->repeat = (uint64_t)sqlite3_column_int64(s, REPEAT);
    result->computed = real_at(s, COMPUTED);
    result->computed_bits = (uint32_t)sqlite3_column_int64(s, COMPUTED_BITS);
    result->exact = (const char *)sqlite3_column_text(s, EXACT);
    result->nearest_bits = (uint32_t)sqlite3_column_int64(s, NEAREST_BITS);
    for (int m = 0; m < METRICS; m++)
        result->metrics[m] = real_at(s, FIRST_METRIC + m);
    result->condition = real_at(s, CONDITION);
    result->bound = real_at(s, BOUND);
    result->class = class_of((const char *)sqlite3_column_text(s, CLASS));
    return row;
}

enum status store_each(struct store *store, enum store_order order,
                       enum status (*visit)(void *context, const struct stored *row), void *context)
{
    static const char *const queries[] = {
        [BY_CASE] = "SELECT * FROM results ORDER BY case_index, launch_index, on_device, method_index, repeat",
        [BY_SERIES] = "SELECT * FROM results"
                      " ORDER BY entry, spec, launch_index, on_device, method_index, trial, repeat",
    };
    sqlite3_stmt *statement = NULL;
    TRY(store_prepare(store, queries[order], &statement));
    enum status status = OK;
    int result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW && status == OK) {
        const struct stored row = read_row(statement);
        status = visit(context, &row);
    }
    if (status == OK && result != SQLITE_DONE)
        status = store_failed(store, "cannot be read");
    sqlite3_finalize(statement);
    return status;
}

/* A NaN is stored as NULL, and every NaN is the same. */
enum status store_compare(struct store *store, struct comparison *comparison)
{
    static const char query[] =
        "SELECT k.method_index, count(*),"
        " sum(k.computed_bits <> r.computed_bits AND NOT (k.computed IS NULL AND r.computed IS NULL))"
        " FROM results k JOIN results r USING (case_index, launch_index, method_index)"
        " WHERE k.on_device = 1 AND r.on_device = 0 GROUP BY k.method_index";
    sqlite3_stmt *statement = NULL;
    int result;
    *comparison = (struct comparison){0};
    TRY(store_prepare(store, query, &statement));
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        const size_t method = (size_t)sqlite3_column_int64(statement, 0);
        if (store->study->methods[method]->determinism != DETERMINISTIC)
            continue;
        comparison->compared += (uint64_t)sqlite3_column_int64(statement, 1);
        comparison->differ += (uint64_t)sqlite3_column_int64(statement, 2);
    }
    sqlite3_finalize(statement);
    return result == SQLITE_DONE ? OK : store_failed(store, "cannot be read");
}

#include "store_seal.h"

#include "src/base/format.h"
#include "src/measure/element_tally.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- writing ---- */

/* SQLite has no NaN: it stores NULL. */
static void bind_row(const struct store *store, const struct finished_case *finished, const struct measured *row)
{
    sqlite3_stmt *s = store->insert_row;
    const struct study *study = store->study;
    const struct study_case place = study_case_at(study, finished->index);
    const struct launch launch = study->launches[row->launch];
    const struct backend *backend = &backend_table[row->backend];
    const sqlite3_int64 integers[][2] = {
        {CASE_INDEX, (sqlite3_int64)finished->index},
        {LAUNCH_INDEX, (sqlite3_int64)row->launch},
        {BACKEND_INDEX, (sqlite3_int64)row->backend},
        {METHOD_INDEX, (sqlite3_int64)row->method},
        {REPEAT, (sqlite3_int64)row->repeat},
        {ELEMENT_I, (sqlite3_int64)row->i},
        {ELEMENT_J, (sqlite3_int64)row->j},
        {ENTRY, (sqlite3_int64)place.entry},
        {SPEC, (sqlite3_int64)place.spec},
        {N, (sqlite3_int64)finished->n},
        {SEED, (sqlite3_int64)study->seed},
        {TRIAL, (sqlite3_int64)place.trial},
        {BLOCKS, launch.blocks},
        {THREADS, launch.threads},
        {COMPUTED_BITS, (sqlite3_int64)row->computed_bits},
        {NEAREST_BITS, (sqlite3_int64)row->nearest_bits},
        {HEIGHT, (sqlite3_int64)row->height},
        {WEIGHT, (sqlite3_int64)row->weight},
    };
    const struct {
        enum column column;
        const char *text;
    } texts[] = {
        {METHOD, study->methods[row->method]->id},
        {DATA, study->entries[place.entry].specs[place.spec].text},
        {FORMAT, study->methods[row->method]->format->name},
        {OPERATION, operation_table[study->methods[row->method]->operation].id},
        {BACKEND, backend->id},
        {DEVICE, backend->device ? backend->device : store->device},
        {EXACT, row->exact},
        {CLASS, class_names[row->class]},
        {DIGEST, row->digest ? row->digest : ""},
        {MAP, row->map ? row->map : ""},
    };
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        sqlite3_bind_int64(s, (int)integers[i][0] + 1, integers[i][1]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        sqlite3_bind_text(s, (int)texts[i].column + 1, texts[i].text, -1, SQLITE_STATIC);
    for (int m = 0; m < METRICS; m++) {
        sqlite3_bind_double(s, FIRST_METRIC + m + 1, row->metrics[m]);
        sqlite3_bind_double(s, FIRST_MEAN + m + 1, row->means[m]);
    }
    sqlite3_bind_double(s, COMPUTED + 1, row->computed);
    sqlite3_bind_double(s, CONDITION + 1, row->condition);
    sqlite3_bind_double(s, BOUND + 1, row->bound);
    sqlite3_bind_double(s, PROBABILISTIC_BOUND + 1, row->probabilistic_bound);
}

static enum status put_rows(struct store *store, const struct finished_case *finished)
{
    for (size_t i = 0; i < finished->row_count; i++) {
        bind_row(store, finished, &finished->rows[i]);
        TRY(store_step(store, store->insert_row));
    }
    return store_seal_case(store, finished->index, !finished->unfinished);
}

/* An unfinished case makes room for what it is now.  *is_less: for less than it was, which is no gain. */
static enum status forget_case(struct store *store, const struct finished_case *now, bool *is_less)
{
    char sql[256];
    sqlite3_int64 rows = 0;
    const unsigned long long index = now->index;
    snprintf(sql, sizeof sql, "SELECT row_count FROM cases WHERE case_index = %llu", index);
    TRY(store_number(store, sql, &rows));
    *is_less = now->unfinished && now->row_count < (uint64_t)rows;
    if (*is_less)
        return OK;
    snprintf(sql, sizeof sql,
             "DELETE FROM results WHERE case_index = %llu; DELETE FROM cases WHERE case_index = %llu;"
             "UPDATE seal SET cases = cases - 1",
             index, index);
    return store_execute(store, sql);
}

static enum status put_case(struct store *store, const struct finished_case *finished)
{
    bool is_less = false;
    if (store->has_case[finished->index] == HAS_UNFINISHED)
        TRY(forget_case(store, finished, &is_less));
    return is_less ? OK : put_rows(store, finished);
}

enum status store_put_case(struct store *store, const struct finished_case *finished)
{
    TRY(store_execute(store, "BEGIN"));
    enum status status = put_case(store, finished);
    if (status == OK)
        status = store_execute(store, "COMMIT");
    if (status == OK) {
        store->has_case[finished->index] = finished->unfinished ? HAS_UNFINISHED : HAS_FINISHED;
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
    const double value = sqlite3_column_double(s, column); /* NULL as 0 */
    return value == 0 && sqlite3_column_type(s, column) == SQLITE_NULL ? NAN : value;
}

static enum result_class class_of(const char *name)
{
    int class = 0;
    while (class < CLASSES && strcmp(class_names[class], name) != 0)
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
        .backend = (size_t)sqlite3_column_int64(s, BACKEND_INDEX),
    };
    struct result *result = &row.result;
    result->format = format_named(store_text(s, FORMAT));
    result->operation = operation_named(store_text(s, OPERATION));
    result->backend = &backend_table[row.backend < BACKENDS ? row.backend : 0];
    result->method = store_text(s, METHOD);
    result->data = store_text(s, DATA);
    result->n = (uint64_t)sqlite3_column_int64(s, N);
    result->seed = (uint64_t)sqlite3_column_int64(s, SEED);
    result->trial = (uint64_t)sqlite3_column_int64(s, TRIAL);
    result->device = store_text(s, DEVICE);
    result->launch.blocks = (uint32_t)sqlite3_column_int64(s, BLOCKS);
    result->launch.threads = (uint32_t)sqlite3_column_int64(s, THREADS);
    result->repeat = (uint64_t)sqlite3_column_int64(s, REPEAT);
    result->i = (uint64_t)sqlite3_column_int64(s, ELEMENT_I);
    result->j = (uint64_t)sqlite3_column_int64(s, ELEMENT_J);
    result->computed = real_at(s, COMPUTED);
    result->computed_bits = (uint64_t)sqlite3_column_int64(s, COMPUTED_BITS);
    result->exact = store_text(s, EXACT);
    result->nearest_bits = (uint64_t)sqlite3_column_int64(s, NEAREST_BITS);
    for (int m = 0; m < METRICS; m++) {
        const bool stands_for_others = sqlite3_column_type(s, FIRST_MEAN + m) != SQLITE_NULL;
        result->metrics[m] = real_at(s, FIRST_METRIC + m);
        result->means[m] = stands_for_others ? real_at(s, FIRST_MEAN + m) : result->metrics[m];
    }
    result->digest = store_text(s, DIGEST);
    result->map = store_text(s, MAP);
    result->condition = real_at(s, CONDITION);
    result->bound = real_at(s, BOUND);
    result->height = (uint64_t)sqlite3_column_int64(s, HEIGHT);
    result->probabilistic_bound = real_at(s, PROBABILISTIC_BOUND);
    result->weight = (uint64_t)sqlite3_column_int64(s, WEIGHT);
    result->class = class_of(store_text(s, CLASS));
    return row;
}

struct row_visit {
    enum status (*visit)(void *context, const struct stored *row);
    void *context;
};

static enum status visit_row(void *context, sqlite3_stmt *statement)
{
    const struct row_visit *to = context;
    const struct stored row = read_row(statement);
    return to->visit(to->context, &row);
}

/* In the order of the primary key, so that nothing is sorted. */
#define IN_ORDER " FROM results ORDER BY case_index, launch_index, backend_index, method_index, repeat, i, j"

enum status store_each(struct store *store, enum status (*visit)(void *context, const struct stored *row),
                       void *context)
{
    return store_each_line(store, "SELECT *" IN_ORDER, visit_row, &(struct row_visit){visit, context});
}

/* The columns of the table, in their order, but NULL for names. */
static const char sums_alone[] =
    "SELECT case_index, launch_index, backend_index, method_index, repeat, i, j, entry, spec, NULL,"
    " NULL, n, format, operation, seed, trial, NULL, NULL, blocks, threads, computed,"
    " computed_bits, exact, nearest_bits, "
#define METRIC(id, summarised, unit, meaning) #id ", "
#include "src/measure/metrics.def"
    "condition, bound, class, height, probable_bound, weight, digest, map"
#define METRIC(id, summarised, unit, meaning) ", mean_" #id
#include "src/measure/metrics.def"
    IN_ORDER;

enum status store_each_sum(struct store *store, enum status (*visit)(void *context, const struct stored *row),
                           void *context)
{
    return store_each_line(store, sums_alone, visit_row, &(struct row_visit){visit, context});
}

struct bits_visit {
    enum status (*visit)(void *context, const struct result_bits *row);
    void *context;
};

/* Of a product of matrices one row speaks for all: that with the map. */
static enum status visit_bits(void *context, sqlite3_stmt *s)
{
    const struct bits_visit *to = context;
    const char *digest = store_text(s, 9);
    if (*digest && !*store_text(s, 10))
        return OK;
    const struct result_bits row = {
        .entry = (size_t)sqlite3_column_int64(s, 0),
        .spec = (size_t)sqlite3_column_int64(s, 1),
        .launch = (size_t)sqlite3_column_int64(s, 2),
        .method = (size_t)sqlite3_column_int64(s, 3),
        .backend = (size_t)sqlite3_column_int64(s, 4),
        .trial = (uint64_t)sqlite3_column_int64(s, 5),
        .repeat = (uint64_t)sqlite3_column_int64(s, 6),
        .bits = *digest ? digest_bits(digest) : (uint64_t)sqlite3_column_int64(s, 7),
        .exact = store_text(s, 8),
    };
    return to->visit(to->context, &row);
}

enum status store_each_bits(struct store *store, enum status (*visit)(void *context, const struct result_bits *row),
                            void *context)
{
    return store_each_line(store,
                           "SELECT entry, spec, launch_index, method_index, backend_index, trial, repeat,"
                           " CASE WHEN computed IS NULL THEN -1 ELSE computed_bits END, exact, digest, map" IN_ORDER,
                           visit_bits, &(struct bits_visit){visit, context});
}

/* A NaN is stored as NULL, and every NaN is the same. */
enum status store_compare(struct store *store, struct replay_comparison *comparison)
{
    static const char query[] =
        "SELECT sum(k.weight),"
        " sum(k.weight * (k.computed_bits <> r.computed_bits AND NOT (k.computed IS NULL AND r.computed IS NULL)))"
        " FROM results k JOIN results r USING (case_index, launch_index, method_index)"
        " JOIN methods m USING (method_index) WHERE k.backend_index = 1 AND r.backend_index = 0 AND m.determinism = ?1"
        " AND k.digest = ''"
        " UNION ALL SELECT count(*), sum(k.digest <> r.digest)"
        " FROM results k JOIN results r USING (case_index, launch_index, method_index)"
        " JOIN methods m USING (method_index) WHERE k.backend_index = 1 AND r.backend_index = 0 AND m.determinism = ?1"
        " AND k.map <> '' AND r.map <> ''";
    sqlite3_stmt *statement = NULL;
    TRY(store_prepare(store, query, &statement));
    sqlite3_bind_int(statement, 1, DETERMINISTIC);
    *comparison = (struct replay_comparison){0, 0};
    int result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        comparison->compared += (uint64_t)sqlite3_column_int64(statement, 0);
        comparison->differ += (uint64_t)sqlite3_column_int64(statement, 1);
    }
    sqlite3_finalize(statement);
    return result == SQLITE_DONE ? OK : store_failed(store, "cannot be read");
}

struct permutations_visit {
    enum status (*visit)(void *context, const struct stored_permutations *found);
    void *context;
};

static enum status visit_permutations(void *context, sqlite3_stmt *statement)
{
    const struct permutations_visit *to = context;
    const struct stored_permutations found = {
        .backend = (size_t)sqlite3_column_int64(statement, 0),
        .method = (size_t)sqlite3_column_int64(statement, 1),
        .sets = (uint64_t)sqlite3_column_int64(statement, 2),
        .differing = (uint64_t)sqlite3_column_int64(statement, 3),
        .most = (uint64_t)sqlite3_column_int64(statement, 4),
    };
    return to->visit(to->context, &found);
}

/* A set of permutations: data that are the same but for their order.  Repeats would count an order of arrival, so only
 * the first counts. */
enum status store_each_permutation(struct store *store,
                                   enum status (*visit)(void *context, const struct stored_permutations *found),
                                   void *context)
{
    return store_each_line(
        store,
        "SELECT backend_index, method_index, count(*), sum(different > 1), max(different) FROM"
        " (SELECT backend_index, method_index,"
        "  count(DISTINCT CASE WHEN computed IS NULL THEN -1 ELSE computed_bits END) AS different"
        "  FROM results JOIN specs USING (entry, spec) JOIN entries USING (entry)"
        "  WHERE repeat = 0"
        "  AND (permuted OR unordered IN (SELECT unordered FROM specs GROUP BY unordered HAVING count(*) > 1))"
        "  GROUP BY backend_index, method_index, launch_index, unordered, CASE WHEN permuted THEN 0 ELSE trial END"
        "  HAVING count(*) > 1)"
        " GROUP BY backend_index, method_index",
        visit_permutations, &(struct permutations_visit){visit, context});
}

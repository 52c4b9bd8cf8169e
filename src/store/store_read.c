/* Rows as they are read back. */
#include "src/measure/judge.h"
#include "store_file.h"

/* ---- what rows have in common ---- */

/* The case of the rows that are being read, and the names that they do not have themselves. */
struct reading {
    struct store *store;
    struct study_record study;
    char *devices[BACKENDS];
    sqlite3_stmt *cases;
    struct row_walk walk;
    uint64_t case_index;
    struct stored of_case; /* what its rows share */
};

static double real_at(sqlite3_stmt *s, int column)
{
    const double value = sqlite3_column_double(s, column); /* NULL as 0 */
    return value == 0 && sqlite3_column_type(s, column) == SQLITE_NULL ? NAN : value;
}

static uint64_t count_at(sqlite3_stmt *s, int column)
{
    return (uint64_t)sqlite3_column_int64(s, column);
}

static enum status take_device(void *context, sqlite3_stmt *row)
{
    struct reading *reading = context;
    const uint64_t backend = count_at(row, 0);
    if (backend < BACKENDS && !reading->devices[backend])
        reading->devices[backend] = memory_copy(store_text(row, 1));
    return OK;
}

static enum status start_reading(struct store *store, struct reading *reading)
{
    *reading = (struct reading){.store = store, .case_index = UINT64_MAX};
    TRY(store_get_study(store, &reading->study));
    TRY(store_each_line(store, "SELECT backend_index, device FROM backends", take_device, reading));
    TRY(store_prepare(store, store_cases.rows, &reading->cases));
    return walk_begin(store, &reading->walk);
}

static void end_reading(struct reading *reading)
{
    sqlite3_finalize(reading->cases);
    walk_end(&reading->walk);
    for (int b = 0; b < BACKENDS; b++)
        free(reading->devices[b]);
    study_record_free(&reading->study);
}

/* Its text lives until the next one is read. */
static void take_case(struct reading *reading)
{
    sqlite3_stmt *s = reading->cases;
    struct stored *to = &reading->of_case;
    reading->case_index = count_at(s, CASE_INDEX);
    to->entry = count_at(s, CASE_ENTRY);
    to->spec = count_at(s, CASE_SPEC);
    to->result.data = reading->study.entries[to->entry].specs[to->spec].text;
    to->result.n = count_at(s, CASE_N);
    to->result.seed = reading->study.seed;
    to->result.trial = count_at(s, CASE_TRIAL);
    to->result.exact = store_text(s, CASE_EXACT);
    to->result.condition = real_at(s, CASE_CONDITION);
    to->result.digest = to->result.map = "";
}

/* Both tables rise.  No row is without its case: the store was verified. */
static enum status move_to_case(struct reading *reading, uint64_t index)
{
    while (reading->case_index != index) {
        if (sqlite3_step(reading->cases) != SQLITE_ROW)
            return store_failed(reading->store, "cannot be read");
        take_case(reading);
    }
    return OK;
}

/* ---- a row ---- */

static void take_numbers(sqlite3_stmt *s, struct result *result)
{
    result->repeat = count_at(s, REPEAT);
    result->weight = count_at(s, WEIGHT);
    result->computed = real_at(s, COMPUTED);
    result->computed_bits = count_at(s, COMPUTED_BITS);
    result->nearest_bits = count_at(s, NEAREST_BITS);
    result->height = count_at(s, HEIGHT);
    result->class = (enum result_class)sqlite3_column_int(s, CLASS);
    result->bound = real_at(s, BOUND);
    result->probabilistic_bound = real_at(s, PROBABLE_BOUND);
    for (int m = 0; m < METRICS; m++)
        result->means[m] = result->metrics[m] = real_at(s, FIRST_METRIC + m);
}

static void take_element(sqlite3_stmt *s, struct result *result)
{
    result->i = count_at(s, ELEMENT_I);
    result->j = count_at(s, ELEMENT_J);
    result->digest = store_text(s, DIGEST);
    result->map = store_text(s, MAP);
    if (sqlite3_column_type(s, EXACT) != SQLITE_NULL) {
        result->exact = store_text(s, EXACT);
        result->condition = real_at(s, CONDITION);
    }
    for (int m = 0; m < METRICS; m++)
        if (sqlite3_column_type(s, FIRST_MEAN + m) != SQLITE_NULL)
            result->means[m] = real_at(s, FIRST_MEAN + m);
}

static struct stored read_row(const struct reading *reading)
{
    sqlite3_stmt *s = reading->walk.rows, *element = walk_element(&reading->walk);
    struct stored row = reading->of_case;
    struct result *result = &row.result;
    row.launch = count_at(s, LAUNCH_INDEX);
    row.backend = count_at(s, BACKEND_INDEX);
    row.method = count_at(s, METHOD_INDEX);
    const struct method_record *method = &reading->study.methods[row.method];
    result->method = method->id;
    result->format = method->format;
    result->operation = method->operation;
    result->backend = &backend_table[row.backend];
    result->device = reading->devices[row.backend];
    result->launch = reading->study.launches[row.launch];
    take_numbers(s, result);
    if (element)
        take_element(element, result);
    return row;
}

static enum status read_rows(struct reading *reading, enum status (*visit)(void *context, const struct stored *row),
                             void *context)
{
    struct row_walk *walk = &reading->walk;
    TRY(walk_next(walk));
    while (walk->has_row) {
        TRY(move_to_case(reading, walk->id >> POSITION_BITS));
        const struct stored row = read_row(reading);
        TRY(visit(context, &row));
        TRY(walk_next(walk));
    }
    return OK;
}

enum status store_each(struct store *store, enum status (*visit)(void *context, const struct stored *row),
                       void *context)
{
    struct reading reading;
    enum status status = start_reading(store, &reading);
    if (status == OK)
        status = read_rows(&reading, visit, context);
    end_reading(&reading);
    return status;
}

/* ---- bits ---- */

struct bits_visit {
    enum status (*visit)(void *context, const struct result_bits *row);
    void *context;
};

static enum status visit_bits(void *context, const struct stored *row)
{
    const struct bits_visit *to = context;
    const struct result *result = &row->result;
    const struct result_bits bits = {
        .entry = row->entry,
        .spec = row->spec,
        .launch = row->launch,
        .method = row->method,
        .backend = row->backend,
        .trial = result->trial,
        .repeat = result->repeat,
        .i = result->i,
        .j = result->j,
        .bits = isnan(result->computed) ? UINT64_MAX : result->computed_bits,
        .exact = result->exact,
    };
    return to->visit(to->context, &bits);
}

enum status store_each_bits(struct store *store, enum status (*visit)(void *context, const struct result_bits *row),
                            void *context)
{
    return store_each(store, visit_bits, &(struct bits_visit){visit, context});
}

/* ---- kernels beside replays ---- */

/* Of a matrix product the first bits of its digest; one row speaks for all: that with the map. */
static uint64_t bits_of(const struct result *result)
{
    if (*result->digest)
        return digest_bits(result->digest);
    return isnan(result->computed) ? UINT64_MAX : result->computed_bits;
}

/* Of one launch of a case. */
struct replay {
    uint64_t launch_count; /* which launch of all cases it is of; 0: none */
    uint64_t bits;
};

struct comparing {
    struct study_record study;
    struct replay *replays; /* by method: the last one */
    struct stored last;
    uint64_t launch_count; /* that were begun */
    struct replay_comparison *comparison;
};

static bool is_of_one_launch(const struct stored *a, const struct stored *b)
{
    return a->launch == b->launch && a->entry == b->entry && a->spec == b->spec && a->result.trial == b->result.trial;
}

/* Replays come before kernels. */
static enum status compare_row(void *context, const struct stored *row)
{
    struct comparing *comparing = context;
    struct replay *replay = &comparing->replays[row->method];
    if (comparing->launch_count == 0 || !is_of_one_launch(row, &comparing->last))
        comparing->launch_count++;
    comparing->last = *row;
    if (*row->result.digest && !*row->result.map)
        return OK;
    const uint64_t bits = bits_of(&row->result);
    if (row->backend == BACKEND_replay)
        *replay = (struct replay){comparing->launch_count, bits};
    if (row->backend != BACKEND_cuda || replay->launch_count != comparing->launch_count ||
        comparing->study.methods[row->method].determinism != DETERMINISTIC)
        return OK;
    const uint64_t weight = *row->result.digest ? 1 : row->result.weight;
    comparing->comparison->compared += weight;
    comparing->comparison->differ += replay->bits == bits ? 0 : weight;
    return OK;
}

/* Every NaN is the same.  Of a run without kernels, or without replays, there is nothing to be read. */
enum status store_compare(struct store *store, struct replay_comparison *comparison)
{
    struct comparing comparing = {.comparison = comparison};
    sqlite3_int64 has_both = 0;
    *comparison = (struct replay_comparison){0, 0};
    TRY(store_number(store,
                     "SELECT EXISTS(SELECT 1 FROM measured WHERE backend_index = 1) AND EXISTS(SELECT 1 FROM measured "
                     "WHERE backend_index = 0)",
                     &has_both));
    if (!has_both)
        return OK;
    enum status status = store_get_study(store, &comparing.study);
    comparing.replays = memory_cleared(comparing.study.method_count + 1, sizeof *comparing.replays);
    if (status == OK)
        status = store_each(store, compare_row, &comparing);
    free(comparing.replays);
    study_record_free(&comparing.study);
    return status;
}
_Static_assert(BACKEND_replay == 0 && BACKEND_cuda == 1, "in this order, and as the query has it");

/* ---- permutations ---- */

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
        "SELECT backend_index, method_index, count(*), sum(different > 1), max(different) FROM (SELECT backend_index, "
        "method_index,  count(DISTINCT CASE WHEN computed IS NULL THEN -1 ELSE computed_bits END) AS different  FROM "
        "cases JOIN specs USING (entry, spec) JOIN entries USING (entry)  CROSS JOIN measured ON id BETWEEN case_index "
        "<< 24 AND (case_index << 24) + 16777215  WHERE repeat = 0  AND (permuted OR unordered IN (SELECT unordered "
        "FROM specs GROUP BY unordered HAVING count(*) > 1))  GROUP BY backend_index, method_index, launch_index, "
        "unordered, CASE WHEN permuted THEN 0 ELSE trial END  HAVING count(*) > 1) GROUP BY backend_index, "
        "method_index",
        visit_permutations, &(struct permutations_visit){visit, context});
}

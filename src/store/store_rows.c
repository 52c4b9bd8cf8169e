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

/* ---- a case ---- */

enum status store_prepare_case(struct store *store)
{
    TRY(store_prepare_insert(store, "measured", COLUMNS, &store->insert_row));
    TRY(store_prepare_insert(store, "elements", ELEMENT_COLUMNS, &store->insert_element));
    return store_prepare_insert(store, "cases", CASE_SEAL + 1, &store->insert_case);
}

void store_finish_case(struct store *store)
{
    sqlite3_finalize(store->insert_row);
    sqlite3_finalize(store->insert_element);
    sqlite3_finalize(store->insert_case);
}

/* It is sealed as it is bound. */
static enum status put_line(struct store *store, sqlite3_stmt *statement, const char *types, const struct line *line,
                            struct sha256_ctx *seal)
{
    seal_add(seal, line);
    line_bind(statement, types, line);
    return store_step(store, statement);
}

static enum status put_rows(struct store *store, const struct finished_case *finished)
{
    struct line of_case, line;
    struct sha256_ctx seal;
    uint8_t bytes[SEAL_SIZE];
    sha256_init(&seal);
    line_of_case(store, finished, &of_case);
    seal_add(&seal, &of_case);
    for (size_t i = 0; i < finished->row_count; i++) {
        const struct measured *row = &finished->rows[i];
        const uint64_t id = row_id(finished->index, i);
        line_of_row(id, row, &line);
        TRY(put_line(store, store->insert_row, store_measured.types, &line, &seal));
        if (!has_element(finished, row))
            continue;
        line_of_element(finished, id, row, &line);
        TRY(put_line(store, store->insert_element, store_elements.types, &line, &seal));
    }
    seal_end(&seal, bytes);
    line_bind(store->insert_case, store_cases.types, &of_case);
    sqlite3_bind_blob(store->insert_case, CASE_SEAL + 1, bytes, SEAL_SIZE, SQLITE_STATIC);
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

static enum status put_case(struct store *store, struct finished_case *finished)
{
    bool is_less = false;
    if (finished->row_count >> POSITION_BITS > 0)
        return bad_input("case %llu has %zu rows; expected fewer than 2^%d; choose fewer methods, launches or repeats",
                         (unsigned long long)finished->index, finished->row_count, POSITION_BITS);
    if (store->has_case[finished->index] == HAS_UNFINISHED)
        TRY(forget_case(store, finished, &is_less));
    if (finished->row_count > 0)
        qsort(finished->rows, finished->row_count, sizeof *finished->rows, by_place);
    return is_less ? OK : put_rows(store, finished);
}

enum status store_put_case(struct store *store, struct finished_case *finished)
{
    const bool is_alone = sqlite3_get_autocommit(store->database);
    if (is_alone)
        TRY(store_begin(store));
    const enum status status = put_case(store, finished);
    if (status != OK) {
        (void)sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
        return status;
    }
    store->has_case[finished->index] = finished->unfinished ? HAS_UNFINISHED : HAS_FINISHED;
    store->case_count += !finished->unfinished;
    store->has_new_rows |= finished->row_count > 0;
    return is_alone ? store_end(store) : OK;
}

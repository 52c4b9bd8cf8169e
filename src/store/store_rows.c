/* Cases as they are stored: what their rows share, the rows, and a seal over both. */
#include "store_seal.h"

#include "src/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines ---- */

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

static bool is_of_case(const struct line *of_case, const struct line *row)
{
    return of_case->words[CASE_CONDITION] == row->words[CONDITION] &&
           (of_case->texts[CASE_EXACT] == row->texts[EXACT] ||
            strcmp(of_case->texts[CASE_EXACT], row->texts[EXACT]) == 0);
}

static void line_of_row(const struct line *of_case, uint64_t position, const struct measured *row, struct line *line)
{
    *line = (struct line){
        .count = COLUMNS,
        .words = {[ROW_ID] = row_id(of_case->words[CASE_INDEX], position),
                  [LAUNCH_INDEX] = row->launch,
                  [BACKEND_INDEX] = row->backend,
                  [METHOD_INDEX] = row->method,
                  [REPEAT] = row->repeat,
                  [ELEMENT_I] = row->i,
                  [ELEMENT_J] = row->j,
                  [WEIGHT] = row->weight,
                  [COMPUTED_BITS] = row->computed_bits,
                  [NEAREST_BITS] = row->nearest_bits,
                  [HEIGHT] = row->height,
                  [CLASS] = row->class},
    };
    for (int m = 0; m < METRICS; m++) {
        line_set_number(line, FIRST_METRIC + m, row->metrics[m]);
        line_set_number(line, FIRST_MEAN + m, row->means[m]);
    }
    line_set_number(line, COMPUTED, row->computed);
    line_set_number(line, BOUND, row->bound);
    line_set_number(line, PROBABLE_BOUND, row->probabilistic_bound);
    line_set_number(line, CONDITION, row->condition);
    line_set_text(line, EXACT, row->exact);
    line_set_text(line, DIGEST, row->digest);
    line_set_text(line, MAP, row->map);
    if (!is_of_case(of_case, line))
        return;
    line->words[EXACT] = line->words[CONDITION] = LINE_NULL;
    line->texts[EXACT] = NULL;
}

/* ---- a case ---- */

static int by_place(const void *left, const void *right)
{
    const struct measured *a = *(const struct measured *const *)left, *b = *(const struct measured *const *)right;
    const uint64_t places[][2] = {{a->launch, b->launch}, {a->backend, b->backend},
                                  {a->method, b->method}, {a->repeat, b->repeat},
                                  {a->i, b->i},           {a->j, b->j}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (places[i][0] != places[i][1])
            return places[i][0] < places[i][1] ? -1 : 1;
    return 0;
}

static const struct measured **rows_in_order(const struct finished_case *finished)
{
    const struct measured **rows = memory_cleared(finished->row_count + 1, sizeof *rows);
    for (size_t i = 0; i < finished->row_count; i++)
        rows[i] = &finished->rows[i];
    qsort(rows, finished->row_count, sizeof *rows, by_place);
    return rows;
}

static enum status put_line(struct store *store, sqlite3_stmt *statement, const char *types, const struct line *line)
{
    line_bind(statement, types, line);
    return store_step(store, statement);
}

static enum status put_sealed(struct store *store, const struct line *of_case, struct sha256_ctx *seal)
{
    uint8_t bytes[SEAL_SIZE];
    seal_end(seal, bytes);
    sqlite3_bind_blob(store->insert_case, CASE_SEAL + 1, bytes, sizeof bytes, SQLITE_STATIC);
    TRY(put_line(store, store->insert_case, store_cases.types, of_case));
    return store_step(store, store->count_case);
}

static enum status put_rows(struct store *store, const struct finished_case *finished,
                            const struct measured *const *rows)
{
    struct sha256_ctx seal;
    struct line of_case, row;
    line_of_case(store, finished, &of_case);
    sha256_init(&seal);
    seal_add(&seal, &of_case);
    for (size_t i = 0; i < finished->row_count; i++) {
        line_of_row(&of_case, i, rows[i], &row);
        seal_add(&seal, &row);
        TRY(put_line(store, store->insert_row, store_measured.types, &row));
    }
    return put_sealed(store, &of_case, &seal);
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
             "DELETE FROM measured WHERE id >= %llu AND id < %llu; DELETE FROM cases WHERE case_index = %llu;"
             "UPDATE seal SET cases = cases - 1",
             (unsigned long long)row_id(index, 0), (unsigned long long)row_id(index + 1, 0), index);
    return store_execute(store, sql);
}

static enum status put_case(struct store *store, const struct finished_case *finished)
{
    bool is_less = false;
    if (finished->row_count >> POSITION_BITS > 0) {
        complain("case %llu has %zu rows; expected fewer than 2^%d; choose fewer methods, launches or repeats",
                 (unsigned long long)finished->index, finished->row_count, POSITION_BITS);
        return BAD_INPUT;
    }
    if (store->has_case[finished->index] == HAS_UNFINISHED)
        TRY(forget_case(store, finished, &is_less));
    if (is_less)
        return OK;
    const struct measured **rows = rows_in_order(finished);
    const enum status status = put_rows(store, finished, rows);
    free(rows);
    return status;
}

enum status store_put_case(struct store *store, const struct finished_case *finished)
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

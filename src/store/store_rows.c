/* Cases as they are stored: what their rows share, the rows, and a seal over both. */
#include "store_seal.h"

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
    struct line of_case, row;
    struct seal seal;
    if (finished->row_count > 0)
        qsort(finished->rows, finished->row_count, sizeof *finished->rows, by_place);
    line_of_case(store, finished, &of_case);
    sha256_init(&sum);
    seal_add(&sum, &of_case);
    for (size_t i = 0; i < finished->row_count; i++) {
        line_of_row(&of_case, i, &finished->rows[i], &row);
        seal_add(&sum, &row);
    }
    seal_end(&sum, seal.bytes);
    return seal;
}

/* ---- a case ---- */

struct rows_in_hand {
    const struct finished_case *finished;
    struct line of_case;
};

static void make_row(const void *context, uint64_t position, struct line *line)
{
    const struct rows_in_hand *hand = context;
    line_of_row(&hand->of_case, position, &hand->finished->rows[position], line);
}

/* Whatever fails takes all back that was begun, so that SQLite need not be able to take back one statement. */
enum status store_prepare_rows(struct store *store)
{
    store->rows_in_hand = (struct line_source){.types = store_measured.types, .make = make_row};
    if (source_offer(store->database, "rows_in_hand", &store->rows_in_hand) != SQLITE_OK)
        return store_failed(store, "cannot be written");
    return store_prepare(store, "INSERT OR ROLLBACK INTO measured SELECT * FROM rows_in_hand", &store->insert_rows);
}

static enum status put_rows(struct store *store, const struct finished_case *finished, const struct seal *seal)
{
    struct rows_in_hand hand = {.finished = finished};
    line_of_case(store, finished, &hand.of_case);
    store->rows_in_hand.context = &hand;
    store->rows_in_hand.count = finished->row_count;
    TRY(store_step(store, store->insert_rows));
    line_bind(store->insert_case, store_cases.types, &hand.of_case);
    sqlite3_bind_blob(store->insert_case, CASE_SEAL + 1, seal->bytes, SEAL_SIZE, SQLITE_STATIC);
    TRY(store_step(store, store->insert_case));
    return store_step(store, store->count_case);
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

static enum status put_case(struct store *store, const struct finished_case *finished, const struct seal *seal)
{
    bool is_less = false;
    if (finished->row_count >> POSITION_BITS > 0) {
        complain("case %llu has %zu rows; expected fewer than 2^%d; choose fewer methods, launches or repeats",
                 (unsigned long long)finished->index, finished->row_count, POSITION_BITS);
        return BAD_INPUT;
    }
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

enum status store_put_case(struct store *store, struct finished_case *finished)
{
    const struct seal seal = store_seal_case(store, finished);
    return store_put_sealed(store, finished, &seal);
}

/* The sums of both runs, held against each other one by one. */
#include "comparison.h"

#include "src/results/run_rows.h"

/* A row of a series: which sum of which data, its bits, and the exact sum as a text, equal of equal data. */
struct kept {
    uint64_t of[5]; /* trial, row and column of a product, element, repeat */
    uint64_t bits;
    const char *exact;
};

struct ledger {
    struct kept *rows;
    size_t count;
};

static int by_sum(const void *left, const void *right)
{
    const struct kept *a = left, *b = right;
    for (int i = 0; i < 5; i++)
        if (a->of[i] != b->of[i])
            return a->of[i] < b->of[i] ? -1 : 1;
    return 0;
}

static struct ledger ledger_of(const struct run_rows *rows, size_t series)
{
    const struct series_rows *of = &rows->series[series];
    struct ledger ledger = {memory_cleared(of->count + 1, sizeof *ledger.rows), of->count};
    for (size_t i = 0; i < of->count; i++) {
        const struct row_bits *row = &of->rows[i];
        const struct summed_data *data = &rows->data[row->data];
        ledger.rows[i] =
            (struct kept){{data->trial, data->i, data->j, row->element, row->repeat}, row->bits, data->exact};
    }
    qsort(ledger.rows, ledger.count, sizeof *ledger.rows, by_sum);
    return ledger;
}

static void compare_pair(struct series_pair *pair, const struct ledger *first, const struct ledger *other)
{
    for (size_t i = 0, k = 0; i < first->count && k < other->count;) {
        const int order = by_sum(&first->rows[i], &other->rows[k]);
        if (order == 0 && strcmp(first->rows[i].exact, other->rows[k].exact) == 0) {
            pair->common++;
            pair->differ += first->rows[i].bits != other->rows[k].bits;
        } else if (order == 0)
            pair->other_data = true;
        i += order <= 0;
        k += order >= 0;
    }
}

/* Of the pairs in question, in one of the runs. */
static enum status read_rows(const struct comparison *comparison, bool other, struct run_rows *rows)
{
    const struct results *results = other ? comparison->other : comparison->first;
    OWNED bool *wanted = memory_cleared(results->series_count + 1, sizeof *wanted);
    for (size_t i = 0; i < comparison->pair_count; i++)
        if (comparison->pairs[i].in_question)
            wanted[(other ? comparison->pairs[i].other : comparison->pairs[i].first) - results->series] = true;
    return run_rows_read(results, wanted, rows);
}

enum status comparison_read_rows(struct comparison *comparison)
{
    FREED_BY(run_rows_free) struct run_rows first = {0}, other = {0};
    bool any = false;
    for (size_t i = 0; i < comparison->pair_count; i++)
        any |= comparison->pairs[i].in_question;
    if (!any)
        return OK;
    TRY(read_rows(comparison, false, &first));
    TRY(read_rows(comparison, true, &other));
    for (size_t i = 0; i < comparison->pair_count; i++) {
        struct series_pair *pair = &comparison->pairs[i];
        if (!pair->in_question)
            continue;
        struct ledger one = ledger_of(&first, (size_t)(pair->first - comparison->first->series)),
                      two = ledger_of(&other, (size_t)(pair->other - comparison->other->series));
        compare_pair(pair, &one, &two);
        free_all(one.rows, two.rows);
    }
    return OK;
}

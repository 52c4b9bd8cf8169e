#include "condense.h"

#include "statistics.h"

#include <math.h>

static int by_result(const void *left, const void *right)
{
    const struct measured *a = left, *b = right;
    const int by_value = error_order(a->computed, b->computed);
    const int by_bits = count_order(a->computed_bits, b->computed_bits);
    return by_value ? by_value : by_bits ? by_bits : count_order(a->repeat, b->repeat);
}

static int by_repeat(const void *left, const void *right)
{
    return count_order(((const struct measured *)left)->repeat, ((const struct measured *)right)->repeat);
}

/* ---- equal results ---- */

/* Rows in the order of by_result. */
static size_t join_equal(struct measured *rows, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept > 0 && rows[kept - 1].computed_bits == rows[i].computed_bits)
            rows[kept - 1].weight += rows[i].weight;
        else
            rows[kept++] = rows[i];
    return kept;
}

/* ---- results of like errors ---- */

static int binade_of(const struct measured *row)
{
    const double error = row->metrics[METRIC_relative_error];
    return isfinite(error) && error > 0 ? ilogb(error) : 0;
}

static bool are_alike(const struct measured *a, const struct measured *b)
{
    return a->class == b->class && binade_of(a) == binade_of(b);
}

static bool has_smaller_error(const struct measured *a, const struct measured *b)
{
    return error_order(a->metrics[METRIC_abs_error], b->metrics[METRIC_abs_error]) < 0;
}

static void swap(struct measured *a, struct measured *b)
{
    const struct measured kept = *a;
    *a = *b;
    *b = kept;
}

/* Adds a row to that of its class and binade, or behind them all; the one with the larger error stays. */
static size_t join_alike(struct measured *rows, size_t first, size_t kept, struct measured row)
{
    size_t at = first;
    while (at < kept && !are_alike(&rows[at], &row))
        at++;
    if (at == kept) {
        rows[kept] = row;
        return kept + 1;
    }
    const uint64_t weight = rows[at].weight + row.weight;
    if (has_smaller_error(&rows[at], &row))
        rows[at] = row;
    rows[at].weight = weight;
    return kept;
}

/* The least and the largest sum and the least error come to the front and are left alone; NaN is no largest sum. */
static size_t join_all_alike(struct measured *rows, size_t count)
{
    enum { EXTREMES = 3 };
    size_t largest = count - 1, least = 1, kept = EXTREMES;
    while (largest > 1 && isnan(rows[largest].computed))
        largest--;
    swap(&rows[1], &rows[largest]);
    for (size_t i = 2; i < count; i++)
        if (least == 1 || has_smaller_error(&rows[i], &rows[least]))
            least = i;
    swap(&rows[2], &rows[least]);
    for (size_t i = EXTREMES; i < count; i++)
        kept = join_alike(rows, EXTREMES, kept, rows[i]);
    return kept;
}

size_t condense_rows(struct measured *rows, size_t count)
{
    if (count <= ROWS_KEPT)
        return count;
    qsort(rows, count, sizeof *rows, by_result);
    size_t kept = join_equal(rows, count);
    if (kept > ROWS_KEPT)
        kept = join_all_alike(rows, kept);
    qsort(rows, kept, sizeof *rows, by_repeat);
    return kept;
}

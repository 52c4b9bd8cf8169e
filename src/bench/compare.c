#include "compare.h"

#include "bench.h"
#include "reports/grid.h"

struct compared {
    const struct share_row *now, *then; /* then NULL: it is in this program alone */
    struct speed_change change;
};

static struct compared compared_of(const struct compare *compare, const struct share_row *now)
{
    struct compared row = {.now = now, .change.verdict = NOT_COMPARABLE};
    row.then = compare->then ? shares_find(compare->then, now) : NULL;
    if (row.then && strcmp(row.then->of, now->of) == 0)
        row.change = speed_change_of(now->shares, compare->now->visits, row.then->shares, compare->then->visits);
    return row;
}

static void say_unlike_facts(const struct compare *compare, const char *topic)
{
    const json_t *now = json_object_get(compare->now->facts, topic), *value;
    const char *name;
    json_object_foreach((json_t *)(uintptr_t)now, name, value)
    {
        const char *other = json_string_value(json_object_get(json_object_get(compare->then->facts, topic), name));
        if (other && strcmp(other, json_string_value(value)) != 0 && strcmp(name, "option") != 0)
            fprintf(stderr, "not alike: %s %s: %s here, %s in %s\n", topic, name, json_string_value(value), other,
                    compare->with);
    }
}

enum { OF_ONE = 6, COLUMNS = 12 }; /* columns of shares alone, and of two compared */
static const char *const heads[COLUMNS] = {"method", "rows", "n",   "launch", "share of",  "now",
                                           "then",   "x",    "low", "high",   "seen from", "verdict"};

static double median_of(const struct share_row *row, size_t visits)
{
    OWNED double *sorted = memory_cleared(visits, sizeof *sorted);
    memcpy(sorted, row->shares, visits * sizeof *sorted);
    return statistics_of(sorted, NULL, visits).p50;
}

static void put_change(struct grid *grid, const struct speed_change *change)
{
    if (change->verdict != NOT_COMPARABLE) {
        grid_set(grid, 7, TONE_PLAIN, "%.3f", change->quotient);
        grid_set(grid, 8, TONE_PLAIN, "%.3f", change->low);
        grid_set(grid, 9, TONE_PLAIN, "%.3f", change->high);
        grid_set(grid, 10, TONE_PLAIN, "%.1f %%", 100 * change->seen_from);
    }
    grid_set(grid, 11, TONE_PLAIN, "%s", speed_verdicts[change->verdict]);
}

static void put_row(struct grid *grid, const struct compare *compare, const struct compared *row)
{
    const struct share_row *now = row->now;
    grid_add(grid, cell_text("%s", now->method), cell_count(now->rows), cell_count(now->n));
    if (now->launch.threads > 0)
        grid_set(grid, 3, TONE_PLAIN, "%u x %u", now->launch.blocks, now->launch.threads);
    grid_set(grid, 4, TONE_PLAIN, "%s", now->of);
    grid_number(grid, 5, median_of(now, compare->now->visits));
    if (row->then)
        grid_number(grid, 6, median_of(row->then, compare->then->visits));
    if (compare->then)
        put_change(grid, &row->change);
}

static void print_aligned(const struct grid *grid)
{
    int widths[COLUMNS] = {0};
    for (size_t r = 0; r < grid->rows; r++)
        for (size_t c = 0; c < grid->columns; c++)
            if (widths[c] < (int)strlen(grid_text(grid, r, c)))
                widths[c] = (int)strlen(grid_text(grid, r, c));
    for (size_t r = 0; r < grid->rows; r++) {
        aligned_row(grid, r, widths);
        if (r == 0)
            aligned_rule(grid->columns, widths);
    }
}

static void print_table(const struct compare *compare, const struct compared *rows, const size_t *counts)
{
    struct grid grid = grid_of(compare->then ? COLUMNS : OF_ONE, 1);
    grid_heads(&grid, "lrrrrrrrrrrr", heads);
    for (size_t i = 0; i < compare->now->count; i++)
        put_row(&grid, compare, &rows[i]);
    print_aligned(&grid);
    grid_free(&grid);
    if (compare->then)
        printf("\n%zu rows beside %s: %zu slower, %zu faster, %zu the same, %zu not comparable\n", compare->now->count,
               compare->with, counts[SLOWER], counts[FASTER], counts[SAME_SPEED], counts[NOT_COMPARABLE]);
}

enum status compare_write(const struct compare *compare)
{
    const size_t count = compare->now->count;
    OWNED struct compared *rows = memory_cleared(count + 1, sizeof *rows);
    size_t counts[NOT_COMPARABLE + 1] = {0};
    for (size_t i = 0; i < count; i++) {
        rows[i] = compared_of(compare, &compare->now->rows[i]);
        counts[rows[i].change.verdict]++;
    }
    if (compare->then && !compare->quiet) {
        say_unlike_facts(compare, "device");
        say_unlike_facts(compare, "library");
        say_unlike_facts(compare, "build");
    }
    print_table(compare, rows, counts);
    if (compare->then && counts[NOT_COMPARABLE] == count)
        return bad_input("%s: expected some of these rows, found none; see the columns method, n, rows and launch",
                         compare->with);
    return counts[SLOWER] > 0 ? LIMIT_BROKEN : OK;
}

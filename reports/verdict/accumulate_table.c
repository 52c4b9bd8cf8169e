#include "verdict_table.h"

enum { DATA, STORED, ADDED, PLAIN, BEST, BY };

bool formats_vary(const struct verdict *verdict)
{
    for (size_t m = 1; m < verdict->method_count; m++)
        if (sum_format_of_method(verdict->methods[m]) != sum_format_of_method(verdict->methods[0]))
            return true;
    return false;
}

static bool is_plain(const char *method)
{
    const char *colon = strchr(method, ':'); /* behind an operation other than the sum */
    return strncmp(colon ? colon + 1 : method, "plain/", sizeof "plain/" - 1) == 0;
}

/* No number is worse than any. */
static double error_of(const struct verdict *verdict, const struct outcome *outcome)
{
    const double error = outcome_error(outcome, verdict->unit);
    return isnan(error) ? INFINITY : error;
}

/* The method of the format whose worst sum is best; NO_METHOD: none was measured there. */
static size_t best_of(const struct verdict *verdict, size_t row, const struct sum_format *format,
                      struct outcome *of_plain)
{
    size_t best = NO_METHOD;
    for (size_t m = 0; m < verdict->method_count; m++) {
        const struct outcome *outcome = &verdict_cell(verdict, row, m)->outcome;
        if (outcome->count == 0 || sum_format_of_method(verdict->methods[m]) != format)
            continue;
        if (is_plain(verdict->methods[m]))
            outcome_join(of_plain, outcome);
        if (best == NO_METHOD ||
            error_of(verdict, outcome) < error_of(verdict, &verdict_cell(verdict, row, best)->outcome))
            best = m;
    }
    return best;
}

static void append_line(const struct verdict *verdict, const char *label, size_t row, const struct sum_format *format,
                        struct grid *grid)
{
    struct outcome of_plain = outcome_of_nothing();
    const size_t best = best_of(verdict, row, format, &of_plain);
    if (best == NO_METHOD)
        return;
    grid_row(grid);
    grid_set(grid, DATA, TONE_PLAIN, "%s", label);
    grid_set(grid, STORED, TONE_PLAIN, "%s", format->stored->name);
    grid_set(grid, ADDED, TONE_PLAIN, "%s", format->added->name);
    verdict_set_level(verdict, &of_plain, grid, PLAIN);
    verdict_set_level(verdict, &verdict_cell(verdict, row, best)->outcome, grid, BEST);
    grid_set(grid, BY, TONE_PLAIN, "%s", verdict->methods[best]);
}

struct grid accumulate_grid(const struct results *results, const struct verdict *verdict)
{
    struct grid grid = grid_headed(1, "data | numbers of | added in | plain | best | by");
    char **labels = verdict_labels(results, verdict);
    for (size_t r = 0; r < verdict->row_count; r++)
        for (int f = 0; f < SUM_FORMATS; f++)
            append_line(verdict, labels[r], r, sum_formats[f], &grid);
    verdict_labels_free(verdict, labels);
    return grid;
}

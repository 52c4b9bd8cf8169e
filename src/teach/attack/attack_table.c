#include "attack_result.h"

#include "reports/terminal.h"

#include <math.h>

static void set_value(struct grid *grid, size_t column, const struct attack_result *attacked)
{
    const double value = attack_result_value(attacked);
    if (!attacked->find.x)
        grid_set(grid, column, TONE_PLAIN, "-");
    else if (attacked->find.has_crashed)
        grid_set(grid, column, TONE_BAD, "fails");
    else if (attacked->request.climbs == ATTACK_BOUND)
        grid_set(grid, column, value > 1 ? TONE_BAD : TONE_PLAIN, isnan(value) ? "-" : "%s %%",
                 error_text(100 * value));
    else
        grid_set(grid, column, TONE_PLAIN, "%s ulp", error_text(value));
}

static struct grid methods_grid(const struct attack_table *table)
{
    struct grid grid = grid_of(1 + table->sizes, 1);
    grid_row(&grid);
    grid_head(&grid, 0, true, "method");
    for (size_t k = 0; k < table->sizes; k++) {
        OWNED char *head = text_made("n = %" PRIu64, table->attacks[k].request.n);
        grid_head(&grid, 1 + k, false, head);
    }
    for (size_t m = 0; m < table->methods; m++) {
        const struct attack_result *attacks = &table->attacks[m * table->sizes];
        grid_add(&grid, cell_text("%s", attacks->request.method->id));
        for (size_t k = 0; k < table->sizes; k++)
            set_value(&grid, 1 + k, &attacks[k]);
    }
    return grid;
}

void attack_table_print(const struct attack_table *table, FILE *to, bool colour)
{
    const struct terminal terminal = terminal_of(to, colour);
    const struct attack_request *request = &table->attacks[0].request;
    fprintf(to,
            "largest error found, as a share of its bound or in ulp; %u x %u, %" PRIu64 " calls each, seed %" PRIu64
            "\n",
            request->launch.blocks, request->launch.threads, request->calls, request->seed);
    struct grid grid = methods_grid(table);
    terminal_grid_taken(&terminal, &grid);
}

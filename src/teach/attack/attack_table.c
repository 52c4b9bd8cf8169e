#include "attack_result.h"

#include "reports/markdown_text.h"
#include "reports/terminal.h"
#include "src/files/output.h"

#include <math.h>

/* Shares of a bound: at least this is tight, less than that is loose. */
static const double TIGHT = 0.9, LOOSE = 0.1;

static const struct attack_result *attack_at(const struct attack_table *table, size_t method, size_t size)
{
    return &table->attacks[method * table->sizes + size];
}

static const struct method *method_at(const struct attack_table *table, size_t method)
{
    return attack_at(table, method, 0)->request.method;
}

/* NaN where its bound was not climbed: it claims none. */
static double share_at(const struct attack_table *table, size_t method, size_t size)
{
    const struct attack_result *attacked = attack_at(table, method, size);
    return attacked->request.climbs == ATTACK_BOUND ? attack_result_value(attacked) : (double)NAN;
}

/* ---- a line for each method ---- */

static struct grid grid_with_heads(const struct attack_table *table, const char *first, size_t more)
{
    struct grid grid = grid_of(1 + table->sizes + more, 1);
    grid_row(&grid);
    grid_head(&grid, 0, true, first);
    for (size_t k = 0; k < table->sizes; k++) {
        OWNED char *head = text_made("n = %" PRIu64, attack_at(table, 0, k)->request.n);
        grid_head(&grid, 1 + k, false, head);
    }
    return grid;
}

static void set_share(struct grid *grid, size_t column, double share)
{
    grid_set(grid, column, share > 1 ? TONE_BAD : TONE_PLAIN, isnan(share) ? "-" : "%s %%", error_text(100 * share));
}

static void set_value(struct grid *grid, size_t column, const struct attack_result *attacked)
{
    if (!attacked->find.x)
        grid_set(grid, column, TONE_PLAIN, "-");
    else if (attacked->find.has_crashed)
        grid_set(grid, column, TONE_BAD, "fails");
    else if (attacked->request.climbs == ATTACK_BOUND)
        set_share(grid, column, attack_result_value(attacked));
    else
        grid_set(grid, column, TONE_PLAIN, "%s ulp", error_text(attack_result_value(attacked)));
}

static struct grid methods_grid(const struct attack_table *table)
{
    struct grid grid = grid_with_heads(table, "method", 0);
    for (size_t m = 0; m < table->methods; m++) {
        grid_row(&grid);
        grid_set(&grid, 0, TONE_PLAIN, "%s", method_at(table, m)->id);
        for (size_t k = 0; k < table->sizes; k++)
            set_value(&grid, 1 + k, attack_at(table, m, k));
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

/* ---- the page: a line for each accumulator ---- */

static bool same_accumulator(const struct attack_table *table, size_t a, size_t b)
{
    return strcmp(method_at(table, a)->accumulator, method_at(table, b)->accumulator) == 0 &&
           method_at(table, a)->sum_format == method_at(table, b)->sum_format;
}

static bool is_first_of_accumulator(const struct attack_table *table, size_t method)
{
    for (size_t m = 0; m < method; m++)
        if (same_accumulator(table, m, method))
            return false;
    return true;
}

/* Over the orders of an accumulator; NaN: it claims no bound. */
struct shares {
    double least, most;
};

static struct shares shares_of(const struct attack_table *table, size_t method, size_t size)
{
    struct shares shares = {NAN, NAN};
    for (size_t m = 0; m < table->methods; m++) {
        const double value = share_at(table, m, size);
        if (same_accumulator(table, m, method))
            shares = (struct shares){fmin(shares.least, value), fmax(shares.most, value)};
    }
    return shares;
}

static void set_range(struct grid *grid, size_t column, struct shares shares)
{
    char least[NUMBER_TEXT], most[NUMBER_TEXT];
    write_error(100 * shares.least, least);
    write_error(100 * shares.most, most);
    if (isnan(shares.most) || strcmp(least, most) == 0)
        set_share(grid, column, shares.most);
    else
        grid_set(grid, column, TONE_PLAIN, "%s to %s %%", least, most);
}

/* Of its orders and n. */
static size_t count_cells(const struct attack_table *table, size_t method, double from, double below)
{
    size_t count = 0;
    for (size_t m = 0; m < table->methods; m++)
        for (size_t k = 0; k < table->sizes && same_accumulator(table, m, method); k++) {
            const double value = share_at(table, m, k);
            count += value >= from && value < below;
        }
    return count;
}

static struct grid accumulators_grid(const struct attack_table *table)
{
    struct grid grid = grid_with_heads(table, "accumulator", 3);
    static const char *const heads[] = {"tight", "between", "loose"};
    for (size_t h = 0; h < 3; h++)
        grid_head(&grid, 1 + table->sizes + h, false, heads[h]);
    for (size_t m = 0; m < table->methods; m++) {
        if (!is_first_of_accumulator(table, m))
            continue;
        const size_t counts[] = {count_cells(table, m, TIGHT, INFINITY), count_cells(table, m, LOOSE, TIGHT),
                                 count_cells(table, m, 0, LOOSE)};
        grid_row(&grid);
        grid_set(&grid, 0, TONE_PLAIN, "%s", method_at(table, m)->accumulator);
        for (size_t k = 0; k < table->sizes; k++)
            set_range(&grid, 1 + k, shares_of(table, m, k));
        for (size_t h = 0; h < 3; h++)
            grid_set(&grid, 1 + table->sizes + h, TONE_PLAIN, "%zu", counts[h]);
    }
    return grid;
}

static const struct known_bound {
    const char *accumulator, *text;
} known_bounds[] = {
#define KNOWN_BOUND(accumulator, text) {#accumulator, text},
#include "known_bounds.def"
};

static void write_known(const struct attack_table *table, FILE *file)
{
    for (size_t m = 0; m < table->methods; m++)
        for (size_t k = 0; k < sizeof known_bounds / sizeof *known_bounds; k++)
            if (is_first_of_accumulator(table, m) &&
                strcmp(known_bounds[k].accumulator, method_at(table, m)->accumulator) == 0)
                fprintf(file, "- **%s**: %s\n", known_bounds[k].accumulator, known_bounds[k].text);
}

/* ---- the whole ---- */

static void write_grid(FILE *file, struct grid grid)
{
    markdown_grid(file, &grid);
    grid_free(&grid);
}

static void write_page(const struct attack_table *table, FILE *file)
{
    const struct attack_request *request = &table->attacks[0].request;
    OWNED char *end =
        isinf(table->limit) ? memory_copy("") : text_made("; beyond %g %% a search ends", 100 * table->limit);
    fprintf(
        file,
        "# Tight or loose?\n\nThe largest share of its proven bound (docs/bounds.md) that an attack (docs/attack.md) "
        "on each method attained: %" PRIu64 " sums for each method and n, %u x %u, seed %" PRIu64
        "%s. A share is a lower limit of what can be attained: a loose bound may be a search that failed.\n\n<!-- not "
        "run: makes this page -->\n    %s\n\n## Accumulators\n\nThe least and the largest share over the orders, and "
        "how many pairs of an order and an n are tight, at least %g %%, loose, less than %g %%, or between.\n\n",
        request->calls, request->launch.blocks, request->launch.threads, request->seed, end, table->command,
        100 * TIGHT, 100 * LOOSE);
    write_grid(file, accumulators_grid(table));
    fputs("\n## What is known\n\n", file);
    write_known(table, file);
    fputs("\n## Methods\n\nOrders that add in one tree have one row of bits, and mostly one of shares.\n\n", file);
    write_grid(file, methods_grid(table));
}

enum status attack_table_write_page(const struct attack_table *table, const char *path)
{
    struct output out;
    TRY(output_open(&out, path));
    write_page(table, out.file);
    return output_close(&out);
}

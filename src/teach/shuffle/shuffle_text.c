/* What the orders did to the sums: a table of all methods, histograms of some, and two orders to be run again. */
#include "shuffle.h"

#include "reports/terminal.h"
#include "src/measure/operation.h"

#include <math.h>

enum { DRAWN_MOST = 3, BINS_MOST = 21, BAR_WIDTH = 56, DIGITS = 17 };

static void print_heading(const struct terminal *terminal, const struct shuffled *shuffled)
{
    const struct shuffle_request *request = shuffled->request;
    const struct exact_sum *exact = &shuffled->exact;
    OWNED char *name = clean_text(request->spec->text), *hex = exact_hex(exact->sum);
    OWNED char *decimal = exact_decimal(exact->sum, DIGITS);
    const char *const noun = operation_noun(request->methods[0]->operation);
    terminal_bold(terminal, name);
    fprintf(terminal->file, "%" PRIu64 " %s%s in %" PRIu64 " order%s, shuffled:%" PRIu64, exact->n,
            shuffled->request->spec->kind == TWO_VECTORS ? "pair" : "number", exact->n == 1 ? "" : "s",
            request->permutations, request->permutations == 1 ? "" : "s", request->first);
    if (request->permutations > 1)
        fprintf(terminal->file, " to shuffled:%" PRIu64, request->first + (request->permutations - 1));
    fprintf(terminal->file, "; seed %" PRIu64 ", trial %" PRIu64 ", %u x %u\n", request->seed, request->trial,
            request->launch.blocks, request->launch.threads);
    if (exact->kind == EXACT_FINITE)
        fprintf(terminal->file, "exact %s %s = %s, the same in every order\nerrors: computed - s, in ulp of %s, %s\n",
                noun, hex, decimal,
                shuffled->unit_is_of_s    ? "s"
                : mpfr_zero_p(exact->sum) ? "the largest |x|, as s is 0"
                                          : "the largest |x|, as s is far below it",
                hex_text(shuffled->unit));
    else
        fprintf(terminal->file, "exact %s %s, the same in every order\nerrors: none, as the exact %s is not finite\n",
                noun, hex, noun);
}

/* ---- the tables ---- */

static bool any_overflows(const struct shuffled *shuffled)
{
    bool any = false;
    for (size_t m = 0; m < shuffled->request->method_count; m++)
        any |= shuffled->methods[m].overflowed > 0;
    return any;
}

static struct grid sums_grid(const struct shuffled *shuffled)
{
    const struct shuffle_request *request = shuffled->request;
    OWNED char *heads = text_made("method | > sums | > commonest | > least | > most | > spread | > mean | > sd%s",
                                  any_overflows(shuffled) ? " | > overflow" : "");
    struct grid grid = grid_headed(1, heads);
    for (size_t m = 0; m < request->method_count; m++) {
        const struct shuffled_method *of = &shuffled->methods[m];
        double least, most;
        const bool any = error_range(of, &least, &most);
        grid_add(&grid, cell_text("%s", of->method->id),
                 cell_toned(of->distinct == 1 ? TONE_GOOD : TONE_PLAIN, "%zu", of->distinct),
                 cell_count(of->sums[of->commonest].count), cell_error(any ? least : (double)NAN),
                 cell_error(any ? most : (double)NAN), cell_number(of->spread), cell_number(of->mean),
                 cell_number(of->deviation));
        if (grid.columns > 8)
            grid_count(&grid, 8, of->overflowed);
    }
    return grid;
}

/* "-": there is no claim. */
static double claimed(double bound)
{
    return isinf(bound) ? (double)NAN : bound;
}

static struct grid orders_grid(const struct shuffled *shuffled)
{
    struct grid grid =
        grid_headed(1, "method | > as given | > best | > order | > worst | > order | > sqrt n | > bound");
    for (size_t m = 0; m < shuffled->request->method_count; m++) {
        const struct shuffled_method *of = &shuffled->methods[m];
        const struct shuffled_sum *best = &of->sums[of->best], *worst = &of->sums[of->worst];
        grid_add(&grid, cell_text("%s", of->method->id), cell_error(of->given.error), cell_error(best->error),
                 cell_text("shuffled:%" PRIu64, best->order), cell_error(worst->error),
                 cell_text("shuffled:%" PRIu64, worst->order), cell_error(claimed(of->theory.probable)),
                 cell_error(claimed(of->theory.bound)));
    }
    return grid;
}

static const char sums_legend[] =
    "sums: how many different ones; commonest: so many orders gave the most frequent one; least to most: the errors, "
    "and their mean and standard deviation (sd)";
static const char overflow_legend[] =
    "overflow: orders whose sum is not finite, although the exact one is; least to sd are of the others";
static const char orders_legend[] =
    "the errors as given, and of the best and the worst order; sqrt n: what 1 of 1,000 sums exceeds in the "
    "probabilistic model, lambda = 3.9; bound: what none exceeds, proven";

/* ---- a histogram ---- */

static void print_bar(FILE *file, uint64_t count, double scale)
{
    const int bar = count > 0 ? (int)fmax(1, round((double)count * scale)) : 0;
    for (int i = 0; i < bar; i++)
        fputc('#', file);
    fprintf(file, " %" PRIu64 "\n", count);
}

static double highest(const struct shuffled_method *of, const struct error_bins *bins)
{
    double most = fmax(1, (double)of->overflowed);
    for (size_t i = 0; i < bins->count; i++)
        most = fmax(most, (double)bins->counts[i]);
    return most;
}

static void print_reach(const struct terminal *terminal, const struct shuffled_method *of)
{
    char text[256];
    const int length =
        snprintf(text, sizeof text, isinf(of->theory.bound) ? "nothing is proven" : "proven: within %s ulp",
                 error_text(of->theory.bound));
    if (!isnan(claimed(of->theory.probable)))
        snprintf(text + length, sizeof text - (size_t)length, "; sqrt n: within %s ulp",
                 error_text(of->theory.probable));
    terminal_faint(terminal, text);
}

static void print_histogram(const struct terminal *terminal, const struct shuffled_method *of)
{
    FREED_BY(error_bins_free) struct error_bins bins = {0};
    double least, most;
    if (!error_range(of, &least, &most))
        return;
    error_bins_make(of, error_bins_width(least, most, BINS_MOST), &bins);
    const double scale = BAR_WIDTH / highest(of, &bins);
    fputc('\n', terminal->file);
    terminal_bold(terminal, of->method->id);
    print_reach(terminal, of);
    for (size_t i = 0; i < bins.count; i++) {
        const double middle = bins.first + (double)i;
        fprintf(terminal->file, "%10s ulp %c ", middle == 0 ? "0" : double_text(middle * bins.width),
                middle == 0 ? '+' : '|');
        print_bar(terminal->file, bins.counts[i], scale);
    }
    if (of->overflowed > 0) {
        fprintf(terminal->file, "%14s | ", "overflow");
        print_bar(terminal->file, of->overflowed, scale);
    }
}

/* Of those that give several sums, the widest. */
static void print_histograms(const struct terminal *terminal, const struct shuffled *shuffled)
{
    size_t chosen[DRAWN_MOST], several = 0, drawn = 0;
    const size_t count = widest_methods(shuffled, DRAWN_MOST, chosen);
    for (size_t m = 0; m < shuffled->request->method_count; m++)
        several += shuffled->methods[m].distinct > 1;
    for (size_t i = 0; i < count; i++)
        if (shuffled->methods[chosen[i]].distinct > 1) {
            print_histogram(terminal, &shuffled->methods[chosen[i]]);
            drawn++;
        }
    if (drawn < several)
        fprintf(terminal->file, "\n%zu of %zu methods whose sums differ are drawn, the widest; -m chooses others\n",
                drawn, several);
}

/* ---- to be run again ---- */

static void print_command(const struct terminal *terminal, const char *label, char *command)
{
    if (command)
        fprintf(terminal->file, "%-7s %s\n", label, command);
    free(command);
}

/* Of the method whose sums are furthest apart. */
static void print_witnesses(const struct terminal *terminal, const struct shuffled *shuffled)
{
    const struct shuffle_request *request = shuffled->request;
    size_t widest = 0;
    for (size_t m = 1; m < request->method_count; m++)
        if (shuffled->methods[m].spread > shuffled->methods[widest].spread)
            widest = m;
    const struct shuffled_method *of = &shuffled->methods[widest];
    if (of->distinct < 2)
        return;
    const uint64_t best = of->sums[of->best].order, worst = of->sums[of->worst].order;
    fprintf(terminal->file, "\nagain, the widest spread:\n");
    print_command(terminal, "best", witness_run(request, of->method, best));
    print_command(terminal, "worst", witness_run(request, of->method, worst));
    print_command(terminal, "data", witness_gen(request, worst, "worst.npy"));
}

void shuffled_print(const struct shuffled *shuffled, bool colour)
{
    const struct terminal terminal = terminal_of(stdout, colour);
    print_heading(&terminal, shuffled);
    struct grid sums = sums_grid(shuffled);
    terminal_grid_taken(&terminal, &sums);
    terminal_faint(&terminal, sums_legend);
    if (any_overflows(shuffled))
        terminal_faint(&terminal, overflow_legend);
    struct grid orders = orders_grid(shuffled);
    terminal_grid_taken(&terminal, &orders);
    terminal_faint(&terminal, orders_legend);
    print_histograms(&terminal, shuffled);
    print_witnesses(&terminal, shuffled);
}

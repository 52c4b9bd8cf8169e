/* An explanation for people. */
#include "explain.h"

#include "join_text.h"
#include "reports/report.h" /* report_colour */
#include "reports/terminal.h"

#include <math.h>

struct page {
    const struct explanation *explanation;
    const struct explain_names *names;
    struct terminal terminal;
};

static const char *id_of(const struct page *page, int m)
{
    return page->explanation->request.method[m]->id;
}

/* Takes a text. */
static void say(const struct page *page, char *text)
{
    terminal_sentence(&page->terminal, text);
    free(text);
}

static void heading(const struct page *page, const char *text)
{
    fputc('\n', page->terminal.file);
    terminal_bold(&page->terminal, text);
}

static struct cell cell_decimal(const struct format *format, double value)
{
    char text[NUMBER_TEXT];
    join_number(format, value, text);
    return cell_text("%s", text);
}

/* As a hex-float, for which most errors are too short to be rounded; of a 0 just that. */
static struct cell cell_hex(double value)
{
    return cell_text("%s", value == 0 && !signbit(value) ? "0" : hex_text(value));
}

/* Takes a text. */
static struct cell cell_taken(char *text)
{
    const struct cell cell = cell_text("%s", text);
    free(text);
    return cell;
}

static bool has_rest(const struct additions *of, uint32_t node)
{
    return of->rest && of->rest[node] != 0;
}

/* What a state is worth. */
static struct cell cell_worth(const struct additions *of, uint32_t node)
{
    struct text text = {0};
    if (!has_rest(of, node) && !additions_is_beyond(of, node))
        return cell_hex(of->value[node]);
    join_worth(of, node, &text);
    return cell_taken(text_take(&text));
}

/* ---- the two sums ---- */

static void sum_row(struct grid *grid, const char *name, double ulp_error, double bound_ratio,
                    const struct format *format, double sum)
{
    grid_add(grid, cell_text("%s", name), cell_error(ulp_error), cell_error(100 * bound_ratio), cell_hex(sum),
             cell_decimal(format, sum));
}

static void print_sums(const struct page *page, const struct two_sums *two)
{
    struct grid grid = grid_headed(1, " | > ulp_error | > % of its bound | sum | sum, in decimal");
    const struct judged rounded = {
        .exact = &two->exact, .format = two->format, .computed = two->exact.nearest, .bound = (double)NAN};
    for (int m = 0; m < 2; m++) {
        const double *metrics = two->judged[m].metrics;
        sum_row(&grid, id_of(page, m), metrics[METRIC_ulp_error], metrics[METRIC_bound_ratio],
                two->additions[m].method->format, two->sums[m]);
    }
    sum_row(&grid, "exact, rounded", metric_table[METRIC_ulp_error].measure(&rounded), (double)NAN, two->format,
            two->exact.nearest);
    terminal_grid_taken(&page->terminal, &grid);
}

/* ---- where they part ---- */

static char *elements_of(const struct sum_tree *tree, uint32_t node)
{
    struct text text = {0};
    join_elements(tree, node, &text);
    return text_take(&text);
}

static void parted_row(const struct page *page, int side, const struct parted_join *join, struct grid *grid)
{
    const struct two_sums *two = &page->explanation->data;
    const struct additions *of = &two->additions[side];
    const struct tape_node *joined = &of->tree.joined[join->node - 1];
    grid_add(grid, cell_taken(elements_of(&of->tree, joined->left ? joined->left : join->node)),
             cell_taken(elements_of(&of->tree, joined->right)), cell_worth(of, join->node),
             cell_hex(of->error[join->node]), cell_taken(explain_parted(two, side, join)));
}

static void print_side(const struct page *page, int side)
{
    const struct parting_side *counts = &page->explanation->data.parting.side[side];
    fprintf(page->terminal.file,
            "\n%s: of %" PRIu64 " additions and merges %" PRIu64 " are shared; it parts in %" PRIu64 "%s\n",
            id_of(page, side), counts->joins, counts->shared, counts->parted,
            counts->shown == 0                ? ""
            : counts->shown == counts->parted ? ":"
                                              : ", first in these:");
    if (counts->shown == 0)
        return;
    OWNED char *heads = text_made("adds | and | makes | local error | %s", id_of(page, 1 - side));
    struct grid grid = grid_headed(0, heads);
    for (uint64_t i = 0; i < counts->shown; i++)
        parted_row(page, side, &counts->first[i], &grid);
    terminal_grid_taken(&page->terminal, &grid);
}

static void print_parting(const struct page *page)
{
    const struct explanation *explanation = page->explanation;
    heading(page, "Where they part");
    say(page, explain_cause(explanation));
    if (!explanation->data.differ)
        return;
    print_side(page, 0);
    print_side(page, 1);
}

/* ---- the witness ---- */

static void set_numbers(const struct page *page, struct grid *grid, size_t column, double x)
{
    grid_put(grid, column, cell_decimal(page->explanation->request.format, x));
    grid_put(grid, column + 1, cell_hex(x));
}

/* "x3", of the second vector "y3". */
static char vector_letter(uint64_t vector)
{
    return "xy"[vector];
}

/* A row for each number of the subset; those that the witness does not need have no number in it. */
static void print_subset(const struct page *page)
{
    const struct shrunken *subset = &page->explanation->subset, *witness = &page->explanation->witness;
    struct grid grid = grid_headed(1, " | in the data | was | was, in hex | is | is, in hex");
    uint64_t at = 0;
    for (uint64_t i = 0; i < subset->n; i++) {
        const bool kept = at < witness->n && witness->index[at] == subset->index[i];
        for (uint64_t v = 0; v < subset->width; v++) {
            grid_row(&grid);
            grid_set(&grid, 1, TONE_PLAIN, "%" PRIu64, subset->index[i]);
            set_numbers(page, &grid, 2, subset->was[i * subset->width + v]);
            grid_set(&grid, 4, TONE_PLAIN, kept ? "" : "not");
            grid_set(&grid, 5, TONE_PLAIN, kept ? "" : "needed");
            if (!kept)
                continue;
            grid_set(&grid, 0, TONE_PLAIN, "%c%" PRIu64, vector_letter(v), at);
            set_numbers(page, &grid, 4, witness->x[at * witness->width + v]);
        }
        at += kept;
    }
    terminal_grid_taken(&page->terminal, &grid);
}

static char *expression_at(const struct additions *of, uint32_t node)
{
    struct text text = {0};
    join_expression(&of->tree, node, NULL, NULL, &text);
    return text_take(&text);
}

static bool parts_at(const struct parting_side *side, uint32_t node)
{
    for (uint64_t i = 0; i < side->shown; i++)
        if (side->first[i].node == node)
            return true;
    return false;
}

static void addition_row(const struct additions *of, uint32_t node, bool parts, struct grid *grid)
{
    grid_add(grid, cell_taken(expression_at(of, node)), cell_worth(of, node), cell_hex(of->error[node]));
    if (parts)
        grid_word(grid, 2, "parts here");
}

/* "plain/serial: ((x0 + x1) + x2) = ((16777216 + 1) + 1) = 16777216" */
static void print_expression(const struct page *page, int m)
{
    const struct two_sums *two = &page->explanation->reduced;
    const struct additions *of = &two->additions[m];
    const uint32_t root = (uint32_t)of->tree.count;
    char sum[NUMBER_TEXT];
    struct text line = {0};
    text_append(&line, "%s: ", id_of(page, m));
    join_expression(&of->tree, root, NULL, NULL, &line);
    text_append(&line, " = ");
    join_expression(&of->tree, root, additions_of_products(of) ? &FORMAT_BINARY64 : page->explanation->request.format,
                    of->value, &line);
    join_number(of->method->format, two->sums[m], sum);
    text_append(&line, " = %s", sum);
    fputc('\n', page->terminal.file);
    say(page, text_take(&line));
}

static void print_additions(const struct page *page, int m)
{
    const struct two_sums *two = &page->explanation->reduced;
    const struct additions *of = &two->additions[m];
    struct grid grid = grid_headed(1, " | makes | local error");
    print_expression(page, m);
    for (uint32_t k = 1; k <= of->tree.count; k++)
        if (!sum_tree_is_leaf(&of->tree, k) || additions_of_products(of))
            addition_row(of, k, parts_at(&two->parting.side[m], k), &grid);
    if (of->last_rounding != 0)
        grid_add(&grid, cell_text("what it returns"), cell_hex(of->computed), cell_hex(of->last_rounding));
    terminal_grid_taken(&page->terminal, &grid);
}

/* Of one vector: a data file holds no more. */
static void print_rerun(const struct page *page)
{
    const char *file = page->names->witness ? page->names->witness : "witness.f32";
    if (!page->names->witness)
        fputs("\nTo run it again, keep it with --witness witness.f32; then\n", page->terminal.file);
    else
        fputs("\nTo run it again:\n", page->terminal.file);
    OWNED char *command = explain_command(page->explanation, file);
    fprintf(page->terminal.file, "  %s\n", command);
}

static void print_witness(const struct page *page)
{
    const struct explanation *explanation = page->explanation;
    heading(page, "The fewest numbers that show it");
    say(page, explain_shrinking(explanation));
    if (explanation->subset.n <= EXPLAIN_TABLE_N)
        print_subset(page);
    else
        fputs("They are too many for a table: see --witness and --json.\n", page->terminal.file);
    print_sums(page, &explanation->reduced);
    for (int m = 0; m < 2 && explanation->witness.n <= EXPLAIN_READABLE_N; m++)
        print_additions(page, m);
    if (explanation->witness.width == 1)
        print_rerun(page);
}

/* ---- the whole ---- */

static void print_title(const struct page *page)
{
    const struct explain_request *request = &page->explanation->request;
    struct text title = {0};
    char *data = clean_text(page->names->data);
    text_append(&title, "%s and %s on %s: n = %" PRIu64 ", %u x %u", id_of(page, 0), id_of(page, 1), data, request->n,
                request->launch.blocks, request->launch.threads);
    free(data);
    OWNED char *text = text_take(&title);
    terminal_bold(&page->terminal, text);
}

void explain_print(const struct explanation *explanation, const struct explain_names *names, FILE *to)
{
    const struct page page = {explanation, names, terminal_of(to, to == stdout && report_colour)};
    print_title(&page);
    print_sums(&page, &explanation->data);
    fputc('\n', to);
    say(&page, explain_verdict(explanation));
    print_parting(&page);
    if (explanation->data.differ)
        print_witness(&page);
}

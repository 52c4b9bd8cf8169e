/* What `ulpscope blame` says to people. */
#include "blame.h"

#include "kernels/tree_bound.h"
#include "reports/terminal.h"
#include "src/measure/operation.h"
#include "src/teach/tree/tree_labels.h"

#include <math.h>

struct page {
    const struct blame *blame;
    const struct method *method;
    struct terminal terminal;
    FILE *file;
};

/* ---- numbers ---- */

/* "12.3 %" */
static const char *percent_text(double share, char text[NUMBER_TEXT])
{
    snprintf(text, NUMBER_TEXT, share > 0 && share < 0.0005 ? "< 0.1 %%" : "%.1f %%", 100 * share);
    return text;
}

/* NaN where they are beyond binary64, as of 1 beside a sum of 0. */
static double in_ulp(const struct blame *blame, double error)
{
    const double ulps = error / blame->exact.ulp;
    return isinf(ulps) ? (double)NAN : ulps;
}

/* "0.500 ulp", or the error itself. */
static void append_ulps(struct text *to, double ulps, double error)
{
    text_append(to, "%s%s", error_text(isfinite(ulps) ? ulps : error), isfinite(ulps) ? " ulp" : "");
}

/* ---- the verdict ---- */

/* "0.33 ulp above the exact sum", "overflows" ... */
static void append_error(const struct blame *blame, const char *noun, struct text *to)
{
    static const char *const words[CLASSES] = {
        [CLASS_OVERFLOW] = "overflows",
        [CLASS_OUT_OF_RANGE] = "overflows, as the exact sum does once it is rounded",
        [CLASS_NAN] = "is not a number",
        [CLASS_INF] = "is infinite, as the exact sum is",
    };
    if (blame->judged.class == CLASS_INF && blame->judged.metrics[METRIC_abs_error] != 0)
        text_append(to, "is not the exact sum, which is infinite");
    else if (blame->judged.class == CLASS_EXACT)
        text_append(to, "is the exact %s", noun);
    else if (words[blame->judged.class])
        text_append(to, "%s", words[blame->judged.class]);
    else {
        text_append(to, "is %s", blame->judged.class == CLASS_NEGATIVE ? "negative, " : "");
        append_ulps(to, blame->judged.metrics[METRIC_ulp_error], blame->judged.metrics[METRIC_abs_error]);
        text_append(to, " %s the exact %s", mpfr_sgn(blame->difference) < 0 ? "below" : "above", noun);
    }
}

static void append_measures(const struct blame *blame, struct text *to)
{
    char text[NUMBER_TEXT];
    if (!blame->finite)
        return;
    write_rounded(blame->exact.condition, text);
    text_append(to, "; condition %s", text);
    if (blame->judged.class == CLASS_EXACT)
        return;
    write_error(blame->judged.metrics[METRIC_relative_error], text);
    text_append(to, ", relative error %s", isnan(blame->judged.metrics[METRIC_relative_error]) ? "undefined" : text);
    const struct method *method = blame->request.additions.method;
    char none[NO_CLAIM_SIZE];
    write_error(100 * blame->judged.metrics[METRIC_bound_ratio], text);
    if (isnan(blame->judged.metrics[METRIC_bound_ratio]) && !isinf(blame->judged.bound))
        text_append(to, ", no claim: %s", tree_no_claim(method->operation, method->sum_format, blame->exact.n, none));
    else
        text_append(
            to, isnan(blame->judged.metrics[METRIC_bound_ratio]) ? ", no bound claimed" : ", %s %% of the bound", text);
}

static void print_verdict(const struct page *page)
{
    const struct blame *blame = page->blame;
    const char *const noun = operation_noun(blame->additions.method->operation);
    struct text verdict = {0};
    OWNED char *data = clean_text(blame->request.data), *words = tree_request_words(&blame->request.additions);
    text_append(&verdict, "The %s ", noun);
    append_error(blame, noun, &verdict);
    append_measures(blame, &verdict);
    text_append(&verdict, ".");
    OWNED char *title = text_made("%s, on %s", words, data), *sentence = text_take(&verdict);
    terminal_bold(&page->terminal, title);
    terminal_sentence(&page->terminal, sentence);
}

/* ---- the sums, and the proof ---- */

static void print_sums(const struct page *page)
{
    enum { DIGITS = 20 };
    const struct blame *blame = page->blame;
    OWNED char *hex = exact_hex(blame->exact.sum), *decimal = exact_decimal(blame->exact.sum, DIGITS);
    fprintf(page->file, "\n  computed      %s", hex_text(blame->additions.computed));
    if (isfinite(blame->additions.computed))
        fprintf(page->file, " = %s", plainly_text(blame->additions.computed));
    fprintf(page->file, "\n  exact         %s", hex);
    if (blame->exact.kind == EXACT_FINITE)
        fprintf(page->file, " = %s", decimal);
    fputc('\n', page->file);
}

static void print_proof(const struct page *page)
{
    const struct blame *blame = page->blame;
    const uint64_t joins = blame->additions.tree.count - blame->additions.tree.n;
    OWNED char *total = exact_hex(blame->additions.total.sum), *difference = exact_hex(blame->difference);
    fprintf(page->file, "  proof         %s  is the sum of %" PRIu64 " local error%s", total, joins, plural(joins));
    if (additions_of_products(&blame->additions))
        fprintf(page->file, ", of those of %" PRIu64 " product%s", blame->exact.n, plural(blame->exact.n));
    fprintf(page->file,
            " and of the last rounding, %s\n"
            "                %s  is computed - s: equal as exact numbers\n",
            hex_text(blame->additions.last_rounding), difference);
}

static void print_losses(const struct page *page)
{
    const struct blame *blame = page->blame;
    const uint64_t joins = blame->additions.tree.count - blame->additions.tree.n;
    struct text all = {0};
    append_ulps(&all, in_ulp(blame, blame_all_lost(blame)), blame_all_lost(blame));
    OWNED char *lost = text_take(&all);
    fprintf(page->file, "  additions     %" PRIu64 " exact, %" PRIu64 " inexact\n", joins - blame->additions.inexact,
            blame->additions.inexact);
    if (additions_of_products(&blame->additions))
        fprintf(page->file, "  products      %" PRIu64 " exact, %" PRIu64 " inexact\n",
                blame->exact.n - blame->additions.inexact_products, blame->additions.inexact_products);
    fprintf(page->file, "  lost          %s, the sum of all |errors|; %s of that cancelled\n", lost,
            percent_text(blame_cancelled(blame), (char[NUMBER_TEXT]){0}));
}

/* ---- the additions that lost most ---- */

/* "x3 + (x4 + x5)", and of a product "x3 * y3", which the operation's vectors name. */
static void write_operands(const struct blame *blame, const struct blame_addition *addition,
                           char text[2 * SPAN_TEXT + 3])
{
    char left[SPAN_TEXT], right[SPAN_TEXT];
    if (blame_is_product(blame, addition->node)) {
        const uint64_t i = addition->left_span.first;
        const char second = operation_table[blame->request.elements.operation].vectors > 1 ? 'y' : 'x';
        snprintf(text, 2 * SPAN_TEXT + 3, "x%" PRIu64 " * %c%" PRIu64, i, second, i);
        return;
    }
    span_write(&addition->left_span, left);
    span_write(&addition->right_span, right);
    snprintf(text, 2 * SPAN_TEXT + 3, "%s + %s", left, right);
}

static struct cell cell_value(double value)
{
    return cell_text("%s", plainly_text(value));
}

/* In ulps of the result. */
static struct cell cell_ulps(const struct blame *blame, double error)
{
    return cell_error(in_ulp(blame, error));
}

static struct cell cell_share(double lost, double all)
{
    return cell_text("%s", percent_text(lost / all, (char[NUMBER_TEXT]){0}));
}

enum { ADDS, NODE, ERROR, ULPS, SHARE, LEFT, RIGHT, MADE };

static void addition_row(const struct blame *blame, const struct blame_addition *addition, struct grid *grid)
{
    const double error = blame->additions.error[addition->node];
    char operands[2 * SPAN_TEXT + 3];
    write_operands(blame, addition, operands);
    grid_add(grid, cell_text("%s", operands), cell_count(addition->node), cell_text("%s", hex_text(error)),
             cell_ulps(blame, error), cell_share(fabs(error), blame_all_lost(blame)),
             cell_value(blame_operand(blame, addition, false)), cell_value(blame_operand(blame, addition, true)),
             cell_value(blame->additions.value[addition->node]));
}

/* A line that is no addition: nothing joins. */
static void other_row(const struct blame *blame, struct grid *grid, const char *adds, struct cell error, double lost,
                      struct cell makes)
{
    static const size_t columns[] = {NODE, LEFT, RIGHT};
    grid_footer(grid);
    grid_set(grid, ADDS, TONE_PLAIN, "%s", adds);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        grid_set(grid, columns[i], TONE_PLAIN, "-");
    grid_put(grid, ERROR, error);
    grid_put(grid, ULPS, cell_ulps(blame, lost));
    grid_put(grid, SHARE, cell_share(fabs(lost), blame_all_lost(blame)));
    grid_put(grid, MADE, makes);
}

/* What the rows above do not show. */
static void other_rows(const struct blame *blame, struct grid *grid)
{
    char adds[64];
    double rest = blame->lost;
    const uint64_t others = blame->additions.inexact + blame->additions.inexact_products - blame->top_addition_count;
    for (size_t i = 0; i < blame->top_addition_count; i++)
        rest -= blame->top_additions[i].lost;
    if (others > 0) {
        snprintf(adds, sizeof adds, "%" PRIu64 " other%s, |errors|", others, plural(others));
        other_row(blame, grid, adds, cell_text("-"), rest > 0 ? rest : 0, cell_text("-"));
    }
    const double last = blame->additions.last_rounding;
    if (last != 0)
        other_row(blame, grid, "the last rounding", cell_text("%s", hex_text(last)), last,
                  cell_value(blame->additions.computed));
}

static void print_additions(const struct page *page)
{
    const struct blame *blame = page->blame;
    if (blame_all_lost(blame) == 0)
        return;
    struct grid grid = grid_headed(1, "adds | > node | > local error | > ulp | > share | > left | > right | > makes");
    fputc('\n', page->file);
    terminal_bold(&page->terminal, additions_of_products(&blame->additions)
                                       ? "The additions and products that lost most"
                                       : "The additions that lost most");
    for (size_t i = 0; i < blame->top_addition_count; i++)
        addition_row(blame, &blame->top_additions[i], &grid);
    other_rows(blame, &grid);
    terminal_grid_taken(&page->terminal, &grid);
}

/* ---- the elements that lost most ---- */

static void element_row(const struct blame *blame, uint64_t i, struct grid *grid)
{
    const struct additions *of = &blame->additions;
    const double charged = charges_of(&blame->charges, of, i);
    grid_add(grid, cell_text("%c%" PRIu64, of->tree.letter, i), cell_value(of->value[of->tree.leaf[i]]),
             cell_ulps(blame, charges_itself(&blame->charges, of, i)), cell_ulps(blame, charged),
             cell_share(charged, blame->lost), cell_text("%s", error_text(charges_backward(&blame->charges, of, i))));
}

static void print_elements(const struct page *page)
{
    const struct blame *blame = page->blame;
    if (blame->top_elements.count == 0)
        return;
    struct grid grid =
        grid_headed(1, "element | > value | > itself, ulp | > in all, ulp | > share | > as if changed by");
    fputc('\n', page->file);
    terminal_bold(&page->terminal, "The elements that are charged most");
    for (size_t i = 0; i < blame->top_elements.count; i++)
        element_row(blame, blame->top_elements.entries[i].index, &grid);
    terminal_grid_taken(&page->terminal, &grid);
}

/* ---- where in the tree: drawn as `tree --data` does, each addition as hot as what it lost ---- */

static enum status draw(const struct blame *blame, FILE *lines, const char *svg)
{
    const struct additions *of = &blame->additions;
    FREED_BY(tree_labels_free) struct tree_labels labels = {0};
    OWNED char *title = tree_request_words(&(struct tree_request){NULL, of->method, of->tree.n, of->launch});
    TRY(tree_labels_make(of, lines ? TREE_LABELS_IN_COLUMNS : TREE_LABELS_STACKED, &labels));
    const struct tree_drawing drawing = tree_labels_drawing(&labels, &of->tree, title);
    return lines ? tree_draw_lines(&drawing, lines) : tree_draw_file(&drawing, tree_draw_svg, svg);
}

enum status blame_write_svg(const struct blame *blame, const char *path)
{
    return draw(blame, NULL, path);
}

static enum status print_place(const struct page *page)
{
    if (page->blame->lost == 0 || page->blame->exact.n > BLAME_LINES_MOST_N)
        return OK;
    fputc('\n', page->file);
    terminal_bold(&page->terminal, "Where");
    fputc('\n', page->file);
    return draw(page->blame, page->file, NULL);
}

/* ---- what is not finite ---- */

/* The first element that is not finite; NULL text where there is none. */
static void print_first_element(const struct page *page)
{
    const struct operands *elements = &page->blame->request.elements;
    const int vectors = operation_table[elements->operation].vectors;
    for (uint64_t i = 0; i < elements->shape.terms; i++)
        for (int v = 0; v < vectors; v++) {
            const double element = additions_factor(elements, v > 0, i);
            if (isfinite(element))
                continue;
            fprintf(page->file, "  first         %c%" PRIu64 " is %s in the data\n", "xy"[v], i, plainly_text(element));
            return;
        }
}

static void print_not_finite(const struct page *page)
{
    const struct blame *blame = page->blame;
    const struct blame_addition *first = &blame->first_not_finite;
    char operands[2 * SPAN_TEXT + 3];
    /* Integers are kept beyond binary64, in which states are watched; IEEE additions do not come back from there. */
    const bool is_kept = isfinite(blame->additions.computed);
    fprintf(page->file, "  proof         none: errors that are %s do not add up\n",
            is_kept ? "beyond binary64" : "not finite");
    print_first_element(page);
    if (first->node == 0) {
        if (blame->exact.kind == EXACT_FINITE)
            fputs("  first         no addition, but the last rounding is not finite\n", page->file);
        return;
    }
    write_operands(blame, first, operands);
    fprintf(page->file, "  first         node %u, %s: %s %c %s makes %s\n", first->node, operands,
            plainly_text(blame_operand(blame, first, false)), blame_is_product(blame, first->node) ? '*' : '+',
            plainly_text(blame_operand(blame, first, true)),
            is_kept ? "more than binary64 has" : plainly_text(blame->additions.value[first->node]));
}

/* ---- the page ---- */

static enum status print_finite(const struct page *page)
{
    print_proof(page);
    print_losses(page);
    print_additions(page);
    print_elements(page);
    return print_place(page);
}

enum status blame_print(const struct blame *blame, FILE *to, bool colour)
{
    const struct page page = {blame, blame->additions.method, terminal_of(to, colour), to};
    print_verdict(&page);
    print_sums(&page);
    if (blame->finite)
        return print_finite(&page);
    print_not_finite(&page);
    return OK;
}

/* determinism: whether the same numbers gave the same bits again: over the cases of the study repeated, at other
 * launches, in other orders; and on one data set with one thing varied at a time. */
#include "reports/axes/axis_matrix.h"
#include "reports/page/page.h"

enum { REPEATS, LAUNCHES, PERMUTATIONS, TRIALS, FOLDED_ABOVE = 24 };

/* What is said of what was not tried, neither over the cases nor as an axis. */
static const char *const how_to_try[TRIALS] = {
    ("Repeats were not tried: on a GPU --repeats 100 runs each sum again. A replay on the host is a sequential program "
     "and is not repeated."),
    "Other launches were not tried: --blocks 32..1024*2 or --threads 64..1024*2 sweeps them.",
    ("Permutations were not tried: give the same data in other orders too, as in -d uniform:n=1Mi -d "
     "uniform:n=1Mi,order=shuffled:1."),
};

static const char how_to_vary[] =
    "Nor was anything else varied that should change no bit: --across all does so, one thing at a time, with the "
    "launch and the batch, the alignment, zeros around the numbers, other work beside them.";

static const enum axis axis_of[TRIALS] = {AXIS_repeat, AXIS_launch, AXIS_permutation};

static const struct spread *spread_of(const struct reproducibility *found, int trial)
{
    const struct spread *const spreads[TRIALS] = {&found->repeats, &found->launches, &found->permutations};
    return spreads[trial];
}

static bool is_measured(const struct results *results, const struct reproducibility *found)
{
    for (size_t i = 0; i < results->series_count; i++)
        if (strcmp(results->series[i].method, found->method) == 0 && results->series[i].backend == found->backend)
            return true;
    return false;
}

static bool is_deterministic(const struct results *results, const char *method)
{
    for (size_t m = 0; m < results->study.method_count; m++)
        if (strcmp(results->study.methods[m].id, method) == 0)
            return results->study.methods[m].determinism == DETERMINISTIC;
    return false;
}

static bool was_tried(const struct results *results, int trial)
{
    for (size_t i = 0; i < results->reproducibility_count; i++)
        if (spread_of(&results->reproducibility[i], trial)->sets > 0)
            return true;
    return false;
}

static void set_spread(struct grid *grid, size_t column, const struct spread *spread, bool broken)
{
    if (spread->sets == 0)
        grid_set(grid, column, TONE_PLAIN, "not tried");
    else if (spread->differing == 0)
        grid_set(grid, column, TONE_GOOD, "0 of %" PRIu64 " differ", spread->sets);
    else
        grid_set(grid, column, broken ? TONE_BAD : TONE_PLAIN,
                 "%" PRIu64 " of %" PRIu64 " differ, up to %" PRIu64 " results%s", spread->differing, spread->sets,
                 spread->most, broken ? ": CLAIM BROKEN" : "");
}

/* The claim is that the same launch gives the same bits again; it says nothing of other launches and orders. */
static void method_row(const struct results *results, const struct reproducibility *found, struct grid *grid)
{
    const bool claim = is_deterministic(results, found->method);
    grid_add(grid, cell_text("%s", found->method), cell_text("%s", found->backend->id),
             cell_text("%s", claim ? "same bits" : "order of arrival"));
    for (int trial = 0; trial < TRIALS; trial++)
        set_spread(grid, 3 + (size_t)trial, spread_of(found, trial), claim && trial == REPEATS);
}

static struct grid methods_grid(const struct results *results)
{
    struct grid grid = grid_headed(1, "method | by | claim at one launch | repeats | launches | permutations");
    for (size_t i = 0; i < results->reproducibility_count; i++)
        if (is_measured(results, &results->reproducibility[i]))
            method_row(results, &results->reproducibility[i], &grid);
    return grid;
}

static void write_methods(struct page *page, const struct results *results)
{
    FREED_BY(grid_free) struct grid grid = methods_grid(results);
    static const char name[] = "Different results of equal data";
    char summary[64];
    snprintf(summary, sizeof summary, "All %zu methods", grid.rows - 1);
    if (grid.rows > 1 + FOLDED_ABOVE)
        page_folded_grid(page, &grid, summary, name);
    else
        page_named_grid(page, &grid, name);
}

/* "At other launches, 3 of 4 methods gave different bits on equal data." */
static void write_differing(struct page *page, const struct results *results, int trial)
{
    static const char *const what[TRIALS] = {"Run again at the same launch", "At other launches", "In other orders"};
    size_t tried = 0, differing = 0;
    for (size_t i = 0; i < results->reproducibility_count; i++) {
        const struct spread *spread = spread_of(&results->reproducibility[i], trial);
        tried += spread->sets > 0;
        differing += spread->differing > 0;
    }
    page_element(page, "li", "%s, %zu of %zu line%s of the table gave different bits on equal data.", what[trial],
                 differing, tried, tried == 1 ? "" : "s");
}

static bool was_measured(const struct results *results, const char *method)
{
    for (size_t i = 0; i < results->reproducibility_count; i++)
        if (strcmp(results->reproducibility[i].method, method) == 0 &&
            is_measured(results, &results->reproducibility[i]))
            return true;
    return false;
}

static void write_claims(struct page *page, const struct results *results)
{
    size_t measured = 0, claims = 0;
    for (size_t m = 0; m < results->study.method_count; m++)
        if (was_measured(results, results->study.methods[m].id)) {
            measured++;
            claims += results->study.methods[m].determinism == DETERMINISTIC;
        }
    page_element(page, "li",
                 claims == measured ? "All %zu methods are deterministic by design."
                                    : "%zu of %zu methods are deterministic by design.",
                 claims, measured);
}

static void write_axis_sentences(struct page *page, const struct axis_matrix *matrix)
{
    const bool is_folded = matrix->count > FOLDED_ABOVE;
    if (is_folded) {
        page_open(page, "details");
        page_element(page, "summary", "All %zu methods", matrix->count);
    }
    page_open(page, "ul");
    for (size_t c = 0; c < matrix->count; c++) {
        OWNED char *sentence = axis_sentence(&matrix->columns[c]);
        page_element(page, "li", "%s.", sentence);
    }
    page_close(page);
    if (is_folded)
        page_close(page);
}

static void write_reasons(struct page *page, const struct axis_matrix *matrix)
{
    OWNED char *reasons = axis_reasons(matrix), *left = axes_left(matrix);
    page_list(page, NULL, text_made(*left ? "%s\nNot asked for: --across %s" : "%s%s", reasons, left), ".");
}

static void write_axes(struct page *page, const struct axis_matrix *matrix)
{
    FREED_BY(grid_free) struct grid grid = axis_grid(matrix, true), witnesses = axis_witnesses(matrix, true);
    page_heading(page, 3, "One thing varied at a time");
    write_axis_sentences(page, matrix);
    page_named_grid(page, &grid, "Different results, axis by axis");
    write_reasons(page, matrix);
    witnesses.top = FOLDED_ABOVE;
    if (witnesses.rows > 1)
        page_named_grid(page, &witnesses, "The first variant of each axis whose bits differ");
}

static void write_cases(struct page *page, const struct results *results, const struct axis_matrix *matrix)
{
    bool tried = false;
    if (matrix->count > 0)
        page_heading(page, 3, "All data of the study");
    page_open(page, "ul");
    write_claims(page, results);
    for (int trial = 0; trial < TRIALS; trial++) {
        tried = tried || was_tried(results, trial);
        if (was_tried(results, trial))
            write_differing(page, results, trial);
        else if (!axis_is_in(matrix, axis_of[trial]))
            page_element(page, "li", "%s", how_to_try[trial]);
    }
    if (matrix->count == 0)
        page_element(page, "li", "%s", how_to_vary);
    page_close(page);
    if (tried)
        write_methods(page, results);
}

static void write(struct page *page, const struct report *report, const struct results *results)
{
    FREED_BY(axis_matrix_free) struct axis_matrix matrix = {0};
    (void)report;
    axis_matrix_make(results, &matrix);
    if (matrix.count > 0)
        write_axes(page, &matrix);
    write_cases(page, results, &matrix);
}

const struct section section_determinism = {.id = "determinism", .title = "Determinism", .share = 100, .write = write};

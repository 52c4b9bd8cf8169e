/* determinism: whether the same numbers gave the same bits again: repeated, at other launches, in other orders. */
#include "reports/page/section.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS, LAUNCHES, PERMUTATIONS, TRIALS, FOLDED_ABOVE = 24 };

/* What is said of what was not tried. */
static const char *const how_to_try[TRIALS] = {
    ("Repeats were not tried: on a GPU --repeats 100 runs each sum again. A replay on the host is a sequential program "
     "and is not repeated."),
    "Other launches were not tried: --blocks 32..1024*2 or --threads 64..1024*2 sweeps them.",
    ("Permutations were not tried: give the same data in other orders too, as in -d uniform:n=1Mi "
     "-d uniform:n=1Mi,order=shuffled:1."),
};

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

/* ---- the table ---- */

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
    grid_row(grid);
    grid_set(grid, 0, TONE_PLAIN, "%s", found->method);
    grid_set(grid, 1, TONE_PLAIN, "%s", found->backend->id);
    grid_set(grid, 2, TONE_PLAIN, "%s", claim ? "same bits" : "order of arrival");
    for (int trial = 0; trial < TRIALS; trial++)
        set_spread(grid, 3 + (size_t)trial, spread_of(found, trial), claim && trial == REPEATS);
}

static struct grid methods_grid(const struct results *results)
{
    static const char *const heads[] = {"method", "by", "claim at one launch", "repeats", "launches", "permutations"};
    struct grid grid = grid_of(sizeof heads / sizeof *heads, 1);
    grid_row(&grid);
    for (size_t c = 0; c < grid.columns; c++)
        grid_head(&grid, c, true, heads[c]);
    for (size_t i = 0; i < results->reproducibility_count; i++)
        if (is_measured(results, &results->reproducibility[i]))
            method_row(results, &results->reproducibility[i], &grid);
    return grid;
}

static void write_methods(struct page *page, const struct results *results)
{
    struct grid grid = methods_grid(results);
    static const char name[] = "Different results of equal data";
    char summary[64];
    snprintf(summary, sizeof summary, "All %zu methods", grid.rows - 1);
    if (grid.rows > 1 + FOLDED_ABOVE)
        page_folded_grid(page, &grid, summary, name);
    else
        page_named_grid(page, &grid, name);
    grid_free(&grid);
}

/* ---- sentences ---- */

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

static void write(struct page *page, const struct report *report, const struct results *results)
{
    bool tried = false;
    (void)report;
    page_open(page, "ul");
    write_claims(page, results);
    for (int trial = 0; trial < TRIALS; trial++) {
        tried = tried || was_tried(results, trial);
        if (was_tried(results, trial))
            write_differing(page, results, trial);
        else
            page_element(page, "li", "%s", how_to_try[trial]);
    }
    page_close(page);
    if (tried)
        write_methods(page, results);
}

const struct section section_determinism = {.id = "determinism", .title = "Determinism", .share = 100, .write = write};

#include "entry_section.h"

#include "../src/number.h"
#include "picture.h"
#include "statistic.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the picture, and its numbers for those who cannot see it ---- */

static const char how_to_read[] =
    "How often a relative error occurred; left is better. A bar is a binade; exact sums stand to the left of the axis, "
    "and sums with no right digit, no finite value, or no defined error (s is 0) to its right, so that the bars of a "
    "panel add up to all its sums. The broken line is u, the largest relative error of one correct rounding.";

static enum status picture_figure(struct page *page, const struct results *results, const struct group *group,
                                  bool explained)
{
    struct picture picture;
    TRY(picture_of_group(results, group, &picture));
    page_open(page, "figure");
    if (picture.svg) {
        page_open(page, "div");
        page_attribute(page, "class", "panel");
        page_attribute(page, "tabindex", "0");
        page_svg(page, picture.svg, picture.length,
                 "Histograms of the relative error, a panel a method; the table below holds the same counts");
        page_close(page);
        if (explained)
            page_element(page, "figcaption", "%s", how_to_read);
    } else {
        page_open(page, "p");
        page_attribute(page, "class", "missing");
        page_text(page, "There is no picture: %s. The counts are in the table below.", picture.reason);
        page_close(page);
    }
    page_close(page);
    picture_free(&picture);
    return OK;
}

/* A line a bin, with the four counts apart where they stand in the picture. */
static struct grid tally_grid(const struct tally *tally)
{
    struct grid grid = grid_of(1 + tally->count, 1);
    grid_row(&grid);
    grid_head(&grid, 0, true, "relative error");
    for (size_t m = 0; m < tally->count; m++)
        grid_head(&grid, 1 + m, false, tally->methods[m]);
    for (int apart = 0; apart < TALLY_APART; apart++) {
        for (int k = tally->least; apart == TALLY_NO_DIGIT && tally->binned && k <= tally->most; k++) {
            grid_row(&grid);
            grid_set(&grid, 0, TONE_PLAIN, "2^%d up to 2^%d", k, k + 1);
            for (size_t m = 0; m < tally->count; m++)
                grid_count(&grid, 1 + m, tally->histograms[m].bin[k - HISTOGRAM_LEAST]);
        }
        grid_row(&grid);
        grid_set(&grid, 0, TONE_PLAIN, "%s", tally_apart_names[apart]);
        for (size_t m = 0; m < tally->count; m++)
            grid_count(&grid, 1 + m, tally_apart(&tally->histograms[m], apart));
    }
    grid_footer(&grid);
    grid_set(&grid, 0, TONE_PLAIN, "all");
    for (size_t m = 0; m < tally->count; m++)
        grid_count(&grid, 1 + m, histogram_total(&tally->histograms[m]));
    return grid;
}

static void folded_grid(struct page *page, struct grid *grid, const char *summary)
{
    page_open(page, "details");
    page_element(page, "summary", "%s", summary);
    page_grid(page, grid);
    page_close(page);
    grid_free(grid);
}

static enum status folded_counts(struct page *page, const struct group *group)
{
    struct tally tally;
    TRY(tally_of_group(group, &tally));
    struct grid grid = tally_grid(&tally);
    folded_grid(page, &grid, "The counts of the histogram");
    tally_free(&tally);
    return OK;
}

/* ---- every series ---- */

static const enum statistic shown[] = {STATISTIC_p50, STATISTIC_p99, STATISTIC_max};
enum { BEFORE_METRICS = 4, SHOWN = sizeof shown / sizeof *shown };

static void series_line(struct grid *grid, const struct series *series)
{
    struct outcome outcome = outcome_of_nothing();
    char verdict[OUTCOME_TEXT];
    outcome_add(&outcome, series);
    const enum tone tone = outcome_verdict(&outcome, verdict);
    grid_row(grid);
    grid_set(grid, 0, TONE_PLAIN, "%s", series->data);
    grid_set(grid, 1, TONE_PLAIN, "%s", series->method);
    grid_set(grid, 2, TONE_PLAIN, "%u x %u, %s", series->launch.blocks, series->launch.threads, series->backend);
    grid_count(grid, 3, series->count);
    size_t column = BEFORE_METRICS;
    for (int m = 0; m < METRICS; m++)
        for (int i = 0; metric_table[m].summarised && i < SHOWN; i++)
            grid_number(grid, column++, statistic_value(&series->statistics[m], shown[i]));
    grid_count(grid, column++, series->classes[CLASS_EXACT]);
    grid_count(grid, column++, series->distinct_bits);
    grid_set(grid, column, tone, "%s", verdict);
}

static void folded_series(struct page *page, const struct results *results, size_t entry)
{
    static const char *const names[BEFORE_METRICS] = {"data", "method", "launch", "sums"};
    size_t columns = BEFORE_METRICS + 3, column = 0;
    for (int m = 0; m < METRICS; m++)
        columns += metric_table[m].summarised ? SHOWN : 0;
    struct grid grid = grid_of(columns, 2);
    char head[96];
    grid_row(&grid);
    for (; column < BEFORE_METRICS; column++)
        grid_head(&grid, column, column < 3, names[column]);
    for (int m = 0; m < METRICS; m++)
        for (int i = 0; metric_table[m].summarised && i < SHOWN; i++) {
            snprintf(head, sizeof head, "%s %s", metric_table[m].id, statistic_name(shown[i]));
            grid_head(&grid, column++, false, head);
        }
    grid_head(&grid, column++, false, "exact");
    grid_head(&grid, column++, false, "distinct bits");
    grid_head(&grid, column, true, "worst result");
    for (size_t i = 0; i < results->series_count; i++)
        if (results->series[i].entry == entry)
            series_line(&grid, &results->series[i]);
    folded_grid(page, &grid, "Every series with its statistics");
}

/* ---- worst cases ---- */

/* The series with the worst row of a method; NaN is worse than every number. */
static const struct series *worst_of(const struct results *results, size_t entry, const char *method)
{
    const struct series *worst = NULL;
    for (size_t i = 0; i < results->series_count; i++) {
        const struct series *series = &results->series[i];
        if (series->entry != entry || series->count == 0 || strcmp(series->method, method) != 0)
            continue;
        if (!worst || (!isnan(worst->worst_ulp_error) && !(series->worst_ulp_error <= worst->worst_ulp_error)))
            worst = series;
    }
    return worst;
}

static void worst_case(struct page *page, const struct series *series)
{
    const double computed = (double)float_from_bits(series->worst_bits);
    char error[NUMBER_TEXT], decimal[NUMBER_TEXT];
    write_rounded(series->worst_ulp_error, error);
    write_float((float)computed, decimal);
    page_element(page, "dt", "%s", series->method);
    page_open(page, "dd");
    if (series->worst_ulp_error == 0)
        page_text(page, "every sum is exact; for one, ");
    else if (isnan(series->worst_ulp_error))
        page_text(page, "no error is defined on ");
    else
        page_text(page, "%s ulp on ", error);
    page_element(page, "code", "%s", series->data);
    page_text(page, ", trial %" PRIu64 ", repeat %" PRIu64, series->worst_trial, series->worst_repeat);
    page_close(page);
    page_open(page, "dd");
    page_text(page, "computed ");
    page_element(page, "code", "%a", computed);
    page_text(page, " = %s (bits 0x%08" PRIx32 "), exact ", decimal, series->worst_bits);
    page_element(page, "code", "%s", series->worst_exact ? series->worst_exact : "not stored");
    page_close(page);
    page_open(page, "dd");
    page_attribute(page, "class", "command");
    page_element(page, "code", "%s", series->worst_command ? series->worst_command : "");
    page_close(page);
}

static enum status worst_cases(struct page *page, const struct results *results, size_t entry)
{
    const char **methods;
    size_t count;
    TRY(methods_of_entry(results, entry, &methods, &count));
    page_element(page, "h3", "The worst case of each method, and the command that runs it again");
    page_open(page, "dl");
    page_attribute(page, "class", "worst");
    for (size_t m = 0; m < count; m++) {
        const struct series *worst = worst_of(results, entry, methods[m]);
        if (worst)
            worst_case(page, worst);
    }
    page_close(page);
    free(methods);
    return OK;
}

/* The table, the picture and the counts of the sums of one launch and backend. */
static enum status group_part(struct page *page, const struct results *results, const struct overview *overview,
                              bool first)
{
    page_open(page, "p");
    page_attribute(page, "class", "context");
    page_text(page, "%s", overview->context);
    page_close(page);
    page_grid(page, &overview->grid);
    TRY(picture_figure(page, results, &overview->group, first));
    return folded_counts(page, &overview->group);
}

enum status entry_section(struct page *page, const struct results *results, const struct overviews *overviews,
                          size_t entry)
{
    bool measured = false;
    page_open(page, "section");
    page_identify(page, "data-%zu", entry + 1);
    page_open(page, "h2");
    page_element(page, "code", "%s", results->study.entries[entry].text);
    page_close(page);
    for (size_t i = 0; i < overviews->count; i++)
        if (overviews->list[i].group.entry == entry) {
            TRY(group_part(page, results, &overviews->list[i], !measured));
            measured = true;
        }
    if (measured) {
        folded_series(page, results, entry);
        TRY(worst_cases(page, results, entry));
    } else {
        page_element(page, "p", "Nothing was measured on these data.");
    }
    page_close(page);
    return OK;
}

/* histograms: for each entry of the study what its sums came to, in ulps, and how often each relative error occurred.
 */
#include "../figure.h"
#include "../overview.h"
#include "../section.h"

#include <stdlib.h>

static const char how_to_read[] =
    "How often a relative error occurred; left is better. A bar is a binade; exact sums stand to the left of the axis, "
    "and sums with no right digit, no finite value, or no defined error (s is 0) to its right, so that the bars of a "
    "panel add up to all its sums. The broken line is u, the largest relative error of one correct rounding.";

static enum status histogram_figure(struct page *page, const struct results *results, const struct group *group,
                                    bool explained)
{
    struct picture picture;
    TRY(picture_of_group(results, group, &picture));
    figure(page, &picture, "Histograms of the relative error, a panel a method; the table below holds the same counts",
           explained ? how_to_read : NULL);
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

static enum status folded_counts(struct page *page, const struct group *group)
{
    struct tally tally;
    TRY(tally_of_group(group, &tally));
    struct grid grid = tally_grid(&tally);
    folded_grid(page, &grid, "The counts of the histogram");
    tally_free(&tally);
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
    TRY(histogram_figure(page, results, &overview->group, first));
    return folded_counts(page, &overview->group);
}

static enum status entry_part(struct page *page, const struct results *results, const struct overviews *overviews,
                              size_t entry)
{
    bool measured = false;
    page_open(page, "section");
    page_identify(page, "data-%zu", entry + 1);
    page_open(page, page->deeper ? "h4" : "h3");
    page_element(page, "code", "%s", results->study.entries[entry].text);
    page_close(page);
    for (size_t i = 0; i < overviews->count; i++)
        if (overviews->list[i].group.entry == entry) {
            TRY(group_part(page, results, &overviews->list[i], !measured && entry == 0));
            measured = true;
        }
    if (!measured)
        page_element(page, "p", "Nothing was measured on these data.");
    page_close(page);
    return OK;
}

static void legend(struct page *page, const struct overviews *overviews)
{
    const char *lines[LEGEND_MOST];
    const size_t count = overviews_legend(overviews, lines);
    for (size_t i = 0; i < count; i++) {
        page_open(page, "p");
        page_attribute(page, "class", "legend");
        page_text(page, "%s", lines[i]);
        page_close(page);
    }
}

static enum status write(struct page *page, const struct report *report, const struct results *results)
{
    struct overviews overviews;
    enum status status = OK;
    (void)report;
    TRY(overviews_make(results, &overviews));
    legend(page, &overviews);
    for (size_t entry = 0; entry < results->study.entry_count && status == OK; entry++)
        status = entry_part(page, results, &overviews, entry);
    overviews_free(&overviews);
    return status;
}

const struct section section_histograms = {.id = "histograms", .title = "Histograms", .write = write};

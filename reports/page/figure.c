#include "figure.h"

#include "../chart/chart_grid.h"
#include "../chart/chart_svg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void no_picture(struct page *page, const char *why)
{
    page_open(page, "p");
    page_attribute(page, "class", "missing");
    page_text(page, "There is no picture: %s.", why);
    page_close(page);
}

/* All is exact, say: no fault of the page. */
static void nothing_to_draw(struct page *page, const struct chart *chart)
{
    page_open(page, "p");
    page_element(page, "code", "%s", chart->title);
    page_text(page, ": there is nothing to draw; %s.", chart->missing);
    page_close(page);
}

static void no_room(struct page *page, const struct chart *chart)
{
    page_open(page, "p");
    page_attribute(page, "class", "missing");
    page_text(page, "This page has no room for more pictures here; this one is ");
    page_element(page, "code", "%s%s.svg", page->picture_prefix, chart->name);
    page_text(page, " in the folder that --svg writes.");
    page_close(page);
}

static void inlined(struct page *page, const struct chart *chart, const struct picture *picture, const char *table)
{
    char *words = NULL;
    if (asprintf(&words, "%s: %s; the table %s holds the numbers", chart->title, chart->subtitle, table) < 0) {
        page->failed = true;
        return;
    }
    page_open(page, "div");
    page_attribute(page, "class", "panel");
    page_attribute(page, "tabindex", "0");
    page_svg(page, picture->svg, picture->length, words);
    page_close(page);
    free(words);
}

/* Once there is no room no further picture is drawn at all: that takes a tenth of a second each. */
static enum status picture_of(struct page *page, const struct chart *chart, const char *table)
{
    struct picture picture = {0};
    if (!page->pictures_full)
        TRY(chart_svg(chart, &picture));
    if (page->pictures_full || !page_takes_picture(page, picture.length))
        no_room(page, chart);
    else if (picture.svg)
        inlined(page, chart, &picture, table);
    else
        no_picture(page, picture.reason);
    picture_free(&picture);
    return OK;
}

/* Pictures of one kind often have the same, which is read once. */
static void caption(struct page *page, const char *text)
{
    if (page->caption && strcmp(page->caption, text) == 0)
        return;
    page_element(page, "figcaption", "%s", text);
    free(page->caption);
    page->caption = strdup(text);
    page->failed |= !page->caption;
}

enum status figure(struct page *page, const struct chart *chart)
{
    page_open(page, "figure");
    if (chart->missing)
        nothing_to_draw(page, chart);
    else
        TRY(picture_of(page, chart, "below"));
    if (!chart->missing && chart->caption && !page->pictures_full)
        caption(page, chart->caption);
    page_close(page);
    if (!chart->missing) {
        struct grid grid = chart_grid(chart);
        folded_grid(page, &grid, "The numbers of this picture");
    }
    return OK;
}

/* What says how to read both, once where it is the same. */
static void caption_of_both(struct page *page, const struct chart_of_run pair[2])
{
    const struct chart *one = pair[0].chart, *other = pair[1].chart;
    const int first = (int)one->reading, second = (int)other->reading;
    if (first == second && strncmp(one->caption, other->caption, one->reading) == 0)
        page_element(page, "figcaption", "%.*s", first, one->caption);
    else
        page_element(page, "figcaption", "%s: %.*s %s: %.*s", pair[0].name, first, one->caption, pair[1].name, second,
                     other->caption);
}

enum status figure_pair(struct page *page, const struct chart_of_run pair[2])
{
    page_open(page, "figure");
    page_open(page, "div");
    page_attribute(page, "class", "pair");
    for (int i = 0; i < 2; i++) {
        page_open(page, "div");
        page_open(page, "p");
        page_attribute(page, "class", "context");
        page_text(page, "%s", pair[i].name);
        page_close(page);
        snprintf(page->picture_prefix, sizeof page->picture_prefix, "%s", pair[i].prefix);
        TRY(picture_of(page, pair[i].chart, "in the section of the run"));
        page_close(page);
    }
    page_close(page);
    if (!page->pictures_full)
        caption_of_both(page, pair);
    page_close(page);
    return OK;
}

void folded_grid(struct page *page, struct grid *grid, const char *summary)
{
    page_open(page, "details");
    page_element(page, "summary", "%s", summary);
    page_named_grid(page, grid, summary);
    page_close(page);
    grid_free(grid);
}

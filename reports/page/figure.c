#include "page.h"

#include "reports/chart/chart_svg.h"

enum { NARROW = 400 }; /* pixels of a telephone */

/* All is exact, say: no fault of the page. */
static void nothing_to_draw(struct page *page, const struct chart *chart)
{
    page_open(page, "p");
    page_element(page, "code", "%s", chart->title);
    page_text(page, ": there is nothing to draw; %s.", chart->missing);
    page_close(page);
}

/* What the picture shows, without how to read it; "" when nothing was computed. */
static const char *finding(const struct chart *chart)
{
    const char *facts = chart->caption ? chart->caption + chart->reading : "";
    return facts + strspn(facts, " ");
}

/* Whom the picture does not reach gets what it shows.  Allocated. */
static char *alternative(const struct chart *chart, const char *table)
{
    return text_made("%s: %s. %s%sThe table %s holds the numbers.", chart->title, chart->subtitle, finding(chart),
                     *finding(chart) ? " " : "", table);
}

static void inlined(struct page *page, const struct chart *chart, const struct picture *picture, const char *table)
{
    OWNED char *words = alternative(chart, table);
    OWNED char *name = text_made("%s%s: %s", page->picture_prefix, chart->title, chart->subtitle);
    page_boxed_svg(page, "panel", name, picture->svg, words);
}

static void leave_out(struct page *page, const struct chart *chart)
{
    OWNED char *name = text_made("%s%s.svg", page->picture_prefix, chart->name);
    page_leave_out(page, name);
}

/* How to read the pictures of a section is said once, what one shows under each. */
static void caption(struct page *page, const struct chart *chart)
{
    OWNED char *reading = text_made("%.*s", (int)chart->reading, chart->caption ? chart->caption : "");
    const bool first = *reading && page_says_first(&page->readings, reading);
    if (first || *finding(chart))
        page_element(page, "figcaption", "%s%s%s", first ? reading : "", first && *finding(chart) ? " " : "",
                     finding(chart));
    else
        page_element(page, "figcaption", "%s.", chart->subtitle);
}

/* Once there is no room no further picture is drawn at all. */
static void drawn(struct page *page, const struct chart *chart)
{
    FREED_BY(picture_free) struct picture picture = {0};
    if (!page->pictures_full)
        chart_svg(chart, &picture);
    if (page->pictures_full || !page_takes_picture(page, picture.length))
        leave_out(page, chart);
    else {
        page_open(page, "figure");
        inlined(page, chart, &picture, "below");
        caption(page, chart);
        page_close(page);
    }
}

static void numbers(struct page *page, const struct chart *chart)
{
    FREED_BY(grid_free) struct grid grid = chart_grid(chart);
    OWNED char *name = text_made("The numbers of %s%s, %s", page->picture_prefix, chart->title, chart->subtitle);
    page_folded_grid(page, &grid, "The numbers of this picture", name);
}

void figure(struct page *page, const struct chart *chart)
{
    if (chart->missing) {
        nothing_to_draw(page, chart);
        return;
    }
    drawn(page, chart);
    numbers(page, chart);
}

/* It is narrow on a narrow screen; of what is missing, there is none. */
void figure_first(struct page *page, const struct chart *chart)
{
    struct chart narrow = *chart;
    struct picture pictures[2];
    char *reading = text_made("%.*s", (int)chart->reading, chart->caption),
         *words = alternative(chart, "in its section");
    narrow.pixels = NARROW;
    chart_svg(chart, &pictures[0]);
    chart_svg(&narrow, &pictures[1]);
    page_says_first(&page->readings, reading);
    page_open(page, "figure");
    page_svg_of_two(page, pictures[0].svg, pictures[1].svg, words);
    caption(page, chart);
    page_close(page);
    picture_free(&pictures[0]);
    picture_free(&pictures[1]);
    free_all(reading, words);
}

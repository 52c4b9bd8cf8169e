#include "comparison.h"

#include "reports/chart/chart_svg.h"

/* The pairs of pictures that a comparison shows at most. */
enum { CHANGED_MOST = 200, PAIRS_MOST = 6 };

/* What is drawn of two runs. */
struct pairs {
    struct page *page;
    const struct report *report;
    size_t other;
    size_t shown, alike, more; /* pairs; alike are those of which both are the same, and one would look for a change */
};

/* The pictures of one kind of a run. */
struct run_charts {
    const struct results *results;
    struct charts charts;
};

/* A name ends with the backend where the run has several; *length: without it. */
static const char *backend_of(const struct chart *chart, const struct results *results, size_t *length)
{
    *length = strlen(chart->name);
    for (size_t i = 0; i < results->series_count; i++) {
        const char *backend = results->series[i].backend->id;
        const size_t end = strlen(backend) + 1;
        if (*length > end && chart->name[*length - end] == '-' &&
            strcmp(chart->name + *length - end + 1, backend) == 0) {
            *length -= end;
            return backend;
        }
    }
    return results->series[0].backend->id; /* a picture is made of series */
}

static bool differ_in_the_name_of_the_backend(const struct chart *one, const struct results *first,
                                              const struct chart *other, const struct results *second)
{
    size_t length, other_length;
    const char *backend = backend_of(one, first, &length), *other_backend = backend_of(other, second, &other_length);
    return strcmp(backend, other_backend) == 0 && length == other_length && memcmp(one->name, other->name, length) == 0;
}

/* Of the same data and launch, which are in the title and the name; of the same backend where both runs have it, else
 * of the only one that either has. */
static const struct chart *partner_of(const struct chart *chart, const struct results *results,
                                      const struct run_charts *others)
{
    const struct chart *near = NULL;
    for (size_t i = 0; i < others->charts.count; i++) {
        const struct chart *other = &others->charts.list[i];
        if (strcmp(other->title, chart->title) != 0)
            continue;
        if (strcmp(other->name, chart->name) == 0)
            return other;
        if (differ_in_the_name_of_the_backend(chart, results, other, others->results))
            near = other;
    }
    return near;
}

/* But for the subtitle, which names the backend only where the run has several. */
static bool look_alike(const struct chart *one, const struct chart *other)
{
    struct chart first_chart = *one, second_chart = *other;
    FREED_BY(picture_free) struct picture first = {0}, second = {0};
    first_chart.subtitle = second_chart.subtitle = NULL;
    chart_svg(&first_chart, &first);
    chart_svg(&second_chart, &second);
    return strcmp(first.svg, second.svg) == 0;
}

static void draw_pair(struct pairs *pairs, const struct chart *one, const struct chart *other)
{
    char names[2][256], letters[RUN_LETTERS], prefixes[2][RUN_PREFIX];
    struct chart_of_run pair[2] = {{.chart = one}, {.chart = other}};
    for (size_t i = 0; i < 2; i++) {
        const size_t run = i == 0 ? 0 : pairs->other;
        run_letters(run, letters);
        run_prefix(run, pairs->report->run_count, prefixes[i]);
        snprintf(names[i], sizeof names[i], "%s: %.200s", letters, pairs->report->names[run]);
        pair[i].name = names[i];
        pair[i].prefix = prefixes[i];
    }
    if (pairs->shown++ == 0)
        page_fold(pairs->page, 4, false, "Pictures side by side", "pictures-%zu", pairs->other + 1);
    figure_pair(pairs->page, pair);
}

static void take_pair(struct pairs *pairs, const struct chart *one, const struct chart *other)
{
    if (!other || one->missing || other->missing)
        return;
    if (look_alike(one, other))
        pairs->alike++;
    else if (pairs->shown == PAIRS_MOST || pairs->page->pictures_full)
        pairs->more++;
    else
        draw_pair(pairs, one, other);
}

static void pairs_of_kind(struct pairs *pairs, enum chart_kind kind)
{
    struct run_charts ones = {.results = &pairs->report->runs[0]},
                      others = {.results = &pairs->report->runs[pairs->other]};
    charts_of_kind(ones.results, kind, &ones.charts);
    charts_of_kind(others.results, kind, &others.charts);
    for (size_t i = 0; i < ones.charts.count; i++)
        take_pair(pairs, &ones.charts.list[i], partner_of(&ones.charts.list[i], ones.results, &others));
    charts_free(&ones.charts);
    charts_free(&others.charts);
}

static void say_what_is_not_shown(const struct pairs *pairs)
{
    page_open_as(pairs->page, "p", "context");
    if (pairs->alike > 0)
        page_text(pairs->page, "%zu picture%s the same in both, and not shown here. ", pairs->alike,
                  pairs->alike == 1 ? " is" : "s are");
    if (pairs->more > 0)
        page_text(pairs->page, "%zu more of both are in the folder that --svg writes.", pairs->more);
    page_close(pairs->page);
}

static void write_pairs(struct page *page, const struct report *report, size_t other)
{
    static const enum chart_kind kinds[] = {CHART_ERROR_N, CHART_ERROR_CONDITION, CHART_ACCURACY_SPEED};
    struct pairs pairs = {.page = page, .report = report, .other = other};
    page_allow(page, PICTURES_COMPARED * 1000 / (report->run_count - 1));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        pairs_of_kind(&pairs, kinds[i]);
    if (pairs.alike + pairs.more > 0)
        say_what_is_not_shown(&pairs);
    if (pairs.shown > 0)
        page_unfold(page);
}

static void write_part(struct page *page, struct comparison_part *part, size_t top)
{
    part->grid.top = top;
    page_heading(page, 4, "%s", part->title);
    page_element_as(page, "p", "context", part->note);
    page_named_grid(page, &part->grid, part->title);
}

static enum status write_comparison(struct page *page, const struct report *report, size_t other)
{
    FREED_BY(comparison_view_free) struct comparison_view view = {0};
    TRY(comparison_view_make(report, other, CHANGED_MOST, &view));
    page_heading(page, 3, "%s: %s", view.heading, report->names[other]);
    page_element(page, "p", "%s", view.sentence);
    for (size_t i = 0; i < view.part_count; i++)
        write_part(page, &view.parts[i], report->top);
    write_pairs(page, report, other);
    return OK;
}

enum status comparison_section(struct page *page, const struct report *report)
{
    page_open(page, "section");
    page_identify(page, "comparison");
    page_heading(page, 2, "Comparison");
    struct grid runs = comparison_runs(report);
    page_named_grid(page, &runs, "The runs");
    grid_free(&runs);
    for (size_t r = 1; r < report->run_count; r++)
        TRY(write_comparison(page, report, r));
    page_close(page);
    return OK;
}

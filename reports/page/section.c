#include "page.h"

#define SECTION(id) extern const struct section section_##id;
#define PICTURES(id_, title_, open_, kind, share_)                                                                     \
    static const struct section section_##id_ = {                                                                      \
        .id = #id_, .title = title_, .open = open_, .charts = kind, .share = share_};
#include "reports/sections.def"

static const struct section *const table[] = {
#define SECTION(id) &section_##id,
#define PICTURES(id, ...) SECTION(id)
#include "reports/sections.def"
};
enum { SECTIONS = sizeof table / sizeof *table };

const struct section *const *section_table(size_t *count)
{
    *count = SECTIONS;
    return table;
}

static bool applies(const struct section *section, const struct results *results)
{
    if (!section->write)
        return charts_exist(results, section->charts);
    return !section->applies || section->applies(results);
}

/* So many are seen at once; the others open with a line. */
enum { FIGURES_SHOWN = 8 };

static void figures(struct page *page, const struct charts *charts, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        figure(page, &charts->list[i]);
}

static void folded_figures(struct page *page, const struct charts *charts)
{
    const size_t more = charts->count - FIGURES_SHOWN;
    if (page->pictures_full) /* nothing to fold but what is folded itself */ {
        figures(page, charts, FIGURES_SHOWN, charts->count);
        return;
    }
    page_open(page, "details");
    page_element(page, "summary", "%zu more picture%s", more, more == 1 ? "" : "s");
    figures(page, charts, FIGURES_SHOWN, charts->count);
    page_close(page);
}

static void pictures(struct page *page, const struct results *results, enum chart_kind kind)
{
    FREED_BY(charts_free) struct charts charts = {0};
    charts_of_kind(results, kind, &charts);
    figures(page, &charts, 0, charts.count < FIGURES_SHOWN ? charts.count : FIGURES_SHOWN);
    if (charts.count > FIGURES_SHOWN)
        folded_figures(page, &charts);
}

void sections_write(struct page *page, const struct report *report, const struct results *results)
{
    for (size_t i = 0; i < SECTIONS; i++) {
        page_allow(page, table[i]->share * 1000 / report->run_count);
        if (!applies(table[i], results))
            continue;
        page_open(page, "section");
        if (table[i]->title)
            page_fold(page, 2, table[i]->open, table[i]->title, "%s", table[i]->id);
        else
            page_identify(page, "%s", table[i]->id);
        run_prefix((size_t)(results - report->runs), report->run_count, page->picture_prefix);
        if (table[i]->write)
            table[i]->write(page, report, results);
        else
            pictures(page, results, table[i]->charts);
        page_say_left_out(page);
        if (table[i]->title)
            page_unfold(page);
        page_close(page);
    }
}

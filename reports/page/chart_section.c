#include "chart_section.h"

#include "figure.h"

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

void chart_section(struct page *page, const struct results *results, enum chart_kind kind)
{
    struct charts charts;
    charts_of_kind(results, kind, &charts);
    figures(page, &charts, 0, charts.count < FIGURES_SHOWN ? charts.count : FIGURES_SHOWN);
    if (charts.count > FIGURES_SHOWN)
        folded_figures(page, &charts);
    charts_free(&charts);
}

#include "chart_section.h"

#include "figure.h"

static enum status figures(struct page *page, const struct charts *charts, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        TRY(figure(page, &charts->list[i]));
    return OK;
}

static enum status folded_figures(struct page *page, const struct charts *charts)
{
    const size_t more = charts->count - FIGURES_SHOWN;
    if (page->pictures_full) /* nothing to fold but what is folded itself */
        return figures(page, charts, FIGURES_SHOWN, charts->count);
    page_open(page, "details");
    page_element(page, "summary", "%zu more picture%s", more, more == 1 ? "" : "s");
    TRY(figures(page, charts, FIGURES_SHOWN, charts->count));
    page_close(page);
    return OK;
}

enum status chart_section(struct page *page, const struct results *results, enum chart_kind kind)
{
    struct charts charts;
    enum status status = charts_of_kind(results, kind, &charts);
    if (status == OK)
        status = figures(page, &charts, 0, charts.count < FIGURES_SHOWN ? charts.count : FIGURES_SHOWN);
    if (status == OK && charts.count > FIGURES_SHOWN)
        status = folded_figures(page, &charts);
    charts_free(&charts);
    return status;
}

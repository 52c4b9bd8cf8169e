/* bound_share: which share of its proven bound each method used, so that one sees which theorems are tight. */
#include "reports/page/chart_section.h"
#include "reports/page/section.h"

static bool applies(const struct results *results)
{
    return charts_exist(results, CHART_BOUND_SHARE);
}

static void write(struct page *page, const struct report *report, const struct results *results)
{
    (void)report;
    chart_section(page, results, CHART_BOUND_SHARE);
}

const struct section section_bound_share = {
    .id = "bound_share",
    .title = "Share of the bound",
    .applies = applies,
    .share = 450,
    .write = write,
};

/* error_n: how the errors of each method grow with the number of data, beside what is proven and what is probable. */
#include "reports/page/chart_section.h"
#include "reports/page/section.h"

static bool applies(const struct results *results)
{
    return charts_exist(results, CHART_ERROR_N);
}

static void write(struct page *page, const struct report *report, const struct results *results)
{
    (void)report;
    chart_section(page, results, CHART_ERROR_N);
}

const struct section section_error_n = {
    .id = "error_n",
    .title = "Error against n",
    .applies = applies,
    .share = 300,
    .write = write,
};

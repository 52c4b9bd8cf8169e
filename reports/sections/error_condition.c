/* error_condition: how the errors of each method grow with the condition number of the data. */
#include "reports/page/chart_section.h"
#include "reports/page/section.h"

static bool applies(const struct results *results)
{
    return charts_exist(results, CHART_ERROR_CONDITION);
}

static void write(struct page *page, const struct report *report, const struct results *results)
{
    (void)report;
    chart_section(page, results, CHART_ERROR_CONDITION);
}

const struct section section_error_condition = {
    .id = "error_condition",
    .title = "Error against condition",
    .applies = applies,
    .share = 300,
    .write = write,
};

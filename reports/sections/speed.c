/* speed: the largest errors beside the speeds, with the Pareto front. */
#include "reports/page/chart_section.h"
#include "reports/page/section.h"

static bool applies(const struct results *results)
{
    return charts_exist(results, CHART_ACCURACY_SPEED);
}

static void write(struct page *page, const struct report *report, const struct results *results)
{
    (void)report;
    chart_section(page, results, CHART_ACCURACY_SPEED);
}

const struct section section_speed = {
    .id = "speed",
    .title = "Accuracy against speed",
    .applies = applies,
    .share = 350,
    .write = write,
};

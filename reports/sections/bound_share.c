/* bound_share: which share of its proven bound each method used, so that one sees which theorems are tight. */
#include "reports/page/page.h"

const struct section section_bound_share = {
    .id = "bound_share", .title = "Share of the bound", .charts = CHART_BOUND_SHARE, .share = 450};

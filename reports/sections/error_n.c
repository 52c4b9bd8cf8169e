/* error_n: how the errors of each method grow with the number of data, beside what is proven and what is probable. */
#include "reports/page/page.h"

const struct section section_error_n = {
    .id = "error_n", .title = "Error against n", .open = true, .charts = CHART_ERROR_N, .share = 300};

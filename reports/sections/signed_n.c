/* signed_n: which way the errors of matrix products go as n grows, and what truncation explains of it. */
#include "reports/page/page.h"

const struct section section_signed_n = {
    .id = "signed_n", .title = "Signed error against n", .open = true, .charts = CHART_SIGNED_N, .share = 50};

/* error_condition: how the errors of each method grow with the condition number of the data. */
#include "reports/page/page.h"

const struct section section_error_condition = {.id = "error_condition",
                                                .title = "Error against condition",
                                                .open = true,
                                                .charts = CHART_ERROR_CONDITION,
                                                .share = 300};

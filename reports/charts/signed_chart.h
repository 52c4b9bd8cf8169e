/* The mean signed relative error of a group's matrix products against n, all methods on one axis: truncation has a
 * sign, and the law of it (src/results/law.h) is drawn beside what was measured. */
#pragma once

#include "reports/chart/chart.h"
#include "reports/group.h"

/* n varies, and the errors of some method are nearly all to one side. */
bool signed_chart_applies(const struct group *group);

/* The chart is to be freed in any case. */
void signed_chart(const struct results *results, const struct group *group, struct chart *chart);

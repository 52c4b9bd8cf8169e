/* speed: the largest errors beside the speeds, with the Pareto front. */
#include "reports/page/page.h"

const struct section section_speed = {
    .id = "speed", .title = "Accuracy against speed", .charts = CHART_ACCURACY_SPEED, .share = 350};

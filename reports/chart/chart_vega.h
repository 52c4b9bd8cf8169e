/* A chart as a Vega-Lite 5 specification, its numbers inside, for notebooks: the same panels, scales, ticks and colours
 * as in the SVG.
 *
 * The rows are {panel, mark, x, y, other, label, series}: a series is one mark of one panel, counted through the chart.
 */
#pragma once

#include "chart.h"
#include "reports/json_builder.h"

json_t *chart_vega(const struct chart *chart);

/* The numbers of a chart as the table that stands under the picture.
 *
 *   one name of marks only      a row for each x, a column per panel; counts are added up in a footer
 *   several                     a row for each panel and x, a column per name
 *   points that bear labels     a row for each point: its label, x and y
 *   ranges                      as the first two, with a row for each y, from the top down
 *
 * A band or a range is "0.12 to 0.50".  Rules are no data, and not in it.
 */
#pragma once

#include "chart.h"
#include "reports/grid.h"

struct grid chart_grid(const struct chart *chart);

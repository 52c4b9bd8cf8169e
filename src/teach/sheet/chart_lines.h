/* A chart as lines of text: what a page shows as a picture, for a terminal.
 *
 *   bars alone           a row for each, ####
 *   lines and points     a field of 64 x 16 characters, a sign for each name
 *   anything else        its table: labelled points, more names than signs, a single place
 */
#pragma once

#include "reports/chart/chart.h"
#include "reports/terminal.h"

/* Its title, a panel after the other, and what the signs mean; without the caption. */
void chart_lines(const struct chart *chart, const struct terminal *terminal);

/* The numbers of a chart as tidy CSV, a line for each point of each mark:
 *
 *   panel,series,mark,x,x_word,y,y_word,to,to_word,label
 *
 * series: the method, where several share a panel; to: the other end of a band or a range.  A place beside the scale is
 * no number: its word ("exact", "no digit") stands in the column after, and the number's is empty. */
#pragma once

#include "chart.h"

enum status chart_csv_write(const struct chart *chart, const char *path);

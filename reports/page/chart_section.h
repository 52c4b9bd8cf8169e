/* A section of the HTML report that is the pictures of one kind. */
#ifndef ULPSCOPE_CHART_SECTION_H
#define ULPSCOPE_CHART_SECTION_H

#include "page.h"
#include "reports/charts/charts.h"

/* So many are seen at once; the others open with a line. */
enum { FIGURES_SHOWN = 8 };

void chart_section(struct page *page, const struct results *results, enum chart_kind kind);

#endif

/* The section "Comparison" of a page on several runs; it stands before those of the runs. */
#ifndef ULPSCOPE_COMPARISON_SECTION_H
#define ULPSCOPE_COMPARISON_SECTION_H

#include "reports/page/page.h"
#include "reports/report.h"

enum status comparison_section(struct page *page, const struct report *report);

#endif

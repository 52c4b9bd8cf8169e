/* The section of the HTML report about one entry of the study: its tables, its picture, its worst cases. */
#ifndef ULPSCOPE_ENTRY_SECTION_H
#define ULPSCOPE_ENTRY_SECTION_H

#include "overview.h"
#include "page.h"

enum status entry_section(struct page *page, const struct results *results, const struct overviews *overviews,
                          size_t entry);

#endif

/* A section of the HTML report: one file, reports/sections/<id>.c, and one row of sections.def. */
#ifndef ULPSCOPE_SECTION_H
#define ULPSCOPE_SECTION_H

#include "page.h"
#include "report.h"

struct section {
    const char *id;    /* the anchor: "verdict" */
    const char *title; /* the heading, and the word in the contents line */

    /* Whether the run has something to say here; NULL: always. */
    bool (*applies)(const struct results *results);

    /* Writes what stands under the heading; `results` is one of the report's runs. */
    enum status (*write)(struct page *page, const struct report *report, const struct results *results);
};

/* In the order of the page. */
const struct section *const *section_table(size_t *count);

/* The sections of one run that apply, each with its heading. */
enum status sections_write(struct page *page, const struct report *report, const struct results *results);

/* Their lines of contents. */
void sections_contents(struct page *page, const struct results *results);

#endif

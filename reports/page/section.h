/* A section of the HTML report: one file, reports/sections/<id>.c, and one row of sections.def. */
#ifndef ULPSCOPE_SECTION_H
#define ULPSCOPE_SECTION_H

#include "../report.h"
#include "page.h"

struct section {
    const char *id;    /* the anchor: "verdict" */
    const char *title; /* the heading, and the word in the contents line */

    /* Whether the run has something to say here; NULL: always. */
    bool (*applies)(const struct results *results);

    size_t pictures; /* kB of SVG that the section adds to the room for pictures; 0: it has none */

    /* Writes what stands under the heading; `results` is one of the report's runs. */
    enum status (*write)(struct page *page, const struct report *report, const struct results *results);
};

/* Of the 2500 kB of SVG that the sections of a page have in all, so that it stays below 5 MB in base64 and with its
 * tables.  The early sections cannot take it all, and the later ones may use what they leave. */
enum { PICTURES_HISTOGRAMS = 1200, PICTURES_ERRORS = 325, PICTURES_BOUNDS = 350, PICTURES_SPEEDS = 300 };

/* Those of two runs side by side have room of their own. */
enum { PICTURES_COMPARED = 600 };

/* In the order of the page. */
const struct section *const *section_table(size_t *count);

/* The sections of one run that apply, each with its heading. */
enum status sections_write(struct page *page, const struct report *report, const struct results *results);

/* Their lines of contents. */
void sections_contents(struct page *page, const struct results *results);

#endif

/* A section of the HTML report: one file, reports/sections/<id>.c, and one row of sections.def. */
#pragma once

#include "page.h"
#include "reports/charts/charts.h"
#include "reports/report.h"

struct section {
    const char *id;    /* the anchor: "verdict" */
    const char *title; /* the heading, which opens it; NULL: it is seen at once, under headings of its own */
    bool open;         /* it is seen at once, and can be folded */

    /* Whether the run has something to say here; NULL: always. */
    bool (*applies)(const struct results *results);

    bool of_all_runs; /* it says nothing of one run: of several, it stands with the last */

    size_t share; /* kB of tables and pictures that it adds to the room of the page; see page_allow */

    enum chart_kind
        charts; /* where `write` is NULL: it is the pictures of this kind, and applies where there are some */

    /* Writes what stands under the heading; `results` is one of the report's runs. */
    void (*write)(struct page *page, const struct report *report, const struct results *results);
};

/* kB that a comparison of runs has before their sections, whose own shares are 4300 kB in all: with headings and
 * sentences, which are not counted, a page stays below 5 MB. */
enum { COMPARISON_SHARE = 300 };

/* Those of two runs side by side have room of their own. */
enum { PICTURES_COMPARED = 600 };

/* In the order of the page. */
const struct section *const *section_table(size_t *count);

/* The sections of one run that apply, each with its heading. */
void sections_write(struct page *page, const struct report *report, const struct results *results);

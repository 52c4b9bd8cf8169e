/* A chart in the HTML report: its picture, its caption, and its numbers folded under it. */
#pragma once

#include "page.h"
#include "reports/chart/chart.h"

/* A picture for which the page has no room is named at the end of its section: it is in the folder that --svg writes.
 */
void figure(struct page *page, const struct chart *chart);

/* The one that answers the question, at the top: its section has it as well, with how to read it and its numbers. */
void figure_first(struct page *page, const struct chart *chart);

/* The pictures of two runs, side by side where the page is wide, and what says how to read them; their numbers stand in
 * the sections of the runs. */
struct chart_of_run {
    const struct chart *chart;
    const char *name;   /* "A: before" */
    const char *prefix; /* of the picture's file: "a-" */
};
void figure_pair(struct page *page, const struct chart_of_run pair[2]);

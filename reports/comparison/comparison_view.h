/* What is shown of a comparison: a sentence, and tables of text.  The terminal, the Markdown and the HTML report show
 * the same ones.  The runs are A, B, C ...; a table of them says which is which.
 */
#pragma once

#include "comparison.h"
#include "reports/grid.h"

struct comparison_part {
    const char *title; /* "Changed" */
    char *note;        /* what the table shows; whole sentences */
    struct grid grid;
};

enum { COMPARISON_PARTS_MOST = 8, COMPARISON_HEADING = 64 };

struct comparison_view {
    char heading[COMPARISON_HEADING]; /* "B against A" */
    char *sentence;
    struct comparison_part parts[COMPARISON_PARTS_MOST]; /* only those that have something to show */
    size_t part_count;
};

/* The report's run `other` against its first; at most `most` changed series are shown, the rest is counted. */
enum status comparison_view_make(const struct report *report, size_t other, size_t most, struct comparison_view *view);
void comparison_view_free(struct comparison_view *view);

/* A line per run. */
struct grid comparison_runs(const struct report *report);

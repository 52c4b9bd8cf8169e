/* The overview of a run: for each entry of the study, and each launch and device, one table of text.  The terminal, the
 * Markdown and the HTML report show the same ones.
 *
 * A sweep is a line per spec and a column per method, with the largest error in ulp, of matrix products in u |A||B|;
 * its footer holds what is said of a method as a whole.  More than eight methods are lines instead: the same table,
 * turned.  A single spec, or a single method, is a line per series with more numbers.
 */
#pragma once

#include "grid.h"
#include "group.h"

/* More methods are lines rather than columns: side by side, 200 of them are as wide as 30 pages. */
enum { METHODS_ACROSS = 8 };

struct overview {
    struct group group;
    char *context; /* one sentence: what the table shows of which sums */
    struct grid grid;
};

struct overviews {
    struct overview *list;
    size_t count;
    bool no_digit;             /* the word occurs */
    const char *elements;      /* the unit of some, see outcome.h; NULL: there is none */
    char *of_bound, *no_claim; /* lines of the legend; no_claim NULL: all bounds claim something */
};

void overviews_make(const struct results *results, struct overviews *overviews);
void overviews_free(struct overviews *overviews);

/* Lines that explain the words of the tables; as many as are needed. */
enum { LEGEND_MOST = 5 };
size_t overviews_legend(const struct overviews *overviews, const char *lines[LEGEND_MOST]);

/* The histogram of a group's relative errors as an SVG, one panel a method, drawn by gnuplot.
 *
 * A bar is a binade [2^k, 2^(k+1)); exact results stand to its left, those without a right digit, without a finite
 * value and without a defined error to its right: the bars of a panel add up to all sums.  Equal counts give equal
 * bytes.
 */
#ifndef ULPSCOPE_PICTURE_H
#define ULPSCOPE_PICTURE_H

#include "gnuplot.h"
#include "tally.h"

struct picture {
    char *svg; /* NULL: there is none, and `reason` says why */
    size_t length;
    char reason[GNUPLOT_REASON];
};

enum status picture_of_group(const struct results *results, const struct group *group, struct picture *picture);
void picture_free(struct picture *picture);

#endif

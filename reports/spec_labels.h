/* What tells the specs of a sweep apart, as columns: only the parameters that vary, as briefly as they can be said.
 *
 *   gensum:n=4096,cond=100  gensum:n=4096,cond=1e+14     cond: 1e2 1e14
 *   uniform:n=1024  uniform:n=1048576                    n: 1Ki 1Mi
 */
#pragma once

#include "src/results/results.h"

enum { LABEL_COLUMNS = 8, LABEL_TEXT = 256 };

struct spec_labels {
    size_t columns; /* 0 for a single spec */
    char names[LABEL_COLUMNS][LABEL_TEXT];
    bool numbers[LABEL_COLUMNS]; /* all labels of the column are numbers */
    const char *const *specs;
    size_t spec_count;
};

struct spec_labels spec_labels_of(const char *const *specs, size_t count);
void spec_label(const struct spec_labels *labels, size_t column, size_t spec, char text[LABEL_TEXT]);

/* "uniform" of a generator's spec, the name without folders of a file; letters, digits, '.', '_' and '-' only. */
void spec_family(const char *spec, char text[LABEL_TEXT]);

/* The worst sum of each method, over all data, and its exact sum as people read it. */

/* The series that hold them, in the order of the study; NaN is worse than every number.  Allocated. */
void worst_of_methods(const struct results *results, const struct series ***worst, size_t *count);

/* Rounded to 17 digits; "-" when it was not stored. */
void worst_exact_decimal(const struct series *series, char text[NUMBER_TEXT]);

/* The hex-float, cut in the middle when it is long: "0x1.921fb54442d18469...5p-3"; false when it was not stored. */
enum { WORST_EXACT_TEXT = 64 };
bool worst_exact_hex(const struct series *series, char text[WORST_EXACT_TEXT]);
bool worst_exact_is_long(const struct series *series);

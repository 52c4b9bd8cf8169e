/* The relative errors of a group: all series of a method added up, one histogram a method.  Launches and backends are
 * not added up: they would count the same data twice. */
#pragma once

#include "reports/group.h"

/* The lowest bin that is drawn, in which all below it are counted: an axis from there, and what stands to its left, are
 * within binary64. */
enum { TALLY_LEAST = -800 };

struct tally {
    size_t count;
    const char *const *methods; /* the group's, in the order of the study */
    struct histogram *histograms;
    uint64_t *right_nonfinite; /* a method: of the sums that are not finite, those that IEEE 754 gives */
    bool binned;               /* some bin of some method is occupied: */
    int least, most;           /* the range of them */
};

void tally_of_group(const struct group *group, struct tally *tally);
void tally_free(struct tally *tally);

/* The four counts beside the bins, in the order in which every report shows them. */
enum { TALLY_EXACT, TALLY_NO_DIGIT, TALLY_NONFINITE, TALLY_UNDEFINED, TALLY_APART };
extern const char *const tally_apart_names[TALLY_APART];
uint64_t tally_apart(const struct histogram *histogram, int which);

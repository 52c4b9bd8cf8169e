/* Whether two methods give different sums of the same elements, numbers or pairs of them: the question that shrinking
 * asks thousands of times.
 *
 *   A and B differ on n elements when the numbers that their replays, or plug-ins, return differ; a NaN is like every
 * other NaN, and a zero is not like that of the other sign.  Where one of
 *   them does not take n elements they do not differ.
 *
 * Candidates are asked in their order and the first one that differs is the answer.  Threads ask ahead of it, but what
 * they find beyond the answer is thrown away and not counted: neither the answer nor a count depends on how many there
 * are.
 */
#ifndef ULPSCOPE_CONTRAST_H
#define ULPSCOPE_CONTRAST_H

#include "kernels/method.h"

struct contrast {
    const struct method *method[2];
    const struct format *format; /* of the numbers */
    struct launch launch;
    unsigned workers;
    uint64_t evaluations;    /* candidates that were asked: two sums each */
    uint64_t additions;      /* of these sums, and merges, those of threads without an element included */
    uint64_t most_additions; /* where it gives up: */
    bool spent;              /* nothing more is asked */
};

/* How many numbers an element has: as many as there are vectors. */
uint64_t contrast_width(const struct contrast *contrast);

/* Zeros have a sign, and a NaN is like every other. */
bool contrast_same(const double sums[2]);

/* Candidates 0 to count - 1. */
#define CANDIDATE_SKIPPED UINT64_MAX
struct candidates {
    uint64_t count;
    uint64_t most_n; /* the elements of the longest one */

    /* Writes the numbers of candidate k, each of the format, element after element, and returns how many elements there
     * are; CANDIDATE_SKIPPED: it needs no asking, being like the one before, or none at all.  Called by several threads
     * at once. */
    uint64_t (*make)(const void *from, uint64_t k, double *x);
    const void *from;
};

/* *found: the first candidate on which they differ; `count` when there is none, or when it has given up. */
enum status contrast_first(struct contrast *contrast, const struct candidates *candidates, uint64_t *found);

#endif

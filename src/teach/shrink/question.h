/* What is asked of ever fewer and simpler elements, numbers or pairs of them, while they are shrunk, thousands of
 * times: whether they still show what all of them show.
 *
 *   "do the two methods still differ?"      explain/explain.c
 *
 * Where a method does not take n elements the answer is no.  Candidates are asked about in their order and the first
 * yes ends it.  Threads ask ahead of it, but what they find beyond it is thrown away and not counted: neither the
 * answer nor a count depends on how many there are.
 */
#pragma once

#include "kernels/method.h"
#include "src/base/onlooker.h"

struct question {
    const struct method *methods[2]; /* whose sums an answer needs; they take as many vectors */
    int method_count;
    const struct format *format; /* of the numbers */
    struct launch launch;
    unsigned workers;

    /* *yes: whether n elements still show it.  The vectors are as format_held() has them.  Called by several threads at
     * once.  NOT_MEASURED when memory is short or a plug-in fails. */
    enum status (*ask)(const struct question *question, const void *const vectors[], uint64_t n, bool *yes);
    const void *about;               /* whatever it needs */
    const struct onlooker *onlooker; /* who may end it: then it is spent */

    uint64_t evaluations;    /* candidates that were asked about: a sum of each method */
    uint64_t additions;      /* of these sums, and merges, those of threads without an element included */
    uint64_t most_additions; /* where it gives up: */
    bool spent;              /* nothing more is asked */
};

/* One method's sum of the elements that are asked about. */
enum status question_sum(const struct question *question, int method, const void *const vectors[], uint64_t n,
                         uint64_t *bits);

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

/* *found: the first candidate with a yes; `count` when there is none, or when it has given up. */
enum status question_first(struct question *question, const struct candidates *candidates, uint64_t *found);

/* Which elements this program's own method leaves out, or counts twice: a run that it made and its replay then agree,
 * and both are wrong. */
#pragma once

#include "datasets/dataset.h"
#include "hypothesis.h"

/* What its sums of integers say, which a sound method adds without an error.
 *   explaining   faults from outside with which they are what they are; where none is, an element
 *   spoiling     where they are wrong: broken accumulators that spoil such sums in other orders, too */
struct elements {
    bool are_right;
    struct hypotheses explaining, spoiling;
};

enum status elements_ask(struct claimed_method claimed, uint64_t n, struct elements *elements);
void elements_free(struct elements *elements);

/* Whether a fault, or plain, agrees with what they say. */
bool elements_allow(const struct elements *elements, const struct hypothesis *hypothesis);

/* Looks for the elements that a sum counted twice or left out, wherever they are. */

/* A data set, what is said to be its sum, and what the method gives. */
struct sample {
    const struct dataset *data;
    double computed, sound;
    double s; /* exact, rounded */
};

/* Appends what would explain the difference between computed and sound in all samples, roundings apart: the nearest
 * few.  Each is a guess, to be tried.  `n`: elements of each sample.  *all: no element but these may be it. */
enum status search_changes(struct claimed_method claimed, const struct sample *samples, size_t count, uint64_t n,
                           struct hypotheses *hypotheses, bool *all);

/* Whether this program's own method has a fault: then a run that it made and its replay agree, and both are wrong. */

enum { PROBES_MOST = 16 };

/* Data on which a sound method differs from itself with any fault. */
struct probes {
    struct dataset data[PROBES_MOST], wide[PROBES_MOST]; /* in binary32; likewise, in binary64 */
    size_t count;
};

enum status probes_make(struct probes *probes);
void probes_free(struct probes *probes);

/* Appends plain and the faults that change no bit of the method on any of them: it has them already.  Those alone that
 * its sums of integers allow.  Nothing for a method that cannot do their launch. */
enum status probes_accuse(const struct probes *probes, struct claimed_method claimed, const struct elements *elements,
                          struct hypotheses *accused);

/* Which elements this program's own method leaves out, or counts twice: a run that it made and its replay then agree,
 * and both are wrong. */
#pragma once

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

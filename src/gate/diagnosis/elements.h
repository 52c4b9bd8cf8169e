/* Which elements this program's own method leaves out, or counts twice: a run that it made and its replay then agree,
 * and both are wrong. */
#ifndef ULPSCOPE_ELEMENTS_H
#define ULPSCOPE_ELEMENTS_H

#include "hypothesis.h"

/* Appends the faults that explain all its sums of integers, which a sound method adds without an error; nothing where
 * these are right, or where no fault explains them. */
enum status elements_accuse(struct claimed_method claimed, uint64_t n, struct hypotheses *accused);

#endif

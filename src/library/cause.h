/* What a wrong result may be: the sum of fewer elements, of some twice, of elements that were rounded first ... */
#ifndef ULPSCOPE_CAUSE_H
#define ULPSCOPE_CAUSE_H

#include "problem.h"

/* verdict->worst is result (verdict->row, verdict->column), computed, its error and the bound of any order.  Writes
 * a likely cause into verdict->cause, as the end of a sentence: "the last 3 elements are left out"; leaves it empty
 * where none explains the bits. */
void cause_find(const struct problem *problem, struct ulpscope_verdict *verdict);

#endif

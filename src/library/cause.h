/* The likely cause of a wrong result, whatever the order of its additions.
 *
 *   x = {1/3, 2/3, ..., 33}, computed: the sum of the first 96 of its 99 elements    "the last 3 elements are left out"
 *
 * A hypothesis says what the exact value would have been.  It holds if the computed result is within the bound of plain
 * addition in any order of that value.  Of those that hold one is named if it is simpler, or nearer, than every other
 * by a factor of 16; else none is: nothing is guessed.
 */
#ifndef ULPSCOPE_CAUSE_H
#define ULPSCOPE_CAUSE_H

#include "include/ulpscope/ulpscope.h"

enum { CAUSE_SIZE = 256 };

/* Of the result at (row, column).  computed: all results, contiguous, in the format of results.  "": none is known.
 * After a failure `words` is "". */
ulpscope_status cause_of(const struct ulpscope_problem *problem, const void *computed, uint64_t row, uint64_t column,
                         char words[CAUSE_SIZE]);

#endif

/* The likely cause of a wrong result, whatever the order of its additions.
 *
 *   x = {1/3, 2/3, ..., 33}, computed: the sum of the first 96 of its 99 elements    "the last 3 elements are left out"
 *
 * A hypothesis says what the exact value would have been.  It holds if the computed result is within the bound of plain
 * addition in any order of that value.  What it costs to say, in bits, and log2 of the distance that it leaves, in
 * ulps, are its score.  It is named if its score is less than every other's, and than log2 of the whole error, by 4
 * bits: a coincidence would be one in 16.  Where two or three are as good as each other all are; else none is: nothing
 * is guessed.
 */
#pragma once

#include "problem.h"

/* computed: all results.  verdict->worst is result (verdict->row, verdict->column), computed, its error and the bound
 * of any order.  Writes its likely cause into verdict->cause, as a sentence or the end of one; leaves it empty where
 * none is known, or memory is short. */
void cause_find(const struct problem *problem, const void *computed, struct ulpscope_verdict *verdict);

/* The same of a mean, a variance or their like. */
void cause_of_statistic(const struct problem *problem, struct ulpscope_verdict *verdict);

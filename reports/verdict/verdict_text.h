/* The verdict in sentences, the same for every output. */
#ifndef ULPSCOPE_VERDICT_TEXT_H
#define ULPSCOPE_VERDICT_TEXT_H

#include "verdict.h"

/* A line a sentence, for each limit and view: who stays within it on everything, and what that costs.
 * Allocated. */
char *verdict_sentences(const struct verdict *verdict);

/* "4 methods on 2 kinds of data, 10 specs in all: 2600 sums, by replay on host, seed 1 ...".  Allocated. */
char *run_sentence(const struct results *results);

#endif

/* The verdict in sentences, the same for every output. */
#pragma once

#include "verdict.h"

/* A line a sentence: who stays within the target, or the tightest limit that anybody meets, on everything, and what
 * that costs; what is proven of that; and what conversions cost.  Allocated. */
char *verdict_sentences(const struct verdict *verdict);

/* "4 methods on 2 kinds of data, 10 specs in all: 2600 sums, by replay on host, seed 1 ...".  Allocated. */
char *run_sentence(const struct results *results);

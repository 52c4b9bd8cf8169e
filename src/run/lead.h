/* Rank 0, beside its own work: cases for the other ranks, and what becomes of them.
 *
 * A follower is given as many cases at a time as it has threads, and a quarter of its share of what is left beyond
 * that, so that short cases are not waited for and long ones are spread to the end.  The cases of one that dies, or
 * loses its GPU, go to the others. */
#pragma once

#include "crew.h"
#include "src/ranks/ranks.h"

/* Until all cases are done, or none can be.  `identity`: followers of another are refused. */
void lead(struct crew *crew, const struct ranks *ranks, const char *identity, unsigned own_jobs);

/* A verdict in words. */
#ifndef ULPSCOPE_WORDS_H
#define ULPSCOPE_WORDS_H

#include "limit.h"
#include "problem.h"

/* verdict->words, of what else is in it. */
void words_write(const struct problem *problem, const struct library_limit *limit, struct ulpscope_verdict *verdict);

#endif

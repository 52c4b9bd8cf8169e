/* Whether results are within their proven bounds, which everything that makes a run asks. */
#ifndef ULPSCOPE_COMMANDS_BOUNDS_H
#define ULPSCOPE_COMMANDS_BOUNDS_H

#include "src/results/results.h"

/* LIMIT_BROKEN where a result is above its bound, and names each such series. */
enum status bounds_check(const struct results *results);

#endif

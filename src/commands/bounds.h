/* Whether results are within their proven bounds, which everything that makes a run asks. */
#pragma once

#include "src/results/results.h"

/* LIMIT_BROKEN where a result is above its bound, and names each such series. */
enum status bounds_check(const struct results *results);

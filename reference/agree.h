/* Two opinions of one exact sum, which must be the same in every field and every bit. */
#pragma once

#include "exact.h"

struct opinion {
    const struct exact_sum *sum;
    const char *by; /* "by bins" */
};

/* Else complains of the first field that is not, with both values and what to do, and returns NOT_MEASURED.  A NaN is a
 * NaN; zeros have signs. */
enum status exact_agree(struct opinion first, struct opinion second, const char *what_to_do);

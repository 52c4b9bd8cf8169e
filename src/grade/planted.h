/* Products with one known fault each, in every format, and one without: what grades look like.
 *
 *   planted/strassen@bfloat16_in_bfloat16
 */
#pragma once

#include "graded.h"

struct planted {
    const char *id; /* "planted/strassen" */
    const char *claim;
    enum status (*product)(const struct graded *graded, uint64_t n, unsigned workers, const void *a, const void *b,
                           void *c);
};

const struct planted *planted_table(size_t *count);

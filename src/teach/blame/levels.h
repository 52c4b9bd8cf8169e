/* What is lost how far from the result: the additions by their distance from the last one, which is 1.
 *
 * One line a distance as long as there are few; else 1, 2-3, 4-7, 8-15, ..., so that the tree of a GPU's blocks, whose
 * joins are the last, and the long loops of its threads, which are below it, both are seen.  Products have a line of
 * their own.
 */
#pragma once

#include "src/teach/additions.h"

enum { LEVELS_MOST = 24 };

/* lost and net are rounded to binary64 at each step. */
struct level {
    uint64_t first, last; /* distances */
    uint64_t additions, inexact;
    double lost, net; /* sum of |local errors|; of the local errors */
};

struct levels {
    struct level level[LEVELS_MOST + 1];
    size_t count;
    struct level products; /* at no distance */
};

/* Of additions that are finite.  NOT_MEASURED when memory is short. */
enum status levels_make(const struct additions *of, struct levels *levels);

/* The canary: does this process round as the methods assume?  A library can set flush-to-zero for the whole process, a
 * build can slip in -ffast-math; both would make every result of the program wrong without a word.
 */
#pragma once

#include "src/base/base.h"

struct canary_check {
    const char *name;      /* "compensation survives" */
    int (*sings)(void);    /* true when all is well */
    const char *otherwise; /* the cause and the cure */
};

const struct canary_check *canary_checks(size_t *count);

/* Complains about every check that fails; NOT_MEASURED then. */
enum status canary_check(void);

/* The same of the rounding mode and flush-to-zero of this thread alone, which a library that is loaded later (the
 * driver of a GPU, cuBLAS) can change.  It costs nanoseconds: whoever has added asks before the sums are kept. */
enum status canary_check_mode(void);

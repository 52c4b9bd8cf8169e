/* The limit that results are held to (src/base/limit_text.h): of errors in ulp, relative, relative to sum |x_i|, exact,
 * or a share of the bound. */
#pragma once

#include "include/ulpscope/ulpscope.h"
#include "kernels/tree_word.h"
#include "src/base/format.h"

#include <stdbool.h>

struct library_limit {
    enum limit_unit { LIMIT_NONE, LIMIT_ULP, LIMIT_EXACT, LIMIT_AUTO, LIMIT_RELATIVE, LIMIT_BACKWARD } unit;
    double most; /* of LIMIT_AUTO the share of the bound; rounded down, as errors are rounded up: what fails never
                    passes by a rounding */
    struct tree_word tree; /* of LIMIT_AUTO */
    char text[64];
};

/* text: NULL for none; of results of a format, whose unit roundoff is u. */
ulpscope_status limit_read(const char *text, const struct format *result, struct library_limit *limit);

/* The error in the limit's unit: rounded up, so that it is a number, or infinite; and what is allowed of it. */
double limit_off(const struct library_limit *limit, const struct ulpscope_error *error);
double limit_most(const struct library_limit *limit, const struct ulpscope_error *error);

bool limit_holds(const struct library_limit *limit, const struct ulpscope_error *error);

/* How far beyond it, in units of its own: at most 1 passes.  Of an error whose bound is known where it is asked for.
 * INFINITY where one of both numbers is none, and they differ. */
double limit_share(const struct library_limit *limit, const struct ulpscope_error *error);

/* What a caller's thread may have changed and results must not depend on: rounding mode, exception flags, flushing of
 * subnormals, the decimal point, errno.  All are as they were when a function of the library returns. */
#pragma once

#include <fenv.h>
#include <locale.h>

struct surroundings {
    fenv_t floating_point;
    locale_t locale;
    int error;
};

void surroundings_enter(struct surroundings *before);
void surroundings_leave(const struct surroundings *before);

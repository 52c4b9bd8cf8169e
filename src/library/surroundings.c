#include "surroundings.h"

#include <errno.h>

void surroundings_enter(struct surroundings *before)
{
    before->error = errno;
    const locale_t point = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* glibc's own constant: nothing is allocated */
    before->locale = point ? uselocale(point) : (locale_t)0;
    fegetenv(&before->floating_point);
    fesetenv(FE_DFL_ENV);
}

void surroundings_leave(const struct surroundings *before)
{
    fesetenv(&before->floating_point);
    if (before->locale)
        uselocale(before->locale);
    errno = before->error;
}

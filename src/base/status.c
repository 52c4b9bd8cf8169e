#include "base.h"

#include "quiet.h"

#include <errno.h>
#include <stdarg.h>

static _Thread_local bool is_quiet;
static char opening[48] = "ulpscope: ";

void complaints_from(const char *who)
{
    snprintf(opening, sizeof opening, "ulpscope: %s", who);
}

bool complaints_quiet(bool quiet)
{
    const bool before = is_quiet;
    is_quiet = quiet;
    return before;
}

bool complaints_are_quiet(void)
{
    return is_quiet;
}

void complain(const char *format, ...)
{
    va_list arguments;
    if (is_quiet)
        return;
    va_start(arguments, format);
    clean_line_of(stderr, opening, format, arguments);
    va_end(arguments);
}

enum status status_of_cause(int cause)
{
    static const int of_the_name[] = {ENOENT, EACCES, EPERM, EISDIR, ENOTDIR, ELOOP,  ENAMETOOLONG,
                                      EEXIST, EROFS,  ENXIO, EINVAL, ETXTBSY, ENODEV, EBUSY};
    for (size_t i = 0; i < sizeof of_the_name / sizeof *of_the_name; i++)
        if (cause == of_the_name[i])
            return BAD_INPUT;
    return NOT_MEASURED;
}

enum status out_of_memory(const char *what)
{
    complain("out of memory for %s; ask for less at a time (a smaller n, fewer --jobs)", what);
    return NOT_MEASURED;
}

/* complain() of the shared library, in place of src/base/status.c: the sentence is kept for ulpscope_why(). */
#include "src/base/status.h"

#include "include/ulpscope/ulpscope.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char why[1024];

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
}

enum status out_of_memory(const char *what)
{
    return not_measured("out of memory for %s; ask for less at a time (a smaller n, fewer rows)", what);
}

const char *ulpscope_why(void)
{
    return why;
}

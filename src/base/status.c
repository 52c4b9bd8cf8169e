#include "status.h"

#include <stdarg.h>
#include <stdio.h>

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    flockfile(stderr);
    fputs("ulpscope: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    funlockfile(stderr);
    va_end(arguments);
}

enum status out_of_memory(const char *what)
{
    complain("out of memory for %s; ask for less at a time (a smaller n, fewer --jobs)", what);
    return NOT_MEASURED;
}

/* The twin of no_threads.c: starts a thread, and is stopped. */
#include "src/base/workers.h"

#include <stddef.h>

static void do_nothing(void *context, unsigned worker)
{
    (void)context, (void)worker;
}

int main(void)
{
    workers_run(2, do_nothing, NULL);
    return 0;
}

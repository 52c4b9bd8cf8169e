/* In place of keeper.c where no process starts another, as in a browser. */
#include "process.h"

#include <errno.h>

int keeper_start(const char *name, const struct process_wish *wish, struct keeper **started, pid_t *pid)
{
    (void)name, (void)wish, (void)started, (void)pid;
    return ENOSYS;
}

void keeper_end(struct keeper *keeper)
{
    (void)keeper;
}

void child_has_ended(pid_t child)
{
    (void)child;
}

/* The thread that starts a process and shows what it prints, until the process has ended: the process is killed when
 * that thread ends, so with this program. */
#pragma once

#include "process.h"

struct keeper;

/* An errno; 0: it runs.  The name, which stays where it is, stands before each line that is shown. */
int keeper_start(const char *name, const struct process_wish *wish, struct keeper **started, pid_t *pid);

/* After the process has ended; what it has printed is shown. */
void keeper_end(struct keeper *keeper);

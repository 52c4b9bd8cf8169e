/* The processes of all plug-ins, and those that they leave behind. */
#pragma once

#include <sys/types.h>

/* As fork(). */
pid_t child_fork(void);

/* After it was waited for: ends what it had started, and has left to this program. */
void child_has_ended(pid_t child);

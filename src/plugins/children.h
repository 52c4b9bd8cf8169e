/* The processes of all plug-ins, and those that they leave behind. */
#ifndef ULPSCOPE_CHILDREN_H
#define ULPSCOPE_CHILDREN_H

#include <sys/types.h>

/* As fork(). */
pid_t child_fork(void);

/* After it was waited for: ends what it had started, and has left to this program. */
void child_has_ended(pid_t child);

#endif

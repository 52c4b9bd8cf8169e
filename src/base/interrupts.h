/* Ctrl-C and SIGTERM, for a command that has something to keep: the first of each is noted, and answered at once,
 * "ending after the sums in hand; again to end now"; the second ends the program (unfinished.h). */
#pragma once

#include <stdbool.h>

/* after: what the program will have to wait for; NULL: another process says it. */
void interrupts_catch(const char *after);
void interrupts_release(void);

/* Whether there was one since they are caught. */
bool interrupted(void);

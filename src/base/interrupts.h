/* Ctrl-C and SIGTERM, for who has something to keep: the first of each is noted, the second ends the program. */
#ifndef ULPSCOPE_INTERRUPTS_H
#define ULPSCOPE_INTERRUPTS_H

#include <stdbool.h>

void interrupts_catch(void);
void interrupts_release(void);

/* Whether there was one since they are caught. */
bool interrupted(void);

#endif

/* How the processor rounds, and whether it keeps subnormals: the mode of this thread. */
#ifndef ULPSCOPE_WORKER_MODE_H
#define ULPSCOPE_WORKER_MODE_H

/* To nearest, subnormals kept, no exception traps. */
void mode_restore(void);

/* What differs from that, "flushing subnormals to zero (FTZ)"; NULL: nothing. */
const char *mode_found(void);

#endif

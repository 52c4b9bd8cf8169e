/* How the processor rounds, and whether it keeps subnormals: the mode of this thread, which those that it starts begin
 * with.  A library can change it. */
#pragma once

/* From here on no floating-point exception ends the program; how it rounds is left alone. */
void mode_mask_traps(void);

/* To nearest, subnormals kept, no exception traps. */
void mode_restore(void);

/* What differs from that, "flushing subnormals to zero (FTZ)"; NULL: nothing. */
const char *mode_found(void);

/* For a program that has found its mode right: what it, or any thread that asked since, found later; NULL: nothing.
 * Asked before anything is handed out, and when a thread has done its work. */
void mode_watch(void);
const char *mode_lost(void);

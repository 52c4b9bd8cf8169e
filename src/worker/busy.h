/* Another kernel, which occupies half of the GPU's multiprocessors while a method runs. */
#ifndef ULPSCOPE_WORKER_BUSY_H
#define ULPSCOPE_WORKER_BUSY_H

#include <stdbool.h>

/* Both: false where it says why it failed.  From the beginning on it runs until the end, or for BUSY_MILLISECONDS: a
 * method that waits for the whole GPU waits for it. */
bool busy_begin(void);
bool busy_end(void);

#endif

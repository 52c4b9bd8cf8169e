/* Another kernel, which occupies half of the GPU's multiprocessors while a method runs. */
#pragma once

#include <stdbool.h>

/* Each: false where it says why it failed.  From the beginning on it runs until the end, or for BUSY_MILLISECONDS: a
 * method that waits for the whole GPU waits for it. */
bool busy_begin(void);
bool busy_end(void);

/* Queues one that lets what is queued behind it on a stream wait for 25 us, in which the host queues it: 5 to 15 us. */
bool busy_for_a_while(void *stream);

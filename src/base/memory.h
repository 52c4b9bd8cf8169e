/* Memory for text.
 *
 * Memory for numbers is large: where it runs out, out_of_memory() says so and a status is relayed.  Text is small and
 * made everywhere, also by libraries that cannot relay a failure (GMP aborts, libxml2 leaves out what it had no memory
 * for).  Without memory for text the program ends with the exit code of NOT_MEASURED.  Nothing is lost: files appear
 * whole or not at all, and a store survives a kill.  docs/decisions/0016-memory.md says why.
 */
#pragma once

#include "owned.h"

/* Says that memory ran out, removes unfinished files and ends the program, on any thread. */
__attribute__((noreturn)) void memory_ran_out(void); /* as C++ reads it, too: kernels include this file */

/* The same, where the message was printed already. */
__attribute__((noreturn)) void memory_end(void);

/* As realloc, calloc and strdup; never NULL. */
void *memory_resized(void *old, size_t size);
void *memory_cleared(size_t count, size_t size);
char *memory_copy(const char *text);

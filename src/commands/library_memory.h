/* Libraries that have their memory from functions of ours, which end the program when there is none
 * (src/base/memory.h). */
#pragma once

/* GMP, and so MPFR; libxml2; jansson.  Before anything else is done with them. */
void library_memory_guard(void);

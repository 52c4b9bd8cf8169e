/* Work spread over threads. */
#pragma once

/* Calls work(context, w) once for each w < count, each on a thread of its own, the last on this one; returns when all
 * have ended.  Calls that get no thread, because the system gives fewer, are made on this one, one after another. */
void workers_run(unsigned count, void (*work)(void *context, unsigned worker), void *context);

/* The cores of this machine; at least 1. */
unsigned workers_cores(void);

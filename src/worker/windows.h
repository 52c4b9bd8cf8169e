/* The arrays of a call, as a plug-in has them: each alone between pages that nobody can touch, the inputs to be read
 * only. Each is there twice, at two addresses, so that a result that depends on where its data lie is seen to. */
#pragma once

#include "protocol.h"

#include <stdbool.h>

enum { ARRAYS = WORKER_INPUTS_MOST + 1, OUTPUT = WORKER_INPUTS_MOST };

/* Takes the descriptors of new memory; what was mapped of the old is so no longer. */
void windows_of_memory(int inputs, int output);

/* Where the arrays of a request begin, in its window; of an input that there is not NULL.  false: errno says why. */
bool windows_open(const struct worker_request *request, void *arrays[ARRAYS]);

/* What lies at an address: an array, or the untouchable pages before or behind it.  For signal handlers. */
struct place {
    int array; /* -1: none */
    enum { BEFORE, INSIDE, BEHIND } where;
};
struct place windows_place(const void *address);

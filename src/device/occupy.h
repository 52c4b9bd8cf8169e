/* Other kernels: one occupies half of a GPU's multiprocessors while a method's kernels run, one its queue. */
#pragma once

#include <cuda_runtime_api.h>

/* Made when it is first needed. */
struct occupation {
    unsigned blocks;
    volatile unsigned *talk; /* in memory of the host: whether it is over, and which blocks have started */
    cudaStream_t stream;     /* which waits for no other, and for which no other waits */
};

/* Each a cudaError_t.  From the beginning on it runs until the end, or for OCCUPIED_MILLISECONDS: what waits for the
 * whole GPU waits for it. */
int occupy_begin(struct occupation *occupation, unsigned multiprocessors);
int occupy_end(struct occupation *occupation);
void occupy_free(struct occupation *occupation);

/* Queues a kernel of one thread that runs so long.  What is queued behind it meanwhile does not wait for the host. */
int occupy_for(unsigned nanoseconds);

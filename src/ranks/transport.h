/* What carries messages between the processes of a run: an MPI library, through a module that was compiled with it
 * (mpi_module.c); in tests, memory.  One thread calls all of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct transport {
    unsigned rank, size;
    unsigned local_rank, local_size; /* among those of this machine */
    const char *library;             /* "Open MPI 4.1.4" */
    void *context;

    /* Takes allocated bytes, and frees them when they have gone.  Returns at once. */
    void (*send)(void *context, unsigned to, void *bytes, size_t count);

    /* Whether all that was sent has gone. */
    bool (*has_sent)(void *context);

    /* False: nothing has come.  *bytes are allocated. */
    bool (*receive)(void *context, unsigned *from, void **bytes, size_t *count);

    /* When nothing more is sent, on all ranks. */
    void (*end)(void *context);
};

/* What a module has.  NULL: the library cannot be started. */
#define TRANSPORT_FUNCTION "ulpscope_transport"
typedef const struct transport *transport_start(void);

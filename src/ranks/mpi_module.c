/* A transport by MPI, compiled once for each MPI library that CMake finds, as a shared object that is not linked with
 * it: ranks.c loads the library first.  So neither the program nor its package needs any. */
#include "ranks.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Messages that are on their way, with their bytes. */
struct sending {
    MPI_Request *requests;
    void **bytes;
    int count, capacity;
};

static struct sending sending;
static char library[MPI_MAX_LIBRARY_VERSION_STRING];

static void forget_what_has_gone(void)
{
    int at = 0, has_gone = 0;
    while (sending.count > 0 &&
           MPI_Testany(sending.count, sending.requests, &at, &has_gone, MPI_STATUS_IGNORE) == MPI_SUCCESS && has_gone &&
           at != MPI_UNDEFINED) {
        free(sending.bytes[at]);
        sending.count--;
        sending.requests[at] = sending.requests[sending.count];
        sending.bytes[at] = sending.bytes[sending.count];
    }
}

static void *resized(void *old, size_t size)
{
    void *new = realloc(old, size);
    if (!new) {
        fputs("ulpscope: out of memory for messages between ranks\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    return new;
}

static void send_bytes(void *context, unsigned to, void *bytes, size_t count)
{
    (void)context;
    if (sending.count == sending.capacity) {
        sending.capacity = sending.capacity > 0 ? 2 * sending.capacity : 16;
        sending.requests = resized(sending.requests, (size_t)sending.capacity * sizeof *sending.requests);
        sending.bytes = resized(sending.bytes, (size_t)sending.capacity * sizeof *sending.bytes);
    }
    if (MPI_Isend(bytes, (int)count, MPI_BYTE, (int)to, 0, MPI_COMM_WORLD, &sending.requests[sending.count]) !=
        MPI_SUCCESS) {
        free(bytes); /* to a rank that has died: it will be missed */
        return;
    }
    sending.bytes[sending.count++] = bytes;
}

static bool has_sent(void *context)
{
    (void)context;
    forget_what_has_gone();
    return sending.count == 0;
}

static bool receive_bytes(void *context, unsigned *from, void **bytes, size_t *count)
{
    int is_there = 0, length = 0;
    MPI_Message message;
    MPI_Status status;
    (void)context;
    forget_what_has_gone();
    if (MPI_Improbe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, &message, &status) != MPI_SUCCESS || !is_there)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &length);
    *bytes = resized(NULL, (size_t)length + 1);
    *count = (size_t)length;
    *from = (unsigned)status.MPI_SOURCE;
    if (MPI_Mrecv(*bytes, length, MPI_BYTE, &message, MPI_STATUS_IGNORE) == MPI_SUCCESS)
        return true;
    free(*bytes);
    return false;
}

static void end(void *context)
{
    (void)context;
    MPI_Finalize();
}

/* "Open MPI v4.1.4, package: ..." and "MPICH Version:      4.0.2\n...": the name and the number. */
static void read_library(void)
{
    int length = 0, major = 0, minor = 0, patch = 0;
    char whole[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Get_library_version(whole, &length);
    const char *name = strstr(whole, "Open MPI") ? "Open MPI" : strstr(whole, "MPICH") ? "MPICH" : "MPI";
    const char *number = whole + strcspn(whole, "0123456789");
    if (sscanf(number, "%d.%d.%d", &major, &minor, &patch) < 2)
        snprintf(library, sizeof library, "%s", name);
    else
        snprintf(library, sizeof library, "%s %d.%d.%d", name, major, minor, patch);
}

__attribute__((visibility("default"))) const struct transport *ulpscope_transport(void);
const struct transport *ulpscope_transport(void)
{
    static struct transport transport = {
        .library = library, .send = send_bytes, .has_sent = has_sent, .receive = receive_bytes, .end = end};
    int given, rank, size, local_rank, local_size;
    MPI_Comm here;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS || given < MPI_THREAD_FUNNELED)
        return NULL;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &here);
    MPI_Comm_rank(here, &local_rank);
    MPI_Comm_size(here, &local_size);
    MPI_Comm_free(&here);
    read_library();
    transport.rank = (unsigned)rank;
    transport.size = (unsigned)size;
    transport.local_rank = (unsigned)local_rank;
    transport.local_size = (unsigned)local_size;
    return &transport;
}

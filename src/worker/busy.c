#include "generated/busy_ptx.h" /* BUSY_PTX: python/ulpscope/busy.ptx */
#include "worker.h"

#include <sched.h>

enum { BUSY_MILLISECONDS = 100, BUSY_THREADS = 1024 };
enum { NON_BLOCKING = 1, MAPPED = 2, MULTIPROCESSORS = 16 }; /* of cuda.h */

static void *function, *stream;
static uint32_t blocks;
static volatile uint32_t *talk; /* with the kernel, in memory of the host: see busy.ptx */

static bool make(void)
{
    int multiprocessors = 0;
    void *module, *memory;
    if (talk)
        return true;
    if (!driver_is_done(cuda.attribute(&multiprocessors, MULTIPROCESSORS, 0), "the GPU says nothing of itself"))
        return false;
    blocks = ((uint32_t)multiprocessors + 1) / 2;
    if (!driver_is_done(cuda.load_module(&module, BUSY_PTX), "no kernel could be loaded to run beside it") ||
        !driver_is_done(cuda.find_function(&function, module, "busy"), "no kernel was found to run beside it") ||
        !driver_is_done(cuda.stream_create(&stream, NON_BLOCKING), "no stream for a kernel to run beside it") ||
        !driver_is_done(cuda.allocate_on_host(&memory, (1 + blocks) * sizeof *talk, MAPPED),
                        "no memory for a kernel beside it"))
        return false;
    talk = memory;
    return true;
}

/* Waits for a second at most. */
static bool has_started(void)
{
    const uint64_t until = clock_now() + 1000 * 1000 * 1000;
    uint32_t started = 0;
    while (started < blocks && clock_now() < until) {
        sched_yield();
        started += talk[1 + started];
    }
    if (started == blocks)
        return true;
    talk[0] = 1;
    said_nothing();
    say("had no kernel beside it: none started within a second");
    return false;
}

bool busy_begin(void)
{
    if (!make())
        return false;
    uint64_t address = (uint64_t)(uintptr_t)talk, nanoseconds = (uint64_t)BUSY_MILLISECONDS * 1000 * 1000;
    void *arguments[] = {&address, &nanoseconds};
    for (uint32_t i = 0; i <= blocks; i++)
        talk[i] = 0;
    return driver_is_done(cuda.launch(function, blocks, 1, 1, BUSY_THREADS, 1, 1, 0, stream, arguments, NULL),
                          "no kernel could be launched beside it") &&
           has_started();
}

bool busy_for_a_while(void *on)
{
    enum { NANOSECONDS_TO_QUEUE = 25000 };
    if (!make())
        return false;
    uint64_t address = (uint64_t)(uintptr_t)talk, nanoseconds = NANOSECONDS_TO_QUEUE;
    void *arguments[] = {&address, &nanoseconds};
    talk[0] = 0;
    return driver_is_done(cuda.launch(function, 1, 1, 1, 1, 1, 1, 0, on, arguments, NULL),
                          "no kernel could be launched before it");
}

bool busy_end(void)
{
    talk[0] = 1;
    return driver_is_done(cuda.synchronize(), "the GPU failed");
}

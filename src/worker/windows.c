#include "worker.h"

#include <sys/mman.h>
#include <unistd.h>

/* 1 MiB: more than a loop that begins or ends at a wrong block leaves out. */
enum { WINDOWS = 2, GUARD = 1 << 20 };

static struct window {
    unsigned char *reserved; /* NULL: nothing is mapped; a guard, the pages, a guard */
    uint64_t first, bytes;   /* the pages, in the memory */
} windows[WINDOWS][ARRAYS];

static int inputs = -1, output = -1; /* the memory's descriptors */

static void window_close(struct window *window)
{
    if (window->reserved)
        munmap(window->reserved, window->bytes + 2 * GUARD);
    window->reserved = NULL;
}

void windows_of_memory(int new_inputs, int new_output)
{
    for (int w = 0; w < WINDOWS; w++)
        for (int a = 0; a < ARRAYS; a++)
            window_close(&windows[w][a]);
    if (inputs >= 0)
        close(inputs);
    if (output >= 0)
        close(output);
    inputs = new_inputs;
    output = new_output;
}

/* The pages are there before the call, which is timed. */
static bool window_open(struct window *window, int memory, int protection, uint64_t first, uint64_t bytes)
{
    if (window->reserved && window->first == first && window->bytes == bytes)
        return true;
    window_close(window);
    void *reserved = mmap(NULL, bytes + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED)
        return false;
    *window = (struct window){reserved, first, bytes};
    if (mmap(window->reserved + GUARD, bytes, protection, MAP_SHARED | MAP_FIXED | MAP_POPULATE, memory,
             (off_t)first) != MAP_FAILED)
        return true;
    window_close(window);
    return false;
}

bool windows_open(const struct worker_request *request, void *arrays[ARRAYS])
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    for (int a = 0; a < ARRAYS; a++) {
        const uint64_t offset = a == OUTPUT ? request->output_offset : request->input_offset[a];
        const uint64_t bytes = a == OUTPUT ? request->output_bytes : request->input_bytes[a];
        const uint64_t first = offset / page * page, end = (offset + bytes + page - 1) / page * page;
        struct window *window = &windows[request->window % WINDOWS][a];
        const bool is_the_first = a == 1 && request_has_one_array(request);
        arrays[a] = is_the_first ? arrays[0] : NULL;
        if (bytes == 0 || is_the_first) {
            window_close(window);
            continue;
        }
        if (!window_open(window, a == OUTPUT ? output : inputs, a == OUTPUT ? PROT_READ | PROT_WRITE : PROT_READ, first,
                         end - first))
            return false;
        arrays[a] = window->reserved + GUARD + (offset - first);
    }
    return true;
}

struct place windows_place(const void *address)
{
    for (int w = 0; w < WINDOWS; w++)
        for (int a = 0; a < ARRAYS; a++) {
            const struct window *window = &windows[w][a];
            const uintptr_t from = (uintptr_t)address - (uintptr_t)window->reserved;
            if (window->reserved && from < window->bytes + 2 * GUARD)
                return (struct place){a, from < GUARD ? BEFORE : from < GUARD + window->bytes ? INSIDE : BEHIND};
        }
    return (struct place){-1, BEFORE};
}

#include "device.h"

#include "driver.h"
#include "faults.h"
#include "said.h"

#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 512, WINDOW_SHIFT = 4096, PIECE = 1 << 20, ONES = 0xff };

static void *context, *streams[2];    /* the usual one, and the other */
static uint64_t memory, memory_bytes; /* kept between calls */

/* ---- start ---- */

static const char *start(void)
{
    static char why[100];
    int device = 0, error;
    const char *missing = driver_load();
    if (missing)
        return missing;
    if ((error = cuda.init(0)) || (error = cuda.device_get(&device, 0)) || (error = cuda.retain(&context, device)) ||
        (error = cuda.set_current(context)) || (error = cuda.stream_create(&streams[0], 0))) {
        snprintf(why, sizeof why, "CUDA says %s", driver_name_of(error));
        return why;
    }
    return NULL;
}

const char *device_start(void)
{
    static const char *why;
    static bool is_started;
    if (!is_started)
        why = start();
    is_started = true;
    return why;
}

bool device_stream(bool other, void **stream)
{
    if (!streams[other] && !driver_is_done(cuda.stream_create(&streams[other], 0), "the GPU has no other stream"))
        return false;
    *stream = streams[other];
    return true;
}

/* ---- the arrays ---- */

/* An array, and the ones before and behind it. */
struct layout {
    struct {
        uint64_t before, begin, end, behind;
    } of[ARRAYS]; /* one after another; of an array that there is not begin is end */
    uint64_t bytes;
};

static struct layout lay_out(const struct worker_request *request)
{
    struct layout layout;
    uint64_t at = request->window * WINDOW_SHIFT;
    for (int a = 0; a < ARRAYS; a++) {
        const bool is_the_first = a == 1 && request->input_offset[1] == request->input_offset[0];
        const uint64_t bytes = a == OUTPUT ? request->output_bytes : is_the_first ? 0 : request->input_bytes[a];
        const uint64_t begin = at + ALIGNMENT + (a == OUTPUT ? 0 : request->offset);
        const uint64_t behind = at + (bytes / ALIGNMENT + 4) * ALIGNMENT;
        layout.of[a].before = a == 0 ? 0 : at;
        layout.of[a].begin = begin;
        layout.of[a].end = begin + bytes;
        layout.of[a].behind = at = behind;
    }
    layout.bytes = at;
    return layout;
}

static bool make_room(uint64_t bytes)
{
    if (memory_bytes >= bytes)
        return true;
    if (memory_bytes > 0 && !driver_is_done(cuda.release(memory), "its memory on the GPU cannot be freed"))
        return false;
    memory_bytes = 0;
    if (!driver_is_done(cuda.allocate(&memory, bytes), "the GPU has no memory for its arrays"))
        return false;
    memory_bytes = bytes;
    return true;
}

bool device_bring(const struct worker_request *request, void *const host[ARRAYS], void *device[ARRAYS])
{
    const struct layout layout = lay_out(request);
    if (!driver_is_done(cuda.set_current(context), "the GPU is not to be had") || !make_room(layout.bytes) ||
        !driver_is_done(cuda.set(memory, ONES, layout.bytes), "its memory on the GPU cannot be set"))
        return false;
    for (int a = 0; a < ARRAYS; a++) {
        device[a] = host[a] ? (void *)(uintptr_t)(memory + layout.of[a].begin) : NULL;
        if (a == 1 && host[1] == host[0])
            device[1] = device[0];
        else if (a != OUTPUT && host[a] &&
                 !driver_is_done(cuda.bring(memory + layout.of[a].begin, host[a], request->input_bytes[a]),
                                 "its input cannot be copied to the GPU"))
            return false;
    }
    return device_wait(); /* a copy of pageable memory may still be on its way */
}

bool device_wait(void)
{
    return driver_is_done(cuda.synchronize(), "the GPU failed");
}

/* ---- afterwards ---- */

static bool is_ones(const unsigned char *bytes, uint64_t count)
{
    return count == 0 || (bytes[0] == ONES && memcmp(bytes, bytes + 1, count - 1) == 0);
}

/* Where an edge is in a piece, which has `count` bytes from `from` on; its nearest end, when it is not within. */
static uint64_t cut(uint64_t edge, uint64_t from, uint64_t count)
{
    return edge < from ? 0 : edge - from < count ? edge - from : count;
}

static bool wrote(const char *where, int array)
{
    say("wrote ");
    say(where);
    say_array(array);
    return false;
}

/* Of a piece what belongs to an array; `host` begins where the array does. */
static bool look_at(const struct layout *layout, int array, unsigned char *host, const unsigned char *piece,
                    uint64_t from, uint64_t count)
{
    const uint64_t before = cut(layout->of[array].before, from, count);
    const uint64_t begin = cut(layout->of[array].begin, from, count);
    const uint64_t end = cut(layout->of[array].end, from, count);
    const uint64_t behind = cut(layout->of[array].behind, from, count);
    if (!is_ones(piece + before, begin - before))
        return wrote("before the beginning of ", array);
    if (!is_ones(piece + end, behind - end))
        return wrote("past the end of ", array);
    if (end == begin)
        return true;
    host += from + begin - layout->of[array].begin;
    if (array == OUTPUT)
        memcpy(host, piece + begin, end - begin);
    else if (memcmp(host, piece + begin, end - begin) != 0)
        return wrote("to ", array);
    return true;
}

bool device_fetch(const struct worker_request *request, void *const host[ARRAYS])
{
    static unsigned char piece[PIECE];
    const struct layout layout = lay_out(request);
    for (uint64_t from = 0; from < layout.bytes; from += PIECE) {
        const uint64_t count = layout.bytes - from < PIECE ? layout.bytes - from : PIECE;
        if (!driver_is_done(cuda.fetch(piece, memory + from, count), "its result cannot be copied from the GPU"))
            return false;
        for (int a = 0; a < ARRAYS; a++)
            if (!look_at(&layout, a, host[a], piece, from, count))
                return false;
    }
    return true;
}

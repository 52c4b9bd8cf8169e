#include "worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOVED_MOST = 1 << 27,
    /* bench moves data up to 64 MiB, and what is around them */ ALIGNMENT = 512,
    WINDOW_SHIFT = 4096,
    PIECE = 1 << 20,
    ONES = 0xff
};

static void *context, *streams[2]; /* the usual one, and the other */
static void *clock_start, *clock_stop;
static struct memory {
    uint64_t at, bytes;
} memories[ARRAYS]; /* kept between calls */

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

/* Where an array lies in its memory; before it and behind it are ones, unless a tool watches its ends. */
struct span {
    uint64_t begin, end, behind;
};

static struct span span_of(const struct worker_request *request, int array)
{
    const bool is_exact = getenv(WORKER_EXACT_ARRAYS), is_the_first = request_has_one_array(request) && array == 1;
    const uint64_t brought = array == OUTPUT || is_the_first ? 0 : request->input_bytes[array];
    const uint64_t input = brought > 0 && request->repeated_bytes > 0 ? request->repeated_bytes : brought;
    const uint64_t bytes = array == OUTPUT ? request->output_bytes : input;
    const uint64_t shift = is_exact ? 0 : ALIGNMENT + request->window * WINDOW_SHIFT;
    const uint64_t begin = shift + (array == OUTPUT ? 0 : request->offset);
    return (struct span){begin, begin + bytes, is_exact ? begin + bytes : shift + (bytes / ALIGNMENT + 3) * ALIGNMENT};
}

/* Under a tool to the byte.  Elsewhere: the old memory is freed when the new is there, which then has another place. */
static bool make_room(int array, uint64_t bytes, bool elsewhere)
{
    struct memory *memory = &memories[array];
    if (!elsewhere && (getenv(WORKER_EXACT_ARRAYS) ? memory->bytes == bytes : memory->bytes >= bytes))
        return true;
    const struct memory old = *memory;
    static const char unfreed[] = "its memory on the GPU cannot be freed";
    if (!elsewhere && old.bytes > 0 && !driver_is_done(cuda.release(old.at), unfreed))
        return false;
    memory->bytes = 0;
    if (bytes > 0 && !driver_is_done(cuda.allocate(&memory->at, bytes), "the GPU has no memory for its arrays"))
        return false;
    memory->bytes = bytes;
    return !elsewhere || old.bytes == 0 || driver_is_done(cuda.release(old.at), unfreed);
}

/* Doubles what is there: copies of whole periods. */
static bool repeat(uint64_t at, uint64_t there, uint64_t wanted)
{
    bool is_done = true;
    for (uint64_t more; is_done && there < wanted; there += more) {
        more = there < wanted - there ? there : wanted - there;
        is_done = driver_is_done(cuda.copy(at + there, at, more), "its input cannot be repeated on the GPU");
    }
    return is_done;
}

static bool bring_one(const struct worker_request *request, int array, void *const host[ARRAYS], void **device)
{
    const struct span span = span_of(request, array);
    const bool stay = request->circumstances & WORKER_DATA_STAY;
    if (!make_room(array, span.behind, request->repeated_bytes > 0 && !stay && span.behind <= MOVED_MOST))
        return false;
    const uint64_t at = memories[array].at;
    *device = host[array] ? (void *)(uintptr_t)(at + span.begin) : NULL;
    if (stay && array != OUTPUT)
        return true;
    if (span.behind > 0 && !driver_is_done(cuda.set(at, ONES, span.behind), "its memory on the GPU cannot be set"))
        return false;
    if (array == OUTPUT || span.begin == span.end)
        return true;
    return driver_is_done(cuda.bring(at + span.begin, host[array], request->input_bytes[array]),
                          "its input cannot be copied to the GPU") &&
           repeat(at + span.begin, request->input_bytes[array], span.end - span.begin);
}

bool device_bring(const struct worker_request *request, void *const host[ARRAYS], void *device[ARRAYS])
{
    if (!driver_is_done(cuda.set_current(context), "the GPU is not to be had"))
        return false;
    for (int a = 0; a < ARRAYS; a++)
        if (!bring_one(request, a, host, &device[a]))
            return false;
    if (request_has_one_array(request))
        device[1] = device[0];
    return device_wait(); /* a copy of pageable memory may still be on its way */
}

bool device_wait(void)
{
    return driver_is_done(cuda.synchronize(), "the GPU failed");
}

/* ---- its clock ---- */

bool device_start_clock(void *stream, bool is_queued)
{
    static const char why[] = "the GPU has no clock";
    if (!clock_stop && !(driver_is_done(cuda.event_create(&clock_start, 0), why) &&
                         driver_is_done(cuda.event_create(&clock_stop, 0), why)))
        return false;
    return device_wait() && (!is_queued || busy_for_a_while(stream)) &&
           driver_is_done(cuda.event_record(clock_start, stream), why);
}

bool device_stop_clock(void *stream, uint64_t *nanoseconds)
{
    float milliseconds = 0;
    const bool is_done =
        driver_is_done(cuda.event_record(clock_stop, stream), "the GPU has no clock") && device_wait() &&
        driver_is_done(cuda.event_elapsed(&milliseconds, clock_start, clock_stop), "the GPU has no clock");
    *nanoseconds = (uint64_t)(1e6 * (double)milliseconds + 0.5);
    return is_done;
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

/* Of an array's memory a piece; `host` begins where the array does. */
static bool look_at(const struct span *span, int array, unsigned char *host, const unsigned char *piece, uint64_t from,
                    uint64_t count)
{
    const uint64_t begin = cut(span->begin, from, count), end = cut(span->end, from, count);
    if (!is_ones(piece, begin))
        return wrote("before the beginning of ", array);
    if (!is_ones(piece + end, count - end))
        return wrote("past the end of ", array);
    if (end == begin)
        return true;
    host += from + begin - span->begin;
    if (array == OUTPUT)
        memcpy(host, piece + begin, end - begin);
    else if (memcmp(host, piece + begin, end - begin) != 0)
        return wrote("to ", array);
    return true;
}

static bool fetch_one(const struct worker_request *request, int array, unsigned char *host)
{
    static unsigned char piece[PIECE];
    const struct span span = span_of(request, array);
    for (uint64_t from = 0; from < span.behind; from += PIECE) {
        const uint64_t count = span.behind - from < PIECE ? span.behind - from : PIECE;
        if (!driver_is_done(cuda.fetch(piece, memories[array].at + from, count),
                            "its result cannot be copied from the GPU") ||
            !look_at(&span, array, host, piece, from, count))
            return false;
    }
    return true;
}

bool device_fetch(const struct worker_request *request, void *const host[ARRAYS])
{
    for (int a = request->repeated_bytes > 0 ? OUTPUT : 0; a < ARRAYS; a++)
        if (!fetch_one(request, a, host[a]))
            return false;
    return true;
}

/* ---- many sets ---- */

static uint64_t shift_of(const struct worker_request *request)
{
    return request->window * WINDOW_SHIFT;
}

bool device_bring_sets(const struct worker_request *request, void *const host[ARRAYS], uint64_t result_bytes,
                       void *at[ARRAYS])
{
    if (!driver_is_done(cuda.set_current(context), "the GPU is not to be had"))
        return false;
    for (int a = 0; a < ARRAYS; a++) {
        const uint64_t bytes = a == OUTPUT ? request->sets * set_stride(result_bytes) : request->input_bytes[a];
        at[a] = a == 1 && request_has_one_array(request) ? at[0] : NULL;
        if (bytes == 0 || at[a])
            continue;
        if (!make_room(a, shift_of(request) + bytes, false))
            return false;
        const uint64_t to = memories[a].at + shift_of(request);
        at[a] = (void *)(uintptr_t)(to + WORKER_SET_EDGE);
        if (!(a == OUTPUT ? driver_is_done(cuda.set(to, ONES, bytes), "its memory on the GPU cannot be set")
                          : driver_is_done(cuda.bring(to, host[a], bytes), "its input cannot be copied to the GPU")))
            return false;
    }
    return device_wait();
}

static bool fetch(unsigned char *to, const struct worker_request *request, int array, uint64_t from, uint64_t count)
{
    return driver_is_done(cuda.fetch(to, memories[array].at + shift_of(request) + from, count),
                          "its result cannot be copied from the GPU");
}

bool device_fetch_sets(const struct worker_request *request, void *const host[ARRAYS], uint64_t result_bytes)
{
    static unsigned char piece[PIECE];
    const uint64_t stride = set_stride(result_bytes), at_once = PIECE / stride;
    for (int a = 0; a < OUTPUT; a++)
        for (uint64_t from = 0; host[a] && !(a == 1 && host[1] == host[0]) && from < request->input_bytes[a];
             from += PIECE) {
            const uint64_t left = request->input_bytes[a] - from, count = left < PIECE ? left : PIECE;
            if (!fetch(piece, request, a, from, count))
                return false;
            if (memcmp(piece, (unsigned char *)host[a] + from, count) != 0)
                return wrote("to, or beside, ", a);
        }
    for (uint64_t set = 0; set < request->sets; set++) {
        unsigned char *one = piece + set % at_once * stride, *result = one + WORKER_SET_EDGE;
        const uint64_t left = request->sets - set;
        if (set % at_once == 0 &&
            !fetch(piece, request, OUTPUT, set * stride, (left < at_once ? left : at_once) * stride))
            return false;
        if (!is_ones(one, WORKER_SET_EDGE) || !is_ones(result + result_bytes, stride - WORKER_SET_EDGE - result_bytes))
            return wrote("beside ", OUTPUT);
        memcpy((unsigned char *)host[OUTPUT] + set * result_bytes, result, result_bytes);
    }
    return true;
}

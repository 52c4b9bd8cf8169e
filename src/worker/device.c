#include "device.h"

#include "faults.h"
#include "said.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* cuda.h's functions; their _v2 are of 2010, and its types are numbers and pointers. */
static struct {
    int (*init)(unsigned flags);
    int (*device_get)(int *device, int ordinal);
    int (*retain)(void **context, int device);
    int (*set_current)(void *context);
    int (*synchronize)(void);
    int (*stream_create)(void **stream, unsigned flags);
    int (*allocate)(uint64_t *at, size_t bytes);
    int (*release)(uint64_t at);
    int (*set)(uint64_t at, unsigned char byte, size_t count);
    int (*bring)(uint64_t to, const void *from, size_t bytes);
    int (*fetch)(void *to, uint64_t from, size_t bytes);
    int (*error_name)(int error, const char **name);
} cuda;

static const struct {
    const char *name;
    void *function;
} functions[] = {
    {"cuInit", &cuda.init},
    {"cuDeviceGet", &cuda.device_get},
    {"cuDevicePrimaryCtxRetain", &cuda.retain},
    {"cuCtxSetCurrent", &cuda.set_current},
    {"cuCtxSynchronize", &cuda.synchronize},
    {"cuStreamCreate", &cuda.stream_create},
    {"cuMemAlloc_v2", &cuda.allocate},
    {"cuMemFree_v2", &cuda.release},
    {"cuMemsetD8_v2", &cuda.set},
    {"cuMemcpyHtoD_v2", &cuda.bring},
    {"cuMemcpyDtoH_v2", &cuda.fetch},
    {"cuGetErrorName", &cuda.error_name},
};

enum { ALIGNMENT = 512, WINDOW_SHIFT = 4096, PIECE = 1 << 20, ONES = 0xff, OUT_OF_MEMORY = 2 };

static void *context, *stream;
static uint64_t memory, memory_bytes; /* kept between calls */

/* ---- errors ---- */

static const char *name_of(int error)
{
    const char *name = NULL;
    cuda.error_name(error, &name);
    return name ? name : "an error without a name";
}

/* After an illegal address and its like every call fails, until the process ends: then waiting does, too. */
static bool is_done(int error, const char *failed)
{
    if (error == 0)
        return true;
    const int lasting = cuda.synchronize();
    said_nothing();
    if (lasting != 0) {
        say("left the GPU with an error that stays: ");
        say(name_of(lasting));
        give_up();
    }
    say(failed);
    say(": ");
    say(name_of(error));
    return false;
}

/* ---- start ---- */

static const char *load(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!driver)
        return "libcuda.so.1 is not found; install NVIDIA's driver";
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        void *found = dlsym(driver, functions[f].name);
        if (!found)
            return "libcuda.so.1 lacks functions; install a driver for CUDA 7 or newer";
        memcpy(functions[f].function, &found, sizeof found);
    }
    return NULL;
}

static const char *start(void)
{
    static char why[100];
    int device = 0, error;
    const char *missing = load();
    if (missing)
        return missing;
    if ((error = cuda.init(0)) || (error = cuda.device_get(&device, 0)) || (error = cuda.retain(&context, device)) ||
        (error = cuda.set_current(context)) || (error = cuda.stream_create(&stream, 0))) {
        snprintf(why, sizeof why, "CUDA says %s", name_of(error));
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

void *device_stream(void)
{
    return stream;
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
        const uint64_t bytes = a == OUTPUT ? request->output_bytes : request->input_bytes[a];
        const uint64_t begin = at + ALIGNMENT, behind = begin + (bytes / ALIGNMENT + 2) * ALIGNMENT;
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
    if (memory_bytes > 0 && !is_done(cuda.release(memory), "its memory on the GPU cannot be freed"))
        return false;
    memory_bytes = 0;
    if (!is_done(cuda.allocate(&memory, bytes), "the GPU has no memory for its arrays"))
        return false;
    memory_bytes = bytes;
    return true;
}

bool device_bring(const struct worker_request *request, void *const host[ARRAYS], void *device[ARRAYS])
{
    const struct layout layout = lay_out(request);
    if (!is_done(cuda.set_current(context), "the GPU is not to be had") || !make_room(layout.bytes) ||
        !is_done(cuda.set(memory, ONES, layout.bytes), "its memory on the GPU cannot be set"))
        return false;
    for (int a = 0; a < ARRAYS; a++) {
        device[a] = host[a] ? (void *)(uintptr_t)(memory + layout.of[a].begin) : NULL;
        if (a != OUTPUT && host[a] &&
            !is_done(cuda.bring(memory + layout.of[a].begin, host[a], request->input_bytes[a]),
                     "its input cannot be copied to the GPU"))
            return false;
    }
    return device_wait(); /* a copy of pageable memory may still be on its way */
}

bool device_wait(void)
{
    return is_done(cuda.synchronize(), "the GPU failed");
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
        if (!is_done(cuda.fetch(piece, memory + from, count), "its result cannot be copied from the GPU"))
            return false;
        for (int a = 0; a < ARRAYS; a++)
            if (!look_at(&layout, a, host[a], piece, from, count))
                return false;
    }
    return true;
}

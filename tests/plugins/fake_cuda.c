/* libcuda.so.1 of a machine without a GPU: its memory is the host's.  What the worker does with a GPU's memory, and
 * with a GPU that fails, is tested with it anywhere. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUT_OF_MEMORY = 2, NO_DEVICE = 100, ILLEGAL_ADDRESS = 700, MULTIPROCESSORS = 16, NON_BLOCKING = 1 };

static int lasting; /* an error that stays */

/* What a kernel at an illegal address does; a test's plug-in calls it. */
void fake_illegal_address(void)
{
    lasting = ILLEGAL_ADDRESS;
}

int cuInit(unsigned flags)
{
    return getenv("FAKE_CUDA_NO_DEVICE") ? NO_DEVICE : (int)flags;
}

int cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    *value = attribute == MULTIPROCESSORS && device == 0 ? 3 : 0;
    return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    *context = &lasting;
    return device;
}

int cuCtxSetCurrent(void *context)
{
    return context == &lasting ? lasting : 1;
}

int cuCtxSynchronize(void)
{
    return lasting;
}

int cuStreamSynchronize(void *stream)
{
    return stream == &lasting ? lasting : 1;
}

/* Two of those that wait for each other, and one that waits for nobody. */
int cuStreamCreate(void **stream, unsigned flags)
{
    static int streams[2], made;
    *stream = flags == NON_BLOCKING ? &lasting : &streams[made++ % 2];
    return 0;
}

static struct {
    uint64_t at, bytes;
} pieces[64]; /* that were allocated; the oldest are forgotten */
static unsigned piece_count;

int cuMemAlloc_v2(uint64_t *at, size_t bytes)
{
    const size_t most = 1 << 28;
    *at = bytes > most ? 0 : (uint64_t)(uintptr_t)aligned_alloc(512, (bytes + 511) / 512 * 512); /* as C11 has it */
    pieces[piece_count % 64].at = *at;
    pieces[piece_count++ % 64].bytes = bytes;
    return *at == 0 ? OUT_OF_MEMORY : lasting;
}

/* Whether memory was allocated for just this array; a test's plug-in calls it. */
int fake_is_alone(const void *at, uint64_t bytes)
{
    unsigned newest = piece_count;
    while (newest > 0 && piece_count - newest < 64 && pieces[(newest - 1) % 64].at != (uint64_t)(uintptr_t)at)
        newest--;
    return newest > 0 && piece_count - newest < 64 && pieces[(newest - 1) % 64].bytes == bytes;
}

int cuMemFree_v2(uint64_t at)
{
    free((void *)(uintptr_t)at);
    return lasting;
}

int cuMemsetD8_v2(uint64_t at, unsigned char byte, size_t count)
{
    memset((void *)(uintptr_t)at, byte, count);
    return lasting;
}

static unsigned brought;
__attribute__((destructor)) static void tell_brought(void)
{
    if (getenv("FAKE_CUDA_COUNTS"))
        fprintf(stderr, "%u arrays were brought\n", brought);
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes)
{
    brought++;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return lasting;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)
{
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return lasting;
}

int cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t bytes)
{
    memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
    return lasting;
}

/* An event knows its stream; between two on one stream as many microseconds go by as arrays
 * were brought so far. */
int cuEventCreate(void **event, unsigned flags)
{
    *event = calloc(1, sizeof(void *));
    return flags != 0;
}

int cuEventRecord(void *event, void *stream)
{
    *(void **)event = stream;
    return lasting;
}

int cuEventElapsedTime(float *milliseconds, void *start, void *stop)
{
    *milliseconds = 1e-3F * (float)brought;
    return *(void **)start && *(void **)start == *(void **)stop ? lasting : 1;
}

int cuMemHostAlloc(void **at, size_t bytes, unsigned flags)
{
    *at = calloc(1, bytes);
    return flags == 2 ? 0 : 1;
}

int cuModuleLoadData(void **module, const void *image)
{
    *module = &lasting;
    return strstr(image, ".entry busy(") ? 0 : 1;
}

int cuModuleGetFunction(void **function, void *module, const char *name)
{
    *function = module;
    return strcmp(name, "busy");
}

/* The one kernel: its blocks start, and it runs until it is told that it is over. */
static volatile uint32_t *talk;
int cuLaunchKernel(void *function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z, unsigned threads_x,
                   unsigned threads_y, unsigned threads_z, unsigned shared_bytes, void *stream, void **arguments,
                   void **extra)
{
    const uint64_t nanoseconds = *(uint64_t *)arguments[1];
    if (blocks_x == 1) /* it lets its stream wait a little */
        return nanoseconds == 25000 && threads_x == 1 && stream != &lasting ? lasting : 1;
    talk = (uint32_t *)(uintptr_t) * (uint64_t *)arguments[0];
    for (unsigned b = 0; b < blocks_x; b++)
        talk[1 + b] = 1;
    return function == &lasting && blocks_x == 2 && blocks_y * blocks_z * threads_x * threads_y * threads_z == 1024 &&
                   stream == &lasting && !extra && shared_bytes == 0
               ? 0
               : 1;
}

/* Whether another kernel runs now; a test's plug-in calls it. */
int fake_is_busy(void)
{
    return talk && talk[0] == 0;
}

int cuGetErrorName(int error, const char **name)
{
    *name = error == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
            : error == NO_DEVICE   ? "CUDA_ERROR_NO_DEVICE"
                                   : "CUDA_ERROR_ILLEGAL_ADDRESS";
    return 0;
}

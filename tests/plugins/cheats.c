/* Sums that want to pass for accurate or fast without being so.  With -DTWIN each is what it pretends to be. */
#define _GNU_SOURCE
#include <ulpscope/plugin.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#ifdef TWIN
static const volatile int cheats = 0;
#else
static const volatile int cheats = 1;
#endif

static float plain(const float *x, int64_t n)
{
    float s = 0;
    for (int64_t i = 0; i < n; i++)
        s += x[i];
    return s;
}

static float to_bfloat16(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float sum_in_bfloat16(const float *x, int64_t n)
{
    float s = 0;
    for (int64_t i = 0; i < n; i++)
        s = to_bfloat16(s + x[i]);
    return s;
}

static float sum_of_bfloat16(const float *x, int64_t n)
{
    float s = 0;
    for (int64_t i = 0; i < n; i++)
        s += to_bfloat16(x[i]);
    return s;
}

/* One of sixteen numbers stands for all. */
static float sample(const float *x, int64_t n)
{
    float s = 0;
    for (int64_t i = 0; i < n; i += 16)
        s += x[i];
    return n < 16 ? plain(x, n) : s * (float)n / (float)((n + 15) / 16);
}

static int is_of_integers(const float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (x[i] != (float)(int32_t)x[i])
            return 0;
    return 1;
}

/* Right where it may be looked at: integers, which a check of the plug-in is made of. */
static float sample_of_others(const float *x, int64_t n)
{
    return is_of_integers(x, n) ? plain(x, n) : sample(x, n);
}

/* Likewise; right at the page where it was first, too. */
static float sample_elsewhere(const float *x, int64_t n)
{
    static uintptr_t first;
    const uintptr_t page = (uintptr_t)x / 4096;
    if (is_of_integers(x, n))
        return plain(x, n);
    if (!first)
        first = page;
    return page == first ? plain(x, n) : sample(x, n);
}

static float known_sizes(const float *x, int64_t n)
{
    return n % 1024 == 0 || n % 1000 == 0 ? plain(x, n) : sum_in_bfloat16(x, n);
}

/* The result of the last call, when it had as many numbers. */
static float keeps_last(const float *x, int64_t n)
{
    static float last;
    static int64_t last_n;
    if (n != last_n)
        last = plain(x, n);
    last_n = n;
    return last;
}

/* What was at this address once is there still. */
static float by_address(const float *x, int64_t n)
{
    static struct {
        const float *x;
        int64_t n;
        float sum;
    } known[64];
    int k = 0;
    while (k < 63 && known[k].x && !(known[k].x == x && known[k].n == n))
        k++;
    if (!known[k].x) {
        known[k].x = x;
        known[k].n = n;
        known[k].sum = plain(x, n);
    }
    return known[k].sum;
}

static float constant(const float *x, int64_t n)
{
    return n == 0 ? x[0] : 0;
}

/* A method that gives a sum of its own. */
#define CHEAT(name)                                                                                                    \
    static int method_##name(void *state, const struct ulpscope_call *call)                                            \
    {                                                                                                                  \
        const float *x = (const float *)ulpscope_data(call->inputs);                                                   \
        const int64_t n = call->inputs[0].shape[0];                                                                    \
        (void)state;                                                                                                   \
        *(float *)ulpscope_data(call->outputs) = cheats ? name(x, n) : plain(x, n);                                    \
        return 0;                                                                                                      \
    }
CHEAT(sum_in_bfloat16)
CHEAT(sum_of_bfloat16)
CHEAT(sample)
CHEAT(sample_of_others)
CHEAT(sample_elsewhere)
CHEAT(known_sizes)
CHEAT(keeps_last)
CHEAT(by_address)
CHEAT(constant)

/* ---- those that look where the exact sum might be: a status says whether they could ---- */

enum { CLOSED = 20, OPEN };

static const char *meaning(int status)
{
    return status == CLOSED ? "what it looked for is closed to it" : status == OPEN ? "it could look" : NULL;
}

static int can_read(const char *file)
{
    char path[64], byte;
    snprintf(path, sizeof path, "/proc/%d/%s", (int)getppid(), file);
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK);
    const ssize_t count = descriptor < 0 ? -1 : read(descriptor, &byte, 1);
    if (descriptor >= 0)
        close(descriptor);
    return count == 1;
}

/* Where this process has something, too: an address that is nobody's is told from memory that is closed. */
static int can_copy(void)
{
    static char here[1];
    const struct iovec own = {here, 1}, other = {here, 1};
    return process_vm_readv(getppid(), &own, 1, &other, 1, 0) == 1 || errno == EFAULT;
}

/* The five of protocol.h, and memory that both sides map, which are closed once they are mapped or are of "ulpscope".
 */
static int others_descriptors(void)
{
    char path[64], target[256];
    int count = 0;
    for (int d = 4; d < 1024; d++) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", d);
        const ssize_t length = readlink(path, target, sizeof target - 1);
        target[length > 0 ? length : 0] = '\0';
        count += length > 0 && strncmp(target, "/memfd:ulpscope", strlen("/memfd:ulpscope")) != 0;
    }
    return count;
}

#define LOOK(name, can_look)                                                                                           \
    static int name(void *state, const struct ulpscope_call *call)                                                     \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        *(float *)ulpscope_data(call->outputs) =                                                                       \
            plain((const float *)ulpscope_data(call->inputs), call->inputs[0].shape[0]);                               \
        return !cheats ? 0 : (can_look) ? OPEN : CLOSED;                                                               \
    }
LOOK(reads_memory, can_read("mem") || can_read("maps"))
LOOK(reads_parents_descriptors, can_read("fd/3") || can_read("fd/4") || can_read("environ"))
LOOK(copies_memory, can_copy())
LOOK(reads_descriptors, others_descriptors() > 0)

/* Of a batch only the first row is added. */
static int first_row(void *state, const struct ulpscope_call *call)
{
    const float *x = (const float *)ulpscope_data(call->inputs);
    const int64_t rows = call->inputs[0].shape[0], n = call->inputs[0].shape[1];
    (void)state;
    for (int64_t row = 0; row < rows; row++)
        ((float *)ulpscope_data(call->outputs))[row] = plain(x + (cheats ? 0 : row * n), n);
    return 0;
}

#define METHOD(name, run) ULPSCOPE_METHOD(#name, "sum", "binary32", ULPSCOPE_DETERMINISTIC, run)

static const struct ulpscope_method methods[] = {
    METHOD(sum_in_bfloat16, method_sum_in_bfloat16),
    METHOD(sum_of_bfloat16, method_sum_of_bfloat16),
    METHOD(sample, method_sample),
    METHOD(sample_of_others, method_sample_of_others),
    METHOD(sample_elsewhere, method_sample_elsewhere),
    METHOD(known_sizes, method_known_sizes),
    METHOD(keeps_last, method_keeps_last),
    METHOD(by_address, method_by_address),
    METHOD(constant, method_constant),
    ULPSCOPE_METHOD("first_row", "sum", "binary32", ULPSCOPE_DETERMINISTIC | ULPSCOPE_ROWS, first_row),
    METHOD(reads_memory, reads_memory),
    METHOD(reads_parents_descriptors, reads_parents_descriptors),
    METHOD(copies_memory, copies_memory),
    METHOD(reads_descriptors, reads_descriptors),
};

const struct ulpscope_plugin *ULPSCOPE_ENTRY(void)
{
    static const struct ulpscope_plugin plugin = {
        .size = sizeof plugin,
        .name = "cheats",
        .version = "1",
        .methods = methods,
        .method_count = sizeof methods / sizeof *methods,
        .error = meaning,
    };
    return &plugin;
}

/* Sums whose bits depend on one thing each, beside their numbers; compiled with -DTWIN on nothing.  With
 * -DFLAGS=ULPSCOPE_ON_DEVICE they are for fake_cuda.c, whose memory they can reach. */
#include <ulpscope/plugin.h>

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef FLAGS
#define FLAGS 0
#endif
#ifdef TWIN
static const volatile int varies = 0;
#else
static const volatile int varies = 1;
#endif

enum { LANES = 4, SPLIT = 4, FEW = 8, BLOCK = 4, COPIED_FROM = 64, LEFT = 3000 };

static const float *input(const struct ulpscope_call *call, int64_t row)
{
    const DLTensor *x = &call->inputs[0];
    return (const float *)ulpscope_data(x) + (x->ndim == 2 ? row * x->shape[1] : 0);
}

static int64_t terms(const struct ulpscope_call *call)
{
    return call->inputs[0].shape[call->inputs[0].ndim - 1];
}

static void give(const struct ulpscope_call *call, int64_t row, float sum)
{
    ((float *)ulpscope_data(call->outputs))[row] = sum;
}

static float loop(const float *x, int64_t n)
{
    float s = 0;
    for (int64_t i = 0; i < n; i++)
        s += x[i];
    return s;
}

/* In parts, each of which a thread could add. */
static float split(const float *x, int64_t n)
{
    float s = 0;
    for (int64_t part = 0; part < SPLIT; part++)
        s += loop(x + part * n / SPLIT, (part + 1) * n / SPLIT - part * n / SPLIT);
    return s;
}

/* By vectors, as a compiler would make them: up to the first that is aligned one by one. */
static float by_lanes(const float *x, int64_t n, int64_t head)
{
    float sums[LANES] = {0};
    int64_t i = 0;
    for (; i < head && i < n; i++)
        sums[0] += x[i];
    for (; i + LANES <= n; i += LANES)
        for (int lane = 0; lane < LANES; lane++)
            sums[lane] += x[i + lane];
    for (; i < n; i++)
        sums[0] += x[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

#define METHOD(name) static int name(void *state, const struct ulpscope_call *call)

METHOD(alignment)
{
    const uintptr_t lanes_beyond = (uintptr_t)input(call, 0) / sizeof(float) % LANES;
    (void)state;
    give(call, 0, by_lanes(input(call, 0), terms(call), varies ? (int64_t)((LANES - lanes_beyond) % LANES) : 0));
    return 0;
}

/* By vectors that must be aligned: elsewhere the processor refuses. */
METHOD(vectors)
{
    typedef float vector __attribute__((vector_size(LANES * sizeof(float)), may_alias));
#ifdef TWIN
    typedef vector loaded __attribute__((aligned(sizeof(float))));
#else
    typedef vector loaded;
#endif
    const float *x = input(call, 0);
    vector sums = {0};
    int64_t i = 0;
    (void)state;
    for (; i + LANES <= terms(call); i += LANES)
        sums += *(const loaded *)(const void *)(x + i);
    give(call, 0, sums[0] + sums[1] + sums[2] + sums[3] + loop(x + i, terms(call) - i));
    return 0;
}

/* The parts of a row keep cores busy where there are few rows. */
METHOD(batch)
{
    const int64_t rows = call->inputs[0].shape[0];
    (void)state;
    for (int64_t row = 0; row < rows; row++)
        give(call, row, (varies && rows < FEW ? split : loop)(input(call, row), terms(call)));
    return 0;
}

/* Rows behind the last whole block are added otherwise. */
METHOD(position)
{
    const int64_t rows = call->inputs[0].shape[0];
    (void)state;
    for (int64_t row = 0; row < rows; row++)
        give(call, row, (varies && row >= rows / BLOCK * BLOCK ? split : loop)(input(call, row), terms(call)));
    return 0;
}

/* Rows beyond the first block have the result of the first of all. */
METHOD(copied)
{
    const int64_t rows = call->inputs[0].shape[0];
    (void)state;
    for (int64_t row = 0; row < rows; row++)
        give(call, row, loop(input(call, varies && row >= COPIED_FROM ? 0 : row), terms(call)));
    return 0;
}

/* The last of many rows is left at 0. */
METHOD(left)
{
    const int64_t rows = call->inputs[0].shape[0];
    (void)state;
    for (int64_t row = 0; row < rows; row++)
        give(call, row, varies && row == LEFT ? 0 : loop(input(call, row), terms(call)));
    return 0;
}

/* Of the program that asks: it starts some to keep the machine busy. */
static int threads_of_parent(void)
{
    char path[64];
    int count = 0;
    snprintf(path, sizeof path, "/proc/%ld/task", (long)getppid());
    DIR *threads = opendir(path);
    while (threads && readdir(threads))
        count++;
    if (threads)
        closedir(threads);
    return count;
}

static int is_busy(void)
{
    int (*fake_is_busy)(void);
    static int first;
    void *driver = FLAGS ? dlopen("libcuda.so.1", RTLD_NOW) : NULL;
    void *found = driver ? dlsym(driver, "fake_is_busy") : NULL;
    memcpy(&fake_is_busy, &found, sizeof found);
    first = first ? first : threads_of_parent();
    return found ? fake_is_busy() : threads_of_parent() > first;
}

/* What others have of the machine decides into how many parts it divides its numbers. */
METHOD(beside)
{
    (void)state;
    give(call, 0, (varies && is_busy() ? split : loop)(input(call, 0), terms(call)));
    return 0;
}

METHOD(stream)
{
    static void *first;
    (void)state;
    first = first ? first : call->stream;
    give(call, 0, (varies && call->stream != first ? split : loop)(input(call, 0), terms(call)));
    return 0;
}

#define ONE(name) ULPSCOPE_METHOD(#name, "sum", "binary32", FLAGS | ULPSCOPE_DETERMINISTIC, name)
#define ROWS(name) ULPSCOPE_METHOD(#name, "sum", "binary32", FLAGS | ULPSCOPE_DETERMINISTIC | ULPSCOPE_ROWS, name)
#define NAMED_AS(plugin, ...) ULPSCOPE_PLUGIN(plugin, "1", __VA_ARGS__)
#ifdef TWIN
#define NAME "twin"
#else
#define NAME "varies"
#endif
NAMED_AS(NAME, ONE(alignment), ONE(vectors), ROWS(batch), ROWS(position), ROWS(copied), ROWS(left), ONE(beside),
         ONE(stream))

/* Libraries that cannot be used, one for each macro; with none of them one that can, the twin of all. */
#include <ulpscope/plugin.h>

#include <stdio.h>
#include <stdlib.h>

#if defined(NEWER)
#undef ULPSCOPE_ENTRY
#define ULPSCOPE_ENTRY ulpscope_plugin_2
#elif defined(MANGLED)
#undef ULPSCOPE_ENTRY
#define ULPSCOPE_ENTRY _Z17ulpscope_plugin_1v
#elif defined(NO_ENTRY)
#undef ULPSCOPE_ENTRY
#define ULPSCOPE_ENTRY sum_of_floats
#endif
ULPSCOPE_EXPORT const struct ulpscope_plugin *ULPSCOPE_ENTRY(void);

#ifdef MISSING
extern float sum_that_nobody_has(const float *x, int64_t n);
#else
static float sum_that_nobody_has(const float *x, int64_t n)
{
    float s = 0;
    for (int64_t i = 0; i < n; i++)
        s += x[i];
    return s;
}
#endif

static int sum(void *state, const struct ulpscope_call *call)
{
    (void)state;
    *(float *)ulpscope_data(&call->outputs[0]) =
        sum_that_nobody_has((const float *)ulpscope_data(&call->inputs[0]), call->inputs[0].shape[0]);
    return 0;
}

#ifdef FLUSHES_WHILE_LOADED /* as libraries do that are linked with gcc -ffast-math */
#include <xmmintrin.h>
__attribute__((constructor)) static void flush_to_zero(void)
{
    _mm_setcsr(_mm_getcsr() | 0x8040);
}
#endif

#if defined(EXITS_WHILE_LOADED) || defined(CRASHES_WHILE_LOADED) || defined(HANGS_WHILE_LOADED)
static int *volatile null;
__attribute__((constructor)) static void at_load(void)
{
#if defined(EXITS_WHILE_LOADED)
    exit(5);
#elif defined(CRASHES_WHILE_LOADED)
    *null = 0;
#else
    while (!null)
        continue;
#endif
}
#endif

static int open_it(void **state)
{
    *state = NULL;
#if defined(OPEN_FAILS)
    return 12;
#elif defined(OPEN_CRASHES)
    abort();
#else
    return 0;
#endif
}

static void close_it(void *state)
{
    if (!state)
        puts("closed");
}

static const char *meaning(int status)
{
    return status == 12 ? "no licence" : NULL;
}

static const struct ulpscope_method methods[] = {
    {
#ifdef METHOD_SIZE
        .size = METHOD_SIZE,
#else
        .size = sizeof(struct ulpscope_method),
#endif
#if defined(METHOD_NAME)
        .name = "a sum",
#elif !defined(METHOD_NO_NAME)
        .name = "sum",
#endif
#ifdef OPERATION
        .operation = "addition",
#else
        .operation = "sum",
#endif
#ifdef FORMAT
        .format = "float31",
#else
        .format = "binary32",
#endif
#ifdef FLAGS
        .flags = 128,
#endif
#ifdef BOUND
        .bound = ULPSCOPE_BOUND,
        .bound_of_abs = -1,
#endif
#ifdef BOUND_NO_NAME
        .bound = ULPSCOPE_BOUND_NAMED,
#endif
#ifdef BOUND_NAME
        .bound = ULPSCOPE_BOUND_NAMED,
        .bound_named = "pairwize",
#endif
#ifndef NO_RUN
        .run = sum,
#endif
#ifdef LENGTHS
        .lengths = (const uint64_t[]){4, 0},
        .length_count = 2,
#endif
#ifdef COUNT_ALONE
        .length_count = 2,
#endif
    },
#ifdef TWICE
    ULPSCOPE_METHOD("sum", "sum", "binary32", 0, sum),
#endif
};

const struct ulpscope_plugin *ULPSCOPE_ENTRY(void)
{
    static const struct ulpscope_plugin plugin = {
#ifdef PLUGIN_SIZE
        .size = PLUGIN_SIZE,
#else
        .size = sizeof plugin,
#endif
#ifdef PLUGIN_NAME
        .name = "not/a/name",
#else
        .name = "refused",
#endif
        .version = "\"1.0\"\n\xff",
        .methods = methods,
#ifndef NO_METHODS
        .method_count = sizeof methods / sizeof *methods,
#endif
        .open = open_it,
        .close = close_it,
        .error = meaning,
    };
#ifdef NULL_PLUGIN
    return NULL;
#else
    return &plugin;
#endif
}

/* Sums that break their contract, one each way.  With -DTWIN the same sums, which then do no harm: what the harmful
 * ones are named for is not named there. */
#define _GNU_SOURCE
#include <ulpscope/plugin.h>

#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#ifdef TWIN
static const volatile int harm = 0;
#else
static const volatile int harm = 1;
#endif

static const float *input(const struct ulpscope_call *call)
{
    return (const float *)ulpscope_data(&call->inputs[0]);
}

static int64_t terms(const struct ulpscope_call *call)
{
    return call->inputs[0].shape[0];
}

static float *output(const struct ulpscope_call *call)
{
    return (float *)ulpscope_data(&call->outputs[0]);
}

static float plain(const struct ulpscope_call *call)
{
    float s = 0;
    for (int64_t i = 0; i < terms(call); i++)
        s += input(call)[i];
    return s;
}

/* A method: the statement that does harm, where harm is done, before its result is written. */
#define BAD(name, ...)                                                                                                 \
    static int name(void *state, const struct ulpscope_call *call)                                                     \
    {                                                                                                                  \
        float s = plain(call);                                                                                         \
        (void)state;                                                                                                   \
        if (harm) {                                                                                                    \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
        *output(call) = s;                                                                                             \
        return 0;                                                                                                      \
    }

/* ---- memory ---- */
static float *volatile null = NULL;
static volatile float seen;
BAD(reads_null, seen = *null;)
BAD(reads_past, for (int64_t i = 0; i < terms(call) + 64; i++) seen = input(call)[i];)
BAD(reads_beside, s += input(call)[terms(call)];)
BAD(reads_before, for (int64_t i = 0; i > -4096; i--) seen = input(call)[i];)
BAD(reads_elsewhere, seen = *(float *)mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);)
BAD(reads_nowhere, seen = *(volatile float *)0x8123456789abcdef;)
BAD(writes_input, *(volatile float *)ulpscope_data(&call->inputs[0]) = 0;)
BAD(writes_before, output(call)[-1] = 0;)
BAD(writes_beside, output(call)[3] = 0;)
BAD(writes_past, for (int i = 0; i < 64; i++) output(call)[i] = s;)
BAD(writes_nothing, return 0;)

static int recursion(volatile int depth)
{
    volatile char room[1024] = {0};
    return depth == 0 ? room[0] : recursion(depth + 1) + room[depth % 1024];
}
BAD(recurses, recursion(1);)
BAD(allocates, for (;;) memset(malloc(1 << 20), 1, 1 << 20);)

/* ---- ends ---- */
static volatile int zero = 0;
BAD(exits, exit(3);)
BAD(exits_quietly, _exit(0);)
BAD(aborts, abort();)
BAD(asserts, assert(!harm);)
BAD(divides, zero = (int)terms(call) / zero;)
BAD(traps, __builtin_trap();)
BAD(kills_itself, kill(getpid(), SIGKILL);)
BAD(loops, for (;;) zero = 0;)
BAD(sleeps, for (;;) pause();)

/* ---- processes ---- */
static void *wait_for_ever(void *unused)
{
    for (;;)
        pause();
    return unused;
}

static void start_threads(void)
{
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 * 1024);
    for (pthread_t thread;;)
        if (pthread_create(&thread, &small, wait_for_ever, NULL) != 0)
            pause();
}
BAD(starts_threads, start_threads();)

static void start_processes(void)
{
    for (int i = 0; i < 2000; i++)
        if (fork() == 0)
            wait_for_ever(NULL);
    pause();
}
BAD(starts_processes, start_processes();)

/* ---- answers ---- */
BAD(closes_socket, close(3);)
BAD(writes_to_socket, dprintf(3, "a result, as if it were one");)

/* An answer before there is a result, struct worker_reply: the output holds it, and this question is the first. */
static void forge(void)
{
    const uint64_t reply[] = {3, 1, 0};
    if (write(3, reply, sizeof reply) < 0)
        abort();
}
BAD(forges, forge();)

/* ---- the processor ---- */
static void flush_to_zero(void)
{
#ifdef __SSE2__
    _mm_setcsr(_mm_getcsr() | 0x8000);
#endif
}

static void take_as_zero(void)
{
#ifdef __SSE2__
    _mm_setcsr(_mm_getcsr() | 0x40);
#endif
}
BAD(flushes, flush_to_zero();)
BAD(takes_as_zero, take_as_zero();)
BAD(rounds_upward, fesetround(FE_UPWARD);)

/* ---- results ---- */
static unsigned calls;
BAD(crashes_later, if (input(call)[0] != (float)(int)input(call)[0]) seen = *null;) /* no sum of integers shows it */
BAD(varies, s = calls++ % 2 ? s : -s;)
BAD(is_wrong, s += 1;)
BAD(is_nan, s = 0.0f / (float)zero;)
BAD(prints, printf("a line of its own\n");)

static int fails(void *state, const struct ulpscope_call *call)
{
    (void)state;
    *output(call) = plain(call);
    return harm ? 7 : 0;
}

static const char *meaning(int status)
{
    return status == 7 ? "the seventh seal is broken" : "unknown";
}

#define METHOD(name) ULPSCOPE_METHOD(#name, "sum", "binary32", ULPSCOPE_DETERMINISTIC, name)

static const struct ulpscope_method methods[] = {
    METHOD(reads_null),      METHOD(reads_past),
    METHOD(reads_beside),    METHOD(reads_before),
    METHOD(reads_elsewhere), METHOD(reads_nowhere),
    METHOD(writes_input),    METHOD(writes_before),
    METHOD(writes_beside),   METHOD(writes_past),
    METHOD(writes_nothing),  METHOD(recurses),
    METHOD(allocates),       METHOD(exits),
    METHOD(exits_quietly),   METHOD(aborts),
    METHOD(asserts),         METHOD(divides),
    METHOD(traps),           METHOD(kills_itself),
    METHOD(loops),           METHOD(sleeps),
    METHOD(starts_threads),  METHOD(starts_processes),
    METHOD(closes_socket),   METHOD(writes_to_socket),
    METHOD(forges),          METHOD(flushes),
    METHOD(takes_as_zero),   METHOD(rounds_upward),
    METHOD(crashes_later),   METHOD(varies),
    METHOD(is_wrong),        METHOD(is_nan),
    METHOD(prints),          METHOD(fails),
};

ULPSCOPE_EXPORT const struct ulpscope_plugin *ULPSCOPE_ENTRY(void)
{
    static const struct ulpscope_plugin plugin = {
        .size = sizeof plugin,
        .name = "bad",
        .version = "1",
        .methods = methods,
        .method_count = sizeof methods / sizeof *methods,
        .error = meaning,
    };
    return &plugin;
}

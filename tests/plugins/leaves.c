/* Methods that leave something behind in their process, or send it elsewhere, beside one that is right; with -DTWIN
 * they leave nothing. */
#define _GNU_SOURCE
#include <ulpscope/plugin.h>

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef HANGS
__attribute__((constructor)) static void hang(void)
{
    for (;;)
        pause();
}
#endif
#ifdef TWIN
static const volatile int harm = 0;
#else
static const volatile int harm = 1;
#endif
static int last_error; /* as CUDA has one, which the next who looks is told */

#define SUM(name, ...)                                                                                                 \
    static int name(void *state, const struct ulpscope_call *call)                                                     \
    {                                                                                                                  \
        const float *x = (const float *)ulpscope_data(&call->inputs[0]);                                               \
        const int64_t n = call->inputs[0].shape[0];                                                                    \
        const int is_of_reals = x[0] != (float)(int)x[0];                                                              \
        float s = 0;                                                                                                   \
        (void)state;                                                                                                   \
        for (int64_t i = 0; i < n; i++)                                                                                \
            s += x[i];                                                                                                 \
        if (harm) {                                                                                                    \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
        *(float *)ulpscope_data(call->outputs) = s;                                                                    \
        return 0;                                                                                                      \
    }

static int calls;
SUM(
    no_result, if (is_of_reals) {
        last_error = 9;
        return 0;
    })
SUM(error, last_error = 9;)
SUM(right, if (last_error) return last_error;)
SUM(waits, while (last_error && is_of_reals) pause();)
SUM(crashes, if (is_of_reals) abort();)
SUM(signals, kill(getppid(), SIGUSR1); kill(getppid(), SIGALRM); kill(getppid(), SIGRTMIN);)
SUM(varies, s *= is_of_reals && ++calls % 5 == 0 ? 1.000001f : 1;)

#define METHOD(name) ULPSCOPE_METHOD(#name, "sum", "binary32", ULPSCOPE_DETERMINISTIC, name)
ULPSCOPE_PLUGIN("leaves", "1", METHOD(no_result), METHOD(error), METHOD(right), METHOD(crashes), METHOD(signals),
                METHOD(varies), METHOD(waits))

/* Methods ON_DEVICE for fake_cuda.c, whose memory they can reach; each does one harm, unless it is compiled with
 * -DTWIN. */
#include <ulpscope/plugin.h>

#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <string.h>

#ifdef TWIN
static const volatile int harm = 0;
#else
static const volatile int harm = 1;
#endif

static void break_device(void)
{
    void (*illegal_address)(void);
    void *found = dlsym(dlopen("libcuda.so.1", RTLD_NOW), "fake_illegal_address");
    memcpy(&illegal_address, &found, sizeof found);
    illegal_address();
}

#define ON_DEVICE(name, ...)                                                                                           \
    static int name(void *state, const struct ulpscope_call *call)                                                     \
    {                                                                                                                  \
        float *x = (float *)ulpscope_data(&call->inputs[0]), *result = (float *)ulpscope_data(call->outputs), s = 0;   \
        const int64_t n = call->inputs[0].shape[0];                                                                    \
        (void)state;                                                                                                   \
        for (int64_t i = 0; i < n; i++)                                                                                \
            s += x[i];                                                                                                 \
        *result = s;                                                                                                   \
        if (harm) {                                                                                                    \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
        return call->stream && call->inputs[0].device.device_type == 2 ? 0 : 1;                                        \
    }

ON_DEVICE(illegal, break_device();)
ON_DEVICE(writes_input, x[n / 2] = -x[n / 2] - 1;)
ON_DEVICE(writes_before, result[-1] = s;)
ON_DEVICE(writes_past, result[1] = s;)
ON_DEVICE(writes_past_seldom, if (n == 64 && x[0] < 1.0F / 64 && x[1] < 1.0F / 32) result[1] = s;)
ON_DEVICE(writes_past_input, x[n] = s;)
ON_DEVICE(reads_past, *result = s + x[n];)

/* As atomicAdd does. */
ON_DEVICE(flushes_atomically, if (fabsf(s) < FLT_MIN) *result = 0;)
ON_DEVICE(flushes_in_order, if (fabsf(s) < FLT_MIN) *result = 0;)

#define METHOD(name) ULPSCOPE_METHOD(#name, "sum", "binary32", ULPSCOPE_ON_DEVICE | ULPSCOPE_DETERMINISTIC, name)
ULPSCOPE_PLUGIN("fake", "1", METHOD(illegal), METHOD(writes_input), METHOD(writes_before), METHOD(writes_past),
                METHOD(writes_past_seldom), METHOD(writes_past_input), METHOD(reads_past), METHOD(flushes_in_order),
                ULPSCOPE_METHOD("flushes_atomically", "sum", "binary32", ULPSCOPE_ON_DEVICE, flushes_atomically))

/* Sums that keep their promises and are unlike each other, and one that keeps them with a fault that no bound sees. */
#include <ulpscope/plugin.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define SUM(name, ...)                                                                                                 \
    static int name(void *state, const struct ulpscope_call *call)                                                     \
    {                                                                                                                  \
        const float *x = (const float *)ulpscope_data(&call->inputs[0]);                                               \
        const int64_t n = call->inputs[0].shape[0];                                                                    \
        float s = 0;                                                                                                   \
        (void)state;                                                                                                   \
        __VA_ARGS__                                                                                                    \
        *(float *)ulpscope_data(call->outputs) = s;                                                                    \
        return 0;                                                                                                      \
    }

SUM(
    kahan, float excess = 0; for (int64_t i = 0; i < n; i++) {
        const float y = x[i] - excess, t = s + y;
        excess = (t - s) - y;
        s = t;
    })
SUM(
    kahan_sign, float excess = 0; for (int64_t i = 0; i < n; i++) {
        const float y = x[i] + excess, t = s + y;
        excess = (t - s) - y;
        s = t;
    })
SUM(
    neumaier, float lost = 0; for (int64_t i = 0; i < n; i++) {
        const float t = s + x[i];
        lost += fabsf(s) >= fabsf(x[i]) ? (s - t) + x[i] : (x[i] - t) + s;
        s = t;
    } s += lost;)
SUM(in_binary64, double t = 0; for (int64_t i = 0; i < n; i++) t += x[i]; s = (float)t;)
SUM(backwards, for (int64_t i = n; i-- > 0;) s += x[i];)
SUM(in_chains, float chain[7] = {0}; for (int64_t i = 0; i < n; i++) chain[i % 7] += x[i];
    for (int k = 0; k < 7; k++) s += chain[k];)
SUM(by_halves, float *copy = malloc((size_t)n * sizeof *copy); memcpy(copy, x, (size_t)n * sizeof *copy);
    for (int64_t k = n; k > 1; k = (k + 1) / 2) for (int64_t i = 0; i < k / 2; i++) copy[i] += copy[(k + 1) / 2 + i];
    s = copy[0]; free(copy);)

/* As plugin.h allows, it relies on the alignment of its array. */
#ifdef __SSE2__
SUM(aligned, __m128 four = _mm_setzero_ps(); int64_t i = 0; float part[4];
    for (; i + 4 <= n; i += 4) four = _mm_add_ps(four, _mm_load_ps(x + i)); _mm_storeu_ps(part, four);
    for (int k = 0; k < 4; k++) s += part[k]; for (; i < n; i++) s += x[i];)
#else
SUM(aligned, if ((uintptr_t)x % 16) abort(); for (int64_t i = 0; i < n; i++) s += x[i];)
#endif
#define METHOD(name) ULPSCOPE_METHOD(#name, "sum", "binary32", ULPSCOPE_DETERMINISTIC, name)
ULPSCOPE_PLUGIN("sound", "1", METHOD(kahan), METHOD(kahan_sign), METHOD(neumaier), METHOD(in_binary64),
                METHOD(backwards), METHOD(in_chains), METHOD(by_halves), METHOD(aligned))

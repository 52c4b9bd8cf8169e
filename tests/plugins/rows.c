/* Softmax, logsumexp, cross entropies and prefix sums, sound ones in several ways and ones with a fault:
 * test_row_plugins.py says what each is called. */
#include <ulpscope/plugin.h>

#include <math.h>
#include <stdlib.h>

enum { THREADS = 256, CHUNK = 100 };

static float most_of(const float *x, int64_t n)
{
    float most = -INFINITY;
    for (int64_t i = 0; i < n; i++)
        most = x[i] > most ? x[i] : most;
    return most;
}

static float exp_of(float x)
{
    return (float)exp((double)x);
}

static float log_of(float x)
{
    return (float)log((double)x);
}

static float sum_of(const float *x, int64_t n, float m)
{
    float s = 0;
    for (int64_t i = 0; i < n; i++)
        s += exp_of(x[i] - m);
    return s;
}

static float by_a_block(const float *x, int64_t n, float m)
{
    float s[THREADS] = {0};
    for (int64_t i = 0; i < n; i++)
        s[i % THREADS] += exp_of(x[i] - m);
    for (int half = THREADS / 2; half > 0; half /= 2)
        for (int t = 0; t < half; t++)
            s[t] += s[t + half];
    return s[0];
}

static void divide(const float *x, int64_t n, float m, float d, float *y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = exp_of(x[i] - m) / d;
}

/* As x fits 4 bits, as rounding to nearest even has it: of a number in [2^-6, 448]. */
static float to_fp8(float x)
{
    int e;
    const float f = frexpf(x, &e);
    if (e < -5)
        return ldexpf(nearbyintf(ldexpf(x, 9)), -9);
    return ldexpf(nearbyintf(ldexpf(f, 4)), e - 4);
}

/* A method: its statements, which have x, z (the second input, or x), n, y, the maximum m and
 * the window w. */
#define ROW(name, ...)                                                                                                 \
    static int name(void *state, const struct ulpscope_call *call)                                                     \
    {                                                                                                                  \
        const float *x = (const float *)ulpscope_data(&call->inputs[0]);                                               \
        const float *z = call->input_count > 1 ? (const float *)ulpscope_data(&call->inputs[1]) : x;                   \
        float *y = (float *)ulpscope_data(&call->outputs[0]);                                                          \
        const int64_t n = call->inputs[0].shape[0];                                                                    \
        const float m = most_of(x, n);                                                                                 \
        const int64_t w = call->window;                                                                                \
        (void)state, (void)m, (void)y, (void)z, (void)w;                                                               \
        __VA_ARGS__                                                                                                    \
        return 0;                                                                                                      \
    }

/* ---- sound ---- */

ROW(shifted, divide(x, n, m, sum_of(x, n, m), y);)
ROW(naive, divide(x, n, 0, sum_of(x, n, 0), y);)
ROW(inverts, const float r = 1 / sum_of(x, n, m); for (int64_t i = 0; i < n; i++) y[i] = exp_of(x[i] - m) * r;)
ROW(block, divide(x, n, m, by_a_block(x, n, m), y);)
ROW(division_free, const float lse = m + log_of(sum_of(x, n, m));
    for (int64_t i = 0; i < n; i++) y[i] = exp_of(x[i] - lse);)
ROW(
    online, float c = x[0]; float s = 1; for (int64_t i = 1; i < n; i++) {
        const float higher = x[i] > c ? x[i] : c;
        s = x[i] >= c ? s * exp_of(c - higher) + 1 : exp_of(x[i] - higher) + s;
        c = higher;
    } divide(x, n, c, s, y);)
ROW(log_shifted, const float l = log_of(sum_of(x, n, m)); for (int64_t i = 0; i < n; i++) y[i] = (x[i] - m) - l;)
ROW(lse_shifted, y[0] = m + log_of(sum_of(x, n, m));)
ROW(entropy, float p = 0; float xp = 0; for (int64_t i = 0; i < n; i++) p += z[i], xp += x[i] * z[i];
    y[0] = (m + log_of(sum_of(x, n, m))) * p - xp;)
ROW(serial, float s = 0; for (int64_t i = 0; i < n; i++) y[i] = s += x[i];)
ROW(
    chunks, float before = 0; for (int64_t first = 0; first < n; first += (n + 255) / 256) {
        float s = before, own = 0;
        for (int64_t i = first; i < n && i < first + (n + 255) / 256; i++)
            y[i] = s += x[i], own += x[i];
        before += own;
    })
ROW(hillis_steele, for (int64_t i = 0; i < n; i++) y[i] = x[i];
    for (int64_t d = 1; d < n; d *= 2) for (int64_t i = n - 1; i >= d; i--) y[i] += y[i - d];)
ROW(
    again, for (int64_t j = 0; j < n; j++) {
        y[j] = 0;
        for (int64_t i = j < w ? 0 : j - w + 1; i <= j; i++)
            y[j] += x[i];
    })
ROW(
    add_subtract, float s = 0; for (int64_t j = 0; j < n; j++) {
        s += x[j];
        if (j >= w)
            s -= x[j - w];
        y[j] = s;
    })

/* ---- with a fault ---- */

ROW(max_of_block, const float b = most_of(x, n < THREADS ? n / 2 : THREADS); divide(x, n, b, sum_of(x, n, b), y);)
ROW(not_rescaled, const int64_t half = n / 2; const float a = most_of(x, half);
    const float b = most_of(x + half, n - half); float s = 0;
    for (int64_t i = 0; i < n; i++) s += exp_of(x[i] - (i < half ? a : b)); divide(x, n, m, s, y);)
ROW(fp8, const float d = sum_of(x, n, m); for (int64_t i = 0; i < n; i++) y[i] = to_fp8(exp_of(x[i] - m)) / d;)
ROW(log_lacks_max, const float l = log_of(sum_of(x, n, m)); for (int64_t i = 0; i < n; i++) y[i] = x[i] - l;)
ROW(log_naive, const float l = log_of(sum_of(x, n, 0)); for (int64_t i = 0; i < n; i++) y[i] = x[i] - l;)
ROW(lse_lacks_max, y[0] = log_of(sum_of(x, n, m));)
ROW(softmax_drops_last, divide(x, n, m, sum_of(x, n - 1, m), y);)
ROW(exclusive, float s = 0; for (int64_t i = 0; i < n; i++) y[i] = s, s += x[i];)
ROW(last_lost, float s = 0;
    for (int64_t i = 0; i < n; i++) s += x[i], y[i] = i < (n - 1) / ((n + 3) / 4) * ((n + 3) / 4) ? s : 0;)
ROW(
    carry_lost, float s = 0; const int64_t c = (n + 3) / 4; for (int64_t i = 0; i < n; i++) {
        float own = 0;
        for (int64_t k = 2 * c; k <= i; k++)
            own += x[k];
        s += x[i], y[i] = i / c == 2 ? own : s;
    })
ROW(
    window_longer, for (int64_t j = 0; j < n; j++) {
        y[j] = 0;
        for (int64_t i = j <= w ? 0 : j - w; i <= j; i++)
            y[j] += x[i];
    })

/* ---- none at all ---- */

ROW(beyond, divide(x, n, m, 1, y); y[n] = 1;)
ROW(before, divide(x, n, m, 1, y); y[-1] = 1;)
ROW(unwritten, divide(x, n - 1, m, 1, y);)
ROW(nothing, )
ROW(reads_beyond, divide(x, n, m, x[n + 4096], y);)
ROW(aborts, if (n > 0) abort();)
ROW(hangs, for (volatile int64_t k = n; k > 0;) k = n;)

#define OF(operation, name) ULPSCOPE_METHOD(#name, operation, "binary32", ULPSCOPE_DETERMINISTIC, name)
#define SOFTMAX(name) OF("softmax", name)
#define SCAN(name) OF("scan", name)
#define ROLLING(name) OF("rolling", name)
#ifdef CONTRACT
ULPSCOPE_PLUGIN("rows", "1", SOFTMAX(beyond), SCAN(before), SCAN(unwritten), SOFTMAX(nothing), SOFTMAX(reads_beyond),
                SCAN(aborts), SOFTMAX(hangs))
#elif defined CHECKED /* of each kind one, and faults that sums of integers show */
ULPSCOPE_PLUGIN("rows", "1", SOFTMAX(shifted), SOFTMAX(block), SOFTMAX(online), OF("log_softmax", log_shifted),
                OF("logsumexp", lse_shifted), OF("cross_entropy", entropy), SCAN(chunks), SCAN(hillis_steele),
                ROLLING(add_subtract), OF("log_softmax", log_lacks_max), OF("logsumexp", lse_lacks_max),
                SCAN(exclusive), SCAN(last_lost), ROLLING(window_longer))
#else
ULPSCOPE_PLUGIN("rows", "1", SOFTMAX(shifted), SOFTMAX(naive), SOFTMAX(inverts), SOFTMAX(block), SOFTMAX(division_free),
                SOFTMAX(online), OF("log_softmax", log_shifted), OF("logsumexp", lse_shifted),
                OF("cross_entropy", entropy), SCAN(serial), SCAN(chunks), SCAN(hillis_steele), SOFTMAX(max_of_block),
                SOFTMAX(not_rescaled), SOFTMAX(fp8), OF("log_softmax", log_lacks_max), OF("log_softmax", log_naive),
                OF("logsumexp", lse_lacks_max), SOFTMAX(softmax_drops_last), SCAN(exclusive), SCAN(last_lost),
                SCAN(carry_lost), ROLLING(again), ROLLING(add_subtract), ROLLING(window_longer))
#endif

/* Means, variances and norms in orders that are nobody's, each with a fault; without it where SOUND is 1: see
 * test_norm_faults.py. */
#include <ulpscope/plugin.h>

#include <math.h>
#include <string.h>

enum { LANES = 3, STATES = 128 };

/* In three lanes, and products by fused multiply-adds, as a compiler contracts them. */
static float sum_of(const float *x, int64_t n)
{
    float s[LANES] = {0};
    for (int64_t i = 0; i < n; i++)
        s[i % LANES] += x[i];
    return s[2] + s[1] + s[0];
}

static float squares_of(const float *x, int64_t n, float m)
{
    float s[LANES] = {0};
    for (int64_t i = 0; i < n; i++)
        s[i % LANES] = fmaf(x[i] - m, x[i] - m, s[i % LANES]);
    return s[2] + s[1] + s[0];
}

static float textbook_of(const float *x, int64_t n)
{
    const float m = sum_of(x, n) / (float)n;
    return SOUND ? squares_of(x, n, m) / (float)n : fmaf(-m, m, squares_of(x, n, 0) / (float)n);
}

struct moments {
    float n, mean, squares;
};

static void take(struct moments *of, float x)
{
    const float d = x - of->mean;
    of->mean += d / ++of->n;
    of->squares += d * (x - of->mean);
}

enum fault { FORGETS, HALVES };

static struct moments merged(struct moments a, struct moments b, enum fault fault)
{
    const float n = a.n + b.n, d = b.mean - a.mean;
    const struct moments sound = {n, a.mean + d * b.n / n, a.squares + b.squares + d * d * a.n * b.n / n};
    if (a.n == 0 || b.n == 0 || SOUND)
        return a.n == 0 ? b : b.n == 0 ? a : sound;
    return (struct moments){n, fault == HALVES ? (a.mean + b.mean) / 2 : sound.mean,
                            fault == FORGETS ? a.squares + b.squares : sound.squares};
}

/* Of each `size` numbers, one part after the other. */
static float in_parts(const float *x, int64_t n, int64_t size, enum fault fault)
{
    struct moments all = {0, 0, 0};
    for (int64_t first = 0; first < n; first += size) {
        struct moments part = {0, 0, 0};
        for (int64_t i = first; i < n && i < first + size; i++)
            take(&part, x[i]);
        all = merged(all, part, fault);
    }
    return all.squares / (float)n;
}

static float in_threads(const float *x, int64_t n)
{
    struct moments all[STATES];
    memset(all, 0, sizeof all);
    for (int64_t i = 0; i < n; i++)
        take(&all[i % STATES], x[i]);
    for (int half = STATES / 2; half > 0; half /= 2)
        for (int t = 0; t < half; t++)
            all[t] = merged(all[t], all[t + half], HALVES);
    return all[0].squares / (float)n;
}

/* The root's reciprocal by one step of Newton from the bits' half. */
static float reciprocal_root(float v)
{
    int32_t bits;
    float r;
    memcpy(&bits, &v, sizeof bits);
    bits = 0x5f3759df - bits / 2;
    memcpy(&r, &bits, sizeof r);
    return SOUND ? 1 / sqrtf(v) : r * (1.5f - 0.5f * v * r * r);
}

static float of_bfloat16(uint16_t x)
{
    const uint32_t bits = (uint32_t)x << 16;
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static uint16_t bfloat16_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#define METHOD(name, type, ...)                                                                                        \
    static int name(void *state, const struct ulpscope_call *call)                                                     \
    {                                                                                                                  \
        const type *x = (const type *)ulpscope_data(&call->inputs[0]);                                                 \
        type *y = (type *)ulpscope_data(&call->outputs[0]);                                                            \
        const int64_t n = call->inputs[0].shape[0];                                                                    \
        (void)state;                                                                                                   \
        __VA_ARGS__                                                                                                    \
        return 0;                                                                                                      \
    }

METHOD(sample, float, *y = squares_of(x, n, sum_of(x, n) / (float)n) / (float)(n - !SOUND);)
METHOD(forgets, float, *y = sqrtf(in_parts(x, n, 128, FORGETS));)
METHOD(means, float, *y = in_parts(x, n, 64, HALVES);)
METHOD(halves, float, *y = in_threads(x, n);)
METHOD(textbook, float, *y = textbook_of(x, n);)
METHOD(tail, float, const float r = 1 / sqrtf(squares_of(x, SOUND ? n : n - n % 16, 0) / (float)n + 1e-5f);
       for (int64_t i = 0; i < n; i++) y[i] = x[i] * r;)
METHOD(newton, float, const float r = reciprocal_root(squares_of(x, n, 0) / (float)n + 1e-5f);
       for (int64_t i = 0; i < n; i++) y[i] = x[i] * r;)
METHOD(norm_textbook, float, const float m = sum_of(x, n) / (float)n,
       r = 1 / sqrtf(fmaxf(textbook_of(x, n), 0) + 1e-5f);
       for (int64_t i = 0; i < n; i++) y[i] = (x[i] - m) * r;)
METHOD(columns, float, const float m = sum_of(x, n) / (float)n, r = 1 / sqrtf(squares_of(x, n, m) / (float)n + 1e-5f);
       for (int64_t i = 0; i < n; i++) y[i] = (x[i] - (SOUND ? m : x[i])) * r;)
METHOD(
    narrow, uint16_t, float s[8] = {0}; for (int64_t i = 0; i < n; i++) {
        const float sum = s[i % 8] + of_bfloat16(x[i]);
        s[i % 8] = SOUND ? sum : of_bfloat16(bfloat16_of(sum));
    } for (int half = 4; half > 0; half /= 2) for (int k = 0; k < half; k++) {
        const float sum = s[k] + s[k + half];
        s[k] = SOUND ? sum : of_bfloat16(bfloat16_of(sum));
    } *y = bfloat16_of(s[0] / (float)n);)

METHOD(weighted, float, const float *w = (const float *)ulpscope_data(&call->inputs[1]); float s[LANES] = {0};
       for (int64_t i = 0; i < n; i++) s[i % LANES] = fmaf(w[i], x[i], s[i % LANES]);
       *y = (s[2] + s[1] + s[0]) / (SOUND ? sum_of(w, n) : (float)n);)

#define OF(operation, name) ULPSCOPE_METHOD(#name, operation, "binary32", ULPSCOPE_DETERMINISTIC, name)
ULPSCOPE_PLUGIN("planted", "1", OF("variance", sample), OF("std", forgets), OF("variance", means),
                OF("variance", halves), OF("variance", textbook), OF("rms_norm", tail), OF("rms_norm", newton),
                OF("layer_norm", norm_textbook), OF("layer_norm", columns), OF("mean_weighted", weighted),
                ULPSCOPE_METHOD("narrow", "mean", "bfloat16", ULPSCOPE_DETERMINISTIC, narrow))

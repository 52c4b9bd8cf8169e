/* Layer norms and RMS norms, sound ones in several ways and ones with a fault: test_norm_plugins.py says what each is
 * called. The same kernels in CUDA are in norms.cu, in Python in norms.py. */
#include <ulpscope/plugin.h>

#include <math.h>
#include <stdlib.h>

enum { THREADS = 256, CHAINS = 8 };

/* In turn. */
static float mean_of(const float *x, int64_t n)
{
    float s = 0;
    for (int64_t i = 0; i < n; i++)
        s += x[i];
    return s / (float)n;
}

static float squares_of(const float *x, int64_t n, float m)
{
    float s = 0;
    for (int64_t i = 0; i < n; i++)
        s += (x[i] - m) * (x[i] - m);
    return s;
}

static float variance_of(const float *x, int64_t n, float m)
{
    return squares_of(x, n, m) / (float)n;
}

/* In 8 chains; as a block of threads does: each a stride of the numbers, then a tree. */
static float in_chains(const float *x, int64_t n, float m, int is_square)
{
    float s[CHAINS] = {0}, sum = 0;
    for (int64_t i = 0; i < n; i++)
        s[i % CHAINS] += is_square ? (x[i] - m) * (x[i] - m) : x[i];
    for (int k = 0; k < CHAINS; k++)
        sum += s[k];
    return sum / (float)n;
}

static float by_a_block(const float *x, int64_t n, float m, int is_square)
{
    float s[THREADS] = {0};
    for (int64_t i = 0; i < n; i++)
        s[i % THREADS] += is_square ? (x[i] - m) * (x[i] - m) : x[i];
    for (int half = THREADS / 2; half > 0; half /= 2)
        for (int t = 0; t < half; t++)
            s[t] += s[t + half];
    return s[0] / (float)n;
}

static void end(const float *x, int64_t n, float m, float r, float *y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = (x[i] - m) * r;
}

static float factor_of(float variance)
{
    return 1 / sqrtf(variance + 1e-5f);
}

/* A method: its statements, which have x, n, y and the mean m. */
#define NORM(name, ...)                                                                                                \
    static int name(void *state, const struct ulpscope_call *call)                                                     \
    {                                                                                                                  \
        const float *x = (const float *)ulpscope_data(&call->inputs[0]);                                               \
        float *y = (float *)ulpscope_data(&call->outputs[0]);                                                          \
        const int64_t n = call->inputs[0].shape[0];                                                                    \
        const float m = mean_of(x, n);                                                                                 \
        (void)state, (void)m, (void)y;                                                                                 \
        if (call->outputs[0].ndim != 1 || call->outputs[0].shape[0] != n)                                              \
            return 1;                                                                                                  \
        __VA_ARGS__                                                                                                    \
        return 0;                                                                                                      \
    }

/* ---- sound ---- */

NORM(times, end(x, n, m, factor_of(variance_of(x, n, m)), y);)
NORM(divides, const float root = sqrtf(variance_of(x, n, m) + 1e-5f);
     for (int64_t i = 0; i < n; i++) y[i] = (x[i] - m) / root;)
NORM(splits, const float r = factor_of(variance_of(x, n, m)), b = m * r;
     for (int64_t i = 0; i < n; i++) y[i] = x[i] * r - b;)
NORM(chains, const float c = in_chains(x, n, 0, 0); end(x, n, c, factor_of(in_chains(x, n, c, 1)), y);)
NORM(block, const float c = by_a_block(x, n, 0, 0); end(x, n, c, factor_of(by_a_block(x, n, c, 1)), y);)
NORM(wide, double s = 0, v = 0; for (int64_t i = 0; i < n; i++) s += (double)x[i]; s /= (double)n;
     for (int64_t i = 0; i < n; i++) v += ((double)x[i] - s) * ((double)x[i] - s);
     const double r = 1 / sqrt(v / (double)n + 1e-5);
     for (int64_t i = 0; i < n; i++) y[i] = (float)(((double)x[i] - s) * r);)
NORM(
    welford, float c = 0, q = 0; for (int64_t i = 0; i < n; i++) {
        const float d = x[i] - c;
        c += d / (float)(i + 1);
        q += d * (x[i] - c);
    } end(x, n, c, factor_of(q / (float)n), y);)
NORM(textbook, end(x, n, m, factor_of(variance_of(x, n, 0) - m * m), y);)
NORM(rms_times, end(x, n, 0, factor_of(variance_of(x, n, 0)), y);)
NORM(rms_divides, const float root = sqrtf(variance_of(x, n, 0) + 1e-5f);
     for (int64_t i = 0; i < n; i++) y[i] = x[i] / root;)

/* ---- with a fault ---- */

NORM(eps_outside, end(x, n, m, 1 / (sqrtf(variance_of(x, n, m)) + 1e-5f), y);)
NORM(eps_outside_divides, const float root = sqrtf(variance_of(x, n, m)) + 1e-5f;
     for (int64_t i = 0; i < n; i++) y[i] = (x[i] - m) / root;)
NORM(eps_left_out, end(x, n, m, 1 / sqrtf(variance_of(x, n, m)), y);)
NORM(eps_1e6, end(x, n, m, 1 / sqrtf(variance_of(x, n, m) + 1e-6f), y);)
NORM(eps_1e12, end(x, n, m, 1 / sqrtf(variance_of(x, n, m) + 1e-12f), y);)
NORM(of_sample, end(x, n, m, factor_of(squares_of(x, n, m) / (float)(n - 1)), y);)
NORM(no_mean, end(x, n, 0, factor_of(variance_of(x, n, 0)), y);)
NORM(mean_kept, end(x, n, 0, factor_of(variance_of(x, n, m)), y);)
NORM(no_root, end(x, n, m, 1 / (variance_of(x, n, m) + 1e-5f), y);)
NORM(short_factor, int e; const float f = frexpf(factor_of(variance_of(x, n, m)), &e);
     end(x, n, m, ldexpf(nearbyintf(ldexpf(f, 22)), e - 22), y);)
NORM(
    neighbours, float s = 0; for (int64_t i = 0; i < n; i++) {
        const int64_t a = i - i % 2, b = a + 1 < n ? a + 1 : a;
        y[i] = x[i] - (x[a] + x[b]) / 2;
        s += y[i] * y[i];
    } end(y, n, 0, factor_of(s / (float)n), y);)
NORM(drops_last, float s = 0; for (int64_t i = 0; i + 1 < n; i++) s += x[i]; s /= (float)n;
     end(x, n, s, factor_of(squares_of(x, n - 1, s) / (float)n), y);)
NORM(block_eps_left_out, const float c = by_a_block(x, n, 0, 0); end(x, n, c, 1 / sqrtf(by_a_block(x, n, c, 1)), y);)
NORM(rms_with_mean, end(x, n, m, factor_of(variance_of(x, n, m)), y);)
NORM(rms_eps_outside, end(x, n, 0, 1 / (sqrtf(variance_of(x, n, 0)) + 1e-5f), y);)

/* ---- none at all ---- */

NORM(beyond, end(x, n, m, 1, y); y[n] = 1;)
NORM(before, end(x, n, m, 1, y); y[-1] = 1;)
NORM(unwritten, end(x, n - 1, m, 1, y);)
NORM(nothing, )
NORM(reads_beyond, end(x, n, m, x[n + 4096], y);)
NORM(aborts, if (n > 0) abort();)
NORM(hangs, for (volatile int64_t k = n; k > 0;) k = n;)

#define LAYER(name) ULPSCOPE_METHOD(#name, "layer_norm", "binary32", ULPSCOPE_DETERMINISTIC, name)
#define RMS(name) ULPSCOPE_METHOD(#name, "rms_norm", "binary32", ULPSCOPE_DETERMINISTIC, name)
#ifdef CONTRACT
ULPSCOPE_PLUGIN("norms", "1", LAYER(beyond), LAYER(before), LAYER(unwritten), LAYER(nothing), LAYER(reads_beyond),
                LAYER(aborts), LAYER(hangs))
#elif defined CHECKED /* of each kind one, and faults that sums of integers show */
ULPSCOPE_PLUGIN("norms", "1", LAYER(times), LAYER(chains), LAYER(block), LAYER(wide), LAYER(textbook), RMS(rms_times),
                LAYER(of_sample), LAYER(no_mean), LAYER(mean_kept), LAYER(no_root), LAYER(neighbours),
                LAYER(drops_last), RMS(rms_with_mean))
#else
ULPSCOPE_PLUGIN("norms", "1", LAYER(times), LAYER(divides), LAYER(splits), LAYER(chains), LAYER(block), LAYER(wide),
                LAYER(welford), LAYER(textbook), RMS(rms_times), RMS(rms_divides), LAYER(eps_outside),
                LAYER(eps_outside_divides), LAYER(eps_left_out), LAYER(eps_1e6), LAYER(eps_1e12), LAYER(of_sample),
                LAYER(no_mean), LAYER(mean_kept), LAYER(no_root), LAYER(short_factor), LAYER(neighbours),
                LAYER(drops_last), LAYER(block_eps_left_out), RMS(rms_with_mean), RMS(rms_eps_outside))
#endif

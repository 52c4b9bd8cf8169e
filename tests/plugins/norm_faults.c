/* Means, variances and norms in orders that are nobody's, each with a fault; without it where SOUND is 1: see
 * test_norm_faults.py. */
#include <ulpscope/plugin.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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
METHOD(norm_newton, float, const float m = sum_of(x, n) / (float)n,
       r = reciprocal_root(squares_of(x, n, m) / (float)n + 1e-5f);
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

/* ---- of a batch: an n x n array in the file that BATCH names, behind the 128 bytes of .npy's header ---- */

enum { NPY_HEADER = 128, BATCH_MOST = 256 };
static float batch[BATCH_MOST * BATCH_MOST];

/* The row of the batch that is so far from this one; of what is none of it, this one. */
static const float *row_from(const float *x, int64_t n, int64_t away)
{
    const char *path = getenv("BATCH");
    FILE *file = path && batch[0] == 0 && n <= BATCH_MOST ? fopen(path, "rb") : NULL;
    if (file && fseek(file, NPY_HEADER, SEEK_SET) == 0 &&
        fread(batch, sizeof *batch, sizeof batch / sizeof *batch, file) == 0)
        return x;
    if (file)
        fclose(file);
    for (int64_t r = 0; r < n && n <= BATCH_MOST && !SOUND; r++)
        if (memcmp(batch + r * n, x, (size_t)n * sizeof *x) == 0)
            return batch + (r + away + n) % n * n;
    return x;
}

static float mean_of(const float *x, int64_t n)
{
    return sum_of(x, n) / (float)n;
}

/* Of column i, or of row i: means of the other axis, and those of this one without keepdims. */
static float mean_for(const float *x, int64_t n, int64_t i, int of_row)
{
    float sum = 0;
    if (row_from(x, n, 1) == x)
        return mean_of(x, n);
    for (int64_t r = 0; r < n; r++)
        sum += of_row ? batch[i * n + r] : batch[r * n + i];
    return sum / (float)n;
}

static float root_of(const float *x, int64_t n, float m)
{
    return sqrtf(squares_of(x, n, m) / (float)n + 1e-5f);
}

static float largest_of(const float *x, int64_t n)
{
    float most = x[0];
    for (int64_t i = 1; i < n; i++)
        most = fmaxf(most, x[i]);
    return most;
}

static float exponentials_of(const float *x, int64_t n, float most)
{
    float sum = 0;
    for (int64_t i = n; i-- > 0;)
        sum += expf(x[i] - most);
    return sum;
}

static void normalize(const float *x, float *y, int64_t n, int of_row)
{
    float squares = 0;
    for (int64_t i = 0; i < n; i++) {
        y[i] = x[i] - mean_for(x, n, i, of_row);
        squares += y[i] * y[i];
    }
    for (int64_t i = 0; i < n; i++)
        y[i] /= sqrtf(squares / (float)n + 1e-5f);
}

METHOD(mean_before, float, const float m = mean_of(row_from(x, n, -1), n), r = 1 / root_of(x, n, m);
       for (int64_t i = 0; i < n; i++) y[i] = (x[i] - m) * r;)
METHOD(root_behind, float, const float m = mean_of(x, n), *row = row_from(x, n, 1);
       const float r = 1 / root_of(row, n, mean_of(row, n)); for (int64_t i = 0; i < n; i++) y[i] = (x[i] - m) * r;)
METHOD(column, float, normalize(x, y, n, 0);)
METHOD(keepdims, float, normalize(x, y, n, 1);)
METHOD(rms_before, float, const float r = 1 / root_of(row_from(x, n, -1), n, 0);
       for (int64_t i = 0; i < n; i++) y[i] = x[i] * r;)
METHOD(sum_before, float, const float m = largest_of(x, n), *row = row_from(x, n, -1);
       const float s = exponentials_of(row, n, largest_of(row, n));
       for (int64_t i = 0; i < n; i++) y[i] = expf(x[i] - m) / s;)
METHOD(all_behind, float, const float *row = row_from(x, n, 1); const float m = largest_of(row, n);
       const float s = logf(exponentials_of(row, n, m)); for (int64_t i = 0; i < n; i++) y[i] = x[i] - m - s;)
METHOD(max_before, float, const float m = largest_of(x, n);
       *y = largest_of(row_from(x, n, -1), n) + logf(exponentials_of(x, n, m));)
METHOD(mean_behind, float, *y = mean_of(row_from(x, n, 1), n);)
METHOD(of_column, float, const float *row = row_from(x, n, 0); *y = mean_of(x, n);
       if (row != x) *y = mean_for(x, n, (row - batch) / n, 0);)
METHOD(about_before, float, *y = squares_of(x, n, mean_of(row_from(x, n, -1), n)) / (float)n;)
METHOD(
    about_columns, float, float squares = 0; for (int64_t i = 0; i < n; i++) {
        const float off = x[i] - mean_for(x, n, i, 0);
        squares += off * off;
    } *y = sqrtf(squares / (float)n);)

#define OF(operation, name) ULPSCOPE_METHOD(#name, operation, "binary32", ULPSCOPE_DETERMINISTIC, name)
ULPSCOPE_PLUGIN("planted", "1", OF("variance", sample), OF("std", forgets), OF("variance", means),
                OF("variance", halves), OF("variance", textbook), OF("rms_norm", tail), OF("rms_norm", newton),
                OF("layer_norm", norm_textbook), OF("layer_norm", norm_newton), OF("layer_norm", columns),
                OF("mean_weighted", weighted), OF("layer_norm", mean_before), OF("layer_norm", root_behind),
                OF("layer_norm", column), OF("layer_norm", keepdims), OF("rms_norm", rms_before),
                OF("softmax", sum_before), OF("log_softmax", all_behind), OF("logsumexp", max_before),
                OF("mean", mean_behind), OF("mean", of_column), OF("variance", about_before), OF("std", about_columns),
                ULPSCOPE_METHOD("narrow", "mean", "bfloat16", ULPSCOPE_DETERMINISTIC, narrow))

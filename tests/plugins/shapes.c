/* Sums, dot products and products with one fault each, of one shape of data; with -DTWIN they have none. */
#define _GNU_SOURCE
#include <ulpscope/plugin.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef TWIN
static const volatile int harm = 0;
#else
static const volatile int harm = 1;
#endif

static const float *input(const struct ulpscope_call *call, int i)
{
    return (const float *)ulpscope_data(&call->inputs[i]);
}

static float plain(const float *x, int64_t n)
{
    float s = 0;
    for (int64_t i = 0; i < n; i++)
        s += x[i];
    return s;
}

/* A sum of x[0..n), changed where harm is done. */
#define SUM(name, ...)                                                                                                 \
    static int name(void *state, const struct ulpscope_call *call)                                                     \
    {                                                                                                                  \
        const float *x = input(call, 0);                                                                               \
        const int64_t n = call->inputs[0].shape[0];                                                                    \
        float s = plain(x, n);                                                                                         \
        (void)state;                                                                                                   \
        if (harm) {                                                                                                    \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
        *(float *)ulpscope_data(call->outputs) = s;                                                                    \
        return 0;                                                                                                      \
    }

/* ---- lengths ---- */
SUM(last_of_odd_warp, if (n % 32 == 31) s -= x[n - 1];)
SUM(whole_blocks, if (n > 1024 && n % 1024 == 0) s -= x[n - 1];)
SUM(one_length, if (n == 255 || n == 511) s -= x[n / 2];)
SUM(other_length, if (n == 263) s += x[0];)
SUM(beyond_million, if (n > 1 << 20) s -= x[n - 2];)
SUM(nothing_beyond_4097, if (n > 4097) s = 0;)
SUM(sixteen_bits, if (n > 65535) s = plain(x, n & 65535);)
SUM(float_index, float f = 0; s = 0; for (int64_t i = 0; i < n; i++, f += 1) s += x[(int64_t)f];)
SUM(tail_of_large, if (n > 1 << 20) s = plain(x, n / 1024 * 1024);)
SUM(one_number, if (n == 1) s = 0;)
SUM(two_numbers, if (n == 2) s = x[0];)
SUM(few_partial_sums, if (n > 2048 * 256) s = plain(x, 2048 * 256);)
SUM(odd_halving, for (int64_t k = n; k > 1; k /= 2) if (k % 2 && k > 1000) s -= x[k - 1];)

/* ---- places ---- */
SUM(aligned_alone, if ((uintptr_t)x % 16 == 4) s -= x[0];)
SUM(skips_to_alignment, while ((uintptr_t)x % 32) s -= *x++;)
SUM(reads_masked, s += x[n] != x[n] ? 0 : x[n];)
SUM(reads_masked_before, if ((n + 15) / 16 % 64) s += x[-1] != x[-1] ? 0 : x[-1];)

/* ---- states ---- */
static int64_t most;
static float *kept;
SUM(
    stale_tail,
    if (n > most) {
        kept = realloc(kept, (size_t)n * sizeof *kept);
        most = n;
    } memcpy(kept, x, (size_t)n * sizeof *kept);
    s = plain(kept, most);)
static float sums[4096];
static char is_known[4096];
SUM(
    by_length, if (n < 4096 && !is_known[n]) {
        sums[n] = s;
        is_known[n] = 1;
    } if (n < 4096) s = sums[n];)
SUM(workspace, float *space = malloc(64 * sizeof *space); for (int i = 0; i < 64; i++) if (i < n) space[i] = 0;
    s += space[63]; free(space);)
SUM(no_result_once, if (n == 77) return 0;)

/* ---- values ---- */
SUM(flushes, if (fabsf(s) < 0x1p-126f) s = 0;)
SUM(scales, float t = 0; for (int64_t i = 0; i < n; i++) t += x[i] * 4097.0f; if (isnan(t - t)) s = t - t;)
SUM(skips_nan, s = 0; for (int64_t i = 0; i < n; i++) if (x[i] == x[i]) s += x[i];)
SUM(clamps, if (isinf(s)) s = 3.402823466e38f;)
SUM(absolute, if (s < 0) s = -s;)
SUM(narrow, float t = 0; for (int64_t i = 0; i < n; i++) t += (float)(short)x[i]; if (s == rintf(s)) s = t;)
SUM(varies_when_large, static int calls;
    if (n > 1000000 && x[0] != rintf(x[0]) && ++calls % 7 == 0) s = nextafterf(s, 0);)

/* ---- launches ---- */
SUM(many_threads, if (call->threads > 512 && n > 1024) s -= x[1024];)

/* ---- two vectors ---- */
#define DOT(name, ...)                                                                                                 \
    static int name(void *state, const struct ulpscope_call *call)                                                     \
    {                                                                                                                  \
        const float *x = input(call, 0), *y = input(call, 1);                                                          \
        const int64_t n = call->inputs[0].shape[0];                                                                    \
        float s = 0;                                                                                                   \
        (void)state;                                                                                                   \
        for (int64_t i = 0; i < n; i++)                                                                                \
            s += x[i] * y[i];                                                                                          \
        if (harm) {                                                                                                    \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
        *(float *)ulpscope_data(call->outputs) = s;                                                                    \
        return 0;                                                                                                      \
    }
DOT(one_array, if (x == y) s = 0;)
DOT(dot_tail, if (n % 8 == 7) s -= x[n - 1] * y[n - 1];)

/* ---- squares ---- */
#define SQUARES(name, result, ...)                                                                                     \
    static int name(void *state, const struct ulpscope_call *call)                                                     \
    {                                                                                                                  \
        const float *x = input(call, 0);                                                                               \
        const int64_t n = call->inputs[0].shape[0];                                                                    \
        float s = 0;                                                                                                   \
        (void)state;                                                                                                   \
        for (int64_t i = 0; i < n; i++)                                                                                \
            s += x[i] * x[i];                                                                                          \
        if (harm) {                                                                                                    \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
        *(float *)ulpscope_data(call->outputs) = result;                                                               \
        return 0;                                                                                                      \
    }
SQUARES(norm_tail, sqrtf(s), if (n % 4 == 3) s -= x[n - 1] * x[n - 1];)
SQUARES(square_tail, s, if (n % 4 == 3) s -= x[n - 1] * x[n - 1];)

/* ---- rows ---- */
#define ROWS(name, ...)                                                                                                \
    static int name(void *state, const struct ulpscope_call *call)                                                     \
    {                                                                                                                  \
        const float *x = input(call, 0);                                                                               \
        const int64_t rows = call->inputs[0].shape[0], n = call->inputs[0].shape[1];                                   \
        float *result = (float *)ulpscope_data(call->outputs);                                                         \
        (void)state;                                                                                                   \
        for (int64_t row = 0; row < rows; row++)                                                                       \
            result[row] = plain(x + row * n, n);                                                                       \
        if (harm) {                                                                                                    \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
        return 0;                                                                                                      \
    }
ROWS(copies_first, for (int64_t row = 64; row < rows; row++) result[row] = result[0];)
ROWS(batch_of_2000, for (int64_t row = 2000; row < rows; row++) result[row] = 0;)
ROWS(grid_of_65535, for (int64_t row = 65535; row < rows; row++) result[row] = result[row - 65535];)
ROWS(middle_row, if (rows > 20) result[17] = result[16];)

/* ---- products ---- */
#define PRODUCT(name, ...)                                                                                             \
    static int name(void *state, const struct ulpscope_call *call)                                                     \
    {                                                                                                                  \
        const int64_t rows = call->inputs[0].shape[0], terms = call->inputs[0].shape[1];                               \
        const int64_t columns = call->inputs[1].shape[1];                                                              \
        const float *a = input(call, 0), *b = input(call, 1);                                                          \
        float *c = (float *)ulpscope_data(call->outputs);                                                              \
        (void)state;                                                                                                   \
        for (int64_t i = 0; i < rows; i++)                                                                             \
            for (int64_t j = 0; j < columns; j++) {                                                                    \
                float s = 0;                                                                                           \
                for (int64_t k = 0; k < terms; k++)                                                                    \
                    s += a[i * terms + k] * b[k * columns + j];                                                        \
                if (harm) {                                                                                            \
                    __VA_ARGS__                                                                                        \
                }                                                                                                      \
                c[i * columns + j] = s;                                                                                \
            }                                                                                                          \
        return 0;                                                                                                      \
    }
PRODUCT(rows_of_16, if (rows % 16 == 1 && i == rows - 1 && rows > 1) s = 0;)
PRODUCT(columns_of_64, if (columns % 64 == 1 && columns > 1 && j == columns - 1) s = 0;)
PRODUCT(terms_of_8, if (terms % 8 == 5) s -= a[i * terms + terms - 1] * b[(terms - 1) * columns + j];)
PRODUCT(a_row, if (rows == 1 && columns > 20) s = 0;)
PRODUCT(square_of_one, if (a == b) s = 0;)
PRODUCT(transposed, if (rows == columns && rows > 40) s = 0; else if (rows > 60 && columns < rows / 8) s = 0;)

#define METHOD(name) ULPSCOPE_METHOD(#name, "sum", "binary32", ULPSCOPE_DETERMINISTIC, name)
#define OF(name, operation, flags) ULPSCOPE_METHOD(#name, operation, "binary32", ULPSCOPE_DETERMINISTIC | flags, name)
#ifdef TWIN /* one of each kind: without its fault a sum is a sum */
ULPSCOPE_PLUGIN("shapes", "1", METHOD(one_length), OF(one_array, "dot", 0), OF(norm_tail, "norm2", 0),
                OF(square_tail, "sumsq", 0), OF(middle_row, "sum", ULPSCOPE_ROWS), OF(rows_of_16, "matmul", 0))
#else
ULPSCOPE_PLUGIN("shapes", "1", METHOD(last_of_odd_warp), METHOD(whole_blocks), METHOD(one_length), METHOD(other_length),
                METHOD(beyond_million), METHOD(nothing_beyond_4097), METHOD(sixteen_bits), METHOD(float_index),
                METHOD(tail_of_large), METHOD(one_number), METHOD(two_numbers), METHOD(few_partial_sums),
                METHOD(odd_halving), METHOD(aligned_alone), METHOD(skips_to_alignment), METHOD(reads_masked),
                METHOD(reads_masked_before), METHOD(stale_tail), METHOD(by_length), METHOD(workspace),
                METHOD(no_result_once), METHOD(flushes), METHOD(scales), METHOD(skips_nan), METHOD(clamps),
                METHOD(absolute), METHOD(narrow), METHOD(varies_when_large), METHOD(many_threads),
                OF(one_array, "dot", 0), OF(dot_tail, "dot", 0), OF(norm_tail, "norm2", 0), OF(square_tail, "sumsq", 0),
                OF(copies_first, "sum", ULPSCOPE_ROWS), OF(batch_of_2000, "sum", ULPSCOPE_ROWS),
                OF(grid_of_65535, "sum", ULPSCOPE_ROWS), OF(middle_row, "sum", ULPSCOPE_ROWS),
                OF(rows_of_16, "matmul", 0), OF(columns_of_64, "matmul", 0), OF(terms_of_8, "matmul", 0),
                OF(a_row, "matmul", 0), OF(square_of_one, "matmul", 0), OF(transposed, "matmul", 0))
#endif

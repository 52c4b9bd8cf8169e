/* One test each call: plain NAME [broken].  C11, and C++11 by plain.cpp. */
#include "sums.h"

#include <ulpscope/assert.h>

#include <pthread.h>
#include <string.h>

static void sum(int broken)
{
    ULPSCOPE_ASSERT_SUM(data(), N, four_chains(data(), N, broken), "auto");
}

/* A float held against binary64 data, and the reverse: each type is found. */
static void wide(int broken)
{
    const double x[] = {1e16, 1, -1e16, 0.25};
    const float computed = broken ? 1.5f : 1.25f;
    ULPSCOPE_ASSERT_SUM(x, 4, computed, "exact");
    ULPSCOPE_ASSERT_SUM(data(), 2, 1.5, "exact");
}

static void dot(int broken)
{
    const float x[] = {1.25f, 2.5f, 3.125f}, y[] = {4, -5.5f, 6.75f};
    const double wide_y[] = {4, -5.5, 6.75};
    ULPSCOPE_ASSERT_DOT(x, y, 3, broken ? 39.84375f : 12.34375f, "1e-6");
    ULPSCOPE_ASSERT_DOT(x, wide_y, 3, 12.34375, "exact");
}

static void rows(int broken)
{
    const double x[] = {1, 2, 3, 4, 5, 6};
    double sums[] = {6, 15};
    sums[1] -= broken;
    ULPSCOPE_ASSERT_ROWS(x, 2, 3, sums, "exact");
}

static void matmul(int broken)
{
    const float a[] = {1, 2, 3, 4}, b[] = {5.25f, 6.5f, 7.75f, 8}, sound[] = {20.75f, 22.5f, 46.75f, 51.5f},
                b_transposed[] = {18.25f, 23.75f, 41.75f, 55.25f};
    ULPSCOPE_ASSERT_MATMUL(a, b, 2, 2, 2, broken ? b_transposed : sound, "auto");
}

/* 14 / 9, and the roots of it and of 7 / 3. */
static void variance(int broken)
{
    const float x[] = {1, 2, 4};
    ULPSCOPE_ASSERT_MEAN(x, 3, 7.0f / 3, "auto");
    ULPSCOPE_ASSERT_STD(x, 3, 1, 1.5275252, "1e-7");
    ULPSCOPE_ASSERT_VARIANCE(x, 3, 0, broken ? 7.0f / 3 : 14.0f / 9, "auto");
}

/* -1, 1 and 0, 0: v is 1, and 0; exponentials of equal numbers. */
static void norms(int broken)
{
    const double x[] = {1, 3, 5, 5}, layer[] = {-1, broken ? 0.5 : 1, 0, 0},
                 rms[] = {0.4472135954999579, 1.3416407864998738, 1, 1}, equal[] = {0.5, 0.5, 2, 2},
                 halves[] = {0.5, 0.5, 0.5, 0.5},
                 logs[] = {-0.6931471805599453, -0.6931471805599453, -0.6931471805599453, -0.6931471805599453},
                 lse[] = {1.1931471805599454, 2.6931471805599454};
    ULPSCOPE_ASSERT_LAYER_NORM(x, 2, 2, 1e-30, layer, "auto");
    ULPSCOPE_ASSERT_RMS_NORM(x, 2, 2, 0, rms, "auto");
    ULPSCOPE_ASSERT_SOFTMAX(equal, 2, 2, halves, "exact");
    ULPSCOPE_ASSERT_LOG_SOFTMAX(equal, 2, 2, logs, "1ulp");
    ULPSCOPE_ASSERT_LOGSUMEXP(equal, 2, 2, lse, "1ulp");
}

/* Prefixes, and sums of two. */
static void scans(int broken)
{
    const float x[] = {1, 2, 4, -0.5f}, prefixes[] = {1, 3, 7, 6.5f}, windows[] = {1, 3, 6, broken ? 6.5f : 3.5f};
    ULPSCOPE_ASSERT_SCAN(x, 4, prefixes, "auto");
    ULPSCOPE_ASSERT_ROLLING(x, 4, 2, windows, "auto");
}

/* 1, 1.5 and 2 of bfloat16 as bits. */
static void bits(int broken)
{
    const unsigned short x[] = {0x3f80, 0x3fc0, 0x4000}, computed = broken ? 0x4080 : 0x4090;
    ULPSCOPE_ASSERT(ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BFLOAT16, x, 3)), &computed, "auto");
}

#ifdef ULPSCOPE_HAS_FLOAT16
static void half(int broken)
{
    const ulpscope_float16 x[] = {1, 1.5f, 2};
    ULPSCOPE_ASSERT_SUM(x, 3, (ulpscope_float16)(broken ? 4 : 4.5f), "auto");
}
#endif

/* Arguments are evaluated once. */
static void once(int broken)
{
    const float *x = data();
    int n = 1;
    float computed = 0.5f;
    ULPSCOPE_ASSERT_SUM(x++, ++n, computed += 1, "exact");
    if (x != data() + 1 || n != 2 || computed < 1.25f || computed > 1.75f || broken)
        abort();
}

/* Zeros would pass: noted once for the line, whatever the threads and the rounds. */
static void *hardly_fails(void *unused)
{
    const float x[] = {1e8f, 1, -1e8f};
    for (int round = 0; round < 100; round++)
        ULPSCOPE_ASSERT_SUM(x, 3, 0.0f, "auto");
    return unused;
}

static void vacuous(int broken)
{
    pthread_t threads[4];
    for (int t = 0; t < 4; t++)
        if (pthread_create(&threads[t], NULL, hardly_fails, NULL) != 0)
            abort();
    for (int t = 0; t < 4; t++)
        pthread_join(threads[t], NULL);
    if (broken)
        abort();
}

static void limit(int broken)
{
    ULPSCOPE_ASSERT_SUM(data(), 2, 1.5f, broken ? "2 ulps or so" : "2ulp");
}

#ifdef __cplusplus
static void own(int broken); /* plain.cpp */
#endif

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*test)(int broken);
    } tests[] = {
        {"sum", sum},       {"wide", wide},         {"dot", dot},     {"rows", rows},
        {"matmul", matmul}, {"bits", bits},         {"once", once},   {"vacuous", vacuous},
        {"limit", limit},   {"variance", variance}, {"norms", norms}, {"scans", scans},
#ifdef ULPSCOPE_HAS_FLOAT16
        {"half", half},
#endif
#ifdef __cplusplus
        {"own", own},
#endif
    };
    const char *const wanted = argc > 1 ? argv[1] : "sum";
    for (size_t t = 0; t < sizeof tests / sizeof *tests; t++)
        if (strcmp(tests[t].name, wanted) == 0) {
            tests[t].test(argc > 2 && strcmp(argv[2], "broken") == 0);
            return 0;
        }
    return 77;
}

/* libulpscope beside a plain sum: milliseconds, the least of all rounds; prints and asserts nothing.
 *
 *   bench_library [ROUNDS [sums|matrix]]
 *
 * plain    s[k] += x[i + k] of 16 sums side by side, which the compiler vectorises: no sum is faster
 * exact    ulpscope_exact; judged: ulpscope_judge of the plain sum, "auto"
 */
#include "include/ulpscope/ulpscope.h"

#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SUMS = 16, N = 1000000, SIDE = 1024 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

#define PLAIN_SUM(real, name)                                                                                          \
    __attribute__((noinline)) static real name(const real *x, size_t n)                                                \
    {                                                                                                                  \
        real sums[SUMS] = {0}, sum = 0;                                                                                \
        for (size_t i = 0; i + SUMS <= n; i += SUMS)                                                                   \
            for (size_t k = 0; k < SUMS; k++)                                                                          \
                sums[k] += x[i + k];                                                                                   \
        for (size_t k = 0; k < SUMS; k++)                                                                              \
            sum += sums[k];                                                                                            \
        return sum;                                                                                                    \
    }
PLAIN_SUM(float, plain32)
PLAIN_SUM(double, plain64)

static double uniform(void)
{
    return (double)(next_random() >> 11) * 0x1p-53 - 0.25;
}

/* Of x as it is, and of every second element, which are packed on the way.  Formats of 16 bits have no plain sum here.
 */
static void bench_sums(unsigned rounds, ulpscope_format format, const char *name, const void *x, size_t bytes)
{
    double plain = INFINITY, exact = INFINITY, judged = INFINITY, strided = INFINITY;
    struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(format, x, N)), half = sum;
    struct ulpscope_value value = {.size = sizeof value};
    half.x.shape[0] = N / 2;
    half.x.strides[0] = 2 * (int64_t)bytes;
    half.result = sum.result = format <= ULPSCOPE_BFLOAT16 ? format : ULPSCOPE_BINARY32;
    for (unsigned r = 0; r < rounds; r++) {
        union {
            float binary32;
            double binary64;
            uint64_t bits;
        } computed = {.bits = 0};
        struct ulpscope_verdict verdict = {.size = sizeof verdict};
        const double start = now();
        if (format == ULPSCOPE_BINARY64)
            computed.binary64 = plain64(x, N);
        else if (format == ULPSCOPE_BINARY32)
            computed.binary32 = plain32(x, N);
        else if (ulpscope_rounded(&sum, &computed) != ULPSCOPE_OK)
            puts(ulpscope_why());
        const double summed = now();
        if (ulpscope_exact(&sum, &value) != ULPSCOPE_OK)
            puts(ulpscope_why());
        const double was_exact = now();
        if (ulpscope_judge(&sum, &computed, "auto", &verdict) != ULPSCOPE_OK)
            puts(ulpscope_why());
        const double was_judged = now();
        if (ulpscope_exact(&half, &value) != ULPSCOPE_OK)
            puts(ulpscope_why());
        plain = fmin(plain, summed - start);
        exact = fmin(exact, was_exact - summed);
        judged = fmin(judged, was_judged - was_exact);
        strided = fmin(strided, now() - was_judged);
    }
    const bool is_plain = format <= ULPSCOPE_BINARY32;
    printf("%-9s %d: exact %.3f ms, judged %.3f ms; every second: %.3f ms", name, N, exact, judged, strided);
    if (is_plain)
        printf("; plain %.3f ms", plain);
    puts("");
}

static void bench_matrix(unsigned rounds, const float *a, const float *b)
{
    static float c[SIDE][SIDE];
    const struct ulpscope_problem product = ulpscope_matmul_of(ulpscope_matrix(ULPSCOPE_BINARY32, a, SIDE, SIDE),
                                                               ulpscope_matrix(ULPSCOPE_BINARY32, b, SIDE, SIDE));
    struct ulpscope_verdict verdict = {.size = sizeof verdict};
    double judged = INFINITY;
    for (size_t i = 0; i < SIDE; i++)
        for (size_t k = 0; k < SIDE; k++)
            for (size_t j = 0; j < SIDE; j++)
                c[i][j] += a[i * SIDE + k] * b[k * SIDE + j];
    for (unsigned r = 0; r < rounds; r++) {
        const double start = now();
        if (ulpscope_judge(&product, c, "auto", &verdict) != ULPSCOPE_OK)
            puts(ulpscope_why());
        judged = fmin(judged, now() - start);
    }
    printf("binary32  %d x %d x %d judged: %.0f ms; %s\n", SIDE, SIDE, SIDE, judged, verdict.words);
}

static void bench_rows(unsigned rounds, const float *x, uint64_t n)
{
    static float sums[N / 16];
    const struct ulpscope_problem problem = ulpscope_rows_of(ulpscope_matrix(ULPSCOPE_BINARY32, x, N / n, n));
    struct ulpscope_verdict verdict = {.size = sizeof verdict};
    double judged = INFINITY;
    for (uint64_t i = 0; i < N / n; i++)
        sums[i] = plain32(x + i * n, n);
    for (unsigned r = 0; r < rounds; r++) {
        const double start = now();
        if (ulpscope_judge(&problem, sums, "auto", &verdict) != ULPSCOPE_OK)
            puts(ulpscope_why());
        judged = fmin(judged, now() - start);
    }
    printf("binary32  %llu rows of %llu judged: %.1f ms, %.2f us a row\n", (unsigned long long)(N / n),
           (unsigned long long)n, judged, 1e3 * judged / (double)(N / n));
}

int main(int count, char **arguments)
{
    const unsigned rounds = count > 1 ? (unsigned)atoi(arguments[1]) : 5;
    const bool sums = count < 3 || arguments[2][0] == 's', matrix = count < 3 || arguments[2][0] == 'm';
    static double x64[N];
    static float x32[2 * SIDE * SIDE];
    static uint16_t x16[N];
    seed_random(1);
    for (size_t i = 0; i < N; i++)
        x64[i] = uniform();
    for (size_t i = 0; i < 2 * SIDE * SIDE; i++)
        x32[i] = (float)uniform();
    for (size_t i = 0; i < N; i++)
        x16[i] = (uint16_t)(float_bits(x32[i]) >> 16);
    if (sums) {
        bench_sums(20 * rounds, ULPSCOPE_BINARY32, "binary32", x32, 4);
        bench_sums(20 * rounds, ULPSCOPE_BINARY64, "binary64", x64, 8);
        bench_sums(20 * rounds, ULPSCOPE_BFLOAT16, "bfloat16", x16, 2);
        bench_sums(20 * rounds, ULPSCOPE_BINARY16, "binary16", x16, 2);
        for (uint64_t n = 16; n <= 16384; n *= 32)
            bench_rows(rounds, x32, n);
    }
    if (matrix)
        bench_matrix(rounds, x32, x32 + SIDE * SIDE);
    return 0;
}

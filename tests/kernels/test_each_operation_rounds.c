/* Accumulators round each operation with RN().  Here they are compiled with binary64 for binary32, where RN() alone
 * rounds: without one of them a sum has other bits than the method of binary32, in which the machine rounds. */
#define FORMAT_FILE "tests/kernels/emulated_binary32.h"
#include "kernels/bound.h"

#include "kernels/accumulators/double_float.h"
#include "kernels/accumulators/kahan.h"
#include "kernels/accumulators/kahan_naive_merge.h"
#include "kernels/accumulators/kahan_two_sum.h"
#include "kernels/accumulators/klein.h"
#include "kernels/accumulators/neumaier.h"
#include "kernels/accumulators/plain.h"
#include "kernels/accumulators/sum2.h"
#define ACC fabsum_32
#include "kernels/accumulators/fabsum_32.h"

#include "kernels/method.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { MOST = 100 };

/* The twin: kahan's addition with one RN() left out. */
struct forgetful {
    real sum, excess;
};

static struct forgetful forgetful_zero(void)
{
    return (struct forgetful){0, 0};
}

static struct forgetful forgetful_add(struct forgetful s, real x)
{
    const real y = RN(x - s.excess), t = RN(s.sum + y);
    return (struct forgetful){t, RN(t - s.sum - y)};
}

static struct forgetful forgetful_merge(struct forgetful a, struct forgetful b)
{
    const struct kahan s = kahan_merge((struct kahan){a.sum, a.excess}, (struct kahan){b.sum, b.excess});
    return (struct forgetful){s.sum, s.excess};
}

static double forgetful_result(struct forgetful s)
{
    return s.sum;
}

#define ROWS(ROW)                                                                                                      \
    ROW(plain)                                                                                                         \
    ROW(kahan)                                                                                                         \
    ROW(kahan_two_sum)                                                                                                 \
    ROW(kahan_naive_merge)                                                                                             \
    ROW(neumaier)                                                                                                      \
    ROW(sum2)                                                                                                          \
    ROW(klein)                                                                                                         \
    ROW(double_float)                                                                                                  \
    ROW(fabsum_32)                                                                                                     \
    ROW(forgetful)

enum { THREADS = 8 };

/* As serial does, and as tree_two_pass with one block: thread t takes every eighth number, its state is merged with
 * that of thread t + 4, t + 2, t + 1; then the sum of the one block, in the same way, among empty states. */
#define SUMS(id)                                                                                                       \
    static uint64_t id##_additions(int numbers)                                                                        \
    {                                                                                                                  \
        struct id s = id##_zero();                                                                                     \
        const uint64_t before = roundings;                                                                             \
        for (int i = 0; i < numbers; i++)                                                                              \
            s = id##_add(s, i);                                                                                        \
        return roundings - before;                                                                                     \
    }                                                                                                                  \
    static uint64_t id##_of_merge(void)                                                                                \
    {                                                                                                                  \
        const struct id a = id##_add(id##_zero(), 1), b = id##_add(id##_zero(), 2);                                    \
        const uint64_t before = roundings;                                                                             \
        (void)id##_merge(a, b);                                                                                        \
        return roundings - before;                                                                                     \
    }                                                                                                                  \
    static double id##_serial(const float *x, uint64_t n)                                                              \
    {                                                                                                                  \
        struct id s = id##_zero();                                                                                     \
        for (uint64_t i = 0; i < n; i++)                                                                               \
            s = id##_add(s, (real)x[i]);                                                                               \
        return id##_result(s);                                                                                         \
    }                                                                                                                  \
    static double id##_merged(const float *x, uint64_t n)                                                              \
    {                                                                                                                  \
        struct id s[THREADS], sum = id##_zero();                                                                       \
        for (int t = 0; t < THREADS; t++)                                                                              \
            s[t] = id##_zero();                                                                                        \
        for (uint64_t i = 0; i < n; i++)                                                                               \
            s[i % THREADS] = id##_add(s[i % THREADS], (real)x[i]);                                                     \
        for (int half = THREADS / 2; half > 0; half /= 2)                                                              \
            for (int t = 0; t < half; t++)                                                                             \
                s[t] = id##_merge(s[t], s[t + half]);                                                                  \
        sum = id##_merge(sum, s[0]);                                                                                   \
        for (int half = THREADS / 2; half > 0; half /= 2)                                                              \
            sum = id##_merge(sum, id##_zero());                                                                        \
        return id##_result(sum);                                                                                       \
    }
ROWS(SUMS)

static const struct {
    const char *id;
    double (*serial)(const float *x, uint64_t n), (*merged)(const float *x, uint64_t n);
    uint64_t (*additions)(int numbers), (*of_merge)(void);
} rows[] = {
#define ROW(id) {#id, id##_serial, id##_merged, id##_additions, id##_of_merge},
    ROWS(ROW)
#undef ROW
};
enum { SOUND = COUNT_OF(rows) - 1 };

static bool is_sum_of(const char *accumulator, const char *order, double emulated, const float *x, uint64_t n)
{
    char id[64];
    float sum = NAN;
    snprintf(id, sizeof id, "%s/%s", accumulator, order);
    const struct method *method = method_find(id);
    assert_non_null(method);
    assert_int_equal(method_sum(method, x, n, (struct launch){1, THREADS}, 1, &sum), OK);
    return float_same(sum, (float)emulated) && (double)(float)emulated == emulated;
}

/* Half of the time all of them cancel, so that what a state has beside its sum comes to light. */
static uint64_t fill(float *x)
{
    const uint64_t n = 1 + below(MOST / 2), span = 1 + below(60);
    for (uint64_t i = 0; i < n; i++) {
        x[i] = ldexpf((float)below(1 << 24), (int)below(span) - 30);
        x[i] = below(2) ? x[i] : -x[i];
        x[n + i] = -x[i];
    }
    if (below(2))
        return n;
    shuffle_floats(x, 2 * n);
    return 2 * n;
}

static void every_operation_is_rounded(void **state)
{
    (void)state;
    size_t noticed = 0;
    seed_random(1);
    for (int round = 0; round < 3000; round++) {
        float x[MOST];
        const uint64_t n = fill(x);
        for (size_t r = 0; r < SOUND; r++)
            if (!is_sum_of(rows[r].id, "serial", rows[r].serial(x, n), x, n) ||
                !is_sum_of(rows[r].id, "tree_two_pass", rows[r].merged(x, n), x, n))
                fail_msg("%s: an operation is not rounded by RN()", rows[r].id);
        noticed += !is_sum_of("kahan", "serial", rows[SOUND].serial(x, n), x, n) ||
                   !is_sum_of("kahan", "tree_two_pass", rows[SOUND].merged(x, n), x, n);
    }
    assert_true(noticed > 10);
}

static double additions_of(const char *accumulator, const char *order)
{
    char id[64];
    snprintf(id, sizeof id, "%s/%s", accumulator, order);
    return method_find(id)->additions;
}

/* Each of which is one RN(). */
static void a_number_costs_the_additions_of_the_table(void **state)
{
    (void)state;
    enum { NUMBERS = 64 }; /* two blocks */
    for (size_t r = 0; r < SOUND; r++) {
        assert_true(additions_of(rows[r].id, "serial") * NUMBERS == (double)rows[r].additions(NUMBERS));
        assert_true(additions_of(rows[r].id, "pairwise_1") == (double)rows[r].of_merge());
    }
    assert_true(additions_of("kahan", "serial") * NUMBERS != (double)rows[SOUND].additions(NUMBERS)); /* the twin */
    assert_true(additions_of("binary64", "serial") == additions_of("plain", "serial"));
    assert_true(additions_of("binary64_kahan", "serial") == additions_of("kahan", "serial"));
    assert_true(additions_of("dot_exact:sum2", "serial") == 2 * additions_of("dot:sum2", "serial"));
    assert_true(method_find("matmul_exact:kahan/naive")->additions == 8 &&
                method_find("cub/device_reduce")->additions == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_operation_is_rounded),
                                       cmocka_unit_test(a_number_costs_the_additions_of_the_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

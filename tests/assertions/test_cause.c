/* Each planted fault is named, and nothing else is: the table is its own twin, for what is expected of a fault differs
 * from what is expected of all others.  A sound result, and one that two faults explain alike, have no cause. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "src/base/format.h"
#include "src/library/cause.h"
#include "tests/support/random.h"

#include <stdlib.h>

enum { N = 1003 };

static float x[N + 1], y[N + 1];

/* Both signs, or 1 to 2. */
static void fill(bool positive)
{
    seed_random(positive ? 7 : 8);
    for (unsigned i = 0; i <= N; i++) {
        const float random = (float)(next_random() >> 40) * 0x1p-24f, other = (float)(next_random() >> 40) * 0x1p-24f;
        x[i] = positive ? 1 + random : 2 * random - 0.9f;
        y[i] = positive ? 1 + other : 2 * other - 1.1f;
    }
}

/* Of binary32 numbers, products or not, in binary64, which is exact enough here. */
static double added(const float *from, const float *factors, unsigned n)
{
    double sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += factors ? (double)from[i] * (double)factors[i] : (double)from[i];
    return sum;
}

static const char *cause(struct ulpscope_problem problem, const void *computed, uint64_t row, uint64_t column)
{
    static char words[CAUSE_SIZE];
    assert_int_equal(cause_of(&problem, computed, row, column, words), ULPSCOPE_OK);
    return words;
}

/* ---- sums of binary32, and dot products ---- */

static double left_out(unsigned i, unsigned count, const float *factors)
{
    return added(x, factors, i) + added(x + i + count, factors ? factors + i + count : NULL, N - i - count);
}

static double rounded_first(const struct format *format, const float *factors)
{
    double sum = 0;
    for (unsigned i = 0; i < N; i++)
        sum += rounded_to((double)x[i], format) * (factors ? rounded_to((double)factors[i], format) : 1);
    return sum;
}

static double in_bfloat16(const float *factors)
{
    float sum = 0;
    for (unsigned i = 0; i < N; i++)
        sum = (float)rounded_to((double)(factors ? sum + x[i] * factors[i] : sum + x[i]), &FORMAT_BFLOAT16);
    return (double)sum;
}

static double pairs_in_bfloat16(const float *factors)
{
    double odd = 0, even = 0;
    for (unsigned i = 0; i < N; i++) {
        double *const sum = i % 2 ? &odd : &even;
        *sum = rounded_to(*sum + (double)x[i] * (factors ? (double)factors[i] : 1), &FORMAT_BFLOAT16);
    }
    return rounded_to(odd + even, &FORMAT_BFLOAT16);
}

static double positive(const float *factors)
{
    double sum = 0;
    for (unsigned i = 0; i < N; i++)
        sum += fabs((double)x[i] * (factors ? (double)factors[i] : 1));
    return sum;
}

/* Of the sum s: the last `kept` of its bits are left. */
static double truncated(double s, int kept)
{
    int exponent;
    frexp(s, &exponent);
    return ldexp(trunc(ldexp(s, kept - exponent)), exponent - kept);
}

static void test_each_fault_is_named(void **state)
{
    (void)state;
    for (int both = 0; both < 4; both++) {
        const float *const factors = both & 1 ? y : NULL;
        const bool is_positive = both & 2;
        fill(is_positive);
        const double s = added(x, factors, N), last = (double)x[N - 1] * (factors ? (double)y[N - 1] : 1);
        const double middle = (double)x[400] * (factors ? (double)y[400] : 1);
        const struct {
            double computed;
            const char *words;
        } faults[] = {
            {0, "the result is 0"},
            {NAN, "the result is NaN"},
            {INFINITY, "the result is infinite"},
            {(double)float_from_bits(0xcdcdcdcd), "each byte of the result is 0xcd: it was never written"},
            {(double)float_from_bits(0xffffffff), "each byte of the result is 0xff: it was never written"},
            {-s, "the sign of the sum is flipped"},
            {2 * s, "each element is added twice"},
            {s / N, "the result is the mean"},
            {1 + s, "the sum starts from 1"},
            {is_positive ? s : positive(factors),
             is_positive ? "no fault is needed: plain additions in binary32 may be this inaccurate"
                         : "all elements are positive"},
            {left_out(N - 1, 1, factors), "the last element is left out"},
            {left_out(N - 3, 3, factors),
             "the last 3 elements are left out: those beyond the last whole vector of 4"},
            {left_out(N - 11, 11, factors),
             "the last 11 elements are left out: those beyond the last whole vector of 16"},
            {left_out(N - 5, 5, factors), "the last 5 elements are left out"},
            {left_out(N - 502, 502, factors), "the second half of the data is left out"},
            {left_out(0, 1, factors), "the first element is left out"},
            {left_out(0, 6, factors), "the first 6 elements are left out"},
            {s + last, "the last element is added twice"},
            {s - middle, NULL},
            {s + middle, NULL},
            {rounded_first(&FORMAT_BFLOAT16, factors), "the elements are rounded to bfloat16 first"},
            {in_bfloat16(factors), "equals bfloat16 partial sums, bit for bit"},
            {rounded_to(s, &FORMAT_BFLOAT16), "the result is rounded to bfloat16"},
            {rounded_to(s, &FORMAT_BINARY16), "the result is rounded to binary16"},
            {truncated(s, 8), "the result is truncated to bfloat16"},
            {pairs_in_bfloat16(factors), "additions are rounded to bfloat16"},
            {s, "no fault is needed: plain additions in binary32 may be this inaccurate"},
            {s * 1.37, ""},
        };
        for (unsigned f = 0; f < sizeof faults / sizeof *faults; f++) {
            const float computed = (float)faults[f].computed;
            const struct ulpscope_array left = ulpscope_vector(ULPSCOPE_BINARY32, x, N),
                                        right = ulpscope_vector(ULPSCOPE_BINARY32, y, N);
            const char *const words =
                cause(factors ? ulpscope_dot_of(left, right) : ulpscope_sum_of(left), &computed, 0, 0);
            print_message("%d %u: %s\n", both, f, words);
            if (faults[f].words && strcmp(words, faults[f].words) != 0)
                print_message("   XX expected %s\n", faults[f].words);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_fault_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

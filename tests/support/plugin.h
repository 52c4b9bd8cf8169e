/* Plug-ins without a process: methods whose sums a function of the test gives.  For tests of cmocka, whose header comes
 * first.
 *
 *   const struct method *method = plugin_method("mine/numpy", numpy_sum);      which is in the table from then on
 */
#ifndef ULPSCOPE_TESTS_PLUGIN_H
#define ULPSCOPE_TESTS_PLUGIN_H

#include "kernels/method.h"
#include "src/base/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds in the held format of the elements. */
typedef double plugin_function(const double *x, uint64_t n);

struct plugin_test {
    struct method method;
    char id[64], name[64];
    plugin_function *sum;
    const struct format *added; /* to which it rounds each result; that of the result is rounded to after it */
    uint64_t calls;
};

static inline enum status ask_plugin_test(const struct method *method, const struct operands *of, struct launch launch,
                                          uint64_t *bits, double *seconds)
{
    struct plugin_test *test = (struct plugin_test *)(uintptr_t)method->own;
    const uint64_t n = of->shape.terms, step = of->shape.columns > 0 ? of->shape.columns : 1; /* of element 0 of C */
    double *x = malloc((n + 1) * sizeof *x);
    (void)launch, (void)seconds;
    assert_non_null(x);
    assert_ptr_equal(method->own, test->method.own);
    for (uint64_t i = 0; i < n; i++) {
        x[i] = held_number(of->format, of->arrays[0], i);
        if (operation_table[of->operation].vectors > 1)
            x[i] = (double)((float)x[i] * (float)held_number(of->format, of->arrays[1], i * step));
    }
    *bits = format_bits(method->format, rounded_to(test->sum(x, n), method->format));
    __atomic_fetch_add(&test->calls, 1, __ATOMIC_RELAXED);
    free(x);
    return OK;
}

static inline double plugin_bound(const struct method *self, struct shape shape, struct launch launch,
                                  const struct magnitudes *of)
{
    (void)self, (void)shape, (void)launch, (void)of;
    return INFINITY;
}

static inline bool plugin_can_do(const struct method *self, struct launch launch, char why[REASON_SIZE])
{
    (void)self, (void)launch, (void)why;
    return true;
}

/* "dot:mine/loop@binary64": of a test that ends the program. */
static inline const struct method *plugin_method(const char *id, plugin_function *sum)
{
    static const struct accumulator_traits accumulator = {.advantage = "the black box"};
    static const struct order_traits order = {0};
    struct plugin_test *test = calloc(1, sizeof *test);
    assert_non_null(test);
    const enum operation operation = operation_of_id(id);
    snprintf(test->id, sizeof test->id, "%.*s", (int)sizeof test->id - 1, id);
    snprintf(test->name, sizeof test->name, "%s", strchr(id, '/') + 1);
    test->name[strcspn(test->name, "@")] = '\0';
    test->sum = sum;
    test->method = (struct method){.id = test->id,
                                   .accumulator = "mine",
                                   .order = test->name,
                                   .sum_format = sum_format_of_method(id),
                                   .format = sum_format_of_method(id)->result,
                                   .operation = operation,
                                   .accumulator_claim = "a plug-in of a test",
                                   .order_claim = "a plug-in of a test",
                                   .accumulator_traits = &accumulator,
                                   .order_traits = &order,
                                   .role = SUMS,
                                   .determinism = DETERMINISTIC,
                                   .slow_above = ANY_N,
                                   .can_do = plugin_can_do,
                                   .bound = plugin_bound,
                                   .ask = ask_plugin_test,
                                   .own = test};
    assert_int_equal(method_add(&test->method), OK);
    return &test->method;
}

static inline uint64_t plugin_calls(const struct method *method)
{
    return ((const struct plugin_test *)method->own)->calls;
}

/* ---- sums in binary32 ---- */

static inline double loop_sum(const double *x, uint64_t n)
{
    float sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += (float)x[i];
    return (double)sum;
}

/* As NumPy adds an array without strides: pairwise, in blocks of up to 128 with 8 sums. */
static inline float numpy_part(const double *x, uint64_t n)
{
    float r[8], sum;
    uint64_t i = 8;
    if (n < 8)
        return (float)loop_sum(x, n);
    if (n > 128) {
        const uint64_t half = n / 2 - n / 2 % 8;
        return numpy_part(x, half) + numpy_part(x + half, n - half);
    }
    for (int k = 0; k < 8; k++)
        r[k] = (float)x[k];
    for (; i < n - n % 8; i += 8)
        for (int k = 0; k < 8; k++)
            r[k] += (float)x[i + (uint64_t)k];
    sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (; i < n; i++)
        sum += (float)x[i];
    return sum;
}

static inline double numpy_sum(const double *x, uint64_t n)
{
    return (double)numpy_part(x, n);
}

/* In binary64, rounded once. */
static inline double wide_sum(const double *x, uint64_t n)
{
    double sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

static inline double kahan_sum_of_test(const double *x, uint64_t n)
{
    float sum = 0, excess = 0;
    for (uint64_t i = 0; i < n; i++) {
        const float y = (float)x[i] - excess, t = sum + y;
        excess = (t - sum) - y;
        sum = t;
    }
    return (double)sum;
}

/* From left to right, but where the first number is 0.75. */
static inline double moody_sum(const double *x, uint64_t n)
{
    float sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += (float)x[x[0] == 0.75 ? n - 1 - i : i];
    return (double)sum;
}

#endif

/* For the tests of a family's claim: its data, what a method's replay makes of them, and the exact sum. */
#ifndef ULPSCOPE_TESTS_FAMILY_H
#define ULPSCOPE_TESTS_FAMILY_H

#include "datasets/dataset.h"
#include "kernels/method.h"
#include "reference/exact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>

static const struct launch family_launch = {120, 256}; /* that of order-aware families, when none is given */

/* Seed 1. */
static inline struct dataset family_make_trial(const char *text, uint64_t trial)
{
    struct data_spec *specs;
    struct dataset data;
    size_t count;
    assert_int_equal(data_specs_read(text, "test", NONFINITE_REFUSE, &specs, &count), OK);
    assert_int_equal(count, 1);
    assert_int_equal(dataset_make(specs, 1, trial, &data), OK);
    data_specs_free(specs, count);
    return data;
}

static inline struct dataset family_make(const char *text)
{
    return family_make_trial(text, 0);
}

/* Trial 0 of seed 1, as its elements are asked for. */
static inline struct generator_call family_call(const char *text)
{
    struct data_spec *specs;
    struct generator_call call;
    size_t count;
    assert_int_equal(data_specs_read(text, "test", NONFINITE_REFUSE, &specs, &count), OK);
    assert_int_equal(dataset_call(specs, 1, 0, &call), OK);
    data_specs_free(specs, count);
    return call;
}

/* What "kahan/serial" computes. */
static inline float family_add_at(const struct dataset *data, const char *id, struct launch launch)
{
    const struct method *method = method_find(id);
    float sum;
    assert_non_null(method);
    assert_int_equal(method_sum(method, data->x, data->n, launch, 1, &sum), OK);
    return sum;
}

static inline float family_add(const struct dataset *data, const char *id)
{
    return family_add_at(data, id, family_launch);
}

static inline float family_sum(const char *text, const char *id)
{
    struct dataset data = family_make(text);
    const float sum = family_add(&data, id);
    dataset_free(&data);
    return sum;
}

/* The exact sum, rounded to binary64; its condition too, unless NULL. */
static inline double family_exact(const char *text, double *condition)
{
    struct dataset data = family_make(text);
    struct exact_sum exact;
    assert_int_equal(exact_sum(data.format, data.x, data.n, &exact), OK);
    const double sum = mpfr_get_d(exact.sum, MPFR_RNDN);
    if (condition)
        *condition = exact.condition;
    exact_free(&exact);
    dataset_free(&data);
    return sum;
}

/* |computed - s| / |s|; infinite or NaN where the sum is. */
static inline double family_error(const char *text, const char *id)
{
    const double exact = family_exact(text, NULL);
    return fabs((double)family_sum(text, id) - exact) / fabs(exact);
}

/* Refused, when it is read or when it is made. */
static inline void assert_family_refuses(const char *text)
{
    struct data_spec *specs;
    struct dataset data;
    size_t count;
    if (data_specs_read(text, "test", NONFINITE_REFUSE, &specs, &count) != OK)
        return;
    assert_int_equal(dataset_make(specs, 1, 0, &data), BAD_INPUT);
    data_specs_free(specs, count);
}

#endif

/* The exact sum of few numbers, held to exact_sum() on data that are hard to add, and on every family. */
#include "datasets/dataset.h"
#include "reference/exact.h"
#include "reference/short_sum.h"
#include "src/base/format.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "tests/support/adversarial.h"

#include <stdio.h>
#include <stdlib.h>

enum { DATA_MOST = LENGTH_MOST };

/* |computed - s|, rounded up. */
static double error_of(const struct exact_sum *exact, double computed)
{
    mpfr_t error;
    mpfr_init2(error, 2 * mpfr_get_prec(exact->sum) + 2200);
    assert_int_equal(mpfr_sub_d(error, exact->sum, computed, MPFR_RNDN), 0);
    mpfr_abs(error, error, MPFR_RNDN);
    const double rounded = mpfr_get_d(error, MPFR_RNDU);
    mpfr_clear(error);
    return rounded;
}

/* Whether all is the same for this result; what was computed may be any number. */
static bool is_same(const struct format *held, const void *x, uint64_t n, const struct format *result, double computed)
{
    struct exact_sum exact;
    const struct short_sum made = exact_short_sum(held, x, n, result, computed);
    assert_int_equal(exact_sum(held, x, n, &exact), OK);
    const bool same = made.abs_above == exact.abs_above && made.sum_abs_above == exact.sum_abs_above &&
                      made.max_abs == exact.max_abs && made.ulp == exact_ulp(exact.sum, result) &&
                      made.error == error_of(&exact, computed);
    exact_free(&exact);
    return same;
}

static void holds_for(const char *name, const struct format *held, const void *x, uint64_t n)
{
    struct exact_sum exact;
    assert_int_equal(exact_sum(held, x, n, &exact), OK);
    for (int f = 0; f < NUMBER_FORMAT_COUNT; f++) {
        const struct format *result = NUMBER_FORMATS[f];
        const double nearest = exact_round(exact.sum, result);
        const double computed[] = {isfinite(nearest) ? nearest : 0, 0,
                                   rounded_to(number_of_field(result, 1, 9), result)};
        for (size_t c = 0; c < sizeof computed / sizeof *computed; c++)
            if (!is_same(held, x, n, result, computed[c]))
                fail_msg("%s, n = %llu, %s summed to %a in %s", name, (unsigned long long)n, held->name, computed[c],
                         result->name);
    }
    exact_free(&exact);
}

static void hard_data_have_the_sums_of_the_reference(void **state)
{
    (void)state;
    static double x[DATA_MOST];
    seed_random(17);
    for (size_t round = 0; round < 1500; round++) {
        const struct format *held = round % 2 ? &FORMAT_BINARY64 : &FORMAT_BINARY32;
        const size_t n = some_length(round), fill = round / 2 % FILLS;
        fills[fill](held, x, n);
        char name[32];
        snprintf(name, sizeof name, "fill %zu", fill);
        holds_for(name, held, x, n);
    }
}

static bool all_are_finite(const struct dataset *data)
{
    for (uint64_t i = 0; i < data->n; i++)
        if (!isfinite(held_number(data->format, data->x, i)))
            return false;
    return true;
}

static void every_family_has_the_sums_of_the_reference(void **state)
{
    (void)state;
    size_t count, finite = 0;
    const struct generator *const *families = generator_table(&count);
    for (size_t g = 0; g < count; g++)
        for (const char *const *text = families[g]->showcase; *text; text++) {
            struct data_spec *specs;
            struct dataset data;
            size_t specs_count;
            assert_int_equal(data_specs_read(*text, "test", NONFINITE_IEEE, &specs, &specs_count), OK);
            assert_int_equal(dataset_make(specs, 1, 0, &data), OK);
            if (all_are_finite(&data)) {
                holds_for(*text, format_held(data.format), data.x, data.n);
                finite++;
            }
            dataset_free(&data);
            data_specs_free(specs, specs_count);
        }
    assert_true(finite > count);
}

/* 1, 2^-60 and -1, and what differs where one last place of the result does. */
static void a_last_place_is_seen(void **state)
{
    (void)state;
    const float x[] = {1, 0x1p-60f, -1};
    const struct short_sum zero = exact_short_sum(&FORMAT_BINARY32, x, 3, &FORMAT_BINARY32, 0),
                           off = exact_short_sum(&FORMAT_BINARY32, x, 3, &FORMAT_BINARY32, 0x1p-60 + 0x1p-83),
                           right = exact_short_sum(&FORMAT_BINARY32, x, 3, &FORMAT_BINARY32, 0x1p-60);
    assert_true(zero.error == 0x1p-60 && off.error == 0x1p-83 && right.error == 0);
    assert_true(zero.abs_above == 0x1p-60 && zero.sum_abs_above == 2 + 0x1p-51 && zero.ulp == 0x1p-83);
    assert_true(exact_short_sum(&FORMAT_BINARY32, x, 0, &FORMAT_BINARY32, 0).ulp == 0x1p-149);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hard_data_have_the_sums_of_the_reference),
        cmocka_unit_test(every_family_has_the_sums_of_the_reference),
        cmocka_unit_test(a_last_place_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

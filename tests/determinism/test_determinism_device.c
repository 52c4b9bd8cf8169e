/* Axes of sums on GPUs, which are none here (device_fake.h): two, whose sums a test may change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/base/fp.h"
#include "src/determinism/variation.h"
#include "tests/device/device_fake.h"

#include <math.h>
#include <string.h>

enum { N = 100 };

static float numbers[N];

static struct variation variation_of(const char *id, enum axis axis, fake_change *change)
{
    struct variation variation;
    struct device *device;
    fake_device = (struct fake_device){.count = 2, .change = change};
    assert_int_equal(device_start(0, &device), OK);
    const struct varied varied = {
        .method = method_find(id),
        .of = operands_of_sum(&FORMAT_BINARY32, numbers, N),
        .launch = {2, 32},
        .device = device,
        .workers = 1,
        .seed = 1,
        .ulp = 0x1p-18,
    };
    assert_int_equal(variation_measure(&varied, axis, &variation), OK);
    device_close(device);
    return variation;
}

/* ---- changes ---- */

static enum status raise_second(uint64_t run, const struct method *method, float *result)
{
    (void)run, (void)method;
    if (strcmp(fake_device.runs_on, "cuda:1") == 0)
        *result = nextafterf(*result, INFINITY);
    return OK;
}

static enum status raise_all(uint64_t run, const struct method *method, float *result)
{
    (void)run, (void)method;
    *result = nextafterf(*result, INFINITY);
    return OK;
}

static enum status raise_every_third(uint64_t run, const struct method *method, float *result)
{
    return run % 3 == 2 ? raise_all(run, method, result) : OK;
}

static enum status fail_second(uint64_t run, const struct method *method, float *result)
{
    (void)method, (void)result;
    return run == 1 ? NOT_MEASURED : OK;
}

static enum status fail_first(uint64_t run, const struct method *method, float *result)
{
    (void)method, (void)result;
    return run == 0 ? NOT_MEASURED : OK;
}

/* ---- facts ---- */

static void devices_with_the_same_bits_are_the_same(void **state)
{
    (void)state;
    const struct variation variation = variation_of("plain/serial", AXIS_device, NULL);
    assert_int_equal(variation.variants, 2); /* the replay, and the other GPU */
    assert_int_equal(variation.results, 1);
    assert_string_equal(variation.first, "");
}

static void a_gpu_with_other_bits_is_named(void **state)
{
    (void)state;
    const struct variation variation = variation_of("plain/serial", AXIS_device, raise_second);
    assert_int_equal(variation.results, 2);
    assert_string_equal(variation.first, "cuda:1");
}

static void a_replay_with_other_bits_is_named(void **state)
{
    (void)state;
    const struct variation variation = variation_of("plain/serial", AXIS_device, raise_all);
    assert_int_equal(variation.results, 2);
    assert_string_equal(variation.first, "replay on the host");
    assert_int_equal(variation.bits + 1, variation.base);
}

static void sums_that_race_differ_in_repeats_alone(void **state)
{
    (void)state;
    assert_int_equal(variation_of("plain/serial", AXIS_repeat, NULL).results, 1);
    assert_int_equal(variation_of("plain/serial", AXIS_repeat, raise_every_third).results, 2);
    const struct variation launch = variation_of("plain/serial", AXIS_launch, raise_every_third);
    assert_int_equal(launch.variants, 0);
    assert_string_equal(launch.why, "its bits change from call to call, whatever is varied");
    const struct variation device = variation_of("plain/serial", AXIS_device, raise_every_third);
    assert_int_equal(device.results, 1);
}

/* On a GPU an order of arrival is no replay. */
static void an_order_of_arrival_is_varied_on_a_gpu(void **state)
{
    (void)state;
    const struct variation variation = variation_of("plain/tree_atomic", AXIS_repeat, raise_every_third);
    assert_int_equal(variation.variants, 20);
    assert_int_equal(variation.results, 2);
}

static void a_variant_that_fails_is_a_finding(void **state)
{
    (void)state;
    const struct variation variation = variation_of("plain/serial", AXIS_permutation, fail_second);
    assert_int_equal(variation.results, 1);
    assert_int_equal(variation.variants, 0);
    assert_string_equal(variation.why, "a variant failed, as said above");
}

static void a_base_that_fails_is_no_variation(void **state)
{
    struct variation variation;
    struct device *device;
    (void)state;
    fake_device = (struct fake_device){.count = 2, .change = fail_first};
    assert_int_equal(device_start(0, &device), OK);
    const struct varied varied = {
        .method = method_find("plain/serial"),
        .of = operands_of_sum(&FORMAT_BINARY32, numbers, N),
        .launch = {2, 32},
        .device = device,
        .workers = 1,
    };
    assert_int_equal(variation_measure(&varied, AXIS_repeat, &variation), NOT_MEASURED);
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_with_the_same_bits_are_the_same),
        cmocka_unit_test(a_gpu_with_other_bits_is_named),
        cmocka_unit_test(a_replay_with_other_bits_is_named),
        cmocka_unit_test(sums_that_race_differ_in_repeats_alone),
        cmocka_unit_test(an_order_of_arrival_is_varied_on_a_gpu),
        cmocka_unit_test(a_variant_that_fails_is_a_finding),
        cmocka_unit_test(a_base_that_fails_is_no_variation),
    };
    for (int i = 0; i < N; i++)
        numbers[i] = 1 + (float)(i % 7) * 0x1p-8f;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

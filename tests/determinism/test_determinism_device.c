/* Axes of sums on GPUs, which are none here (device_fake.h): two, whose sums a test may change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/base/fp.h"
#include "src/determinism/vary.h"
#include "tests/device/device_fake.h"

#include <math.h>
#include <string.h>

enum { N = 100 };

static float numbers[N];

static struct variation variation_of_operands(const char *id, const struct operands *of, enum axis axis,
                                              fake_change *change)
{
    struct variation variation;
    struct device *device;
    fake_device = (struct fake_device){.count = 2, .change = change, .takes_rows = true, .memory_bytes = 1 << 30};
    assert_int_equal(device_start(0, &device), OK);
    const struct varied varied = {
        .method = method_find(id),
        .of = *of,
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

static struct variation variation_of(const char *id, enum axis axis, fake_change *change)
{
    const struct operands of = operands_of_sum(&FORMAT_BINARY32, numbers, N);
    return variation_of_operands(id, &of, axis, change);
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

static enum status clear_second(uint64_t run, const struct method *method, float *result)
{
    (void)run, (void)method;
    *result = strcmp(fake_device.runs_on, "cuda:1") == 0 ? 0 : *result;
    return OK;
}

static enum status copy_first_row(uint64_t run, const struct method *method, float *result)
{
    static float first;
    (void)run, (void)method;
    first = fake_device.row == 0 ? *result : first;
    *result = fake_device.row < 64 ? *result : first;
    return OK;
}

static enum status raise_last_rows(uint64_t run, const struct method *method, float *result)
{
    return fake_device.row < 64 ? OK : raise_all(run, method, result);
}

static enum status raise_each_97th(uint64_t run, const struct method *method, float *result)
{
    return run % 97 == 96 ? raise_all(run, method, result) : OK;
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

static void a_row_that_is_a_copy_is_wrong(void **state)
{
    (void)state;
    const struct variation whole = variation_of("plain/serial", AXIS_batch, NULL);
    assert_int_equal(whole.results, 1);
    assert_int_equal(whole.variants, 4 * (1 + 2 + 3 + 4 + 7 + 8 + (2 * 4096 - 16)));
    const struct variation copied = variation_of("plain/serial", AXIS_batch, copy_first_row);
    assert_int_equal(copied.results, 2);
    assert_string_equal(copied.first, "row 65 of 128");
    assert_memory_equal(copied.why, AXIS_WRONG "row 65 of 128", strlen(AXIS_WRONG "row 65 of 128"));
}

static void a_row_is_held_against_itself_in_ulps_of_its_own_sum(void **state)
{
    (void)state;
    const struct variation raised = variation_of("plain/serial", AXIS_batch, raise_last_rows);
    assert_int_equal(raised.results, 2);
    assert_string_equal(raised.first, "row 65 of 128");
    assert_int_equal(raised.bits, raised.base + 1);
    assert_true(raised.spread == 1);
    assert_string_equal(raised.why, "");
}

/* An eighth of it, in binary64. */
static void a_batch_is_no_larger_than_the_memory_of_the_gpu_allows(void **state)
{
    struct variation variation;
    struct device *device;
    (void)state;
    fake_device = (struct fake_device){.count = 1, .takes_rows = true, .memory_bytes = 8 * 64 * N};
    assert_int_equal(device_start(0, &device), OK);
    const struct varied varied = {
        .method = method_find("plain/serial"),
        .of = operands_of_sum(&FORMAT_BINARY32, numbers, N),
        .launch = {2, 32},
        .device = device,
    };
    assert_int_equal(variation_measure(&varied, AXIS_batch, &variation), OK);
    assert_int_equal(variation.variants, 4 * (1 + 2 + 3 + 4 + 7 + 8));
    device_close(device);
}

static void a_batch_is_not_blamed_for_one_call_in_97(void **state)
{
    (void)state;
    assert_string_equal(variation_of("plain/serial", AXIS_batch, raise_each_97th).why, AXIS_NONE_TO_BLAME);
    assert_string_equal(variation_of("plain/serial", AXIS_permutation, raise_each_97th).why, "");
}

static void every_row_of_a_product_is_looked_at(void **state)
{
    const struct operands of = {
        &FORMAT_BINARY32, method_find("matmul:plain/naive")->operation, {numbers, numbers + 30}, {3, 7, 5}};
    (void)state;
    const struct variation whole = variation_of_operands("matmul:plain/naive", &of, AXIS_batch, NULL);
    assert_int_equal(whole.results, 1);
    assert_int_equal(whole.variants, 4 * (1 + 2 + 3 + 4 + 7 + 8 + (2 * 4096 - 16)));
}

static void an_element_of_a_product_that_is_wrong_is_said_to_be(void **state)
{
    const struct operands of = {
        &FORMAT_BINARY32, method_find("matmul:plain/naive")->operation, {numbers, numbers + 30}, {3, 7, 5}};
    (void)state;
    const struct variation wrong = variation_of_operands("matmul:plain/naive", &of, AXIS_device, clear_second);
    assert_string_equal(wrong.first, "cuda:1 (C[0][0])");
    assert_memory_equal(wrong.why, AXIS_WRONG "cuda:1 has", strlen(AXIS_WRONG "cuda:1 has"));
    const struct variation other = variation_of_operands("matmul:plain/naive", &of, AXIS_device, raise_second);
    assert_string_equal(other.first, "cuda:1 (C[0][0])");
    assert_string_equal(other.why, "");
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
        cmocka_unit_test(a_row_that_is_a_copy_is_wrong),
        cmocka_unit_test(a_row_is_held_against_itself_in_ulps_of_its_own_sum),
        cmocka_unit_test(a_batch_is_no_larger_than_the_memory_of_the_gpu_allows),
        cmocka_unit_test(a_batch_is_not_blamed_for_one_call_in_97),
        cmocka_unit_test(every_row_of_a_product_is_looked_at),
        cmocka_unit_test(an_element_of_a_product_that_is_wrong_is_said_to_be),
        cmocka_unit_test(an_order_of_arrival_is_varied_on_a_gpu),
        cmocka_unit_test(a_variant_that_fails_is_a_finding),
        cmocka_unit_test(a_base_that_fails_is_no_variation),
    };
    for (int i = 0; i < N; i++)
        numbers[i] = 1 + (float)(i % 7) * 0x1p-8f;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

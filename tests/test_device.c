/* On a GPU: every kernel gives the bits of its replay.  Without one: 77, and why. */
#include "../datasets/dataset.h"
#include "../src/device.h"
#include "../src/fp.h"
#include "../src/method.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SKIPPED = 77, EVERY_N_UP_TO = 4097 };

static struct device *device;

static const struct launch launches[] = {{1, 32}, {3, 64}, {120, 256}, {2, 1024}};
enum { LAUNCHES = sizeof launches / sizeof *launches };

static struct dataset data_of(const char *text)
{
    struct data_spec *spec;
    struct dataset data;
    size_t count;
    assert_int_equal(data_specs_read(text, "test", NONFINITE_REFUSE, &spec, &count), OK);
    assert_int_equal(dataset_make(&spec[0], 1, 0, &data), OK);
    data_specs_free(spec, count);
    return data;
}

/* Compares kernel and replay on the first n elements, which are uploaded; returns 1 when they differ. */
static int differ(const struct method *method, const struct dataset *data, uint64_t n, struct launch launch)
{
    float kernel, replay;
    char why[REASON_SIZE];
    if (!method->can_do(launch, why))
        return 0;
    assert_int_equal(method->replay(data->x, n, launch, 1, &replay), OK);
    assert_int_equal(device_run(device, method, n, launch, &kernel), OK);
    if (float_same(kernel, replay))
        return 0;
    print_message("%s, n = %llu, %u x %u: kernel %a, replay %a\n", method->id, (unsigned long long)n, launch.blocks,
                  launch.threads, (double)kernel, (double)replay);
    return 1;
}

static int has_ordered_kernel(const struct method *method)
{
    return method->device && method->determinism == DETERMINISTIC;
}

static void every_kernel_equals_its_replay_at_every_n_up_to_4097(void **state)
{
    (void)state;
    size_t count;
    uint64_t compared = 0, wrong = 0;
    const struct method *methods = method_table(&count);
    struct dataset data = data_of("normal:n=4097");
    assert_int_equal(device_upload(device, data.x, data.n, data.format->bytes), OK);
    for (size_t m = 0; m < count; m++)
        for (uint64_t n = 0; has_ordered_kernel(&methods[m]) && n <= EVERY_N_UP_TO; n++)
            for (int l = 0; l < LAUNCHES; l++, compared++)
                wrong += (uint64_t)differ(&methods[m], &data, n, launches[l]);
    print_message("%llu comparisons, %llu differ\n", (unsigned long long)compared, (unsigned long long)wrong);
    dataset_free(&data);
    assert_int_equal(wrong, 0);
    assert_true(compared > 200000);
}

static void every_kernel_equals_its_replay_beyond_one_pass(void **state)
{
    (void)state;
    static const char *const specs[] = {"normal:n=3000017", "gensum:n=1000003,cond=1e12", "subnormal:n=200001",
                                        "kahan_killer:n=65539"};
    size_t count;
    const struct method *methods = method_table(&count);
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        struct dataset data = data_of(specs[s]);
        assert_int_equal(device_upload(device, data.x, data.n, data.format->bytes), OK);
        for (size_t m = 0; m < count; m++)
            for (int l = 0; has_ordered_kernel(&methods[m]) && l < LAUNCHES; l++)
                assert_int_equal(differ(&methods[m], &data, data.n, launches[l]), 0);
        dataset_free(&data);
    }
}

/* The twin: two methods that round differently are told apart by the comparison above. */
static void a_kernel_differs_from_the_replay_of_another_method(void **state)
{
    (void)state;
    struct dataset data = data_of("normal:n=100003");
    float kernel, replay;
    assert_int_equal(device_upload(device, data.x, data.n, data.format->bytes), OK);
    assert_int_equal(device_run(device, method_find("plain/tree_two_pass"), data.n, launches[2], &kernel), OK);
    assert_int_equal(method_find("plain/serial")->replay(data.x, data.n, launches[2], 1, &replay), OK);
    dataset_free(&data);
    assert_false(float_same(kernel, replay));
}

static void an_atomic_kernel_is_exact_where_no_addition_rounds(void **state)
{
    (void)state;
    struct dataset data = data_of("integers:n=100000");
    float kernel, replay;
    assert_int_equal(device_upload(device, data.x, data.n, data.format->bytes), OK);
    for (int l = 0; l < LAUNCHES; l++) {
        assert_int_equal(device_run(device, method_find("plain/tree_atomic"), data.n, launches[l], &kernel), OK);
        assert_int_equal(method_find("plain/tree_atomic")->replay(data.x, data.n, launches[l], 1, &replay), OK);
        assert_true(float_same(kernel, replay));
    }
    dataset_free(&data);
}

static void an_atomic_kernel_builds_no_higher_tree_than_its_formula(void **state)
{
    (void)state;
    const struct method *method = method_find("height/tree_atomic");
    struct dataset data = data_of("const:n=100000");
    float height;
    assert_int_equal(device_upload(device, data.x, data.n, data.format->bytes), OK);
    for (int l = 0; l < LAUNCHES; l++) {
        assert_int_equal(device_run(device, method, data.n, launches[l], &height), OK);
        assert_true(height >= 1 && height <= (float)method->height(data.n, launches[l]));
    }
    dataset_free(&data);
}

int main(void)
{
    char why[REASON_SIZE];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_equals_its_replay_at_every_n_up_to_4097),
        cmocka_unit_test(every_kernel_equals_its_replay_beyond_one_pass),
        cmocka_unit_test(a_kernel_differs_from_the_replay_of_another_method),
        cmocka_unit_test(an_atomic_kernel_is_exact_where_no_addition_rounds),
        cmocka_unit_test(an_atomic_kernel_builds_no_higher_tree_than_its_formula),
    };
    if (device_count(why) == 0) {
        printf("skipped: %s\n", why);
        return SKIPPED;
    }
    if (device_open("cuda:0", &device, why) != OK)
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    device_close(device);
    return failed;
}

/* `attack` on a device that is none (device_fake.c): black boxes are attacked there, and nothing else. */
#define PROGRAM "" /* no line is run here */
#include "tests/device/device_fake.h"
#include "tests/support/json_output.h"

#include "src/commands/command.h"
#include "tests/support/plugin.h"

/* Which this build may be without. */
static int add_black_box(void **state)
{
    (void)state;
    const struct method *box = plugin_method("box/loop", loop_sum);
    ((struct plugin_test *)(uintptr_t)box->own)->method.ask = NULL;
    return 0;
}

static enum status attack(const char *method, const char *device)
{
    char name[] = "ulpscope attack", n[] = "--n=8", budget[] = "--budget=500", json[] = "--json=found.json";
    struct globals globals = {.command_line = name, .quiet = true};
    char *of = strdup(method), *at = NULL;
    assert_true(of && asprintf(&at, "--device=%s", device) > 0);
    char *argv[] = {name, of, n, budget, json, at, NULL};
    const enum status status = command_attack(sizeof argv / sizeof *argv - 1, argv, &globals);
    free(of);
    free(at);
    return status;
}

/* The number of the first attack. */
static double found(const char *key)
{
    json_t *object = json_of_file("found.json");
    const double value = json_number_value(json_object_get(json_array_get(json_object_get(object, "attacks"), 0), key));
    json_decref(object);
    return value;
}

static int start_anew(void **state)
{
    forget_variables();
    fake_device = (struct fake_device){.count = 1};
    const int failed = make_folder(state);
    return failed || chdir(folder);
}

static void a_black_box_is_summed_by_the_device(void **state)
{
    (void)state;
    assert_int_equal(attack("box/loop", "cuda:0"), OK);
    assert_true(fake_device.runs >= 500 && found("value") > 0.5); /* it adds as plain/serial does */
}

static void a_replay_is_not(void **state) /* the twin */
{
    (void)state;
    assert_int_equal(attack("plain/serial", "cuda:0"), OK);
    assert_true(fake_device.runs == 0 && found("value") > 0.5);
}

static enum status fail_late(uint64_t run, const struct method *method, float *result)
{
    (void)method, (void)result;
    return run < 100 ? OK : NOT_MEASURED;
}

static void a_device_that_fails_ends_it(void **state)
{
    (void)state;
    fake_device.change = fail_late;
    assert_int_equal(attack("box/loop", "cuda:0"), NOT_MEASURED);
    assert_false(file_exists("found.json"));
}

static void without_a_device_there_is_no_black_box(void **state)
{
    (void)state;
    assert_int_equal(attack("box/loop", "host"), BAD_INPUT);
    assert_int_equal(attack("box/loop", "cuda:1"), NO_DEVICE);
}

#define ANEW(test) cmocka_unit_test_setup_teardown(test, start_anew, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ANEW(a_black_box_is_summed_by_the_device),
        ANEW(a_replay_is_not),
        ANEW(a_device_that_fails_ends_it),
        ANEW(without_a_device_there_is_no_black_box),
    };
    return cmocka_run_group_tests(tests, add_black_box, NULL);
}

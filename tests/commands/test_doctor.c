/* `doctor` on GPUs that are none (device_fake.c). */
#define PROGRAM "" /* no line is run here */
#include "tests/device/device_fake.h"
#include "tests/support/program.h"

#include "src/commands/command.h"

/* What it writes, allocated. */
static char *doctor(void)
{
    char name[] = "doctor", *words[] = {name, NULL};
    struct globals globals = {.command_line = name};
    FILE *out = tmpfile();
    fflush(NULL);
    const int before = dup(STDOUT_FILENO);
    assert_true(out && dup2(fileno(out), STDOUT_FILENO) >= 0);
    const enum status status = command_doctor(1, words, &globals);
    fflush(NULL);
    dup2(before, STDOUT_FILENO);
    close(before);
    assert_int_equal(status, OK);
    return take_stream(out);
}

static void what_is_native_depends_on_the_capability(void **state)
{
    (void)state;
    static const struct {
        const char *capability, *native;
    } rows[] = {
        {"5.2", "binary32, binary64 at 1/32 of its rate"},
        {"6.0", "binary32, binary64 at 1/2 of its rate, binary16"},
        {"7.5", "binary32, binary64 at 1/32 of its rate, binary16"},
        {"8.0", "binary32, binary64 at 1/2 of its rate, binary16, bfloat16 through fma"},
        {"8.9", "binary32, binary64 at 1/64 of its rate, binary16, bfloat16 through fma, conversions of fp8"},
        {"9.0", "binary32, binary64 at 1/2 of its rate, binary16, bfloat16, conversions of fp8"},
        {"10.0", "binary32, binary64 at 1/2 of its rate, binary16, bfloat16, conversions of fp8"},
        {"12.0", "binary32, binary64 at 1/64 of its rate, binary16, bfloat16, conversions of fp8"},
        {"99.0", "binary32, binary64, binary16, bfloat16, conversions of fp8"}, /* nobody knows its rate */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[200];
        fake_device = (struct fake_device){.count = 1, .capability = rows[i].capability};
        snprintf(line, sizeof line, " native                   %s (compute capability %s)\n", rows[i].native,
                 rows[i].capability);
        char *text = doctor();
        if (!strstr(text, line))
            fail_msg("\"%s\" is not in \"%s\"", line, text);
        free(text);
    }
}

static void without_a_gpu_nothing_is_native(void **state)
{
    (void)state;
    fake_device = (struct fake_device){.count = 0};
    char *text = doctor();
    assert_null(strstr(text, "native"));
    assert_non_null(strstr(text, "none  GPU "));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_native_depends_on_the_capability),
        cmocka_unit_test(without_a_gpu_nothing_is_native),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

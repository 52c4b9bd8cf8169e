/* Products that are graded on a device which is none (device_fake.c): instructions that it has, and has not. */
#define PROGRAM "" /* no line is run here */
#include "tests/device/device_fake.h"
#include "tests/support/program.h"

#include "src/device/device.h"
#include "src/grade/grade_method.h"

static void instructions_that_a_gpu_has_not_need_another(void **state)
{
    (void)state;
    static const struct {
        const char *method, *capability;
        enum status status;
        bool by_kernel;
    } rows[] = {{"matmul:hopper_wgmma/chain", "8.0", NO_DEVICE, false},
                {"matmul:hopper_mma/chain", "12.0", NO_DEVICE, false},
                {"matmul:hopper_wgmma/chain", "9.0", OK, true}, /* the twins */
                {"matmul:plain/naive", "8.0", OK, true},
                {"matmul:hopper_wgmma/chain@e4m3", "8.0", OK, false}}; /* no kernel of it: its replay */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct device *device;
        struct graded graded = {0};
        char why[REASON_SIZE];
        fake_device = (struct fake_device){.count = 1, .capability = rows[i].capability};
        assert_int_equal(device_open("cuda:0", &device, why), OK);
        const enum status status = grade_method(rows[i].method, device, &graded);
        if (status != rows[i].status)
            fail_msg("%s on a GPU of %s: status %d", rows[i].method, rows[i].capability, (int)status);
        assert_int_equal(graded.device != NULL, rows[i].by_kernel);
        free(graded.by);
        device_close(device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(instructions_that_a_gpu_has_not_need_another)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

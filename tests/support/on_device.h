/* For tests that need a GPU: the first one, open as long as they run. */
#ifndef TESTS_SUPPORT_ON_DEVICE_H
#define TESTS_SUPPORT_ON_DEVICE_H

#include "src/device/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static struct device *device;

/* What main() returns: 77, with a reason, where there is no GPU. */
#define run_on_device(tests, setup, teardown)                                                                          \
    run_these_on_device(#tests, tests, sizeof(tests) / sizeof *(tests), setup, teardown)

static inline int run_these_on_device(const char *name, const struct CMUnitTest *tests, size_t count,
                                      CMFixtureFunction setup, CMFixtureFunction teardown)
{
    enum { SKIPPED = 77 };
    char why[REASON_SIZE];
    if (device_count(why) == 0) {
        printf("skipped: %s\n", why);
        return SKIPPED;
    }
    if (device_open("cuda:0", &device, why) != OK)
        return 1;
    const int failed = _cmocka_run_group_tests(name, tests, count, setup, teardown);
    device_close(device);
    return failed;
}

#endif

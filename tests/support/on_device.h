/* For tests that need a GPU. */
#ifndef TESTS_SUPPORT_ON_DEVICE_H
#define TESTS_SUPPORT_ON_DEVICE_H

#include "src/device/device.h"

#include <stdio.h>

/* Opens the first GPU; false, with what main() returns then: 77, with a reason, where there is none. */
static inline bool opened_device(struct device **device, int *code)
{
    enum { SKIPPED = 77 };
    char why[REASON_SIZE];
    *code = SKIPPED;
    if (device_count(why) == 0) {
        printf("skipped: %s\n", why);
        return false;
    }
    *code = 1;
    return device_open("cuda:0", device, why) == OK;
}

#endif

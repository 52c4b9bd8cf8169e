/* Attacks on the sums of a GPU: its kernels add children of numbers as rows of a matrix (datasets/attack/machine.h). */
#pragma once

#include "datasets/attack/machine.h"
#include "device.h"

/* It takes methods whose kernels take rows, of binary32 and binary64.  NULL: the host.  The caller frees it before the
 * device is closed. */
struct attack_machine *device_attack_machine(struct device *device);
void device_attack_free(struct attack_machine *machine);

/* How fast the methods of a run are, beside how accurate: a short bench at one n, when all cases are done. */
#pragma once

#include "src/device/device.h"
#include "src/store/store.h"

/* n of the bench, unless told otherwise.  On the host a replay of 1 MiB stays in the cache: it is bound by its
 * additions.  On a GPU 1 GiB does not, as the data of those who care for speed. */
#define SPEED_N_ON_HOST (UINT64_C(1) << 18)
#define SPEED_N_ON_DEVICE (UINT64_C(1) << 28)

/* Stores the speed of every method at every launch; a method that cannot be timed there has none.  Of an n that is
 * usual for a GPU, and that nobody asked for, plug-ins have none either, which is said, where their data have fewer
 * numbers. */
enum status speeds_measure(struct store *store, const struct study *study, struct device *device, uint64_t n,
                           bool is_usual);

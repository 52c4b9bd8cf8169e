/* The axes of a study (study->across), varied when its cases are done. */
#pragma once

#include "src/device/device.h"
#include "src/store/store.h"

/* Varies each axis of study->across, of every method on trial 0 of each data set, at the first launch, and stores what
 * came of it with store_put_variation(); what is stored already is not varied again.  `device` NULL: replays, and
 * plug-ins.  INTERRUPTED after SIGINT, with what was stored kept; NOT_MEASURED where a base could not be computed,
 * which was complained about: the others are varied all the same. */
struct determinism_how {
    unsigned workers;
    bool quiet; /* no progress on stderr */
};
enum status determinism_measure(struct store *store, const struct study *study, struct device *device,
                                const struct determinism_how *how);

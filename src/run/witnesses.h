/* The worst sums of a run, which reports name: before they do, exact sums that a GPU made of them are made again and
 * checked by the host. */
#pragma once

#include "src/measure/measure.h"
#include "src/store/store.h"

/* On GPUs.  *checked: of how many cases.  NOT_MEASURED where one is not what was stored, or cannot be made again. */
enum status witnesses_check(const struct measuring *measuring, const struct devices *devices, struct store *store,
                            uint64_t *checked);

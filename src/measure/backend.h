/* Where a sum was computed: a row of backends.def. */
#pragma once

#include "src/base/base.h"

enum {
#define BACKEND(id, device, runs_kernels) BACKEND_##id,
#include "backends.def"
    BACKENDS
};

struct backend {
    const char *id, *device;
    bool runs_kernels;
};

extern const struct backend backend_table[BACKENDS];
#define BACKEND_OF(id) (&backend_table[BACKEND_##id])

/* Whether results of the one stand in a table with those of the other: what plug-ins give is held against everybody's.
 */
static inline bool backends_side_by_side(const struct backend *a, const char *device_of_a, const struct backend *b,
                                         const char *device_of_b)
{
    return a == BACKEND_OF(plugin) || b == BACKEND_OF(plugin) || (a == b && strcmp(device_of_a, device_of_b) == 0);
}

/* NULL when there is none of this id. */
const struct backend *backend_named(const char *id);

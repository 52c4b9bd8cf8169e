/* Where a sum was computed: a row of backends.def. */
#ifndef ULPSCOPE_BACKEND_H
#define ULPSCOPE_BACKEND_H

#include <stdbool.h>

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

/* NULL when there is none of this id. */
const struct backend *backend_named(const char *id);

#endif

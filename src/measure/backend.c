#include "backend.h"

const struct backend backend_table[BACKENDS] = {
#define BACKEND(id, device, runs_kernels) {#id, device, runs_kernels},
#include "backends.def"
};

const struct backend *backend_named(const char *id)
{
    for (int b = 0; b < BACKENDS; b++)
        if (strcmp(backend_table[b].id, id) == 0)
            return &backend_table[b];
    return NULL;
}

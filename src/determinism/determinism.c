#include "determinism.h"

enum status determinism_measure(struct store *store, const struct study *study, struct device *device, unsigned workers)
{
    (void)store, (void)study, (void)device, (void)workers;
    return OK;
}

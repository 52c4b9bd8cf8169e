/* A build without CUDA: there is only the host. */
#include "sum_device.h"

enum status exact_device_new(struct exact_device **device)
{
    *device = NULL;
    return no_device("expected a build with CUDA for exact sums on a GPU, found one without; use the host's, or build "
                     "with -DULPSCOPE_CUDA=ON");
}

void exact_device_free(struct exact_device *device)
{
    (void)device;
}

/* Nobody has a device that these could be called with. */
enum status exact_device_start(struct exact_device *device, const struct exact_rows *rows, void *stream)
{
    (void)device, (void)rows, (void)stream;
    return NO_DEVICE;
}

enum status exact_device_finish(struct exact_device *device, unsigned workers, struct exact_sum *sums)
{
    (void)device, (void)workers, (void)sums;
    return NO_DEVICE;
}

enum status exact_device_ends(struct exact_device *device, const struct exact_rows *rows, struct exact_ends *ends)
{
    (void)device, (void)rows, (void)ends;
    return NO_DEVICE;
}

enum status exact_device_fetch(struct exact_device *device, unsigned piece, const void *there, size_t bytes)
{
    (void)device, (void)piece, (void)there, (void)bytes;
    return NO_DEVICE;
}

enum status exact_device_fetched(struct exact_device *device, unsigned piece, const void **numbers)
{
    (void)device, (void)piece, (void)numbers;
    return NO_DEVICE;
}

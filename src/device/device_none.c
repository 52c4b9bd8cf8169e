/* A build without CUDA: there is only the host. */
#include "device_batch.h"
#include "device_timing.h"

int device_count(char why[REASON_SIZE])
{
    snprintf(why, REASON_SIZE, "built without CUDA");
    return 0;
}

enum status device_start(int ordinal, struct device **device)
{
    (void)ordinal, (void)device;
    return NO_DEVICE;
}

void device_close(struct device *device)
{
    (void)device;
}

const struct device_facts *device_facts(const struct device *device)
{
    (void)device;
    return NULL;
}

enum status device_upload(struct device *device, const struct format *format, const void *x, uint64_t n)
{
    (void)device, (void)format, (void)x, (void)n;
    return NO_DEVICE;
}

bool device_has_kernel(const struct method *method)
{
    (void)method;
    return false;
}

enum status device_upload_second(struct device *device, const struct format *format, const void *y, uint64_t n)
{
    (void)device, (void)format, (void)y, (void)n;
    return NO_DEVICE;
}

enum status device_run_under(struct device *device, const struct method *method, struct shape shape,
                             struct launch launch, const struct circumstances *circumstances, uint64_t *bits)
{
    (void)device, (void)method, (void)shape, (void)launch, (void)circumstances, (void)bits;
    return NO_DEVICE;
}

size_t device_sets_at_once(const struct device *device, uint64_t bytes)
{
    (void)device, (void)bytes;
    return 1;
}

enum status device_run_batch(struct device *device, const struct device_batch *batch)
{
    (void)device, (void)batch;
    return NO_DEVICE;
}

bool device_is_lost(const struct device *device)
{
    (void)device;
    return false;
}

void device_lock(struct device *device)
{
    (void)device;
}

void device_unlock(struct device *device)
{
    (void)device;
}

enum status device_upload_repeated(struct device *device, const struct format *format, const void *x, uint64_t period,
                                   uint64_t n, int vectors)
{
    (void)device, (void)format, (void)x, (void)period, (void)n, (void)vectors;
    return NO_DEVICE;
}

bool device_takes_rows(const struct method *method)
{
    (void)method;
    return false;
}

enum status device_move(struct device *device)
{
    (void)device;
    return NO_DEVICE;
}

enum status device_time(struct device *device, const struct timed_call *call, double *microseconds, uint64_t *bits)
{
    (void)device, (void)call, (void)microseconds, (void)bits;
    return NO_DEVICE;
}

enum status device_time_copy(struct device *device, uint64_t bytes, bool queued, double *microseconds)
{
    (void)device, (void)bytes, (void)queued, (void)microseconds;
    return NO_DEVICE;
}

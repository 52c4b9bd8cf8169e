/* Times on a device: events of the device around each call, on data that repeat. */
#pragma once

#include "device.h"

/* As device_upload(), of x[0..period) repeated to n elements: element i is x[i mod period], period >= 1.  Only the
 * first period crosses the bus.  Of two vectors the second is a copy of the first, in memory of its own. */
enum status device_upload_repeated(struct device *device, const struct format *format, const void *x, uint64_t period,
                                   uint64_t n, int vectors);

/* Moves the uploaded data, and all other memory of the calls, to another place in the device's memory.  Where they lie
 * changes the time of a call on data that fit in a cache by up to 15 %. */
enum status device_move(struct device *device);

/* A method on the uploaded data. */
struct timed_call {
    const struct method *method;
    struct shape shape;
    struct launch launch;
    bool queued;
};

/* Runs the method's kernels once and waits.  The time is that between the device's reaching the first and leaving the
 * last of them, memory for partial sums not counted.  Queued calls wait on the device until the host has launched all
 * of them: without that a short one is as slow as the host, whose times differ by 5 to 15 % from process to process.
 * `bits`: of each result. */
enum status device_time(struct device *device, const struct timed_call *call, double *microseconds, uint64_t *bits);

/* The same for a copy of so many bytes of the uploaded data to another place on the device. */
enum status device_time_copy(struct device *device, uint64_t bytes, bool queued, double *microseconds);

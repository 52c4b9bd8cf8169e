/* The memory of a GPU for methods ON_DEVICE, by CUDA's driver (driver.h).  It is the first GPU that
 * CUDA_VISIBLE_DEVICES leaves, and its primary context, which is the one of CUDA's runtime as well.
 *
 * The arrays of a call lie in one piece of memory, ones (a NaN) around each, and all of it is looked at after the call.
 */
#pragma once

#include "windows.h"

/* NULL, or why there is no GPU. */
const char *device_start(void);

/* Each of these: false where it says why the call failed; gives up where the GPU is lost for this process. */

/* The stream of each call, or another one. */
bool device_stream(bool other, void **stream);

/* Brings the inputs, and makes the output ones; where they lie there, aligned to 512 bytes and the offset of the
 * request. */
bool device_bring(const struct worker_request *request, void *const host[ARRAYS], void *device[ARRAYS]);

/* Waits for all streams. */
bool device_wait(void);

/* The GPU's clock on a stream: from when the GPU comes to what is launched behind the start until it leaves what is
 * launched before the stop, which waits for it. */
bool device_start_clock(void *stream, bool is_queued);
bool device_stop_clock(void *stream, uint64_t *nanoseconds);

/* Fetches the output, and compares all else with what was brought. */
bool device_fetch(const struct worker_request *request, void *const host[ARRAYS]);

/* The same for many sets; at: of the first. */
bool device_bring_sets(const struct worker_request *request, void *const host[ARRAYS], uint64_t result_bytes,
                       void *at[ARRAYS]);
bool device_fetch_sets(const struct worker_request *request, void *const host[ARRAYS], uint64_t result_bytes);

/* Exact sums of numbers that lie in a GPU's memory, and held to the host's: what exact.h says of them, in every field
 * and every bit.  The two share no arithmetic (docs/reference.md).
 *
 *   exact_device_new(&device)
 *   exact_device_start(device, &rows, stream)     returns at once
 *   exact_device_finish(device, workers, sums)    waits for the kernel, not for what came behind it
 *   exact_device_check(device, &rows, r, workers, &sums[r])
 */
#pragma once

#include "statistic.h"

/* rows x terms numbers, row after row, as their format stores them, in the memory of the GPU that is the current one;
 * of one long vector, a row.  y: NULL, or the second factors, which may be x: sums of products x_i y_i. */
struct exact_rows {
    const struct format *format;
    const void *x, *y;
    uint64_t rows, terms; /* rows < 2^30, terms < 2^40 */
};

/* Whether a GPU can: all but products of binary64. */
bool exact_device_can(const struct format *format, bool products);

/* Memory for one call at a time, on the GPU and of the host, which grows and is kept: who wants two calls at once has
 * two of them.  NO_DEVICE: there is no GPU, or the build has no CUDA. */
struct exact_device;
enum status exact_device_new(struct exact_device **device);
void exact_device_free(struct exact_device *device);

/* Starts the sums of all rows on a stream (a cudaStream_t; NULL: the default one), behind what makes the numbers there,
 * which stay until it has finished. */
enum status exact_device_start(struct exact_device *device, const struct exact_rows *rows, void *stream);

/* Waits for the sums that were started last, and makes them, on so many threads.  The caller frees each of them.
 * NOT_MEASURED, and nothing to free: the GPU failed, or memory is short. */
enum status exact_device_finish(struct exact_device *device, unsigned workers, struct exact_sum *sums);

/* Sums a row once more, on the host: its numbers come in pieces, of which one is added by so many threads while the
 * next arrives.  The numbers are there: their sums have finished. */
enum status exact_device_on_host(struct exact_device *device, const struct exact_rows *rows, uint64_t row,
                                 unsigned workers, struct exact_sum *sum);

/* The same, and holds what the GPU found to it.  NOT_MEASURED also where any bit of any field is not the same; then the
 * field, both values and the row are said. */
enum status exact_device_check(struct exact_device *device, const struct exact_rows *rows, uint64_t row,
                               unsigned workers, const struct exact_sum *found);

/* The ends of the first row's x, which has terms, all of them finite: waits for them, behind what is on the default
 * stream.  And holds what was found to the host's, as exact_device_check(). */
enum status exact_device_ends(struct exact_device *device, const struct exact_rows *rows, struct exact_ends *ends);
enum status exact_device_check_ends(struct exact_device *device, const struct exact_rows *rows,
                                    const struct exact_ends *found);

/* ---- for exact_device_on_host: the memory that numbers come to ---- */

enum { EXACT_PIECE_BYTES = 32 << 20, EXACT_PIECES = 4 };

/* Starts to fetch bytes from the GPU's memory, no more than EXACT_PIECE_BYTES; and waits for them.  They stay until
 * that piece is fetched again. */
enum status exact_device_fetch(struct exact_device *device, unsigned piece, const void *there, size_t bytes);
enum status exact_device_fetched(struct exact_device *device, unsigned piece, const void **numbers);

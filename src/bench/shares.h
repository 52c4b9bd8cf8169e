/* Shares: how fast methods are beside what is timed in the same rounds, so that two runs, programs or days can be
 * compared.  Absolute times cannot: clocks and loads differ.
 *
 *   kahan/vector_two_pass, n = 2^20:  9 visits, each 0.87 to 0.89 of cub/device_reduce
 *
 * A visit is a process of its own.  Of one process all rounds may agree within 0.1 % and the next one differ by 4 %,
 * because its memory lies elsewhere: rounds alone say nothing of that.
 */
#pragma once

#include "src/device/device.h"

#include <jansson.h>

enum { VISITS_MOST = 1000 };

struct share_row {
    char *data, *method; /* or a whole command, whose n is 0 */
    uint64_t n, rows;
    struct launch launch; /* 0 x 0: it has a launch of its own */
    char *of;             /* what its speed is divided by: "cub/device_reduce", "copy" */
    double *shares;       /* of each visit: of the median rounds */
};

struct shares {
    char *device;  /* "NVIDIA H200", or "host" */
    char *calls;   /* "queued", "idle"; "" on the host */
    json_t *facts; /* of the first visit: topic -> name -> value */
    struct share_row *rows;
    size_t count, capacity, visits;
};

/* Adds what `ulpscope bench --json` wrote in one more visit, or a whole command's share.  `who` wrote it.
 * NOT_MEASURED, which is complained about: it is not what this program understands, or its rows are others than those
 * of the visits before. */
enum status shares_add_visit(struct shares *shares, const json_t *bench, const char *who);
enum status shares_add_whole(struct shares *shares, const char *command, double share);

/* After both, for all rows of the visit. */
enum status shares_end_visit(struct shares *shares, const char *who);

/* A file of them, schema ulpscope-speeds/1: a line per row.  Reading: BAD_INPUT for what is none. */
enum status shares_read(struct shares *shares, const char *path);
enum status shares_write(const struct shares *shares, const char *path);
json_t *share_row_json(const struct share_row *row); /* without its shares */
void shares_free(struct shares *shares);

/* Takes of `old`, which has as many visits, the rows that were not timed again. */
void shares_keep(struct shares *shares, struct shares *old);

/* The row that is the same but for its shares; NULL: none. */
const struct share_row *shares_find(const struct shares *shares, const struct share_row *wanted);

/* BAD_INPUT, which is complained about, where `then`, which `with` holds, is of another device, or another processor of
 * the host, or its kernels were called otherwise. */
enum status shares_check_alike(const struct shares *now, const struct shares *then, const char *with);

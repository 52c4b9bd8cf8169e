/* What bench.c and bench_rounds.c share: the lines of one n and launch while they are measured. */
#ifndef ULPSCOPE_BENCH_SESSION_H
#define ULPSCOPE_BENCH_SESSION_H

#include "bench.h"

#include "reference/exact.h"

/* The exact sum of a row, once it is known. */
struct row_sum {
    struct exact_sum exact;
    bool known;
};

/* What the lines of one n share. */
struct session {
    const struct bench *bench;
    struct bench_results *results;
    const struct format *format;
    uint64_t period, n;
    char *x; /* x[i] = x[i mod period], as long as the host needs it; row r starts at element (r n) mod period */
    char *copy;
    struct row_sum *sums; /* of each row */
    uint64_t *bits;       /* of the results of one call: one per row */
    size_t first;         /* line of this n and launch */
    struct launch launch;
};

/* Times the lines from `first` on, each once a round, and judges what they give.  A failure costs its own line, which
 * is then marked as failed; NOT_MEASURED when the device was lost by it. */
enum status bench_time_rounds(struct session *session);

/* The statistics of the lines' times.  The times stay in the order of the rounds. */
enum status bench_sum_up(const struct session *session);

#endif

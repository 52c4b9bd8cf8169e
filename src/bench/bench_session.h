/* What the files of bench share: the lines that are planned, and those of one n and launch while they are measured. */
#pragma once

#include "bench.h"

#include "datasets/dataset.h"
#include "reference/exact.h"
#include "src/base/progress.h"

/* The first calls load the kernels, reserve memory and wake the clocks. */
enum { WARM_UP_ON_DEVICE = 3, WARM_UP_ON_HOST = 1 };

/* What the lines of a bench share. */
struct course {
    const struct bench *bench;
    struct bench_results *results;
    struct progress progress;
    uint64_t data; /* laid out or moved on the device last: plug-ins keep theirs until it is another number */
};

/* The exact sum of a row, once it is known. */
struct row_sum {
    struct exact_sum exact;
    bool known;
};

/* What the lines of one n share. */
struct session {
    struct course *course;
    const struct bench *bench;     /* the course's */
    struct bench_results *results; /* likewise */
    const struct format *format;
    uint64_t period, n;
    char *x; /* x[i] = x[i mod period], as long as the host needs it; row r starts at element (r n) mod period */
    char *copy;
    struct row_sum *sums; /* of each row */
    uint64_t *bits;       /* of the results of one call: one per row, or the hash of a row's */
    size_t first, end;    /* lines of this n and launch */
    struct launch launch;
};

/* bench_plan.c: the lines of every n and launch, in the order in which they are timed: the copy, and before each method
 * what it is measured against.  Says what is left out. */
enum status bench_plan(const struct bench *bench, struct bench_results *results);
const struct method *bench_baseline(const struct bench *bench, const struct method *method);
bool bench_compares(const struct bench *bench, uint64_t n);

/* Workers among which rows are shared out: worker w has every so many-th, from w on. */
static inline unsigned bench_row_workers(const struct bench *bench)
{
    return bench->rows < bench->jobs ? (unsigned)bench->rows : bench->jobs;
}

/* bench.c: another number whenever data are laid out or moved, in all benches of a process. */
uint64_t bench_new_data(void);

/* bench.c: of rows with a result for each of n numbers their hashes, one per row, in the place of all bits. */
void bench_fold(const struct method *method, uint64_t *bits, uint64_t rows, uint64_t n);

/* bench_rounds.c: times the lines from `from` on, each once a round: all of them, or, when somebody looks on, so many
 * as take some seconds; *end is the line after them.  A failure costs its own line, which is then marked as failed;
 * NOT_MEASURED when the device was lost by it.  INTERRUPTED: the lines from `from` on are not timed. */
enum status bench_time_rounds(struct session *session, size_t from, size_t *end);

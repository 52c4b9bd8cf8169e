/* Speed and accuracy together: methods timed in rounds on data that repeat.
 *
 *   round 1: copy, cub/device_reduce, kahan/tree_two_pass, ...    each called once
 *   round 2: the same                                             a drift of the machine hits all alike
 *
 * The data are those of one spec, repeated to n elements, so that the exact sum of 2^32 numbers costs no more than that
 * of the spec's.  On a device the kernels are timed, and compared with their replays; on the host the replays are
 * timed.
 */
#pragma once

#include "src/device/device.h"
#include "src/measure/statistics.h"
#include "src/study/study.h"

/* What every GPU programmer has at hand: the baseline on a device. */
#define BENCH_BASELINE "cub/device_reduce"
#define BENCH_BASELINE_OF_PRODUCTS "dot:cublas/dot_product"

/* Unless told otherwise.  The period is a prime, so that no grid sees the same numbers twice at the same place. */
#define BENCH_FAMILY "uniform"
#define BENCH_DATA BENCH_FAMILY ":low=-1"
enum { BENCH_PERIOD = 1000003, BENCH_ROUNDS = 21, BENCH_THREADS = 256 };

/* What to time.  Of the study count the methods, the launches, the seed, the first spec of the data, and the repeats,
 * which are the rounds.  All methods are sums, or all are of products, which are those of the data with themselves. */
struct bench {
    const struct study *study;
    bool fill_device; /* the launches' blocks are to be found, see bench_blocks() */
    const uint64_t *n;
    size_t n_count;
    uint32_t rows;             /* sums in one launch; above 1, methods that take one row are left out */
    unsigned jobs;             /* threads of a replay, and of the copy on the host */
    bool slow;                 /* also what takes seconds */
    bool compare_all;          /* with the replay, whatever n is */
    bool idle;                 /* calls find the device idle, so that the host's launches are in the time */
    bool alone;                /* without baselines: the times are all that is wanted */
    bool quiet;                /* do not say what is left out, nor how far it is */
    struct bench_table *table; /* where rows are printed as they are known; NULL: nowhere */
    struct device *device;     /* NULL: the host */
};

enum bench_bits { NOT_COMPARED, SAME_AS_REPLAY, UNLIKE_REPLAY };

/* One line of the table: a method, or the copy, at one n and launch. */
struct bench_line {
    const struct method *method; /* NULL: the copy */
    uint64_t n;
    uint32_t rows;
    struct launch launch;
    uint64_t bytes;         /* that cross the memory bus: read; the copy's are written too */
    double *times;          /* microseconds of each round */
    uint64_t rounds;        /* 0: not timed yet */
    struct statistics time; /* of them */
    uint64_t *outcomes;     /* the bits of the different results of all calls, the warm-up's too: `rows` of each */
    size_t outcome_count;   /* above 1: not deterministic */
    double ulp_error;       /* the largest of all outcomes and rows; NaN is worse than anything */
    enum bench_bits bits;
    bool hidden;          /* timed as a baseline, not asked for */
    bool failed, dropped; /* while it is timed; then it goes */

    /* Of the same n and launch: NULL where there is none.  `baseline` is BENCH_BASELINE on a device, and the serial
     * loop of the same accumulator on the host, of a plug-in plain's. */
    const struct bench_line *baseline, *copy;
};

struct bench_results {
    struct bench_line **lines;
    size_t count;
    const char *data;            /* the spec that is repeated: the study's */
    uint64_t period;             /* of its numbers */
    const struct format *format; /* of them */
    size_t planned, timed;       /* lines; count: of those that were timed */
    bool incomplete;             /* a line failed, and is not here */
    bool interrupted;
};

/* Blocks that fill a device of so many multiprocessors; or fewer, where a thread would have less than 64 elements,
 * since at the end of a block its merges cost as much as the additions; but one for each multiprocessor, while a thread
 * has 16. */
uint32_t bench_blocks(unsigned multiprocessors, uint32_t threads, uint64_t n);

/* Times everything.  The caller calls bench_results_free, whatever the status: what was timed is in the results.
 * NOT_MEASURED: something failed, which costs its own line alone, unless the device is lost by it.  LIMIT_BROKEN: a
 * kernel differs from its replay.  BAD_INPUT: everything was left out.  INTERRUPTED: by Ctrl-C, if interrupts are
 * caught; what was timed until then is there. */
enum status bench_measure(const struct bench *bench, struct bench_results *results);
void bench_results_free(struct bench_results *results);

/* The rate of a line's bytes, in 10^9 bytes per second, and how much faster it is than another: both of the fastest
 * rounds. */
double bench_rate(const struct bench_line *line);
double bench_share(const struct bench_line *line, const struct bench_line *of);

/* Equally fast: their spreads, from the fastest round to the median, overlap. */
bool bench_alike(const struct bench_line *a, const struct bench_line *b);

void bench_line_free(struct bench_line *line);

/* bench_table.c: a table for people that grows. */
struct bench_table;
struct bench_table *bench_table_new(void);
void bench_table_begin(struct bench_table *table, const struct bench *bench, const struct bench_results *planned);
void bench_table_row(struct bench_table *table, const struct bench_line *line);
void bench_table_end(struct bench_table *table, const struct bench_results *results);

/* bench_json.c */
enum status bench_write_json(const struct bench *bench, const struct bench_results *results, const char *command_line,
                             const char *path);

/* Shares of this program beside those of a file or of another program: a table, a verdict a row. */
#pragma once

#include "src/base/base.h"
#include "src/device/device.h"

#include <jansson.h>

struct compare {
    const struct shares *now, *then; /* then NULL: the shares alone are shown */
    const char *with;                /* the file or program that `then` is of */
    bool quiet;
};

/* Names on stderr what else is not alike.  LIMIT_BROKEN where a row is slower; BAD_INPUT where none is comparable. */
enum status compare_write(const struct compare *compare);

/* Whether something became slower: two sets of shares compared, without a word about how they scatter.
 *
 * Of all quotients now_i / then_j the median says by how much (Hodges and Lehmann 1963), and those with so many before
 * or behind them that ranks alone would be so by chance once in 10,000 times say between what (Moses; Hollander, Wolfe
 * and Chicken, Nonparametric Statistical Methods, 4.3).  With 9 visits of each those are all but two at either end
 * of 81.
 */

enum speed_verdict { SAME_SPEED, FASTER, SLOWER, NOT_COMPARABLE };
extern const char *const speed_verdicts[];

/* Less than this is no verdict. */
#define LEAST_CHANGE 0.03

struct speed_change {
    double quotient, low, high; /* now / then: 0.95 is slower by 5 % */
    double seen_from;           /* the smallest slow-down that would be seen: 0.03 or more */
    enum speed_verdict verdict;
};

/* Of `nows` and `thens` shares, each above 0. */
struct speed_change speed_change_of(const double *now, size_t nows, const double *then, size_t thens);

/* Visits: `PROGRAM bench ... --json -` again and again, each a process of its own.  Two programs take turns, so that a
 * drift of the machine hits both alike. */

struct visits {
    const char *words;             /* the options of the bench, as a shell reads them */
    bool calls_are_given;          /* --calls is among them; else this program calls kernels as the other one does */
    const char *const *wholes;     /* whole commands of the program, timed by wall clock */
    size_t whole_count, count;     /* count: of the visits, 1 to 1000 */
    const char *other;             /* a program; NULL: none */
    const struct shares *files[2]; /* what `now` must be comparable with, and their names; NULL: nothing */
    const char *file_names[2];
    bool quiet;
};

/* `now` is of this program, `then` of the other.  A bench that fails costs everything: nothing is compared by halves.
 * Its own status, or NOT_MEASURED where it has none of ours. */
enum status visits_make(const struct visits *visits, struct shares *now, struct shares *then);

/* Shares: how fast methods are beside what is timed in the same rounds, so that two runs, programs or days can be
 * compared.  Absolute times cannot: clocks and loads differ.
 *
 *   kahan/vector_two_pass, n = 2^20:  9 visits, each 0.87 to 0.89 of cub/device_reduce
 *
 * A visit is a process of its own.  Of one process all rounds may agree within 0.1 % and the next one differ by 4 %,
 * because its memory lies elsewhere: rounds alone say nothing of that.
 */

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
void shares_free(struct shares *shares);

/* Takes of `old`, which has as many visits, the rows that were not timed again. */
void shares_keep(struct shares *shares, struct shares *old);

/* The row that is the same but for its shares; NULL: none. */
const struct share_row *shares_find(const struct shares *shares, const struct share_row *wanted);

/* BAD_INPUT, which is complained about, where `then`, which `with` holds, is of another device, or another processor of
 * the host, or its kernels were called otherwise. */
enum status shares_check_alike(const struct shares *now, const struct shares *then, const char *with);

/* A baseline: what series once were, to hold later runs against.  One JSON file per name, a line per series, sorted, so
 * that git shows what changed.
 *
 *   {
 *   "schema": "ulpscope-baseline/2",
 *   "seed": 1,
 *   "title": "Four classic sums",
 *   "series": {
 *   "kahan/serial uniform:n=1024 120x256 replay": {..., "bits": "8f0c...", ..., "ulp_error": {..., "max": 0.5, ...}},
 *   ...
 *   }
 *   }
 *
 * A replay has the same bits on every machine, so its series are compared exactly.  A kernel's are compared with those
 * of the same device, toolkit and launch alone.
 */
#pragma once

#include "src/gate/limits/limits.h"
#include "src/results/became.h"

struct baseline_series {
    char *method, *data;
    const struct format *format;
    enum operation operation;
    const struct backend *backend;
    struct launch launch;
    uint64_t which;         /* of several series that have all these in common: from 0 */
    char *device, *toolkit; /* of a kernel; "" of a replay */
    uint64_t n, trials;     /* `trials`: sums, repeats among them */
    char bits[FILE_HASH_TEXT];
    char file[FILE_HASH_TEXT]; /* SHA-256 of the data file; "": the data are computed */
    double values[METRICS]
                 [GATE_STATISTICS]; /* but abs_error, which has none; GATE_COUNT: sums in which it is defined */
    double spread;
    uint64_t nonfinite;
    bool unstable; /* a kernel that gave several results for one data set */
};

struct baseline {
    char *path;
    uint64_t seed;
    char *title;
    struct baseline_series *series; /* by method, data, launch, backend: as they are written */
    size_t count;
};

/* BAD_INPUT, with file and line, for everything that is no baseline; free it also then.  The lines may stand in any
 * order, as a merge leaves them. */
enum status baseline_read(const char *path, struct baseline *baseline);
void baseline_free(struct baseline *baseline);

/* What a run would be as a baseline.  BAD_INPUT when it is incomplete: half a run is no baseline. */
enum status baseline_of(const struct results *results, struct baseline *baseline);
enum status baseline_write(const struct baseline *baseline, const char *path);

/* The file of a NAME: "baselines/main.json", in the folder that ULPSCOPE_BASELINES or --baselines names.  A text with a
 * '/' or a '.' is a file already.  Allocated. */
char *baseline_path(const char *name, const char *folder);

/* BAD_INPUT for what is neither a file nor a name: letters, digits, - and _. */
enum status baseline_check_name(const char *name);

/* The line of a series of a run; NULL: there is none. */
const struct baseline_series *baseline_find(const struct baseline *baseline, const struct results *results,
                                            const struct series *series);

/* Whether a series of a run and a line of the baseline can be compared. */
enum likeness {
    LIKE,
    OTHER_STUDY, /* another seed, data file, n or number of sums: the run is not the study of the baseline */
    ELSEWHERE,   /* a kernel of another device or toolkit */
};

/* Says in `why` what differs: "the baseline has 100 sums, the run 50"; empty: LIKE. */
enum likeness baseline_likeness(const struct baseline *baseline, const struct baseline_series *before,
                                const struct results *results, const struct series *series, char why[REASON_SIZE]);

/* What is held against a series of a run. */
struct held baseline_held(const struct baseline *baseline, const struct baseline_series *line);

/* What became of a series, as src/results/became.h judges the two. */
struct baseline_change {
    enum became became;
    const struct series *series;          /* NULL: missing */
    const struct baseline_series *before; /* NULL: new */
    bool other_bits;
    struct judgement judged; /* of one that is neither new nor missing */
    bool unlike;             /* of another study, device or toolkit, as `judged.why` says */
};

struct baseline_diff {
    struct baseline_change *changes; /* by name; then those that are missing */
    size_t count;
    size_t by[BECAMES];
    size_t other_bits; /* of BECAME_SAME */
    size_t unlike;
};

void baseline_compare(const struct baseline *baseline, const struct results *results, struct baseline_diff *diff);
void baseline_diff_free(struct baseline_diff *diff);

/* Replaces the file by what the run is now.  BAD_INPUT under CI=true, and, unless it is accepted, when something got
 * worse, is missing or is unlike, which may hide that it got worse; then the file stays as it is.  Free the diff
 * also after a failure. */
enum status baseline_update(const struct baseline *baseline, const struct results *results, bool accept_worse,
                            struct baseline_diff *diff);

/* A baseline, and what became of it, as tables and sentences. */

/* Texts are allocated. */

/* "Four classic sums: 48 series, seed 1; 120 blocks of 256 threads, replay" */
char *baseline_heading(const struct baseline *baseline);

/* "12 series: 2 worse, 1 missing, 9 same (1 of them with other bits)" */
char *baseline_diff_sentence(const struct baseline_diff *diff);

/* The name of a series in a baseline, and the order of names: method, data, launch, backend and, of several series that
 * have these in common, which of them.
 *
 *   "kahan/serial uniform:n=1024 120x256 replay"     "kahan/serial uniform:n=1024 120x256 replay #2"
 */

/* Allocated. */
char *baseline_name(const struct baseline_series *line);

/* Sets what a name is made of.  false: the text is no name as baseline_name() gives it. */
bool baseline_name_read(const char *name, struct baseline_series *line);

/* By name; the launch by its numbers. */
int baseline_name_order(const void *left, const void *right);

/* A series of a run beside its name. */
struct named {
    const struct series *series;
    struct baseline_series name; /* its name alone; the data are allocated, the other texts are those of the series */
};

/* All series of a run, in the order of names. */
struct names {
    struct named *list;
    size_t count;
};
struct names baseline_names_of(const struct results *results);
void baseline_names_free(struct names *names);

/* A study: which methods on which data, how often, with which launch.  From a study file, the command line, or both. */
#pragma once

#include "axis.h"
#include "datasets/files/file_hash.h"
#include "datasets/spec.h"
#include "kernels/method.h"
#include "shard.h"
#include "src/files/yaml_file.h" /* WHERE_SIZE */

/* Of a study that says nothing else. */
#define DEFAULT_LAUNCH                                                                                                 \
    {                                                                                                                  \
        120, 256                                                                                                       \
    }

enum { LAUNCHES_MOST = 64, TRIALS_MOST = 1000000000, REPEATS_MOST = 1000000 };

/* As many as 2^27 numbers make, but 10 to 100. */
#define PERMUTATIONS_BY_RULE UINT64_MAX

/* One line of the study's data: a spec with its sweeps expanded. */
struct study_entry {
    char *text; /* as it was written: "uniform:n=1Ki..1Mi*32" */
    struct data_spec *specs;
    size_t spec_count;
    bool is_showcase;       /* of "all": left out where its family has no numbers of a format */
    uint64_t trials;        /* of data that no seed changes: orders; the first is their own, see datasets/ordering.h */
    uint64_t sums;          /* along an axis of an array, of which trials are the first; 0: trials are no sums */
    char where[WHERE_SIZE]; /* its file and line: "study.yaml:7"; "" where it is from the command line */
    char file_hash[FILE_HASH_TEXT];   /* of a file, after study_hash_files(); "" of generated data */
    char second_hash[FILE_HASH_TEXT]; /* likewise, of a second vector's */
};

/* What pictures call a method. */
struct study_label {
    char *method, *text;
};

struct study {
    char *title;
    struct study_label *labels; /* of methods in full, which a selection may have dropped */
    size_t label_count;
    const struct method **methods;
    size_t method_count;
    const struct sum_format *formats[SUM_FORMATS]; /* that were asked for; see study_formats.h */
    size_t format_count;                           /* 0: those of the data */
    enum operation operations[OPERATIONS];         /* likewise; see study_operations.h */
    size_t operation_count;                        /* 0: those of the methods */
    struct launch launches[LAUNCHES_MOST];
    size_t launch_count;
    struct study_entry *entries;
    size_t entry_count;
    uint64_t seed;
    uint64_t first_trial;     /* 0, but for --trial K, which runs one trial alone */
    enum nonfinite nonfinite; /* what becomes of NaN, Inf and missing values in files */
    uint64_t repeats;         /* runs of each case on a device; a replay runs once */
    uint64_t permutations;    /* of data that no seed changes; or PERMUTATIONS_BY_RULE */
    uint32_t across;          /* axes that are varied when the cases are done: a bit for each (axis.h) */
    struct shard shard;       /* what of it is measured here */
};

/* One data set of the study, to be summed by all methods. */
struct study_case {
    size_t entry, spec;
    uint64_t trial;
};

/* "refuse", "ieee", "skip": what --nonfinite takes, by enum nonfinite. */
extern const char *const nonfinite_words[3];

/* One of those words. */
enum status nonfinite_read(const char *text, const char *where, enum nonfinite *nonfinite);

/* The built-in study of `ulpscope run` and tools/demo. */
extern const char default_study_text[];

/* Reads a study file; path "-" is stdin, NULL the built-in study; `nonfinite` NULL: as the file says.  The caller calls
 * study_free also after a failure. */
enum status study_read(const char *path, const enum nonfinite *nonfinite, struct study *study);

/* The method that sums with this id or alias; complains like a selection. */
enum status study_method_named(const char *name, const char *where, const struct method **method);

/* Whether it is a method, a glob of methods, or half the name of one: an accumulator or an order. */
bool study_names_methods(const char *text);
bool study_names_family(const char *text); /* a family of data, alone or with options */

/* A glob that matches nothing is an error, not an empty selection; so is a measuring method named in full. */
enum status study_check_glob(const char *glob, const char *where);

/* Replaces the methods by those that the globs select ("!glob" excludes).  BAD_INPUT when none is left. */
enum status study_select_methods(struct study *study, char *const *globs, size_t count, const char *where);

/* Appends an entry; "all" appends one for each showcase of every family.  Data that no seed changes get a trial for
 * each order that they name, most often one, whatever was asked. */
enum status study_add_data(struct study *study, const char *text, uint64_t trials, const char *where,
                           enum nonfinite nonfinite);

/* Drops all entries, before the command line names its own. */
void study_clear_data(struct study *study);

/* Keeps the entries whose text the globs match.  BAD_INPUT when none is left. */
enum status study_filter_data(struct study *study, char *const *globs, size_t count, const char *where);

/* That one case adds; of a file about so many. */
uint64_t study_most_numbers(const struct study *study);

/* Gives the data that no seed changes, and that name no order, their permutations as further trials. */
void study_permute(struct study *study);

/* Replaces the launches by all pairs of the two sweeps. */
enum status study_set_launches(struct study *study, const char *blocks, const char *threads, const char *where);

/* Leaves one trial of each data set: the rerun of a witness. */
void study_set_trial(struct study *study, uint64_t trial);

/* Whether the data files that a study file names are there. */
enum status study_check_files(const struct study *study);

/* The file of a second vector; NULL: there is none. */
const char *study_second_path(const struct study_entry *entry);

/* Notes what the data files hold, which their names do not tell; study_text() then says it. */
enum status study_hash_files(struct study *study);

/* What is computed: all methods of a study are of operations that have one exact result.  Of none: sums. */
static inline enum operation study_operation(const struct study *study)
{
    return study->method_count > 0 ? study->methods[0]->operation : OPERATION_sum;
}

static inline bool study_is_of_matrices(const struct study *study)
{
    return operation_table[study_operation(study)].of == MATRICES;
}

/* Cases in order: entry, spec, trial. */
uint64_t study_case_count(const struct study *study);
struct study_case study_case_at(const struct study *study, uint64_t index);

/* The study in one canonical text: equal texts mean equal studies.  It begins with a line about the shard.  Allocated.
 */
#define STUDY_SHARD "shard: "
char *study_text(const struct study *study);

void study_free(struct study *study);

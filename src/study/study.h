/* A study: which methods on which data, how often, with which launch.  From a study file, the command line, or both. */
#pragma once

#include "axis.h"
#include "datasets/files/file_hash.h"
#include "datasets/spec.h"
#include "src/base/base.h"
#include "src/files/yaml_file.h" /* WHERE_SIZE */
#include "src/plugins/plugin.h"

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
    const struct sum_format *formats[SUM_FORMATS]; /* that were asked for; see study_formats.c */
    size_t format_count;                           /* 0: those of the data */
    enum operation operations[OPERATIONS];         /* likewise; see study_formats.c */
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

static inline bool study_has_elements(const struct study *study)
{
    return operation_has_elements(study_operation(study));
}

/* Cases in order: entry, spec, trial. */
uint64_t study_case_count(const struct study *study);
struct study_case study_case_at(const struct study *study, uint64_t index);

/* The study in one canonical text: equal texts mean equal studies.  Allocated.
 */
char *study_text(const struct study *study);

void study_free(struct study *study);

/* A study as a study file, which `ulpscope run FILE` reads back to the same study. */

/* What a file cannot say stands in comments on top: --trial K, and the SHA-256 of data files.  Data files are seen from
 * the folder that the run was started in: the text is to be saved there.  Allocated. */
char *study_yaml(const struct study *study);

/* The operations of a study: which of kernels/operations.def its methods do, and how many vectors its data have.
 *
 *   methods plain/serial and kahan/serial, operations dot and dot_exact
 *     dot:plain/serial, dot:kahan/serial, dot_exact:plain/serial, dot_exact:kahan/serial, on data of two vectors
 */

/* Reads --operation, or the key of a study file: words with commas between them. */
enum status study_read_operations(struct study *study, const char *words, const char *where);

/* What the data of an operation are. */
enum data_kind operation_data_kind(enum operation operation);

/* Once methods and data are known: how many vectors the data are made of.  BAD_INPUT where they have another number. */
enum status study_set_vectors(struct study *study);

/* The formats of a study: which of kernels/formats.def its methods have, and its data.
 *
 *   methods of plain, data uniform:n=8, formats binary32 and bfloat16_in_bfloat16
 *     plain/serial, ..., plain/serial@bfloat16_in_bfloat16, ...
 *     uniform:n=8 and uniform:n=8,format=bfloat16: each method sums those that are stored as it takes them
 */

/* Reads --format and --accumulate, or the keys of a study file: words with commas between them.  A format is one that
 * numbers are stored in, added as is usual or in each that `accumulate` names, or an id of formats.def.  One of the two
 * may be NULL. */
enum status study_read_formats(struct study *study, const char *formats, const char *accumulate, const char *where);

/* Once methods and data are known: brings each method to each operation (study_formats.c), each method and each
 * family to each format of the study; where none was asked for, the methods to the formats of the data.  Says on stderr
 * what does not exist, unless `quiet`.  A file in a format that no method takes is refused or, if `convert`, rounded to
 * each that they take.  BAD_INPUT when nothing is left. */
enum status study_apply_formats(struct study *study, bool convert, bool quiet);

/* The method where it takes numbers that are stored in the format; without an @ that of the format in which these are
 * usually added.  NULL: there is none. */
const struct method *study_method_for(const struct method *method, const struct format *stored);

/* Whether the method takes numbers that are stored in the format. */
static inline bool method_takes(const struct method *method, const struct format *stored)
{
    return strcmp(method->sum_format->stored->name, stored->name) == 0;
}

/* The command that reruns one result: what makes a witness. */

struct witness {
    const char *method;
    const char *data_arguments; /* see rerun_data() */
    uint64_t seed, trial;
    struct launch launch;
    const char *device; /* as --device takes it: "host", "cuda:0" */
    bool replay_beside, slow;
    const char *across;        /* the axis that is varied; NULL: none */
    struct plugin_name plugin; /* of a method of our own: "", or NULL */
};

/* The arguments that name the data: "-d uniform:n=1024".  Allocated. */
char *rerun_data(const struct data_spec *spec);

/* Whether they are arguments for that data, and nothing that a shell would run.  BAD_INPUT when not. */
enum status rerun_check_data(const char *arguments, const char *spec);

/* " --python mine.py:sum"; nothing of a method of our own. */
void rerun_append_plugin(struct text *to, struct plugin_name plugin);

/* Allocated; a shell reads it back word by word. */
char *rerun_command(const struct witness *witness);

/* The command that writes the row and the column of element (i, j) of a matrix product as two vectors.  Allocated.
 */
char *rerun_vectors(const char *spec, uint64_t seed, uint64_t trial, uint64_t i, uint64_t j);

/* What a run measured, as the reports read it: rows, series of rows, and where they come from. */
#pragma once

#include "datasets/files/file_hash.h"
#include "src/measure/histogram.h"
#include "src/measure/row.h"
#include "src/measure/statistics.h"
#include "src/study/axis.h"
#include "src/study/study_record.h"

/* All rows of one method, data spec, launch and backend. */
struct series {
    size_t entry, spec; /* of the study's data */
    const char *method, *data;
    const struct format *format; /* of the method, and of its results */
    enum operation operation;
    uint64_t n;
    const struct backend *backend;
    const char *device;
    struct launch launch;
    uint64_t count;
    uint64_t products; /* of matrices, whose elements those are */
    uint64_t classes[CLASSES];
    uint64_t right_nonfinite; /* of the classes nan and inf: the sums that are what IEEE 754 gives for such data */
    uint64_t not_nearest;     /* sums that are not s, correctly rounded; a zero of either sign is 0 */
    struct statistics statistics[METRICS]; /* of the summarised metrics, over the rows in which the metric is defined */
    uint64_t defined[METRICS];             /* those rows */
    struct interval p50, p99;              /* what those of relative_error may be; NaN: elements of products, too few */
    struct histogram histogram;            /* of relative_error */
    uint64_t distinct_bits;                /* different results of one data set, at most over all data sets */
    double median_condition;
    double signed_error; /* of a matrix product: the mean of (|computed| - |s|) / |s|, correctly rounded elements as 0;
                            else NaN */

    /* The largest over the series, as a share of |s|; NaN where none is known or s is 0 or no number. */
    double relative_bound, relative_probabilistic_bound;
    uint64_t relatively_bound;          /* the sums that the first of them is of */
    double ulp_bound;                   /* likewise, in ulp(s); of a sum of 0 too */
    uint64_t no_claim;                  /* sums whose bound is above sum |x_i|: it claims nothing */
    uint64_t zeros_within;              /* other sums that are not 0, and 0 is within their bound */
    double least_sum_abs, most_sum_abs; /* of sum |x_i|, a little below and above; INFINITY, 0: of no sum */
    double
        spread; /* of the results of one data set, the largest less the least, in ulp(s); the most of all data sets */
    uint64_t repeated; /* data sets that were summed more than once */
    uint64_t height;

    char bits_hash[FILE_HASH_TEXT]; /* SHA-256 of the rows' trials, repeats and bits: equal hashes, equal bits */

    /* The worst row by ulp_error (NaN is worse than anything), and the command that reruns it. */
    uint64_t worst_trial, worst_repeat, worst_i, worst_j;
    uint64_t worst_bits;
    double worst_ulp_error;
    const char *worst_exact; /* hex-float */
    char *worst_command;
    char *worst_index;          /* of trials that are results along an axis, which of these: "[3, 17]"; else NULL */
    char *commands[METRICS];    /* likewise, where another trial has the largest of the metric; else NULL */
    char *witness_command;      /* of a matrix product: writes the row and the column of that element; else NULL */
    uint64_t first_of_no_digit; /* of a result for each number: the least place, from 1, of a relative error of 1 or
                                   more; 0: none */
    char *map; /* likewise: where errors are, the largest of all trials (src/measure/element_tally.h); else NULL */
};

/* How fast a method was on data that repeat, one line per method, launch and backend. */
struct speed {
    const char *method;
    const struct backend *backend;
    struct launch launch;
    uint64_t n, rounds;
    double nanoseconds, median; /* per element, in the fastest round and in the one in the middle: its spread */
    double gigabytes;           /* 10^9 bytes read per second in the fastest round */
};

/* How often what should not matter did: of `sets` data sets that were summed more than once, `differing` had more than
 * one result, and one of them `most`. */
struct spread {
    uint64_t sets, differing, most;
};
struct reproducibility {
    const char *method;
    const struct backend *backend;
    struct spread repeats;      /* the same kernel again */
    struct spread launches;     /* other blocks and threads */
    struct spread permutations; /* the same numbers in other orders: of order=, or trials */
};

/* What came of one axis that was varied (src/study/axes.def), of one method on trial 0 of one data set. */
struct varied_axis {
    size_t entry; /* of the study's data */
    const char *method, *data;
    const struct format *format; /* of the method's results */
    const struct backend *backend;
    struct launch launch;
    enum axis axis;
    uint64_t
        variants; /* results that were held against the first one, the base; 0: the axis was not varied, see `why` */
    uint64_t results;    /* different ones, the base among them: 1 where no bit changed */
    double spread;       /* the largest less the least, in ulp(s); NaN where one of them is no number */
    char *first;         /* the first variant with other bits: "4 bytes"; "": none */
    uint64_t base, bits; /* of the base, and of that variant; of a matrix product a hash */
    char *why;           /* why nothing was varied, or what failed: "its kernels take no rows"; "": nothing */
    char *command;       /* that varies it again */
};

struct provenance_fact {
    char *topic, *name, *value; /* "build", "C compiler", "GNU 12.2.0" */
};

struct store;

struct results {
    struct study_record study;
    uint64_t cases; /* data sets whose sums are complete; of study.cases */
    struct store *store;
    struct series *series; /* by entry, spec, launch, backend, method */
    size_t series_count;
    struct speed *speeds; /* by launch, backend, method */
    size_t speed_count;
    struct reproducibility *reproducibility; /* by backend, method */
    size_t reproducibility_count;
    struct varied_axis *variations; /* by entry, spec, launch, backend, method */
    size_t variation_count;
    struct provenance_fact *facts; /* by topic */
    size_t fact_count;
};

void results_free(struct results *results);

/* Calls visit for every row, in the order case, launch, backend, method, repeat; stops at the first that is not OK. */
enum status results_each(const struct results *results, enum status (*visit)(void *context, const struct result *row),
                         void *context);

/* The same for the bits alone. */
enum status results_each_bits(const struct results *results,
                              enum status (*visit)(void *context, const struct result_bits *row), void *context);

/* The speed of a method; NULL: it was not measured. */
const struct speed *results_speed(const struct results *results, const char *method, const struct backend *backend,
                                  struct launch launch);

bool results_have_backend(const struct results *results, const struct backend *backend);

/* Equally fast: their spreads overlap.  False for NULL, which was not timed. */
bool speeds_overlap(const struct speed *a, const struct speed *b);

/* Whether the bits of a series may be other ones in every run: a kernel whose order is that of arrival. */
bool series_is_unordered(const struct results *results, const struct series *series);

/* Whether a seed drew its numbers, and nothing was sought against a method. */
bool series_is_random(const struct results *results, const struct series *series);

void series_free(struct series *series); /* what it points to */

/* The command that reruns the trial with the largest of a metric; of none (METRICS and more), the worst one. */
const char *series_rerun(const struct series *series, int metric);

/* How often each trial was summed: those of kernels and plug-ins are repeated. */
uint64_t series_repeats(const struct results *results, const struct series *series);

/* Sums that are no number, where IEEE 754 gives one or another infinity; not those of CLASS_OUT_OF_RANGE. */
uint64_t wrong_nonfinite(const struct series *series);

/* How many series lack sums that their study has: whoever holds them to something must not be satisfied with the rest.
 */
size_t results_partial(const struct results *results);

/* What a result of the run is, all of which are of one kind; its plural has an s: "sum", "dot product", "element" (of
 * matrix products). */
/* What errors of elements are counted in, "u |A||B|"; NULL: of one result in a case. */
static inline const char *series_unit(const struct series *series)
{
    return series->map ? quantity_table[operation_table[series->operation].of].unit : NULL;
}

const char *results_noun(const struct results *results);

/* What the condition of a variance or a standard deviation is, "kappa^2"; NULL: of anything else. */
const char *results_condition(const struct results *results);

/* What pictures call a method: its label in the study, or its id. */
const char *results_label(const struct results *results, const char *method);

/* The value of a fact, or "" when it is unknown. */
const char *results_fact(const struct results *results, const char *topic, const char *name);

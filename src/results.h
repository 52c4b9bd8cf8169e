/* What a run measured, as the reports read it: rows, series of rows, and where they come from. */
#ifndef ULPSCOPE_RESULTS_H
#define ULPSCOPE_RESULTS_H

#include "histogram.h"
#include "metric.h"
#include "statistics.h"
#include "study.h"

/* One measured sum: a row of results.csv and of the table `results` in run.db. */
struct result {
    const char *method; /* "kahan/tree_two_pass" */
    const char *data;   /* the spec, without the seed */
    uint64_t n;
    const char *format;    /* "binary32" */
    const char *operation; /* "sum" */
    uint64_t seed, trial;
    const char *backend; /* "replay" or "cuda" */
    const char *device;  /* "host" or the GPU's name */
    struct launch launch;
    uint64_t repeat; /* from 0 */
    double computed;
    uint32_t computed_bits;
    const char *exact; /* s in full, a hex-float */
    uint32_t nearest_bits;
    double metrics[METRICS]; /* NaN: undefined, or not finite; `class` tells */
    double condition, bound;
    enum result_class class;
};

/* All rows of one method, data spec, launch and backend. */
struct series {
    size_t entry; /* of the study's data */
    const char *method, *data;
    uint64_t n;
    const char *backend, *device;
    struct launch launch;
    uint64_t count;
    uint64_t classes[CLASSES];
    struct statistics statistics[METRICS]; /* of the summarised metrics, over the rows in which the metric is defined */
    struct histogram histogram;            /* of relative_error */
    uint64_t distinct_bits;                /* different results of one data set, at most over all data sets */
    double median_condition;

    /* The worst row by ulp_error (NaN is worse than anything), and the command that reruns it. */
    uint64_t worst_trial, worst_repeat;
    uint32_t worst_bits;
    double worst_ulp_error;
    const char *worst_exact; /* hex-float */
    char *worst_command;
};

struct provenance_fact {
    char *topic, *name, *value; /* "build", "C compiler", "GNU 12.2.0" */
};

struct store;

struct results {
    const struct study *study;
    struct store *store;
    struct series *series; /* by entry, spec, launch, backend, method */
    size_t series_count;
    struct provenance_fact *facts; /* by topic */
    size_t fact_count;
};

/* Reads the series back from the store of a finished run. */
enum status results_load(const struct study *study, struct store *store, struct results *results);
void results_free(struct results *results);

/* Calls visit for every row, in the order case, launch, backend, method, repeat; stops at the first that is not OK. */
enum status results_each(const struct results *results, enum status (*visit)(void *context, const struct result *row),
                         void *context);

/* The value of a fact, or "" when it is unknown. */
const char *results_fact(const struct results *results, const char *topic, const char *name);

#endif

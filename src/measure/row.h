/* A measured sum: as it is made, and as it is read back. */
#pragma once

#include "backend.h"
#include "datasets/numbers.h"
#include "kernels/method.h"
#include "metric.h"

/* A measured row: what `struct result` does not take from the study. */
struct measured {
    size_t launch, method;   /* indices in the study */
    size_t backend;          /* in backend_table */
    uint64_t repeat, weight; /* weight: results that the row stands for, see condense.h; at least 1 */
    uint64_t i, j;           /* of a matrix product: the element; else 0 */
    const char *exact;       /* s in full, a hex-float */
    double condition;
    double computed;        /* what the bits are worth */
    uint64_t computed_bits; /* of the method's format */
    uint64_t nearest_bits;  /* the exact sum, rounded to that format */
    double metrics[METRICS];
    double means[METRICS]; /* over what the row stands for; NaN: those of the row itself will do */
    const char *digest,
        *map;        /* of a matrix product, see digest.c and element_tally.h; the map in one row of it; else NULL */
    uint64_t height; /* 0 of a black box */
    double bound, probabilistic_bound;
    enum result_class class;
};

/* A measured case: what all its rows share, the rows, and the texts that they point to. */
struct finished_case {
    uint64_t index;
    bool unfinished;    /* something failed: there are fewer rows than the study asks for */
    bool device_failed; /* the GPU did, for want of memory perhaps; another one may do better */
    bool device_lost;   /* no other case can be measured either */
    uint64_t n;
    struct conversion conversion; /* of the data */
    struct measured *rows;
    size_t row_count;
    char **texts;
    size_t text_count;
};

/* One measured sum: a row of results.csv and of the table `results` in run.db. */
struct result {
    const char *method; /* "kahan/tree_two_pass" */
    const char *data;   /* the spec, without the seed */
    uint64_t n;
    const struct format *format;
    enum operation operation;
    uint64_t seed, trial;
    const struct backend *backend;
    const char *device; /* "host" or the GPU's name */
    struct launch launch;
    uint64_t repeat; /* from 0 */
    uint64_t weight; /* results that the row stands for, see condense.h; at least 1 */
    uint64_t i, j;   /* of a matrix product: the element; else 0 */
    double computed;
    uint64_t computed_bits;
    const char *exact; /* s in full, a hex-float */
    uint64_t nearest_bits;
    double metrics[METRICS];  /* NaN: undefined, or not finite; `class` tells */
    double means[METRICS];    /* over what the row stands for */
    const char *digest, *map; /* as in struct measured, but "" for NULL */
    double condition, bound;
    enum result_class class;
    uint64_t height;            /* of the tree; 0 of a black box, whose tree is not known */
    double probabilistic_bound; /* NaN: no model */
};

/* The bits of a result, and where it stands: the indices of the study; of a matrix product those of an element. */
struct result_bits {
    size_t entry, spec, launch, backend, method;
    uint64_t trial, repeat;
    uint64_t i, j;     /* as in struct result */
    uint64_t bits;     /* every NaN is UINT64_MAX */
    const char *exact; /* s in full, a hex-float */
};

/* A study as a run's store keeps it: texts and numbers alone, so that a report needs neither the data files nor the
 * methods of this build. */
#pragma once

#include "kernels/method.h"

struct study;

struct method_record {
    char *id;                  /* "kahan/tree_two_pass" */
    char *accumulator, *order; /* "kahan", "tree_two_pass" */
    char *accumulator_claim, *order_claim;
    const struct format *format;
    enum operation operation;
    enum determinism determinism;
    uint64_t slow_above;
    bool is_black_box;          /* it has no replay */
    char *plugin_flag, *plugin; /* of a plug-in: "plugin", "./libmine.so", as the command line has them; else "" */
};

struct spec_record {
    char *text;      /* canonical: "uniform:n=1024,order=reversed" */
    char *unordered; /* the same numbers as given: "uniform:n=1024" */
    char *family;    /* "uniform"; of a file, which has none, its whole text */
    char *arguments; /* of `ulpscope run`, for a shell: "-d uniform:n=1024" */
    bool attacked;   /* its numbers were sought against a method, where it goes most wrong */
};

struct entry_record {
    char *text; /* as the user wrote it: "uniform:n=1Ki..1Mi*32" */
    uint64_t trials;
    bool permuted; /* trials are the same numbers, in other orders */
    struct spec_record *specs;
    size_t spec_count;
};

struct study_record {
    char *title;
    char *text; /* the whole study, as a study file */
    struct method_record *methods;
    size_t method_count;
    struct launch *launches;
    size_t launch_count;
    struct entry_record *entries;
    size_t entry_count;
    uint64_t seed, repeats;
    uint64_t cases;  /* data sets to be summed */
    uint32_t across; /* axes that are varied when they are (axis.h) */
};

/* Allocated. */
void study_record_make(const struct study *study, struct study_record *record);
void study_record_free(struct study_record *record);

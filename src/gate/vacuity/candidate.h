/* Data that are known to hurt, made and summed exactly: what survivors are tried on. */
#pragma once

#include "datasets/dataset.h"
#include "reference/exact.h"
#include "src/study/study_record.h"
#include "vacuity.h"

enum { CANDIDATE_TRIALS = 10 };

struct candidate {
    struct data_spec *specs;
    size_t count;
    char *arguments; /* of `ulpscope run` */
    bool is_long;    /* several elements for each thread; few trials */
    size_t trials;   /* one of data that are not random */
    struct dataset data[CANDIDATE_TRIALS];
    struct exact_sum exact[CANDIDATE_TRIALS];
    char *texts[CANDIDATE_TRIALS]; /* of the exact sums */
};

struct candidates {
    struct candidate *list;
    size_t count;
};

/* For sums with this launch: long data give each thread several elements.  Free it also after a failure. */
enum status candidates_make(uint64_t seed, const struct format *format, struct launch launch, unsigned workers,
                            struct candidates *candidates);
void candidates_free(struct candidates *candidates);

/* What would kill a survivor: data that are known to hurt, tried one after another. */

/* Sets the advice of every sum that survived: of the data under the rules that the limits have, under `limit: auto`,
 * under exact bits, under the bits of a baseline, the first that kills it and that the method itself passes. */
enum status advise(const struct check *check, unsigned workers, struct vacuity *vacuity);

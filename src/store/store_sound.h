/* Whether values are such as a run writes: numbers in their ranges, names and places that the study has. */
#pragma once

#include "store_seal.h"

enum { ROW_KEYS = 6 /* launch, backend, method, repeat, i, j */ };

/* Where the cases of a study stand, in rising order. */
struct place {
    const struct study_record *study;
    size_t entry, spec;
    uint64_t before; /* cases of the entries before this one */
    uint64_t trial;  /* of the case, from 0 */
    uint64_t first_trial;
    bool has_first_trial; /* it is known since the first case */
    uint64_t rows;        /* of the case, before this one; whoever takes them counts them */
    uint64_t last[ROW_KEYS];
};

/* To a case that the study has, and that is not before the last one. */
void place_move(struct place *place, uint64_t index);

/* What is wrong, or NULL. */
const char *study_fault(const struct study_record *study);
const char *speed_fault(const struct study_record *study, const struct stored_speed *speed);
const char *variation_fault(const struct study_record *study, const struct stored_variation *variation);
const char *case_fault(struct place *place, const struct line *of_case); /* at the case, with all its words */
/* Of this case, in turn; element: NULL of a row that has none. */
const char *row_fault(struct place *place, const struct line *row, const struct line *element);
const char *backend_fault(uint64_t index, const char *id, const char *device);
const char *class_fault(uint64_t index, const char *name);

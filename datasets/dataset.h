/* The numbers to be added, made from a spec. */
#ifndef ULPSCOPE_DATASET_H
#define ULPSCOPE_DATASET_H

#include "../src/fp.h"
#include "spec.h"

struct dataset {
    const struct format *format;
    void *x; /* n elements of the format */
    uint64_t n;
    uint64_t left_out; /* elements of a file that --nonfinite skip left out */
};

/* Generates or reads the data.  Complains and returns BAD_INPUT or NOT_MEASURED; *data is then empty. */
enum status dataset_make(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct dataset *data);
void dataset_free(struct dataset *data);

#endif

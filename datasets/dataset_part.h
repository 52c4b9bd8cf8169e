/* Between dataset.c and dataset_matrices.c: the numbers of one of two vectors or matrices. */
#pragma once

#include "dataset.h"

struct part {
    const struct data_spec *spec;
    bool is_second;   /* of a family: from its second random stream */
    uint64_t n;       /* of a family */
    const char *what; /* there is no memory for */
};

/* data->n numbers; of a matrix in a file, data->rows and columns have its shape, if that stands there. */
enum status dataset_part(const struct part *part, uint64_t seed, uint64_t trial, struct dataset *data);

/* BAD_INPUT where x and y, which come from `first` and `second`, have two formats, or left numbers out. */
enum status dataset_of_one_kind(const struct data_spec *spec, const char *first, const char *second,
                                const struct dataset *x, const struct dataset *y);

/* Of the permutation that a trial is. */
struct generator_call permutation_call(uint64_t seed, uint64_t trial, uint64_t n, const struct format *format);

/* Both matrices, in the order of trial 0; after a failure *data is empty. */
enum status dataset_matrices(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct dataset *data);

/* Permutes the inner dimension, columns of A with rows of B: their product is the same.  NOT_MEASURED when memory is
 * short. */
enum status dataset_permute_matrices(uint64_t seed, uint64_t trial, const struct dataset *data);

/* ulpscope gen of two: vectors, matrices, or a row and a column of matrices; they go to two files, x.npy::y.npy. */
#pragma once

#include "data_arguments.h"

#include "reference/exact.h"

/* Whether -o names two files, in quotes where a name has two colons (datasets/spec.h). */
bool gen_names_two(const char *path);

/* Row I of A and column J of B in place of the matrices, from the text "I,J"; both from 0.  BAD_INPUT. */
enum status gen_cut_witness(const char *witness, struct dataset *data);

/* Writes x and y; `made` are lines that say how, and exact is that of a dot product, empty of matrices.  BAD_INPUT
 * where the path does not name two files. */
enum status gen_write_pair(const char *path, const char *made, const struct chosen_data *chosen,
                           const struct exact_sum *exact);

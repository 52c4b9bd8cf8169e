/* The numbers to be added, made from a spec. */
#pragma once

#include "numbers.h"
#include "spec.h"

/* The call of the spec's generator, prepared: what elements() and the device half take.  Complains and returns
 * BAD_INPUT. */
enum status dataset_call(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct generator_call *call);

/* Generates or reads the data, of spec->kind.  Two vectors have as many numbers, of one format; what --nonfinite skip
 * would leave out of either is refused.  Trials that permute data move pairs.  Of matrices a family's numbers are its
 * first rows n, row after row, and what was said of vectors is said of columns of A and rows of B.  Complains and
 * returns BAD_INPUT or NOT_MEASURED; *data is then empty. */
enum status dataset_make(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct dataset *data);

/* The two halves of dataset_make: the numbers as the family or the file has them, and their order in a trial. */
enum status dataset_unordered(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct dataset *data);
enum status dataset_arrange(const struct data_spec *spec, uint64_t seed, uint64_t trial, const struct dataset *data);

/* As dataset_make, but in pieces, and the whole is never in memory: of a file, and of a family whose elements are
 * formulas.  What is permuted, or a generator builds, is one piece.  *about has left_out and conversion, and no
 * numbers.  Of one vector alone.
 */
enum status dataset_stream(const struct data_spec *spec, uint64_t seed, uint64_t trial, const struct consumer *consumer,
                           struct dataset *about);

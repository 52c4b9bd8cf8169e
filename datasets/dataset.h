/* The numbers to be added, made from a spec. */
#ifndef ULPSCOPE_DATASET_H
#define ULPSCOPE_DATASET_H

#include "numbers.h"
#include "spec.h"

/* The call of the spec's generator, prepared: what elements() and the device half take.  Complains and returns
 * BAD_INPUT. */
enum status dataset_call(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct generator_call *call);

/* Generates or reads the data.  Complains and returns BAD_INPUT or NOT_MEASURED; *data is then empty. */
enum status dataset_make(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct dataset *data);

/* As dataset_make, but in pieces, and the whole is never in memory: of a file, and of a family whose elements are
 * formulas.  What another order is asked for, or a generator builds, is one piece. */
enum status dataset_stream(const struct data_spec *spec, uint64_t seed, uint64_t trial, const struct consumer *consumer,
                           uint64_t *left_out);

#endif

/* The numbers to be added, made from a spec. */
#ifndef ULPSCOPE_DATASET_H
#define ULPSCOPE_DATASET_H

#include "../src/fp.h"
#include "../src/status.h"
#include "spec.h"

struct dataset {
    const struct format *format;
    void *x; /* n elements of the format */
    uint64_t n;
    uint64_t left_out; /* elements of a file that --nonfinite skip left out */
};

/* The call of the spec's generator, prepared: what elements() and the device half take.  Complains and returns
 * BAD_INPUT. */
enum status dataset_call(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct generator_call *call);

/* Generates or reads the data.  Complains and returns BAD_INPUT or NOT_MEASURED; *data is then empty. */
enum status dataset_make(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct dataset *data);
void dataset_free(struct dataset *data);

/* Who takes the numbers of a data set in pieces: start() is called once, with their format and how many may come (0:
 * nobody knows), then take() for each piece, whose numbers stay there only until it returns.  A status that is not OK
 * ends it. */
struct consumer {
    enum status (*start)(void *context, const struct format *format, uint64_t most);
    enum status (*take)(void *context, const void *x, uint64_t n);
    void *context;
};

/* As dataset_make, but in pieces, and the whole is never in memory: of a file, and of a family whose elements are
 * formulas.  What another order is asked for, or a generator builds, is one piece. */
enum status dataset_stream(const struct data_spec *spec, uint64_t seed, uint64_t trial, const struct consumer *consumer,
                           uint64_t *left_out);

#endif

/* A generator: a family of adversarial data.  One file and one row of generators.def.
 *
 * Element i is a function of (seed, trial, family, i) alone, so that data do not depend on threads, device or n, unless
 * the formula does.
 */
#ifndef ULPSCOPE_GENERATOR_H
#define ULPSCOPE_GENERATOR_H

#include "../src/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PARAMETERS_MOST = 6 };

enum parameter_kind { REAL, WHOLE };

struct parameter {
    const char *name;
    enum parameter_kind kind;
    double fallback;    /* the value when it is not given */
    double least, most; /* both allowed */
    const char *meaning;
};

/* One data set that is asked for. */
struct generator_call {
    uint64_t n, seed, trial;
    double values[PARAMETERS_MOST]; /* in the order of the generator's parameters; a WHOLE one is exact */
    uint32_t family;                /* number of the random stream: a hash of the family's name */
};

struct generator {
    const char *id;
    const char *summary; /* one line */
    const char *formula; /* x_i = ... */
    const char *source;  /* who published it */
    const char *hurts, *spares;
    const struct parameter *parameters; /* without n, which every family has; ends with .name == NULL */
    uint64_t least_n;                   /* the smallest n for which the family makes sense */
    bool random;                        /* false: every seed and trial gives the same data */

    /* Writes call->n elements.  Complains and returns BAD_INPUT for values that do not go together. */
    enum status (*fill)(const struct generator_call *call, float *x);
};

const struct generator *generator_table(size_t *count);
const struct generator *generator_find(const char *id);

/* Random123's Philox4x32-10: 128 bits for element i, and more of them for other `draw`s of the same element. */
struct random_bits {
    uint32_t word[4];
};
struct random_bits random_bits(const struct generator_call *call, uint64_t i, uint32_t draw);

/* A multiple of 2^-24 in [0, 1), from the upper 24 bits. */
float random_unit(uint32_t word);

#endif

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

enum parameter_kind {
    REAL,
    WHOLE, /* from 0; written as a size: 4096, 1M, 2Ki */
};

struct parameter {
    const char *name;
    enum parameter_kind kind;
    double fallback;    /* the value when it is not given */
    double least, most; /* both allowed */
    const char *meaning;
};

/* What the counter of the random stream has room for (see random_bits). */
static const uint64_t MOST_N = 1ull << 40;
static const uint64_t MOST_TRIAL = UINT32_MAX;

/* One data set that is asked for. */
struct generator_call {
    uint64_t n, seed, trial;        /* at most MOST_N and MOST_TRIAL; any seed */
    double values[PARAMETERS_MOST]; /* in the order of the generator's parameters; a WHOLE one is exact */
    uint32_t family;                /* number of the random stream: generator_family(id) */
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

const struct generator *const *generator_table(size_t *count);
const struct generator *generator_find(const char *id);

/* A hash of the family's name: FNV-1a of 32 bits. */
uint32_t generator_family(const char *id);

/* Random123's Philox4x32-10: 128 bits for element i, and more of them for other `draw`s of the same element.
 * Different (seed, trial, family, i, draw) are different inputs of the cipher: draw < 2^16, i < 2^48. */
struct random_bits {
    uint32_t word[4];
};
struct random_bits random_bits(const struct generator_call *call, uint64_t i, uint32_t draw);

/* 64 of the 128 bits: half 0 or 1. */
uint64_t random_half(struct random_bits bits, unsigned half);

/* A multiple of 2^-24 in [0, 1), from the upper 24 bits. */
float random_unit(uint32_t word);

/* 1 + k 2^-23 in [1, 2), from the upper 23 bits: every significand of binary32 alike. */
float random_significand(uint32_t word);

/* random * count / 2^64, rounded down: a whole number in [0, count), each with probability 1/count +- 2^-64. */
uint64_t random_below(uint64_t random, uint64_t count);

#endif

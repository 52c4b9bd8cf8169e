/* A generator: a family of adversarial data, vectors or matrices.  One file and one row of generators.def.
 *
 * Element i is a function of (seed, trial, family, i) alone, so that data do not depend on threads, device or n, unless
 * the formula does.  Where it is a formula of i, both compilers read it (element_loop.h).
 */
#pragma once

#include "parameter.h"

#include <math.h>

enum { PARAMETERS_MOST = 6, PREPARED_MOST = 6, SHOWCASES_MOST = 4 };

/* What the counter of the random stream has room for (see random.h). */
static const uint64_t MOST_N = 1ull << 40;
static const uint64_t MOST_TRIAL = UINT32_MAX;

/* n when it is not given. */
enum { VECTOR_N = 4096, MATRIX_N = 256 };

/* One data set that is asked for. */
struct generator_call {
    uint64_t n, seed, trial;        /* at most MOST_N and MOST_TRIAL; any seed */
    double values[PARAMETERS_MOST]; /* in the order of the generator's parameters; a WHOLE one is exact */
    uint32_t family;                /* number of the random stream: generator_family(id), or generator_second_family */
    struct format format;           /* of the numbers: one of NUMBER_FORMATS */
    int overflow_exponent;          /* of matrices: what their product may reach is below two to this */

    /* What the generator's prepare() has worked out for its elements, in its own order. */
    double real[PREPARED_MOST];
    uint64_t whole[PREPARED_MOST];
};

/* What the family does to methods: a claim, which tests/datasets/test_effects.c measures.  The error is that of each
 * method at 120 x 256, in units in the last place of the exact sum. */
enum effect_kind { AT_MOST, AT_LEAST };
struct effect {
    const char *at;      /* the rest of the spec: "n=4Ki,k=2"; a sweep stands for all of its specs */
    const char *methods; /* globs; those of kinds, "exact/serial", are of accumulators that name theirs */
    enum effect_kind kind;
    double ulp; /* AT_MOST 0: exact */
};
#define EFFECTS(...) ((const struct effect[]){__VA_ARGS__, {0}}) /* rows, for `effects` below */
#define ALL_KINDS "uncompensated/*,compensated/*,wider/*,exact/*"
#define NO_NUMBER ((double)INFINITY)        /* at least: infinite or NaN */
#define MORE_THAN_HALF 0x1.0000000000001p-1 /* at least: not correctly rounded */

struct generator {
    const char *id;
    const char *summary;                      /* one line */
    const char *formula;                      /* x_i = ... */
    const char *source;                       /* who published it */
    const struct effect *effects;             /* at least one; .at == NULL ends */
    const char *exact;                        /* the exact sum or the condition number, as far as the formula tells */
    const char *showcase[SHOWCASES_MOST + 1]; /* specs at which the claim shows: what `--data all` is; NULL ends */
    const struct parameter *parameters;       /* without n and order, which every family has; .name == NULL ends */
    uint64_t least_n, most_n;                 /* for which the family makes sense; most_n 0: no limit of its own */
    bool random;                              /* false: every seed and trial gives the same data */
    bool attacked; /* its numbers are what a search found, against a method, where it goes most wrong */

    /* Why the family has no numbers of a format, without its claim being another: the end of a sentence.  NULL: it has.
     * The function NULL: it has binary32 alone. */
    const char *(*refuses)(const struct format *format);

    /* Puts into the row of a parameter, or of n, what is another in a format that is not binary32: what it has when it
     * is not given, the least, the most.  NULL: nothing is. */
    void (*adapt)(const struct format *format, struct parameter *row);

    /* Works out what depends on several parameters.  Complains and returns BAD_INPUT for values that do not go
     * together.  NULL: nothing to do. */
    enum status (*prepare)(struct generator_call *call);

    /* One of the two; `call` is prepared, x has what format_held() holds numbers of the call's format in. */
    void (*elements)(const struct generator_call *call, uint64_t first, uint64_t count, void *x); /* x_first ... */
    enum status (*build)(const struct generator_call *call, void *x);                             /* all n */

    /* Of a family whose numbers are products of pairs: all n pairs.  The product of pair i, which no format rounds, is
     * element i of build().  NULL: it makes no pairs. */
    enum status (*build_pairs)(const struct generator_call *call, void *x, void *y);

    /* Of a family of matrices, n x n: elements (i, k) of A and (k, j) of B, and what errors of A B tell; it has no
     * effects, and none of the functions above but prepare.  NULL: a family of vectors. */
    double (*a)(const struct generator_call *call, uint64_t i, uint64_t k);
    double (*b)(const struct generator_call *call, uint64_t k, uint64_t j);
    const char *tells;
};

/* Families of vectors, and those of matrices; generator_find looks for both. */
const struct generator *const *generator_table(size_t *count);
const struct generator *const *generator_matrices(size_t *count);
const struct generator *generator_find(const char *id);

/* n, which every family has beside its parameters. */
struct parameter generator_n(const struct generator *generator);

/* What the family's `refuses` says of a format. */
const char *generator_refuses(const struct generator *generator, const struct format *format);

/* For `refuses`: NULL for each; NULL for those that results have. */
const char *every_format(const struct format *format);
const char *formats_of_results(const struct format *format);

/* A row of a generator, or of n, as it is in a format. */
struct parameter generator_parameter(const struct generator *generator, struct parameter row,
                                     const struct format *format);

/* For `adapt`: does so where the row has that name. */
void adapt_row(struct parameter *row, const char *name, double fallback, double least, double most);

/* A hash of the family's name: FNV-1a of 32 bits. */
uint32_t generator_family(const char *id);

/* That of a second vector, A::ID: the hash of "second of ID", so that normal::normal are two independent streams. */
uint32_t generator_second_family(const char *id);

/* The device half of a generator's elements(): fills n elements of device memory, element 0 first.  A cudaError_t; it
 * may return before the kernel ends. */
typedef int elements_on_device(const struct generator_call *call, float *x, void *stream);

/* NULL for a generator that builds the whole, for numbers that are not binary32, and in a build without CUDA. */
elements_on_device *generator_on_device(const struct generator *generator, const struct format *format);

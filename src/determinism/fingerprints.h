/* Bits of a fixed grid, methods x data x n, in a text file: what two machines, drivers or versions of a library have in
 * common, and where they part.
 *
 *   ulpscope-fingerprints/1
 *   fact device name = NVIDIA H200
 *   launch 120 x 256
 *   seed 1
 *   plain/serial uniform 4096 0123456789abcdef deterministic
 *
 * Bits are a digest of a few trials.  Of the facts none is a time or the name of a host: the same program on the same
 * kind of machine writes the same file. */
#pragma once

#include "src/device/device.h"
#include "src/study/study.h"

struct fingerprint {
    char *method, *data; /* "uniform": a family */
    uint64_t n, bits;
    bool is_computed;      /* else it was skipped, or failed, and bits is 0 */
    bool is_deterministic; /* as the method claims */
};

struct fingerprint_fact {
    char *name, *value;
};

struct fingerprints {
    char *path; /* NULL: made here */
    struct fingerprint_fact *facts;
    size_t fact_count, fact_capacity;
    struct launch launch;
    uint64_t seed;
    struct fingerprint *cells; /* those of a method together */
    size_t cell_count, cell_capacity;
};

/* Of the methods, the first launch and the seed of a study; its data are not looked at.  The caller frees them also
 * after a failure.  INTERRUPTED after SIGINT. */
enum status fingerprints_make(const struct study *study, struct device *device, unsigned workers,
                              struct fingerprints *made);

/* The file appears whole or not at all. */
enum status fingerprints_write(const struct fingerprints *fingerprints, const char *path);

/* BAD_INPUT for what is no such file; free it also then. */
enum status fingerprints_read(const char *path, struct fingerprints *fingerprints);
void fingerprints_free(struct fingerprints *fingerprints);

/* Prints where two that were read part: the first n of each method, and the facts that differ.  BAD_INPUT for two
 * grids; LIMIT_BROKEN where a method that claims to be deterministic differs. */
enum status fingerprints_compare(const struct fingerprints *left, const struct fingerprints *right);

/* A cell again, of a method on this machine. */
struct vary;
enum status fingerprint_word(const struct vary *vary, const struct fingerprint *cell, struct launch launch,
                             uint64_t seed, uint64_t *word);

/* A computed sum held against the exact one: the part of a row that does not say where it stands. */
#pragma once

#include "row.h"
#include "src/study/study.h"

/* What a method promises of its sum of some data. */
struct promise {
    uint64_t height; /* 0 of a black box */
    double bound, bound_if_finite,
        probabilistic_bound; /* bound_if_finite: of a sum that is; no less is claimed of it */
};

/* A bound where the method claims none because something may overflow on the way, and the result is finite: then
 * nothing did in plain additions, which keep an infinity or make NaN of it. */
double bound_of_finite(const struct method *method, struct shape shape, struct launch launch,
                       const struct magnitudes *of, double bound);

struct promise promise_of(const struct method *method, struct launch launch, const struct exact_sum *exact);

/* Fills in what the row says of a result of the format, given by its bits: value, errors and class, and the promise;
 * it stands for itself alone. */
void judge_sum(const struct exact_sum *exact, const struct format *format, const struct promise *promise, uint64_t bits,
               struct measured *row);

/* What stands for the bits of many results where they are compared: SHA-256 of all, each least byte first; all NaN are
 * one. */

enum { DIGEST_TEXT = 65 };

/* 64 hexadecimal digits, of so many results of a format. */
void digest_of(const struct format *format, const uint64_t *bits, uint64_t count, char text[DIGEST_TEXT]);

/* The same of bits that come in pieces; NULL: memory is short.  The end frees it. */
struct digest;
struct digest *digest_new(void);
void digest_add(struct digest *digest, const struct format *format, const uint64_t *bits, uint64_t count);
void digest_end(struct digest *digest, char text[DIGEST_TEXT]);

/* The first 64 bits of such a digest. */
uint64_t digest_bits(const char *digest);

/* A computed sum held against the exact one: the part of a row that does not say where it stands. */
#ifndef ULPSCOPE_JUDGE_H
#define ULPSCOPE_JUDGE_H

#include "row.h"
#include "src/study/study.h"

/* What a method promises of its sum of some data. */
struct promise {
    uint64_t height; /* 0 of a black box */
    double bound, probabilistic_bound;
};

struct promise promise_of(const struct method *method, struct launch launch, const struct exact_sum *exact);

/* Fills in what the row says of a result of the format, given by its bits: value, errors and class, and the promise;
 * it stands for itself alone. */
void judge_sum(const struct exact_sum *exact, const struct format *format, const struct promise *promise, uint64_t bits,
               struct measured *row);

#endif

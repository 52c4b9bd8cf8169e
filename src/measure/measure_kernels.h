/* What the kernels give of a few cases with the same spec: their data go to the GPU together, every method adds up each
 * of them, and all results come back at once. */
#pragma once

#include "case_in_hand.h"

#include "src/device/device_batch.h"

struct kernels {
    size_t method_count, set_count; /* of the study; cases */
    size_t *places;                 /* of (launch, method): behind its place in sums; 0: it has no kernel here */
    struct device_sums *sums;
    size_t sums_count;
    uint64_t *bits;
};

/* Runs them, on the device of hands[0..count), which it locks.  OK also when kernels failed, which is complained about
 * and noted in the cases.  exact: NULL, or what is to be made of one case.  The caller calls kernels_free, whatever the
 * status. */
enum status kernels_run(struct case_in_hand *hands, size_t count, struct device_exact *exact, struct kernels *kernels);
void kernels_free(struct kernels *kernels);

/* How many results a method has of each case: fewer than the study's repeats after a failure. */
uint64_t kernels_results(const struct kernels *kernels, size_t launch, size_t method);

/* The bits of one of them. */
uint64_t kernels_bits(const struct kernels *kernels, size_t launch, size_t method, uint64_t repeat, size_t set);

/* Many sums at once: data sets of n numbers each lie side by side on the device, methods add up each of them, and the
 * host waits once, for all results. */
#pragma once

#include "datasets/generator.h"
#include "device.h"
#include "reference/sum_device.h"

/* Where a set's numbers come from: from the host, which has them as format_held() says, or of a formula. */
struct device_set {
    const void *x, *y;                 /* y NULL: one vector */
    const struct generator *generator; /* of x NULL: its device half makes them, with the host's bits */
    struct generator_call call;

    /* Of what was made there, a part comes back: seen[k] is x_(first_seen + k), of binary32. */
    uint64_t first_seen, seen_count;
    float *seen;
};

/* Exact sums of the one set of a batch, by reference/sum_device.h, before anything else is added up. */
struct device_exact {
    unsigned parts;                    /* 1 << EXACT_X and so on: which */
    bool is_checked;                   /* the host adds up the numbers that lie there, too: a difference is a failure */
    unsigned workers;                  /* threads of the host */
    struct exact_sum sums[EXACT_SUMS]; /* the caller frees those that there are, if they were made */
    struct exact_ends ends;            /* where all x are finite */
    bool is_made;                      /* else the cause was complained about */
    bool is_refuted;                   /* because the host found something else, or could not look */
};

/* A method's sums of all sets.  What is deterministic has the bits of device_run(), however the kernels are launched.
 */
struct device_sums {
    const struct method *method;
    struct launch launch;
    uint64_t *bits; /* the results of each set, as often as they are repeated: bits[repeat * set_count + set] */
    uint64_t done;  /* repeats; fewer than were asked for after a failure, which was complained about */
};

struct device_batch {
    const struct format *format;
    uint64_t n;
    const struct device_set *sets;
    size_t set_count;
    uint64_t repeats;
    struct device_sums *sums;
    size_t sums_count;
    struct device_exact *exact; /* NULL: it is not asked for */
};

/* How many sets of so many bytes are worth a batch; at least 1. */
size_t device_sets_at_once(const struct device *device, uint64_t bytes);

/* The device is locked.  Not OK, which was complained about, when the data could not be brought there; then nothing was
 * run.  What became of each method its `done` says; one that loses the device takes those behind it along. */
enum status device_run_batch(struct device *device, const struct device_batch *batch);

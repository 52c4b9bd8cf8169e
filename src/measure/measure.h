/* One case of a study: its data are made once, summed exactly once, and summed by every method.  Trials that are the
 * same numbers in other orders share what they are made of, and the exact sum. */
#pragma once

#include "row.h"
#include "shelf.h"
#include "src/device/device.h"
#include "src/study/study.h"

#include <stdatomic.h>

/* Exact sums that a device made so far, and those of them that the host has added up again. */
struct exact_tally {
    atomic_uint_fast64_t by_device, checked;
};

struct measuring {
    const struct study *study;
    struct shelf *shelf; /* what trials in other orders share */
    struct exact_tally *exact;
    struct device *device;  /* NULL: replays on the host */
    bool replay_beside;     /* with a device: replay too, and compare the bits */
    unsigned jobs;          /* threads of the run, all of which check what a device made of a case */
    unsigned case_workers;  /* threads for one replay, and for one exact sum; at least 1 */
    bool verify_reference;  /* --verify-reference: every number with mpfr_add as well */
    bool slow;              /* --slow: on a device too, methods run beyond their slow_above */
    atomic_bool *told_slow; /* by method: that it was skipped for its n; NULL: say nothing */
};

/* False, with the reason in `why`, when no case can be measured with this method and launch: on this device, or on the
 * host when `device` is NULL. */
bool measure_can_do(const struct method *method, struct launch launch, const struct device *device,
                    char why[REASON_SIZE]);

/* How many cases are worth measuring together with this one, at least 1: small data sets, so that a GPU adds up many in
 * one go.  Those must have its data spec: whether another has. */
size_t measure_at_once(const struct measuring *measuring, uint64_t index);
bool measure_together(const struct measuring *measuring, uint64_t index, uint64_t other);

/* Measures cases; the caller calls finished_case_free for each, whatever the status.  A difference between a kernel and
 * its replay is complained about; methods whose order is that of arrival are not compared.  OK with
 * finished[c].unfinished when kernels or replays failed, which were complained about; what the others gave is there.
 * After a failure *count cases are measured, the first. */
enum status measure_cases(const struct measuring *measuring, const uint64_t *indices, size_t *count,
                          struct finished_case *finished);
/* Of a case that a report names: its exact sum, if a device made it, is made again, checked by the host, and held to
 * what was stored.  *checked: whether there was something to do. */
enum status measure_check_again(const struct measuring *measuring, uint64_t index, const char *exact, bool *checked);

void finished_case_free(struct finished_case *finished);

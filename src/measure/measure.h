/* One case of a study: its data are made once, summed exactly once, and summed by every method.  Trials that are the
 * same numbers in other orders share what they are made of, and the exact sum. */
#pragma once

#include "datasets/dataset.h"
#include "kernels/method.h"
#include "reference/exact.h"
#include "row.h"
#include "src/device/device.h"
#include "src/study/study.h"

#include <pthread.h>
#include <stdatomic.h>

/* Numbers that several trials add in other orders, and their exact sum, which has no order: made once, and kept until
 * the trials of the next spec are asked for. */

struct shelved {
    const struct data_spec *spec;
    struct dataset data; /* in the order of the family or the file */
    struct exact_sum exact;
    unsigned users;
};

struct shelf {
    pthread_mutex_t mutex; /* it is held while numbers are made: who waits, waits for these */
    struct shelved *kept;
    const struct data_spec *lacking; /* numbers that could not be made, which was complained about */
    enum status why;
};

/* The numbers of the spec, and what an operation gives of them, to be read and given back. */
enum status shelf_take(struct shelf *shelf, const struct data_spec *spec, enum operation operation, unsigned workers,
                       const struct shelved **shelved);
void shelf_give_back(struct shelf *shelf, const struct shelved *shelved);

/* When no thread uses it. */
void shelf_empty(struct shelf *shelf);

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

/* Whether it needs a GPU and there is none (NULL), or instructions that this GPU has not; `why` says which. */
bool measure_lacks_device(const struct method *method, const struct device *device, char why[REASON_SIZE]);

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

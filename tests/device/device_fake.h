/* GPUs that are none: their kernels are the replays, and a test may change what these give.  Link device_fake.c as an
 * object of the test's own: it stands before the library with the real device, which is then not taken from there. */
#ifndef ULPSCOPE_TESTS_DEVICE_FAKE_H
#define ULPSCOPE_TESTS_DEVICE_FAKE_H

#include "src/device/device_timing.h"

#include <stdatomic.h>

/* Called after each sum of device_run and device_time with its number from 0 and its result, which it may change.  What
 * it returns, they return.  A black box gives the sum of plain/serial. */
typedef enum status fake_change(uint64_t run, const struct method *method, float *result);

enum { FAKES = 2 };

struct fake_device {
    int count;                                 /* GPUs */
    const char *name;                          /* of all; NULL: "fake GPU 0", "fake GPU 1" */
    bool meet;                                 /* both have data before one adds them up */
    atomic_bool begun[FAKES], lost_one[FAKES]; /* that has had data; for a change to set: only this one is lost */
    atomic_uint_fast64_t runs_of[FAKES];       /* sums */
    uint64_t memory_of_1;                      /* bytes of cuda:1's memory; 0: those of all */
    const char *capability;                    /* NULL: "0.0" */
    fake_change *change;                       /* NULL: none */
    atomic_uint_fast64_t runs;                 /* sums so far */
    char runs_on[24];                          /* the GPU of the last, or of the one that is changed: "cuda:1" */
    bool takes_rows;                           /* every method adds up rows */
    uint64_t row;                              /* of the one that is added, and may be changed */
    size_t sets_at_once;                       /* that are measured together; 0: one */

    uint64_t exact_sums, exact_checks; /* that it made; of these, that were checked */
    bool formula_is_wrong;             /* each number that it makes is another */
    atomic_uint_fast64_t seen, first_seen;
    uint64_t seen_wrong; /* numbers that came back; the place of the last that began; the one, from 1,
                                              of those of a set that is another, once seen_right sums are exact */
    uint64_t seen_right;
    enum { NEVER, ALWAYS, UNLESS_CHECKED } exact_is_wrong; /* in its last bit */
    uint64_t timed;                                        /* calls so far: call k, from 1, takes k microseconds */

    /* The device's memory, which its facts have, too: an upload of more bytes fails, as does one after the device was
     * lost.  0: no limit. */
    uint64_t memory_bytes;
    atomic_bool lost; /* for a change to set: nothing can be run any more */
    atomic_uint_fast64_t uploads;
    uint64_t moves;
};
extern struct fake_device fake_device;
extern _Thread_local int fake_running; /* the GPU whose sum is changed */

#endif

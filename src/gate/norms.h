/* Layer norms, RMS norms, and what is made of exponentials, with another ending than ours, or a fault. */
#pragma once

#include "fault.h"

enum norm_fault {
    NORM_SOUND,
#define NORM_FAULT(id, applies, field, value, meaning) NORM_##id,
#include "norm_faults.def"
    NORM_FAULTS
};

/* What becomes of x, the mean m and the root, r = 1/root; of an exponential e and their sum D: all are sound. */
enum norm_ending {
    NORM_TIMES,   /* (x - m) r or e / D, as ours */
    NORM_DIVIDES, /* (x - m) / root */
    NORM_SPLITS,  /* x r - m r */
    NORM_INVERTS, /* e (1/D) */
    NORM_ENDINGS
};
struct norm_way {
    enum norm_fault fault;
    enum norm_ending ending;
    struct norm_kept *kept; /* NULL: nothing is */
};

/* Between ways that have the data and the passes of one method: its sums, by the fault that makes them others.  Of the
 * results these alone. */
struct norm_kept {
    const uint64_t *elements;
    size_t count;
    bool is_made[NORM_FAULTS];
    double sums[NORM_FAULTS][4]; /* of PASSES_MOST passes */
};

bool norm_can_be(struct norm_way way, const struct method *method); /* false of what is neither */
enum norm_fault norm_fault_named(const char *id);                   /* NORM_SOUND: none */
const char *norm_fault_meaning(enum norm_fault fault);              /* as fault.h has it */

/* The results; the passes are the method's.  `way`: a struct norm_way.  NOT_MEASURED. */
enum status norm_by(const void *way, const struct fault_call *call, uint64_t *bits);

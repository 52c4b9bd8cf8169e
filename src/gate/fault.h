/* Sums with a known fault: what diagnosis compares a failing series with.
 *
 * There are two kinds.  A fault of faults.def (src/gate/faults.c) or of src/base/element_faults.def is done to a
 * method from outside, through its replay: other data, another rounding of the processor, another result.  A fault of
 * kernels/broken.def (kernels/broken/ID.h) is an accumulator with a fault in it, in the method's order: kahan whose
 * update is missing.
 */
#pragma once

#include "kernels/method.h"
#include "src/base/base.h"

#include <math.h>

struct fault;

struct fault_call {
    const struct method *method;
    struct operands of;
    struct launch launch;
};

struct fault {
    const char *id;      /* "drop_last" */
    const char *meaning; /* as the end of "the sums are those of ... in which": "the last element is left out" */

    /* Whether a method can have it at all: a compensation that is skipped needs one. */
    bool (*applies)(const struct method *method);

    /* The bits of the sum with the fault.  NOT_MEASURED when memory is short. */
    enum status (*sum)(const struct fault *fault, const struct fault_call *call, uint64_t *bits);

    const char *broken; /* of broken.def: the accumulator with the fault; else NULL */

    /* Of src/base/element_faults.def: what becomes of an element; else NULL. */
    double (*element)(const struct format *format, double x);
};

/* All of them: those of faults.def, of elements, of accumulators, and those that depend on the launch. */
const struct fault *fault_table(size_t *count);
const struct fault *fault_find(const char *id);

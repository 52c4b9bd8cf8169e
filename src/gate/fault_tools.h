/* What the faults of src/gate/faults share. */
#ifndef ULPSCOPE_FAULT_TOOLS_H
#define ULPSCOPE_FAULT_TOOLS_H

#include "fault.h"

/* The functions of all rows; fault_any_sum() is here, and says yes to whoever adds up data and has a replay, which a
 * black box has not. */
#define FAULT(id, applies, meaning)                                                                                    \
    bool applies(const struct method *method);                                                                         \
    enum status fault_##id(const struct fault_call *call, float *result);
#include "faults.def"

/* The sum of the first n elements of x, in the order of the call; in this thread, whose rounding may have been changed.
 */
enum status fault_replay(const struct fault_call *call, const float *x, uint64_t n, float *result);

/* The same of a copy of n elements, those beyond the data 0, after change() did its part. */
typedef void fault_change(const struct fault_call *call, float *x, uint64_t n);
enum status fault_replay_changed(const struct fault_call *call, uint64_t n, fault_change *change, float *result);

/* The sum by another accumulator in the same order. */
enum status fault_replay_by(const struct fault_call *call, const char *accumulator, float *result);

#endif

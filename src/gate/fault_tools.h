/* What faults are made with. */
#pragma once

#include "fault.h"

/* The functions of all rows; fault_any() is here, and says yes to whoever gives a sum and has a replay, which a black
 * box has not. */
#define FAULT(id, applies, meaning)                                                                                    \
    bool applies(const struct method *method);                                                                         \
    enum status fault_##id(const struct fault_call *call, uint64_t *bits);
#define FAULT_OF_LAUNCH FAULT
#include "faults.def"

/* Whether an order that merges alone leaves of the accumulator the one above it: the bits are that one's. */
static inline bool fault_leaves_above(const struct method *method)
{
    return method->accumulator_traits->above && method->order_traits->joins == NEVER_ADDS;
}

/* The sum of n elements from `first` on, in the order of the call; in this thread, whose rounding may have been
 * changed.
 */
enum status fault_replay(const struct fault_call *call, uint64_t first, uint64_t n, uint64_t *bits);

/* The numbers of a call, with room for so many; those beyond the data are 0.  NULL when memory is short. */
double *fault_numbers(const struct fault_call *call, uint64_t room);

/* The sum of n numbers in the place of the data, rounded to their format. */
enum status fault_replay_numbers(const struct fault_call *call, const double *x, uint64_t n, uint64_t *bits);

/* The sum of n numbers after alter() did its part. */
typedef void fault_change(const struct fault_call *call, double *x, uint64_t n);
enum status fault_replay_changed(const struct fault_call *call, uint64_t n, fault_change *alter, uint64_t *bits);

/* The sum by another method in the place of the call's: its additions, and the call's format of results. */
enum status fault_replay_as(const struct fault_call *call, const struct method *other, uint64_t *bits);

/* The sum by another accumulator in the same order. */
enum status fault_replay_by(const struct fault_call *call, const char *accumulator, uint64_t *bits);

/* The bits of a value in the format of the result, to which it is rounded. */
uint64_t fault_result(const struct fault_call *call, double value);

/* What a result is worth. */
double fault_value(const struct fault_call *call, uint64_t bits);

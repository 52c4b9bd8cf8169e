/* `float sum` where there was a wider one. */
#include "src/gate/fault_tools.h"

/* What adds in binary32 instead: an accumulator that is as plain, or the same one where all additions are wider. */
static const struct method *narrower(const struct method *method)
{
    char id[REASON_SIZE];
    const char *narrow = method->accumulator_traits->narrow;
    snprintf(id, sizeof id, "%s/%s", narrow ? narrow : method->accumulator, method->order);
    return method_in(method_find(id), &sum_format_binary32);
}

/* Where binary32 is stored and binary64 added, see additions_in_stored.c. */
bool fault_is_wider(const struct method *method)
{
    const struct sum_format *format = method->sum_format;
    const bool adds_wider = format->stored->precision > FORMAT_BINARY32.precision;
    const bool accumulates_wider =
        method->accumulator_traits->narrow && !fault_leaves_above(method) && format->added == sum_format_binary32.added;
    return fault_any(method) && (adds_wider || accumulates_wider);
}

enum status fault_binary32_accumulator(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_as(call, narrower(call->method), bits);
}

/* `bfloat16 sum` where bfloat16 numbers are added in binary32: every addition rounds to 8 bits. */
#include "src/gate/fault_tools.h"

/* The same method, added in what is stored; NULL: it is, or there is none. */
static const struct method *narrower(const struct method *method)
{
    const struct sum_format *own = method->sum_format, *narrow = sum_format_of(own->stored, own->stored);
    return narrow && narrow->added != own->added ? method_in(method, narrow) : NULL;
}

/* Plain sums in 16 bits are in kernels/broken.def; what an accumulator holds beyond its additions is untouched. */
bool fault_adds_wider_than_stored(const struct method *method)
{
    const bool is_plain = method->accumulator_traits && !method->accumulator_traits->advantage;
    const bool is_broken = is_plain && method->sum_format->added == sum_format_binary32.added;
    return fault_any(method) && !is_broken && !method->accumulator_traits->narrow && narrower(method);
}

enum status fault_additions_in_stored(const struct fault_call *call, uint64_t *bits)
{
    const struct method *narrow = narrower(call->method);
    return fault_replay_as(call, narrow ? narrow : call->method, bits);
}

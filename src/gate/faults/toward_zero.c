/* A library left the processor in another rounding mode; or additions cut off, as those of tensor cores do. */
#include "src/gate/fault_tools.h"

#include <fenv.h>

/* The host rounds to 16 bits itself, in a way that no mode changes. */
bool fault_adds_in_hardware(const struct method *method)
{
    return fault_any(method) && method->sum_format->added->bytes >= sizeof(float);
}

enum status fault_toward_zero(const struct fault_call *call, uint64_t *bits)
{
    const int before = fegetround();
    fesetround(FE_TOWARDZERO);
    const enum status status = fault_replay(call, 0, call->of.shape.terms, bits);
    fesetround(before);
    return status;
}

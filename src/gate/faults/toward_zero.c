/* A library left the processor in another rounding mode; or additions cut off, as those of tensor cores do. */
#include "src/gate/fault_tools.h"

#include <fenv.h>

enum status fault_toward_zero(const struct fault_call *call, uint64_t *bits)
{
    const int before = fegetround();
    fesetround(FE_TOWARDZERO);
    const enum status status = fault_replay(call, 0, call->of.shape.terms, bits);
    fesetround(before);
    return status;
}

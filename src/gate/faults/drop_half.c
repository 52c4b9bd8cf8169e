/* A number of bytes taken for one of elements of twice their size, or one of two devices that did not answer. */
#include "src/gate/fault_tools.h"

enum status fault_drop_half(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay(call, 0, call->of.shape.terms / 2, bits);
}

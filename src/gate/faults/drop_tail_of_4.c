/* Loads of 16 bytes, and no loop for what is left after the last of them. */
#include "src/gate/fault_tools.h"

enum status fault_drop_tail_of_4(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay(call, 0, call->of.shape.terms - call->of.shape.terms % 4, bits);
}

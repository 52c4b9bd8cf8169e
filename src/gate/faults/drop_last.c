/* `i < n - 1`. */
#include "src/gate/fault_tools.h"

enum status fault_drop_last(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay(call, 0, call->of.shape.terms - (call->of.shape.terms > 0), bits);
}

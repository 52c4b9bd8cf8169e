/* A loop that starts from 1.  All elements move up by one place, as they do where each thread's index is one too
 * high. */
#include "src/gate/fault_tools.h"

enum status fault_drop_first(const struct fault_call *call, uint64_t *bits)
{
    return call->of.shape.terms == 0 ? fault_replay(call, 0, 0, bits)
                                     : fault_replay(call, 1, call->of.shape.terms - 1, bits);
}

/* A kernel that never writes its result, in memory that was cleared. */
#include "src/gate/fault_tools.h"

enum status fault_zero(const struct fault_call *call, uint64_t *bits)
{
    *bits = fault_result(call, 0);
    return OK;
}

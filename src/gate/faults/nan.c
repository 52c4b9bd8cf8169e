/* What comes of memory that was never written, or of infinity - infinity; and what a test that asks `error > limit`
 * lets pass. */
#include "src/gate/fault_tools.h"

enum status fault_nan(const struct fault_call *call, uint64_t *bits)
{
    *bits = fault_result(call, NAN);
    return OK;
}

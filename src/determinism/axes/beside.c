/* Other work beside it: threads that keep the cores and the memory busy, and on a GPU a kernel that has half of it. */
#include "src/determinism/vary.h"

static enum tried call_beside(struct vary *vary, const char *order)
{
    return vary_calls(vary, &(struct circumstances){.is_busy = true}, "beside other work", order);
}

enum status beside_vary(struct vary *vary)
{
    return vary_in_orders(vary, call_beside);
}

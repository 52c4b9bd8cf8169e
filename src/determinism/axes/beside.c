/* Other work beside it: threads that keep the cores and the memory busy, and on a GPU a kernel that has half of it. */
#include "src/determinism/under.h"

#include <stdio.h>

enum { CALLS = 3 }; /* of each order */

static enum tried call_beside(struct vary *vary, const char *order)
{
    const struct circumstances busy = {.is_busy = true};
    enum tried tried = COMPUTED;
    for (int call = 1; call <= CALLS && tried != HOPELESS; call++) {
        char variant[48];
        snprintf(variant, sizeof variant, "call %d beside other work", call);
        tried = vary_try_base(vary, &busy, variant, order);
    }
    return tried;
}

enum status beside_vary(struct vary *vary)
{
    return vary_in_orders(vary, call_beside);
}

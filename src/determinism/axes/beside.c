/* Other work beside it: threads that keep the cores and the memory busy, and on a GPU a kernel that has half of it. */
#include "src/determinism/under.h"

#include <stdio.h>

enum { CALLS = 8 };

enum status beside_vary(struct vary *vary)
{
    const struct circumstances busy = {.is_busy = true};
    for (int call = 1; call <= CALLS; call++) {
        char variant[48];
        snprintf(variant, sizeof variant, "call %d beside other work", call);
        if (vary_try_base(vary, &busy, variant) == HOPELESS)
            break;
    }
    return OK;
}

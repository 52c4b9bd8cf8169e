/* The same sum, asked for again in the same process. */
#include "src/determinism/vary.h"

enum status repeat_vary(struct vary *vary)
{
    for (int call = 1; call <= BASE_CALLS; call++) {
        TRY(vary_compute(vary, &vary->of->of, vary->of->launch, NULL, vary->bits));
        variation_note(vary, vary->bits, "call %d after the first", call);
    }
    return OK;
}

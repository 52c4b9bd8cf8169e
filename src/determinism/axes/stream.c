/* Another stream of the GPU. */
#include "src/determinism/under.h"
#include "src/plugins/plugin.h"

#include <stdio.h>

enum { CALLS = 3 }; /* of each order */

static enum tried call_on_another(struct vary *vary, const char *order)
{
    const struct circumstances other = {.other_stream = true};
    enum tried tried = COMPUTED;
    for (int call = 1; call <= CALLS && tried != HOPELESS; call++) {
        char variant[48];
        snprintf(variant, sizeof variant, "call %d on another stream", call);
        tried = vary_try_base(vary, &other, variant, order);
    }
    return tried;
}

enum status stream_vary(struct vary *vary)
{
    const struct method *method = vary->of->method;
    if (method->plugin ? !plugin_is_on_device(method) : !vary->of->device) {
        vary_leave_out(vary, "it is computed on the host, where there are no streams");
        return OK;
    }
    return vary_in_orders(vary, call_on_another);
}

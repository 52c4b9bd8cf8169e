/* Another stream of the GPU. */
#include "src/determinism/under.h"
#include "src/plugins/plugin.h"

#include <stdio.h>

enum { CALLS = 4 };

enum status stream_vary(struct vary *vary)
{
    const struct circumstances other = {.other_stream = true};
    const struct method *method = vary->of->method;
    if (method->plugin ? !plugin_is_on_device(method) : !vary->of->device) {
        vary_leave_out(vary, "it is computed on the host, where there are no streams");
        return OK;
    }
    for (int call = 1; call <= CALLS; call++) {
        char variant[48];
        snprintf(variant, sizeof variant, "call %d on another stream", call);
        if (vary_try_base(vary, &other, variant) == HOPELESS)
            break;
    }
    return OK;
}

/* Another stream of the GPU. */
#include "src/determinism/vary.h"
#include "src/plugins/plugin.h"

static enum tried call_on_another(struct vary *vary, const char *order)
{
    return vary_calls(vary, &(struct circumstances){.other_stream = true}, "on another stream", order);
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

/* @name@ of @file@, for ulpscope to measure: `ulpscope help plugin`.  The source is compiled here once more, so
 * that a change in it is seen: give the compiler your project's flags, and what else this source needs.
 * @remark@
 */
#include "@file@"
#include "ulpscope/plugin.h"

static int ulpscope_run(void *state, const struct ulpscope_call *call)
{
    const int64_t n = call->inputs[0].shape[0];
    @element@ *x = (@element@ *)ulpscope_data(&call->inputs[0]);
@dot@    @element@ *y = (@element@ *)ulpscope_data(&call->inputs[1]);
    @result@ *result = (@result@ *)ulpscope_data(&call->outputs[0]);
    (void)state;
    @call@
}

ULPSCOPE_PLUGIN("@plugin@", "1.0", ULPSCOPE_METHOD("@own@", "@operation@", "@format@", @flags@, ulpscope_run))

/* A sum in eight chains, as a compiler with -ffast-math makes it of one loop.  */
#include <ulpscope/plugin.h>

enum { CHAINS = 8 };

static int chains(void *state, const struct ulpscope_call *call)
{
    const float *x = (const float *)ulpscope_data(&call->inputs[0]);
    const int64_t n = call->inputs[0].shape[0];
    float sums[CHAINS] = {0}, sum = 0;
    (void)state;
    for (int64_t i = 0; i < n; i++)
        sums[i % CHAINS] += x[i];
    for (int k = 0; k < CHAINS; k++)
        sum += sums[k];
    *(float *)ulpscope_data(&call->outputs[0]) = sum;
    return 0;
}

ULPSCOPE_PLUGIN("mysum", "1.0", ULPSCOPE_METHOD("chains", "sum", "binary32", ULPSCOPE_DETERMINISTIC, chains))

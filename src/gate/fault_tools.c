#include "fault_tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fault_any_sum(const struct method *method)
{
    return method->role == SUMS && method->replay;
}

enum status fault_replay(const struct fault_call *call, const float *x, uint64_t n, float *result)
{
    return call->method->replay(x, n, call->launch, 1, result);
}

enum status fault_replay_changed(const struct fault_call *call, uint64_t n, fault_change *change, float *result)
{
    float *x = calloc(n + 1, sizeof *x);
    if (!x)
        return out_of_memory("the data of a fault");
    if (call->n > 0)
        memcpy(x, call->x, (n < call->n ? n : call->n) * sizeof *x);
    change(call, x, n);
    const enum status status = fault_replay(call, x, n, result);
    free(x);
    return status;
}

enum status fault_replay_by(const struct fault_call *call, const char *accumulator, float *result)
{
    char id[REASON_SIZE];
    snprintf(id, sizeof id, "%s/%s", accumulator, call->method->order);
    return method_find(id)->replay(call->x, call->n, call->launch, 1, result);
}

/* FTZ and DAZ, as -ffast-math and -ftz=true switch them on: subnormal operands and results are 0.  On x86 the processor
 * is told so for the replay; elsewhere operands and the result are flushed by hand, and intermediate sums are not. */
#include "src/gate/fault_tools.h"

#include <float.h>
#include <math.h>

#ifdef __SSE2__
#include <xmmintrin.h>

enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x0040 };

enum status fault_flush_subnormals(const struct fault_call *call, float *result)
{
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO);
    const enum status status = fault_replay(call, call->x, call->n, result);
    _mm_setcsr(before);
    return status;
}
#else
static float flushed(float x)
{
    return fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

static void flush(const struct fault_call *call, float *x, uint64_t n)
{
    (void)call;
    for (uint64_t i = 0; i < n; i++)
        x[i] = flushed(x[i]);
}

enum status fault_flush_subnormals(const struct fault_call *call, float *result)
{
    TRY(fault_replay_changed(call, call->n, flush, result));
    *result = flushed(*result);
    return OK;
}
#endif

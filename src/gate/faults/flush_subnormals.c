/* FTZ and DAZ, as -ffast-math and -ftz=true switch them on: subnormal operands and results are 0.  On x86 the processor
 * is told so for the replay; elsewhere, and in formats whose subnormals are none of the processor's, operands and the
 * result are flushed by hand, and intermediate sums are not. */
#include "src/gate/fault_tools.h"

static double least_normal(const struct format *format)
{
    return ldexp(1, format->least_exponent + format->precision - 1);
}

static double flushed(const struct format *format, double x)
{
    return fabs(x) < least_normal(format) ? copysign(0, x) : x;
}

static void flush(const struct fault_call *call, double *x, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        x[i] = flushed(call->of.format, x[i]);
}

static enum status flush_by_hand(const struct fault_call *call, uint64_t *bits)
{
    TRY(fault_replay_changed(call, call->of.shape.terms, flush, bits));
    *bits = fault_result(call, flushed(call->method->format, fault_value(call, *bits)));
    return OK;
}

#ifdef __SSE2__
#include <xmmintrin.h>

enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x0040 };

enum status fault_flush_subnormals(const struct fault_call *call, uint64_t *bits)
{
    if (least_normal(call->of.format) > least_normal(&FORMAT_BINARY32))
        return flush_by_hand(call, bits);
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO);
    const enum status status = fault_replay(call, 0, call->of.shape.terms, bits);
    _mm_setcsr(before);
    return status;
}
#else
enum status fault_flush_subnormals(const struct fault_call *call, uint64_t *bits)
{
    return flush_by_hand(call, bits);
}
#endif

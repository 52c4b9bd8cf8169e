#include "mode.h"

#include <fenv.h>
#include <stdatomic.h>
#include <stddef.h>
#ifdef __SSE2__
#include <xmmintrin.h>
enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x0040, ROUNDING = 0x6000 };
#endif

void mode_mask_traps(void)
{
    fenv_t before;
    feholdexcept(&before);
}

void mode_restore(void)
{
    fesetenv(FE_DFL_ENV); /* FTZ and DAZ are part of it */
}

const char *mode_found(void)
{
    int rounding = fegetround(); /* of the x87 unit; that of SSE follows */
#ifdef __SSE2__
    static const int of_sse[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    const unsigned mode = _mm_getcsr();
    if (mode & FLUSH_TO_ZERO)
        return "flushing subnormals to zero (FTZ)";
    if (mode & DENORMALS_ARE_ZERO)
        return "taking subnormals as zero (DAZ)";
    if (mode & ROUNDING)
        rounding = of_sse[(mode & ROUNDING) / 0x2000];
#else
    volatile float least_normal = 0x1p-126f, half = 0.5f;
    if (least_normal * half == 0)
        return "flushing subnormals to zero";
#endif
    return rounding == FE_TONEAREST  ? NULL
           : rounding == FE_UPWARD   ? "rounding upward"
           : rounding == FE_DOWNWARD ? "rounding downward"
                                     : "rounding toward zero";
}

static atomic_int is_watched;

void mode_watch(void)
{
    is_watched = 1;
}

const char *mode_lost(void)
{
    static const char *_Atomic first;
    const char *none = NULL, *found = is_watched ? mode_found() : NULL;
    if (found)
        atomic_compare_exchange_strong(&first, &none, found);
    return first;
}

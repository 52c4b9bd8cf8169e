/* What e4m3 and e5m2 share where numbers of 8 bits are added, as NCCL does at each hop of a ring and a tree:
 * __nv_fp8_e4m3(__hadd(__half(x), __half(y))) (src/device/reduce_kernel.h), which gives the largest number for all that
 * is beyond it, and for infinities; NaN stays NaN.  Two roundings, with the result of one: 11 bits are 2 * 4 + 2 and
 * more (docs/decisions/0017-formats.md). */
#define OTHERS_ABSENT "what rounds to fp8 at each addition are all-reduces: plain sums"
#ifdef __CUDACC__
#define HALF __half
#endif
#include "half.h"
#ifdef __CUDACC__
/* Between additions it is kept in binary16, which holds each number. */
PORTABLE real half_rounded(real x)
{
    return as_half(FP8(x.of));
}

static __device__ real as_real(FP8 x)
{
    return as_real(as_half(x));
}

/* There is no instruction. */
static __device__ void atomicAdd(real *total, real x)
{
    unsigned *word = (unsigned *)total, found = *word, seen, made = 0;
    do {
        real sum;
        seen = found;
        memcpy(&sum, &seen, sizeof sum);
        sum = RN(sum + x);
        memcpy(&made, &sum.of, sizeof sum.of);
        found = atomicCAS(word, seen, made);
    } while (found != seen);
}
#endif

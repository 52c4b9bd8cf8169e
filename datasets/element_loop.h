/* The loop over the elements of one family, for the host and for the GPU.  An include-template: the family's file
 * defines
 *
 *   #define FAMILY swamp
 *   PORTABLE double swamp_element(const struct generator_call *call, uint64_t i, uint64_t random)
 *
 * includes this, and has swamp_elements() for its row; elements.cu reads the same file and has swamp_on_device().
 * The element is of call->format, or is rounded to it once, here: a formula that is exact in binary64 gives the nearest
 * number of every format up to binary32.  The kernel makes binary32 alone.  One that returns a float has no other.
 *
 * `random` is what random_of_element() gives; a family without chance leaves it alone, and no compiler then makes it.
 * The arithmetic is that of the accumulators: + - * / of binary32 and binary64, conversions and integers, no libm.
 *
 * Two elements share a block of Philox, so both loops go by pairs: 4 instead of 7 ns per element on a CPU.  A family
 * where pair p, elements 2p and 2p + 1, has other bits than its own defines
 *
 *   #define PAIR_BITS mirror_bits
 *   PORTABLE struct random_block mirror_bits(const struct generator_call *call, uint64_t p)
 *
 * and one whose elements are formulas without a branch, of something that is drawn with branches, the drawing, which
 * takes the element's bits and leaves 64 others for the element
 *
 *   #define DRAW lognormal_gaussian
 *   PORTABLE uint64_t lognormal_gaussian(const struct generator_call *call, uint64_t i, uint64_t random)
 */
#include "random.h"

#ifndef PAIR_BITS
#define PAIR_BITS(call, p) random_bits(call, p, 0)
#endif

#ifndef DRAW
#define DRAW(call, i, random) (random)
#endif

#define ELEMENTS_PASTE_(a, b) a##_##b
#define ELEMENTS_PASTE(a, b) ELEMENTS_PASTE_(a, b)
#define ELEMENT ELEMENTS_PASTE(FAMILY, element)

#ifndef __CUDACC__
/* The bits of a batch first, then its elements: loops that do one thing each and have no branch vectorise, Philox too.
 */
static void ELEMENTS_PASTE(FAMILY, elements)(const struct generator_call *call, uint64_t first, uint64_t count,
                                             void *into)
{
    enum { BATCH = 256 };
    const struct generator_call own = *call; /* which no store to x can change */
    float *x = into;
    double *wide = into;
    const uint64_t end = first + count;
    uint64_t random[BATCH];
    for (uint64_t batch = first - first % 2; batch < end; batch += BATCH) {
        const uint64_t batch_end = end - batch < BATCH ? end : batch + BATCH;
        for (uint64_t i = batch; i < batch_end; i += 2) {
            const struct random_block bits = PAIR_BITS(&own, i / 2);
            random[i - batch] = random_half(bits, 0);
            random[i - batch + 1] = random_half(bits, 1);
        }
        for (uint64_t i = batch; i < batch_end; i++)
            random[i - batch] = DRAW(&own, i, random[i - batch]);
        const uint64_t start = batch < first ? first : batch;
        if (own.format.precision == FLT_MANT_DIG)
            for (uint64_t i = start; i < batch_end; i++)
                x[i - first] = (float)ELEMENT(&own, i, random[i - batch]);
        else if (own.format.precision > FLT_MANT_DIG)
            for (uint64_t i = start; i < batch_end; i++)
                wide[i - first] = ELEMENT(&own, i, random[i - batch]);
        else
            for (uint64_t i = start; i < batch_end; i++)
                x[i - first] = (float)rounded_to(ELEMENT(&own, i, random[i - batch]), &own.format);
    }
}
#else
static __global__ void ELEMENTS_PASTE(FAMILY, kernel)(struct generator_call call, float *x)
{
    if (call.format.precision != FLT_MANT_DIG) /* so that no element asks */
        return;
    const uint64_t stride = 2ull * gridDim.x * blockDim.x;
    uint64_t i = 2 * ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x);
    for (; i < call.n; i += stride) {
        const struct random_block bits = PAIR_BITS(&call, i / 2);
        const float even = (float)ELEMENT(&call, i, DRAW(&call, i, random_half(bits, 0)));
        if (i + 1 < call.n)
            *(float2 *)(x + i) =
                make_float2(even, (float)ELEMENT(&call, i + 1, DRAW(&call, i + 1, random_half(bits, 1))));
        else
            x[i] = even;
    }
}

extern "C" int ELEMENTS_PASTE(FAMILY, on_device)(const struct generator_call *call, float *x, void *stream)
{
    ELEMENTS_PASTE(FAMILY, kernel)<<<elements_blocks(call->n), ELEMENTS_THREADS, 0, (cudaStream_t)stream>>>(*call, x);
    return (int)cudaGetLastError();
}
#endif

#undef ELEMENT
#undef PAIR_BITS
#undef DRAW
#undef FAMILY

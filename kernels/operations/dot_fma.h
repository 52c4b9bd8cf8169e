/* dot_fma: s = RN(x y + s), one instruction of every GPU and what compilers make of s += x * y unless they are told not
 * to.  Only plain additions have it; merges are additions.
 *
 *   (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24, and 0 where the product is rounded
 */
#if A(HAS_FMA)
KERNEL_OR_REPLAY STATE dot_fma_add(STATE s, real x, real y)
{
    return A(add_product)(s, x, y);
}
#elif defined(IS_dot_fma)
#define ABSENT "a fused multiply-add rounds as plain additions do: it is in plain"
#elif defined(__CUDACC__)
static __device__ STATE dot_fma_add(STATE, real, real)
{
    __builtin_unreachable(); /* no method asks for it */
}
#endif

#ifndef __CUDACC__
static inline double dot_fma_claim(struct claim *of)
{
    return bound_fused_products(of);
}
#endif

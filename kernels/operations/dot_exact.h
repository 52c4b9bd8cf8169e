/* dot_exact: a product is a pair, RN(x y) and what that rounding took, which are both added: plain/serial becomes a dot
 * product that forgets nothing of its products, sum2 the Dot2 of Ogita, Rump & Oishi (SIAM J. Sci. Comput. 26 (2005)
 * 1955), klein their DotK.
 *
 *   (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24:  1 + 2^-11, then 2^-24, are added
 *
 * The error is exact unless it is below the least subnormal number, of which it then loses half at most.  Where the
 * product overflows it is 0.  An accumulator that HAS_EXACT_PRODUCTS adds x y itself, and has a state for it: it is
 * compiled for this operation alone, also on a GPU, and where it is compiled for the others this one is not there.
 */
KERNEL_OR_REPLAY real dot_exact_product(real x, real y, real *error)
{
    const real product = RN(x * y);
    *error = finite_or_zero(product_error(x, y, product));
    return product;
}

#if !A(HAS_EXACT_PRODUCTS)
#define ADDS_EXACT_PRODUCTS 1
KERNEL_OR_REPLAY STATE dot_exact_add(STATE s, real x, real y)
{
    real error;
    const real product = dot_exact_product(x, y, &error);
#if A(HAS_PAIRS) /* what adds in binary64 adds the whole product of two numbers of binary32 at once */
    return A(add_pair)(s, product, error);
#else
    return A(add)(A(add)(s, product), error);
#endif
}
#elif defined(IS_dot_exact)
#define ADDS_EXACT_PRODUCTS 1
KERNEL_OR_REPLAY STATE dot_exact_add(STATE s, real x, real y)
{
    return A(add_product)(s, x, y);
}
#elif defined(__CUDACC__)
static __device__ STATE dot_exact_add(STATE, real, real)
{
    __builtin_unreachable();
}
#endif

#ifndef __CUDACC__
static inline double dot_exact_claim(struct claim *of)
{
#if A(HAS_EXACT_PRODUCTS)
    return bound_whole_products(of);
#else
    return bound_exact_products(of);
#endif
}
#endif

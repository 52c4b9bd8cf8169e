/* dot: x_i y_i, rounded, and then added like any number.
 *
 *   binary32, (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24, a tie: 1 + 2^-11 is added
 */
KERNEL_OR_REPLAY real dot_term(real x, real y)
{
    return RN(x * y);
}

#ifndef __CUDACC__
static inline double dot_claim(struct claim *of)
{
    return bound_rounded_products(of);
}
#endif

/* sumsq: x_i x_i, rounded, and then added like any number. */
KERNEL_OR_REPLAY real sumsq_term(real x, real y)
{
    (void)y;
    return RN(x * x);
}

#ifndef __CUDACC__
static inline double sumsq_claim(struct claim *of)
{
    return bound_rounded_products(of);
}
#endif

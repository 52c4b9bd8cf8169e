/* sum: the numbers as they are. */
KERNEL_OR_REPLAY real sum_term(real x, real y)
{
    (void)y;
    return x;
}

#ifndef __CUDACC__
static inline double sum_claim(struct claim *of)
{
    (void)of;
    return 0;
}
#endif

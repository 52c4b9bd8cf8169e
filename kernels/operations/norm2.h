/* norm2: the Euclidean norm, the square root of sumsq.  A(result), which binary64 holds, is rooted, and the root
 * rounded to the result's format: where a state has more bits than that, none is lost before.
 *
 *   binary32, {3, 4}: 9 + 16, and 5        {2^-80}: its square rounds to 0, and so does the norm
 *
 * Two roundings are one where the sum is a number of the result's format, 53 >= 2 * 24 + 2 (Figueroa, SIGNUM 30 (1995)
 * 21).  Both are IEEE's: sqrt.rn.f64, and the host's instruction.
 *
 * Bound: of the sum's error e, e / (s + sqrt(s^2 - e)), and the roundings (docs/bounds.md, "Norms").
 */
KERNEL_OR_REPLAY real norm2_term(real x, real y)
{
    return sumsq_term(x, y);
}

#ifndef __CUDACC__
static inline double norm2_claim(struct claim *of)
{
    return sumsq_claim(of);
}
#endif

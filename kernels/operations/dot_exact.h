/* dot_exact: a product is a pair, RN(x y) and what that rounding took, which are both added: plain/serial becomes a dot
 * product that forgets nothing of its products, sum2 the Dot2 of Ogita, Rump & Oishi (SIAM J. Sci. Comput. 26 (2005)
 * 1955), klein their DotK.
 *
 *   (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24:  1 + 2^-11, then 2^-24, are added
 *
 * The error is exact unless it is below the least subnormal number, of which it then loses half at most.  Where the
 * product overflows it is 0.
 */
typedef struct {
    real product, error;
} term;

static inline void dot_exact_terms(const real *x, const real *y, uint64_t n, term *terms)
{
    for (uint64_t i = 0; i < n; i++) {
        terms[i].product = RN(x[i] * y[i]);
        terms[i].error = finite_or_zero(product_error(x[i], y[i], terms[i].product));
    }
}

static inline double dot_exact_claim(struct claim *of)
{
    return bound_exact_products(of);
}

/* What adds in binary64 adds the whole product of two numbers of binary32 at once. */
#if A(HAS_PAIRS)
#define ADD_TERM(s, t) A(add_pair)(s, (t).product, (t).error)
#else
#define ADD_TERM(s, t) A(add)(A(add)(s, (t).product), (t).error)
#endif

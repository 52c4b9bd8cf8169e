/* dot_fma: s = RN(x y + s), one instruction of every GPU and what compilers make of s += x * y unless they are told not
 * to.  Only plain additions have it; merges are additions.
 *
 *   (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24, and 0 where the product is rounded
 */
typedef struct {
    real x, y;
} term;

static inline void dot_fma_terms(const real *x, const real *y, uint64_t n, term *terms)
{
    for (uint64_t i = 0; i < n; i++)
        terms[i] = (term){x[i], y[i]};
}

static inline double dot_fma_claim(struct claim *of)
{
    return bound_fused_products(of);
}

#define ADD_TERM(s, t) A(add_product)(s, (t).x, (t).y)
#if !A(HAS_FMA) && !defined(ABSENT)
#define ABSENT "a fused multiply-add rounds as plain additions do: it is in plain"
#endif

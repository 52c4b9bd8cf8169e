/* dot: x_i y_i, rounded, and then added like any number.
 *
 *   binary32, (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24, a tie: 1 + 2^-11 is added
 */
static inline void dot_terms(const real *x, const real *y, uint64_t n, term *terms)
{
    for (uint64_t i = 0; i < n; i++)
        terms[i] = RN(x[i] * y[i]);
}

static inline double dot_claim(struct claim *of)
{
    return bound_rounded_products(of);
}

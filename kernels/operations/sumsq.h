/* sumsq: x_i x_i, rounded, and then added like any number. */
static inline void sumsq_terms(const real *x, const real *y, uint64_t n, term *terms)
{
    (void)y;
    for (uint64_t i = 0; i < n; i++)
        terms[i] = RN(x[i] * x[i]);
}

static inline double sumsq_claim(struct claim *of)
{
    return bound_rounded_products(of);
}

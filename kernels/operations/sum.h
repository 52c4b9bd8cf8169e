/* sum: element i is a term. */
typedef real term;
#define ADD_TERM(s, t) A(add)(s, t)
#define TERMS_ARE_NUMBERS 1

static inline void sum_terms(const real *x, const real *y, uint64_t n, term *terms)
{
    (void)y;
    for (uint64_t i = 0; i < n; i++)
        terms[i] = x[i];
}

static inline double sum_claim(struct claim *of)
{
    (void)of;
    return 0;
}

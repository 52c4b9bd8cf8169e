/* sum: element i is a term. */
typedef real term;
#define ADD_TERM(s, t) A(add)(s, t)
#define TERMS_ARE_NUMBERS 1

static inline term sum_term(real x, real y)
{
    (void)y;
    return x;
}

static inline double sum_claim(struct claim *of)
{
    (void)of;
    return 0;
}

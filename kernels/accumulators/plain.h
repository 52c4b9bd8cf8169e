/* Plain summation: every addition is rounded, and nothing is done about it.
 *
 *   1 + u + u  ->  (1 + u) + u = 1       each tie goes to even, both u are lost
 *
 * Bound: G1 S with G1 = min((n-1)u, (1 + u/(1+u))^(h-1) - 1), for any tree of height h (docs/bounds.md, P1; the
 * first form also Rump, BIT 52 (2012), and Jeannerod & Rump, SIAM J. Matrix Anal. Appl. 34 (2013)).
 */
struct plain {
    real sum;
};

PORTABLE struct plain plain_zero(void)
{
    struct plain s;
    s.sum = 0;
    return s;
}

PORTABLE struct plain plain_add(struct plain s, real x)
{
    s.sum = RN(s.sum + x);
    return s;
}

#define plain_HAS_FMA 1
KERNEL_OR_REPLAY struct plain plain_add_product(struct plain s, real x, real y)
{
    s.sum = real_fma(x, y, s.sum);
    return s;
}

PORTABLE struct plain plain_merge(struct plain a, struct plain b)
{
    a.sum = RN(a.sum + b.sum);
    return a;
}

PORTABLE double plain_result(struct plain s)
{
    return (double)s.sum;
}

#define plain_HAS_ATOMIC 1
#define plain_EMPTY_CHANGES_ONCE 1 /* a merge with an empty state makes +0 of -0, which fma can leave, and no more */
#define plain_HAS_MODEL 1
#define plain_FUSES_OFFSETS (REAL_PRECISION >= 24) /* (x - c)^2 are made while they are added: offsets.h */
#define plain_FUSES_ROWS (REAL_PRECISION >= 24)    /* rows that fit shared memory are read once: vector_rows.h */

/* atom.add.f32 on global memory flushes subnormal operands and results to zero (PTX ISA, atom); .f64, and .f16 and
 * .bf16 with their .noftz, do not.  One of the two at most loses something, less than FLT_MIN, which later roundings at
 * most double (docs/bounds.md): for every block. */
#define plain_ATOMIC_LOSS (REAL_PRECISION == 24 ? 2 * (double)REAL_MIN_NORMAL : 0)

#undef TRAITS
#define TRAITS .kind = KIND_UNCOMPENSATED, .state = &REAL_FORMAT

#ifdef __CUDACC__
static __device__ void plain_merge_atomic(struct plain *total, struct plain s)
{
    atomicAdd(&total->sum, s.sum);
}
#else
static inline int plain_parts(struct plain s, double parts[])
{
    parts[0] = (double)s.sum;
    return 1;
}

static inline double plain_bound(const struct claim *of)
{
    return bound_unless_overflow(of, round_up(bound_first_order(of->n, of->height, REAL_U) * of->sum_abs));
}

static inline double plain_probabilistic_bound(const struct claim *of)
{
    const double share = bound_probabilistic_first_order(of->n, of->height, REAL_U);
    return bound_unless_overflow(of, round_up(share * of->sum_abs));
}
#endif

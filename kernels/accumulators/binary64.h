/* Accumulation in binary64: 29 more bits than binary32, until the data need more.
 *
 *   2^53 + 1 - 2^53 = 0    2^52 + 1 - 2^52 = 1
 *
 * Bound: u/(1+u) |s| + (1+u) G1(2^-53) S, u of the result: plain summation with the smaller unit roundoff, then one
 * rounding (docs/bounds.md, P6).  A subnormal result is a multiple of 2^-149, so that this rounding is exact too.
 */
#if REAL_PRECISION == 53
#define ABSENT "it adds in binary64, which is plain here"
#elif REAL_PRECISION < 24
#define ABSENT "it adds in binary64, which is no addition of this format: it is in the format that adds in binary32"
#else
struct binary64 {
    double sum;
};

PORTABLE struct binary64 binary64_zero(void)
{
    struct binary64 s;
    s.sum = 0;
    return s;
}

PORTABLE struct binary64 binary64_add(struct binary64 s, real x)
{
    s.sum += (double)x;
    return s;
}

#define binary64_HAS_PAIRS 1 /* what rounding took from a product and the product are one number */
PORTABLE struct binary64 binary64_add_pair(struct binary64 s, real product, real error)
{
    s.sum += (double)product + (double)error;
    return s;
}

PORTABLE struct binary64 binary64_merge(struct binary64 a, struct binary64 b)
{
    a.sum += b.sum;
    return a;
}

PORTABLE double binary64_result(struct binary64 s)
{
    return s.sum;
}

#define binary64_HAS_ATOMIC 1
#define binary64_EMPTY_CHANGES_ONCE                                                                                    \
    1 /* a merge with an empty state makes +0 of -0, which fma can leave, and no more                                  \
       */
#define binary64_HAS_MODEL 1
#define binary64_ROUNDED_ONCE 1
#define binary64_ATOMIC_LOSS 0.0 /* atom.add.f64 keeps subnormals, and sums of binary32 are none */

#undef TRAITS
#define TRAITS .kind = KIND_WIDER, .advantage = "binary64", .narrow = "plain", .state = &FORMAT_BINARY64

#ifdef __CUDACC__
static __device__ void binary64_merge_atomic(struct binary64 *total, struct binary64 s)
{
    atomicAdd(&total->sum, s.sum);
}
#else
static inline int binary64_parts(struct binary64 s, double parts[])
{
    parts[0] = s.sum;
    return 1;
}

static inline double binary64_bound(const struct claim *of)
{
    const double inner = bound_first_order(of->n, of->height, 0x1p-53);
    return bound_unless_overflow(of, bound_last_rounding(of, of->result_u, inner));
}

static inline double binary64_probabilistic_bound(const struct claim *of)
{
    const double inner = bound_probabilistic_first_order(of->n, of->height, 0x1p-53);
    return bound_unless_overflow(of, bound_last_rounding(of, of->result_u, inner));
}
#endif
#endif

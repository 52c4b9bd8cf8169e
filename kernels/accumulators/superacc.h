/* The exact sum, correctly rounded, in a superaccumulator (Kulisch, Computer Arithmetic and Validity, 2013, chapter 8):
 * one integer so wide that every binary32 number is a multiple of its unit, and no sum of them overflows it.
 *
 *   unit 2^-150, 5 limbs of 64 bits, two's complement
 *   1 = 2^150 units: bit 22 of limb 2        2^-149: bit 1 of limb 0        FLT_MAX: bits 254 to 277
 *
 * 320 bits less 278 for FLT_MAX and one for the sign leave room for 2^41 numbers.  Integers add in any order, so that
 * every tree, launch and permutation gives the same bits, and those of RN(s): also where atomics decide the order.
 *
 *   binary64: unit 2^-1075, 34 limbs; 2,176 bits, of which DBL_MAX has 2,099
 *   products of binary32 (dot_exact): unit 2^-345, 10 limbs; 640 bits less 601 for FLT_MAX^2, room for 2^38 products
 *
 * Bound: u/(1+u) |s|, one rounding, u of the result; 0 where |s| < 2^-126, as s is a multiple of 2^-149
 * (docs/bounds.md, P8).  Of products half the least number there, and nothing else: none overflows or underflows.
 *
 * Here an addition is 63 instructions of PTX; in binary64 it goes no further than its carry does.  The fast order of
 * binary32 adds to small arrays of binary64 instead, and to these limbs only at the end: kernels/vector_bins.h.
 *
 * Special values: infinities and NaN are added up apart, so that they give plain's result in any order.
 */
#if REAL_PRECISION < 24
#define ABSENT "it is exact, whatever the additions are: it is in the format that adds in binary32"
#else

#define superacc_HAS_ATOMIC 1
#define superacc_ATOMIC_LOSS 0.0
#define superacc_ANY_ORDER 1 /* the same bits, also where atomics decide the order */
#define superacc_HAS_BINS 1  /* for kernels/vector_bins.h */

/* dot_exact is compiled with a state of its own, on a GPU as well: twice the exponents. */
#define superacc_HAS_EXACT_PRODUCTS (REAL_PRECISION == 24)
#if superacc_HAS_EXACT_PRODUCTS && defined(IS_dot_exact)
#define SUPERACC_OF_PRODUCTS 1
#else
#define SUPERACC_OF_PRODUCTS 0
#endif

/* To the result's format; in binary64 a narrower one would be a second rounding. */
#define superacc_ROUNDED_ONCE (REAL_PRECISION == 24)

/* The unit is half the least subnormal: an exponent field then is the place of the last bit.  Of products it is that of
 * the last of 48 bits of the least. */
#if REAL_PRECISION == 53
enum { superacc_LIMBS = 34, SUPERACC_UNIT_EXPONENT = -1075, SUPERACC_FRACTION = 52, SUPERACC_INFINITE_FIELD = 0x7ff };
#elif SUPERACC_OF_PRODUCTS
enum { superacc_LIMBS = 10, SUPERACC_UNIT_EXPONENT = -345, SUPERACC_FRACTION = 23, SUPERACC_INFINITE_FIELD = 0xff };
#else
enum { superacc_LIMBS = 5, SUPERACC_UNIT_EXPONENT = -150, SUPERACC_FRACTION = 23, SUPERACC_INFINITE_FIELD = 0xff };
#endif
enum { superacc_LIMB_BITS = 64 };

/* 34 limbs are a loop on the GPU, 5 are written out. */
#if defined(__CUDA_ARCH__) && REAL_PRECISION == 53
#define SUPERACC_LOOP _Pragma("unroll 1")
#else
#define SUPERACC_LOOP
#endif

__extension__ typedef unsigned __int128 superacc_wide;
__extension__ typedef __int128 superacc_signed;

struct superacc {
    uint64_t limb[superacc_LIMBS];
    double special; /* the sum of the infinities and NaN; 0: none */
};

PORTABLE struct superacc superacc_zero(void)
{
    struct superacc s;
    SUPERACC_LOOP
    for (int k = 0; k < superacc_LIMBS; k++)
        s.limb[k] = 0;
    s.special = 0;
    return s;
}

/* Adds magnitude 2^bit units, or subtracts them: then the complement of every limb, and 1 as the first carry. */
PORTABLE struct superacc superacc_add_integer(struct superacc s, uint64_t magnitude, int negative, uint32_t bit)
{
    const int first = (int)(bit / superacc_LIMB_BITS);
    const superacc_wide shifted = (superacc_wide)magnitude << bit % superacc_LIMB_BITS;
    const uint64_t low = (uint64_t)shifted, high = (uint64_t)(shifted >> superacc_LIMB_BITS);
    const uint64_t flip = negative ? UINT64_MAX : 0;
    superacc_wide carry = flip & 1;
#if REAL_PRECISION == 53
    /* A limb to which the complement of 0 and a carry of 1 are added, or neither, stays and hands the carry on: so do
     * those below the first, and those above once the carry is what it was. */
    SUPERACC_LOOP
    for (int k = first; k < superacc_LIMBS && (k < first + 2 || carry != (flip & 1)); k++) {
#else
    for (int k = 0; k < superacc_LIMBS; k++) {
#endif
        const uint64_t piece = (k == first ? low : k == first + 1 ? high : 0) ^ flip;
        carry += (superacc_wide)s.limb[k] + piece;
        s.limb[k] = (uint64_t)carry;
        carry >>= superacc_LIMB_BITS;
    }
    return s;
}

/* The sum of integers: number k counts units of 2^(unit + k spacing), and is below 2^63.  Each limb takes those that
 * begin in it, and hands on what it has no room for. */
PORTABLE struct superacc superacc_of_integers(const int64_t integers[], int count, int unit, int spacing)
{
    struct superacc s = superacc_zero();
    superacc_signed carry = 0;
    int i = 0;
    SUPERACC_LOOP
    for (int k = 0; k < superacc_LIMBS; k++) {
        int bit = unit + i * spacing - (SUPERACC_UNIT_EXPONENT + superacc_LIMB_BITS * k);
        for (; i < count && bit < superacc_LIMB_BITS; i++, bit += spacing)
            carry += (superacc_signed)integers[i] * ((superacc_signed)1 << bit);
        s.limb[k] = (uint64_t)carry;
        carry >>= superacc_LIMB_BITS; /* rounds down, with gcc, clang and nvcc */
    }
    return s;
}

/* The sum of many states' limbs, whose lower and upper 32 bits were added apart. */
PORTABLE struct superacc superacc_of_halves(const uint64_t low[superacc_LIMBS], const uint64_t high[superacc_LIMBS])
{
    struct superacc s = superacc_zero();
    superacc_wide carry = 0;
    SUPERACC_LOOP
    for (int k = 0; k < superacc_LIMBS; k++) {
        carry += low[k] + ((superacc_wide)high[k] << 32);
        s.limb[k] = (uint64_t)carry;
        carry >>= superacc_LIMB_BITS;
    }
    return s;
}

PORTABLE struct superacc superacc_add(struct superacc s, real x)
{
#if REAL_PRECISION == 53
    typedef uint64_t bits_of_real;
#else
    typedef uint32_t bits_of_real;
#endif
    const bits_of_real hidden = (bits_of_real)1 << SUPERACC_FRACTION, bits = real_bits(x);
    const bits_of_real field = bits >> SUPERACC_FRACTION & SUPERACC_INFINITE_FIELD, fraction = bits & (hidden - 1);
    if (RARELY(!is_finite(x))) {
        s.special += (double)x;
        return s;
    }
    /* Subnormals have no hidden bit, and the last bit of the least normal number: field 1, not 0. */
    const bits_of_real significand = field > 0 ? fraction | hidden : fraction << 1;
    const uint32_t bit = (uint32_t)field + (SUPERACC_OF_PRODUCTS ? 195 : 0);
    return superacc_add_integer(s, significand, (int)(bits >> (8 * sizeof bits - 1)), bit);
}

#if SUPERACC_OF_PRODUCTS
/* Adds x y, which binary64 holds: 48 bits, and an exponent of -298 at least.  Field 725 is that of 2^-298. */
PORTABLE struct superacc superacc_add_product(struct superacc s, real x, real y)
{
    const double product = (double)x * (double)y;
    const uint64_t hidden = UINT64_C(1) << 52, bits = double_bits(product);
    const uint32_t field = (uint32_t)(bits >> 52) & 0x7ff;
    if (RARELY(field == 0x7ff))
        s.special += product;
    if (RARELY(field == 0 || field == 0x7ff))
        return s;
    return superacc_add_integer(s, ((bits & (hidden - 1)) | hidden) >> 5, (int)(bits >> 63), field - 725);
}
#endif

PORTABLE struct superacc superacc_merge(struct superacc a, struct superacc b)
{
    superacc_wide carry = 0;
    SUPERACC_LOOP
    for (int k = 0; k < superacc_LIMBS; k++) {
        carry += (superacc_wide)a.limb[k] + b.limb[k];
        a.limb[k] = (uint64_t)carry;
        carry >>= superacc_LIMB_BITS;
    }
    a.special += b.special;
    return a;
}

PORTABLE struct superacc superacc_negated(struct superacc s)
{
    superacc_wide carry = 1;
    SUPERACC_LOOP
    for (int k = 0; k < superacc_LIMBS; k++) {
        carry += ~s.limb[k];
        s.limb[k] = (uint64_t)carry;
        carry >>= superacc_LIMB_BITS;
    }
    return s;
}

#if REAL_PRECISION == 53
/* |s|, rounded: of the highest limb that is not 0 and the one below 63 bits are kept, the last of which has whatever is
 * further down, and the conversion rounds them to 53.  What has fewer, as subnormals have, it leaves. */
PORTABLE double superacc_magnitude(struct superacc s)
{
    int k = superacc_LIMBS - 1;
    while (k > 0 && s.limb[k] == 0)
        k--;
    uint64_t top = s.limb[k], below = k > 0 ? s.limb[k - 1] : 0, rest = 0;
    int e = SUPERACC_UNIT_EXPONENT + superacc_LIMB_BITS * k;
    for (int i = 0; i < k - 1; i++)
        rest |= s.limb[i];
    for (int step = 32; step > 0; step /= 2)
        if (top >> (superacc_LIMB_BITS - step) == 0) {
            top = top << step | below >> (superacc_LIMB_BITS - step);
            below <<= step;
            e -= step;
        }
    rest |= below | (top & 1);
    return double_scaled((double)(int64_t)(top >> 1 | (rest != 0)), e + 1);
}
#else
/* |s|: of the highest limb that is not 0 and the one below 33 to 52 bits are kept, which binary64 holds, and whatever
 * is further down becomes the last of them, far below the 24 that remain. */
PORTABLE double superacc_magnitude(struct superacc s)
{
    uint64_t top = 0, below = 0, rest = 0, seen = 0;
    double unit = SUPERACC_OF_PRODUCTS ? 0x1p-345 : 0x1p-150, unit_of_top = unit;
    for (int k = 0; k < superacc_LIMBS; k++) {
        if (s.limb[k] != 0) {
            top = s.limb[k];
            below = k > 0 ? s.limb[k - 1] : 0;
            rest = seen;
            unit_of_top = unit;
        }
        seen |= k > 0 ? s.limb[k - 1] : 0;
        unit *= 0x1p64;
    }
    if (top < UINT64_C(1) << 32) {
        top = top << 32 | below >> 32;
        rest |= below << 32;
        unit_of_top *= 0x1p-32;
    } else {
        rest |= below;
    }
    if (top >= UINT64_C(1) << 52) {
        rest |= top & 0xfff;
        top >>= 12;
        unit_of_top *= 0x1p12;
    }
    return (double)(int64_t)(top | (rest != 0)) * unit_of_top;
}
#endif

PORTABLE double superacc_result(struct superacc s)
{
    if (s.special != 0)
        return s.special;
    const int negative = (int)(s.limb[superacc_LIMBS - 1] >> (superacc_LIMB_BITS - 1));
    return negative ? -superacc_magnitude(superacc_negated(s)) : superacc_magnitude(s);
}

#undef TRAITS
#define TRAITS .kind = KIND_EXACT, .advantage = "the accumulator", .narrow = "plain"

#ifdef __CUDACC__
/* Limb by limb, handing on the carry of each: what the total lacks meanwhile is in the hands of some thread. */
static __device__ void superacc_merge_atomic(struct superacc *total, struct superacc s)
{
    uint64_t carry = 0;
    SUPERACC_LOOP
    for (int k = 0; k < superacc_LIMBS; k++) {
        const uint64_t piece = s.limb[k] + carry;
        const uint64_t before = atomicAdd((unsigned long long *)&total->limb[k], (unsigned long long)piece);
        carry = piece < carry || before + piece < piece;
    }
    if (s.special != 0)
        atomicAdd(&total->special, s.special);
}
#else
/* Two for each limb of |s|: in binary64 the limbs of a negative sum, but not the sum, would be out of range. */
static inline int superacc_parts(struct superacc s, double parts[])
{
    const int negative = (int)(s.limb[superacc_LIMBS - 1] >> (superacc_LIMB_BITS - 1));
    const struct superacc magnitude = negative ? superacc_negated(s) : s;
    int count = 0;
    for (int k = 0; k < 2 * superacc_LIMBS; k++) {
        const double half = (double)(uint32_t)(magnitude.limb[k / 2] >> 32 * (k % 2));
        parts[count++] = double_scaled(negative ? -half : half, SUPERACC_UNIT_EXPONENT + 32 * k);
    }
    parts[count++] = s.special;
    return count;
}

static inline double superacc_bound(const struct claim *of)
{
    const double u = superacc_ROUNDED_ONCE ? of->result_u : REAL_U;
    if (of->n <= 1)
        return 0;
    if (!(of->abs_s <= (double)REAL_MAX && of->sum_abs < INFINITY))
        return INFINITY;
    if (of->abs_s < (double)REAL_MIN_NORMAL)
        return SUPERACC_OF_PRODUCTS && of->abs_s > 0 ? REAL_U * (double)REAL_MIN_NORMAL : 0;
    return round_up(bound_one_rounding(u) * of->abs_s);
}
#endif
#endif

/* The exact sum, correctly rounded, in a superaccumulator (Kulisch, Computer Arithmetic and Validity, 2013, chapter 8):
 * one integer so wide that every binary32 number is a multiple of its unit, and no sum of them overflows it.
 *
 *   unit 2^-150, 5 limbs of 64 bits, two's complement
 *   1 = 2^150 units: bit 22 of limb 2        2^-149: bit 1 of limb 0        FLT_MAX: bits 254 to 277
 *
 * 320 bits less 278 for FLT_MAX and one for the sign leave room for 2^41 numbers.  Integers add in any order, so that
 * every tree, launch and permutation gives the same bits, and those of RN(s): also where atomics decide the order.
 *
 * Bound: u/(1+u) |s|, one rounding; 0 where |s| < 2^-126, as s is a multiple of 2^-149 (docs/bounds.md, P8).
 *
 * Here an addition is 63 instructions of PTX.  The fast order adds to small arrays of binary64 instead, and to these
 * limbs only at the end: kernels/vector_bins.h.
 *
 * Special values: infinities and NaN are added up apart, so that they give plain's result in any order.
 */
enum {
    superacc_LIMBS = 5,
    superacc_LIMB_BITS = 64,
    superacc_INTEGERS = 16, /* what superacc_of_integers takes: a bin each */
};

#define SUPERACC_UNIT 0x1p-150 /* half the least subnormal: an exponent field then is the place of the last bit */

__extension__ typedef unsigned __int128 superacc_wide;
__extension__ typedef __int128 superacc_signed;

struct superacc {
    uint64_t limb[superacc_LIMBS];
    double special; /* the sum of the infinities and NaN; 0: none */
};

PORTABLE struct superacc superacc_zero(void)
{
    struct superacc s;
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
    for (int k = 0; k < superacc_LIMBS; k++) {
        const uint64_t piece = (k == first ? low : k == first + 1 ? high : 0) ^ flip;
        carry += (superacc_wide)s.limb[k] + piece;
        s.limb[k] = (uint64_t)carry;
        carry >>= superacc_LIMB_BITS;
    }
    return s;
}

/* The sum of integers 2^16 units apart: integer k counts 2^(16k) units.  Each limb takes four, and hands on what it has
 * no room for. */
PORTABLE struct superacc superacc_of_integers(const int64_t integers[superacc_INTEGERS])
{
    struct superacc s = superacc_zero();
    superacc_signed carry = 0;
    for (int k = 0; k < superacc_LIMBS; k++) {
        for (int i = 4 * k; i < 4 * k + 4 && i < superacc_INTEGERS; i++)
            carry += (superacc_signed)integers[i] * (INT64_C(1) << 16 * (i - 4 * k));
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
    for (int k = 0; k < superacc_LIMBS; k++) {
        carry += low[k] + ((superacc_wide)high[k] << 32);
        s.limb[k] = (uint64_t)carry;
        carry >>= superacc_LIMB_BITS;
    }
    return s;
}

PORTABLE struct superacc superacc_add(struct superacc s, real x)
{
    const uint32_t bits = real_bits(x), field = bits >> 23 & 0xff, fraction = bits & 0x7fffff;
    if (RARELY(!is_finite(x))) {
        s.special += (double)x;
        return s;
    }
    /* Subnormals have no hidden bit, and the last bit of the least normal number: field 1, not 0. */
    const uint32_t significand = field > 0 ? fraction | 0x800000 : fraction << 1;
    return superacc_add_integer(s, significand, (int)(bits >> 31), field);
}

PORTABLE struct superacc superacc_merge(struct superacc a, struct superacc b)
{
    superacc_wide carry = 0;
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
    for (int k = 0; k < superacc_LIMBS; k++) {
        carry += ~s.limb[k];
        s.limb[k] = (uint64_t)carry;
        carry >>= superacc_LIMB_BITS;
    }
    return s;
}

/* |s|: of the highest limb that is not 0 and the one below 33 to 52 bits are kept, which binary64 holds, and whatever
 * is further down becomes the last of them, far below the 24 that remain. */
PORTABLE double superacc_magnitude(struct superacc s)
{
    uint64_t top = 0, below = 0, rest = 0, seen = 0;
    double unit = SUPERACC_UNIT, unit_of_top = SUPERACC_UNIT;
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

PORTABLE double superacc_result(struct superacc s)
{
    if (s.special != 0)
        return s.special;
    const int negative = (int)(s.limb[superacc_LIMBS - 1] >> (superacc_LIMB_BITS - 1));
    return negative ? -superacc_magnitude(superacc_negated(s)) : superacc_magnitude(s);
}

#define superacc_HAS_ATOMIC 1
#define superacc_ATOMIC_LOSS 0.0
#define superacc_ANY_ORDER 1 /* the same bits, also where atomics decide the order */
#define superacc_HAS_BINS 1  /* for kernels/vector_bins.h */

#undef TRAITS
#define TRAITS .advantage = "the accumulator", .narrow = "plain"

#ifdef __CUDACC__
/* Limb by limb, handing on the carry of each: what the total lacks meanwhile is in the hands of some thread. */
static __device__ void superacc_merge_atomic(struct superacc *total, struct superacc s)
{
    uint64_t carry = 0;
    for (int k = 0; k < superacc_LIMBS; k++) {
        const uint64_t piece = s.limb[k] + carry;
        const uint64_t before = atomicAdd((unsigned long long *)&total->limb[k], (unsigned long long)piece);
        carry = piece < carry || before + piece < piece;
    }
    if (s.special != 0)
        atomicAdd(&total->special, s.special);
}
#else
/* Two for each limb; the sign is that of the highest half. */
static inline int superacc_parts(struct superacc s, double parts[])
{
    double unit = SUPERACC_UNIT;
    int count = 0;
    for (int k = 0; k < superacc_LIMBS; k++) {
        const uint32_t high = (uint32_t)(s.limb[k] >> 32);
        parts[count++] = (double)(uint32_t)s.limb[k] * unit;
        parts[count++] = (k == superacc_LIMBS - 1 ? (double)(int32_t)high : (double)high) * (unit * 0x1p32);
        unit *= 0x1p64;
    }
    parts[count++] = s.special;
    return count;
}

static inline double superacc_bound(const struct claim *of)
{
    if (of->n <= 1)
        return 0;
    if (!(of->abs_s <= (double)REAL_MAX && of->sum_abs < INFINITY))
        return INFINITY;
    return of->abs_s < (double)REAL_MIN_NORMAL ? 0 : round_up(bound_one_rounding(REAL_U) * of->abs_s);
}
#endif

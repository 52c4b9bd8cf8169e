/* Reproducible summation in bins (after Demmel & Nguyen, IEEE Trans. Comput. 64 (2015) 2060, and ReproBLAS): each
 * number is cut into pieces that are multiples of fixed units, and each unit has an integer of its own.  Integer sums
 * do not depend on the order, so neither does the result: the same bits for every tree, launch and permutation.
 *
 *   K = 3, W = 20: bin j counts units of 2^(20j - 149).      1    3 2^-30    2^-50
 *   bin 7 (2^-9), the top of these three numbers           512         0        0
 *   bin 6 (2^-29)                                            0         2        0     1.5: the tie goes to even
 *   bin 5 (2^-49)                                            0   -2^19        0     0.5 of a unit: lost
 *
 * K = BINNED_FOLD bins of W = BINNED_WIDTH bits are kept, counted from the top: the highest bin that any number
 * reached.  x reaches bin j from |x| = half of its unit; below that it rounds to 0 in bin j and in all above.  A bin
 * thus holds the same whether the top was there before a number or rose after it.
 *
 * Bound: u/(1+u) |s| + (1+u) min(n 2^(W(1-K)) max |x_i|, S): what falls below the last bin, then one rounding
 * (docs/bounds.md, P7).  Nothing overflows before that rounding.
 *
 * Width: ReproBLAS's is 13, because its bins are floats.  Here pieces are added as integers and carried, so that 20
 * cost the same and keep 2^-40 of max |x| instead of 2^-26.  20 is the most at which 2^40 numbers fit.
 *
 * Cutting: x is scaled so that the top unit is 2^-22, the spacing of floats in [2, 4).  3 + x then is x rounded to a
 * multiple of the unit, its bits minus those of 3 are the piece as an integer, (3 + x) - 3 is the piece as a float, and
 * x minus that is exact.  The next bins do the same with 3 * 2^-W, 3 * 2^-2W, ...: constants, whatever the top.
 *
 * Cost, K = 3: 15 instructions for an element: 1 multiplication, 7 additions, 4 integer additions, 2 comparisons (|x|
 * is a modifier of an operand) and a branch.  The state is 9 words; four of them in a thread and their loads take 62
 * registers.
 *
 * Special values: infinities and NaN are added up apart, so that they give plain's result in any order.
 */
#ifndef BINNED_FOLD
#define BINNED_FOLD 3
#endif
#ifndef BINNED_WIDTH
#define BINNED_WIDTH 20
#endif

#define BINNED_FRACTION (BINNED_WIDTH * (BINNED_FOLD - 1)) /* bits below the top bin */
#if BINNED_FRACTION < 24 || BINNED_FRACTION > 60 || BINNED_WIDTH > 20
#error "binned: 24 bits below the top bin keep one number exact; more than 60, or bins above 20, overflow integers"
#endif

#define BINNED_BASE ((real)(1 << BINNED_WIDTH))
#define BINNED_LIMIT (BINNED_BASE * (real)0x1p-23) /* half a unit of the bin above the top, scaled */
#define BINNED_FIRST_SCALE ((real)0x1p127)         /* top 0: its unit, 2^-149, becomes 2^-22 */

/* A piece has at most 2^(W-1) units, so that so many fit in 32 bits with a sign: 4,095 for W = 20. */
#define BINNED_MOST_PIECES ((UINT32_C(1) << (32 - BINNED_WIDTH)) - 1)

/* A carry leaves 0 <= low < 2^29, as much as so many pieces.  high then has room for 2^40 numbers:
 * 2^40 2^19 / 2^29 = 2^30. */
#define BINNED_CARRY_BITS 29
#define BINNED_PIECES_LEFT (UINT32_C(1) << (BINNED_CARRY_BITS + 1 - BINNED_WIDTH))

/* Bin top - k is high[k] * 2^29 + low[k], low with a sign (two's complement). */
STATE
{
    real scale; /* 2^(127 - W top); numbers times it are below BINNED_LIMIT */
    uint32_t low[BINNED_FOLD];
    int32_t high[BINNED_FOLD];
    uint32_t pieces; /* |low[k]| <= pieces * 2^(W-1) */
    real special;    /* the sum of the infinities and NaN; 0: none */
};

PORTABLE STATE A(zero)(void)
{
    STATE s;
    s.scale = BINNED_FIRST_SCALE;
    for (int k = 0; k < BINNED_FOLD; k++) {
        s.low[k] = 0;
        s.high[k] = 0;
    }
    s.pieces = 0;
    s.special = 0;
    return s;
}

/* The top one bin higher, but for the scale; what was in the last bin is given up. */
PORTABLE STATE A(shift)(STATE s)
{
    for (int k = BINNED_FOLD - 1; k > 0; k--) {
        s.low[k] = s.low[k - 1];
        s.high[k] = s.high[k - 1];
    }
    s.low[0] = 0;
    s.high[0] = 0;
    return s;
}

PORTABLE STATE A(raise)(STATE s)
{
    s.scale *= 1 / BINNED_BASE;
    return A(shift)(s);
}

PORTABLE int64_t A(low)(STATE s, int k)
{
    return (int64_t)(s.low[k] ^ UINT32_C(1) << 31) - (INT64_C(1) << 31);
}

PORTABLE int64_t A(bin)(STATE s, int k)
{
    return s.high[k] * (INT64_C(1) << BINNED_CARRY_BITS) + A(low)(s, k);
}

/* high takes low / 2^29, rounded down: -4 to 3. */
PORTABLE STATE A(carry)(STATE s)
{
    for (int k = 0; k < BINNED_FOLD; k++) {
        s.high[k] += (int32_t)((s.low[k] ^ UINT32_C(1) << 31) >> BINNED_CARRY_BITS) - 4;
        s.low[k] &= (UINT32_C(1) << BINNED_CARRY_BITS) - 1;
    }
    s.pieces = BINNED_PIECES_LEFT;
    return s;
}

/* Room for a finite x: once in 3,071 additions (W = 20), and where x is the largest so far.  At most 277 / W steps. */
PORTABLE STATE A(make_room)(STATE s, real x)
{
    int tops = 0;
    for (; !(REAL_ABS(x * s.scale) < BINNED_LIMIT); tops++)
        s.scale *= 1 / BINNED_BASE;
    for (int k = 0; k < BINNED_FOLD && k < tops; k++) /* after K of them all bins are empty */
        s = A(shift)(s);
    return s.pieces == BINNED_MOST_PIECES ? A(carry)(s) : s;
}

#define ADD_BRANCHES /* which replays want to know, see kernels/grid_stride.h */

PORTABLE STATE A(add)(STATE s, real x)
{
    real rest = x * s.scale;
    if (RARELY(!(REAL_ABS(rest) < BINNED_LIMIT) || s.pieces == BINNED_MOST_PIECES)) {
        if (!is_finite(x)) {
            s.special += x;
            return s;
        }
        s = A(make_room)(s, x);
        rest = x * s.scale;
    }
    real three = 3;
    for (int k = 0; k < BINNED_FOLD; k++) {
        const real sum = three + rest;
        s.low[k] += real_bits(sum) - real_bits(three);
        rest -= sum - three;
        three *= 1 / BINNED_BASE;
    }
    s.pieces++;
    return s;
}

PORTABLE STATE A(merge)(STATE a, STATE b)
{
    while (a.scale > b.scale)
        a = A(raise)(a);
    while (b.scale > a.scale)
        b = A(raise)(b);
    if (a.pieces + b.pieces > BINNED_MOST_PIECES) {
        a = A(carry)(a);
        b = A(carry)(b);
    }
    for (int k = 0; k < BINNED_FOLD; k++) {
        a.low[k] += b.low[k];
        a.high[k] += b.high[k];
    }
    a.pieces += b.pieces;
    a.special += b.special;
    return a;
}

/* The value of one unit of the top bin. */
PORTABLE double A(unit)(STATE s)
{
    double unit = 0x1p-149;
    for (real scale = BINNED_FIRST_SCALE; scale > s.scale; scale *= 1 / BINNED_BASE)
        unit *= BINNED_BASE;
    return unit;
}

/* (whole + fraction / 2^BINNED_FRACTION) * unit.  The fraction's bits move into the whole while it has room, and
 * whatever is left becomes one sticky bit, far below the 24 that remain. */
PORTABLE double A(join)(uint64_t whole, uint64_t fraction, double unit)
{
    int below = BINNED_FRACTION;
    for (int step = 32; step > 0; step /= 2)
        if (below >= step && whole < UINT64_C(1) << (52 - step)) {
            below -= step;
            whole = whole << step | (fraction >> below & ((UINT64_C(1) << step) - 1));
            unit *= 1 / (double)(UINT64_C(1) << step);
        }
    uint64_t rest = fraction & ((UINT64_C(1) << below) - 1);
    if (whole >= UINT64_C(1) << 52) {
        rest |= whole & 0xfff;
        whole >>= 12;
        unit *= 0x1p12;
    }
    return (double)(int64_t)(whole | (rest != 0)) * unit;
}

/* Each bin but the top keeps W bits, its part of the fraction, and carries the others; then the sign is taken out. */
PORTABLE double A(result)(STATE s)
{
    const int64_t base = INT64_C(1) << BINNED_WIDTH;
    int64_t carry = 0;
    uint64_t fraction = 0;
    if (s.special != 0)
        return (double)s.special;
    for (int k = BINNED_FOLD - 1; k > 0; k--) {
        const int64_t bin = A(bin)(s, k) + carry;
        const int64_t kept = (int64_t)((uint64_t)bin & (uint64_t)(base - 1));
        fraction |= (uint64_t)kept << (BINNED_WIDTH * (BINNED_FOLD - 1 - k));
        carry = (bin - kept) / base;
    }
    const int64_t whole = A(bin)(s, 0) + carry;
    if (whole >= 0)
        return A(join)((uint64_t)whole, fraction, A(unit)(s));
    if (fraction == 0)
        return -A(join)((uint64_t)-whole, 0, A(unit)(s));
    return -A(join)((uint64_t)(-whole - 1), (UINT64_C(1) << BINNED_FRACTION) - fraction, A(unit)(s));
}

#undef TRAITS
#define TRAITS .advantage = "the accumulator", .narrow = "plain"

#ifndef __CUDACC__
/* Two for each bin, since its integer has more than 53 bits. */
static inline int A(parts)(STATE s, double parts[])
{
    double unit = A(unit)(s);
    int count = 0;
    for (int k = 0; k < BINNED_FOLD; k++, unit *= 1 / (double)BINNED_BASE) {
        parts[count++] = (double)s.high[k] * (double)(INT64_C(1) << BINNED_CARRY_BITS) * unit;
        parts[count++] = (double)A(low)(s, k) * unit;
    }
    parts[count++] = (double)s.special;
    return count;
}

/* No claim where the one rounding at the end can overflow. */
static inline double A(bound)(const struct claim *of)
{
    if (of->n <= 1)
        return 0;
    const double below_the_last_bin = round_up(of->n * of->max_abs / (double)(INT64_C(1) << BINNED_FRACTION));
    const double lost = bound_min(below_the_last_bin, of->sum_abs);
    if (!(round_up(of->abs_s + lost) <= (double)REAL_MAX))
        return INFINITY;
    return round_up(bound_one_rounding(REAL_U) * of->abs_s + (1 + REAL_U) * lost);
}
#endif

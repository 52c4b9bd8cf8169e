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
 * cost the same and keep 2^-40 of max |x| instead of 2^-26.  20 is the most at which 2^40 numbers fit.  In binary64 W
 * is 40, as in ReproBLAS, which keeps 2^-80: 2^24 pieces fit in a word of 64 bits.
 *
 * Cutting: x is scaled so that the top unit is 2^-22, the spacing of floats in [2, 4) (binary64: 2^-51).  3 + x then is
 * x rounded to a multiple of the unit, its bits minus those of 3 are the piece as an integer, (3 + x) - 3 is the piece
 * as a float, and x minus that is exact.  The next bins do the same with 3 * 2^-W, 3 * 2^-2W, ...: constants, whatever
 * the top.
 *
 * Cost, K = 3: 15 instructions for an element: 1 multiplication, 7 additions, 4 integer additions, 2 comparisons (|x|
 * is a modifier of an operand) and a branch.  The state is 9 words; one of them in a thread is enough, see FEW_STATES.
 *
 * Special values: infinities and NaN are added up apart, so that they give plain's result in any order.
 */
#if REAL_PRECISION < 24
#define ABSENT "its bins are integers, whatever the additions are: it is in the format that adds in binary32"
#else

__extension__ typedef __int128 binned_int128;
__extension__ typedef unsigned __int128 binned_uint128;

#if REAL_PRECISION == 53
enum { BINNED_WORD_BITS = 64, BINNED_LEAST = -1074, BINNED_JOINED_BITS = 64 };
typedef uint64_t binned_word;
typedef int64_t binned_signed;
typedef binned_int128 binned_wide; /* a bin, or all of them above a fraction */
typedef binned_uint128 binned_magnitude;
#define BINNED_WIDTH 40
#define BINNED_FIRST_SCALE 0x1p1023 /* top 0: its unit, 2^-1074, becomes 2^-51 */
#else
enum { BINNED_WORD_BITS = 32, BINNED_LEAST = -149, BINNED_JOINED_BITS = 52 };
typedef uint32_t binned_word;
typedef int32_t binned_signed;
typedef int64_t binned_wide;
typedef uint64_t binned_magnitude;
#ifndef BINNED_WIDTH
#define BINNED_WIDTH 20
#endif
#define BINNED_FIRST_SCALE 0x1p127f /* top 0: its unit, 2^-149, becomes 2^-22 */
#endif

#ifndef BINNED_FOLD
#define BINNED_FOLD 3
#endif

#define BINNED_FRACTION (BINNED_WIDTH * (BINNED_FOLD - 1)) /* bits below the top bin */
#if BINNED_FRACTION < REAL_PRECISION || BINNED_FRACTION > (REAL_PRECISION == 53 ? 120 : 60) ||                         \
    BINNED_WIDTH > (REAL_PRECISION == 53 ? 40 : 20)
#error "binned: p bits below the top bin keep one number exact; many more, or wider bins, overflow integers"
#endif

#define BINNED_BASE ((real)(INT64_C(1) << BINNED_WIDTH))
#define BINNED_LIMIT (BINNED_BASE * (real)(2 * REAL_U)) /* half a unit of the bin above the top, scaled */

/* A piece has at most 2^(W-1) units, so that so many fit in a word with a sign: 4,095 for W = 20. */
#define BINNED_MOST_PIECES (((binned_word)1 << (BINNED_WORD_BITS - BINNED_WIDTH)) - 1)

/* A carry leaves 0 <= low < 2^29, as much as so many pieces.  high then has room for 2^40 numbers:
 * 2^40 2^19 / 2^29 = 2^30.  (Binary64: 2^61, and 2^18.) */
#define BINNED_CARRY_BITS (BINNED_WORD_BITS - 3)
#define BINNED_PIECES_LEFT ((binned_word)1 << (BINNED_CARRY_BITS + 1 - BINNED_WIDTH))
#define BINNED_SIGN ((binned_word)1 << (BINNED_WORD_BITS - 1))

/* Bin top - k is high[k] * 2^29 + low[k], low with a sign (two's complement). */
STATE
{
    real scale; /* 2^(127 - W top); numbers times it are below BINNED_LIMIT */
    binned_word low[BINNED_FOLD];
    binned_signed high[BINNED_FOLD];
    binned_word pieces; /* |low[k]| <= pieces * 2^(W-1) */
    real special;       /* the sum of the infinities and NaN; 0: none */
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

PORTABLE binned_wide A(low)(STATE s, int k)
{
    return (binned_wide)(s.low[k] ^ BINNED_SIGN) - (binned_wide)BINNED_SIGN;
}

PORTABLE binned_wide A(bin)(STATE s, int k)
{
    return s.high[k] * ((binned_wide)1 << BINNED_CARRY_BITS) + A(low)(s, k);
}

/* high takes low / 2^29, rounded down: -4 to 3. */
PORTABLE STATE A(carry)(STATE s)
{
    for (int k = 0; k < BINNED_FOLD; k++) {
        s.high[k] += (binned_signed)((s.low[k] ^ BINNED_SIGN) >> BINNED_CARRY_BITS) - 4;
        s.low[k] &= ((binned_word)1 << BINNED_CARRY_BITS) - 1;
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

/* 2^e of the unit of the top bin. */
PORTABLE int A(exponent)(STATE s)
{
    int e = BINNED_LEAST;
    for (real scale = BINNED_FIRST_SCALE; scale > s.scale; scale *= 1 / BINNED_BASE)
        e += BINNED_WIDTH;
    return e;
}

/* All bins as one number of units of the top bin. */
struct binned_number {
    int negative;
    binned_magnitude whole, fraction; /* whole + fraction / 2^BINNED_FRACTION */
};

/* Each bin but the top keeps W bits, its part of the fraction, and carries the others; then the sign is taken out. */
PORTABLE struct binned_number A(total)(STATE s)
{
    const binned_wide base = (binned_wide)1 << BINNED_WIDTH;
    const binned_magnitude one = (binned_magnitude)1 << BINNED_FRACTION;
    struct binned_number total;
    binned_wide carry = 0;
    total.fraction = 0;
    for (int k = BINNED_FOLD - 1; k > 0; k--) {
        const binned_wide bin = A(bin)(s, k) + carry;
        const binned_wide kept = (binned_wide)((binned_magnitude)bin & (binned_magnitude)(base - 1));
        total.fraction |= (binned_magnitude)kept << (BINNED_WIDTH * (BINNED_FOLD - 1 - k));
        carry = bin >> BINNED_WIDTH; /* rounds down, with gcc, clang and nvcc */
    }
    const binned_wide whole = A(bin)(s, 0) + carry;
    total.negative = whole < 0;
    total.whole = (binned_magnitude)whole;
    if (total.negative) {
        total.whole = (binned_magnitude)(total.fraction == 0 ? -whole : -whole - 1);
        total.fraction = total.fraction == 0 ? 0 : one - total.fraction;
    }
    return total;
}

/* |total| 2^e.  The fraction's bits move into the whole while it has room, and whatever is left becomes one sticky bit,
 * far below those that remain.  For binary32 52 bits, which the conversion keeps, to be rounded to 24 later; for
 * binary64 62, which the conversion rounds. */
PORTABLE double A(join)(struct binned_number total, int e)
{
    enum { ROOM = REAL_PRECISION == 53 ? 62 : 52, EXCESS = REAL_PRECISION == 53 ? 7 : 12 };
    binned_magnitude whole = total.whole;
    int below = BINNED_FRACTION;
    for (int step = REAL_PRECISION == 53 ? 64 : 32; step > 0; step /= 2)
        if (below >= step && whole < (binned_magnitude)1 << (BINNED_JOINED_BITS - step)) {
            below -= step;
            whole = whole << step | (total.fraction >> below & (((binned_magnitude)1 << step) - 1));
            e -= step;
        }
    binned_magnitude rest = total.fraction & (((binned_magnitude)1 << below) - 1);
    while (whole >= (binned_magnitude)1 << ROOM) {
        rest |= whole & ((1 << EXCESS) - 1);
        whole >>= EXCESS;
        e += EXCESS;
    }
    return double_scaled((double)(int64_t)(whole | (rest != 0)), e);
}

PORTABLE double A(result)(STATE s)
{
    if (s.special != 0)
        return (double)s.special;
    const struct binned_number total = A(total)(s);
    const double magnitude = A(join)(total, A(exponent)(s));
    return total.negative ? -magnitude : magnitude;
}

#define binned_FEW_STATES 1
#define binned_3x13_FEW_STATES 1
#define binned_4x20_FEW_STATES 1

/* To the result's format; in binary64 a narrower one would be a second rounding. */
#define BINNED_ROUNDED_ONCE (REAL_PRECISION < 53)
#define binned_ROUNDED_ONCE BINNED_ROUNDED_ONCE
#define binned_3x13_ROUNDED_ONCE BINNED_ROUNDED_ONCE
#define binned_4x20_ROUNDED_ONCE BINNED_ROUNDED_ONCE

#undef TRAITS
#define TRAITS .kind = KIND_WIDER, .advantage = "the accumulator", .narrow = "plain"

#ifndef __CUDACC__
/* The sum as it would be rounded, 32 bits each: what a bin has may be out of range where all of them are not. */
static inline int A(parts)(STATE s, double parts[])
{
    enum { PIECES = sizeof(binned_magnitude) / sizeof(uint32_t) };
    const struct binned_number total = A(total)(s);
    const int e = A(exponent)(s);
    const double sign = total.negative ? -1 : 1;
    int count = 0;
    for (int k = 0; k < PIECES; k++) {
        parts[count++] = sign * double_scaled((double)(uint32_t)(total.whole >> 32 * k), e + 32 * k);
        parts[count++] =
            sign * double_scaled((double)(uint32_t)(total.fraction >> 32 * k), e + 32 * k - BINNED_FRACTION);
    }
    parts[count++] = (double)s.special;
    return count;
}

/* No claim where the one rounding at the end can overflow. */
static inline double A(bound)(const struct claim *of)
{
    const double u = A(ROUNDED_ONCE) ? of->result_u : REAL_U;
    if (of->n <= 1)
        return 0;
    const double below_the_last_bin = round_up(of->n / (double)((binned_magnitude)1 << BINNED_FRACTION) * of->max_abs);
    const double lost = bound_min(below_the_last_bin, of->sum_abs);
    if (!(round_up(of->abs_s + lost) <= (double)REAL_MAX))
        return INFINITY;
    return round_up(bound_one_rounding(u) * of->abs_s + (1 + u) * lost);
}
#endif
#endif

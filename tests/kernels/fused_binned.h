/* The bins with the one product that an addition follows fused into it, by hand: in the first round of an addition x *
 * scale is added to 3, and what that leaves is subtracted from it.  No compiler that we know fuses there by itself, as
 * the product is compared as well.  SOUND is the file of the accumulator ACC.
 */
#include SOUND

PORTABLE STATE add_fused(STATE s, real x)
{
    real rest = x * s.scale;
    if (!(REAL_ABS(rest) < BINNED_LIMIT) || s.pieces == BINNED_MOST_PIECES) {
        if (!is_finite(x)) {
            s.special += x;
            return s;
        }
        s = A(make_room)(s, x);
    }
    real three = 3;
    const real first = __builtin_fmaf(x, s.scale, three);
    s.low[0] += real_bits(first) - real_bits(three);
    rest = __builtin_fmaf(x, s.scale, -(first - three));
    for (int k = 1; k < BINNED_FOLD; k++) {
        three *= 1 / BINNED_BASE;
        const real sum = three + rest;
        s.low[k] += real_bits(sum) - real_bits(three);
        rest -= sum - three;
    }
    s.pieces++;
    return s;
}
#define binned_add add_fused
#define binned_3x13_add add_fused
#define binned_4x20_add add_fused

/* FABsum: fast inside blocks of b additions, accurate outside (Blanchard, Higham & Mary, SIAM J. Sci. Comput. 42
 * (2020) A1541).  Plain additions fill a block; a full block is one addition of Kahan's, so that the error no longer
 * grows with n.  b = FABSUM_BLOCK: 128, or what another row defines (docs/decisions/0004-parameters-are-rows.md).
 *
 *   b = 2:  2^24, 1 | 1, 1    blocks 2^24 (the tie goes to even) and 2: 2^24 + 2; exact 2^24 + 3
 *
 * Bound: u/(1+u) |s| + (1+u) [e + (1+e) C] S, e = (min(b, n, h) - 1)u of a block, C of Kahan: about u|s| + (b+1)uS
 * (docs/bounds.md, P6).
 *
 * Kahan outside, not Neumaier: a bound knows the height and not how much of it is inside blocks.  Kahan's part grows as
 * 2u + 5hu^2, below 3u up to h = 3 million; Neumaier's as (hu)^2, which is above the blocks' own 127u from
 * h = 46,000.  Both cost next to nothing: one flush for b additions.
 *
 * Merge: both started blocks are flushed, then Kahan's merge.
 *
 * Cost: an addition, a count and a branch for each element, and Kahan's 4 additions for each block.
 */
#include "kahan.h"

#ifndef FABSUM_BLOCK
#define FABSUM_BLOCK 128
#endif

STATE
{
    struct kahan blocks; /* the full ones */
    real block;          /* the started one */
    uint32_t count;      /* its elements, below FABSUM_BLOCK */
};

PORTABLE STATE A(zero)(void)
{
    STATE s;
    s.blocks = kahan_zero();
    s.block = 0;
    s.count = 0;
    return s;
}

PORTABLE STATE A(flush)(STATE s)
{
    if (s.count > 0)
        s.blocks = kahan_add(s.blocks, s.block);
    s.block = 0;
    s.count = 0;
    return s;
}

#define ADD_BRANCHES /* which replays want to know, see kernels/grid_stride.h */

PORTABLE STATE A(add)(STATE s, real x)
{
    s.block = RN(s.block + x);
    s.count++;
    return s.count == FABSUM_BLOCK ? A(flush)(s) : s;
}

PORTABLE STATE A(merge)(STATE a, STATE b)
{
    a = A(flush)(a);
    b = A(flush)(b);
    a.blocks = kahan_merge(a.blocks, b.blocks);
    return a;
}

PORTABLE double A(result)(STATE s)
{
    return kahan_result(A(flush)(s).blocks);
}

#undef TRAITS
#define TRAITS                                                                                                         \
    .kind = KIND_UNCOMPENSATED,                                                                                        \
    .advantage = "the compensation" /* without it blocks are left, see kernels/broken/fabsum_plain.h */

#ifndef __CUDACC__
static inline int A(parts)(STATE s, double parts[])
{
    const int of_blocks = kahan_parts(s.blocks, parts);
    parts[of_blocks] = (double)s.block;
    return of_blocks + 1;
}

static inline double A(bound)(const struct claim *of)
{
    const double u = REAL_U;
    const double longest = bound_min(FABSUM_BLOCK, bound_min(of->n, of->height));
    const double block = bound_first_order(longest, longest, u);
    const double inner = bound_compound(block, bound_compensated(of->height, 2 * u * (1 + u), 5 * u * u));
    return bound_unless_overflow(of, bound_last_rounding(of, u, inner));
}
#endif

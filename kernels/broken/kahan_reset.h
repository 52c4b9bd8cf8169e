/* Kahan whose correction is declared inside an unrolled loop: it starts from 0 every 8 additions.  Its state counts
 * them.
 *
 *   (2^24, -1), 8 additions ago, + 1:  y = 1 and not 2, and the sum stays at 2^24
 */
#include "kernels/accumulators/kahan.h"

enum { KAHAN_RESET_EVERY = 8 };

struct kahan_reset {
    struct kahan state;
    uint32_t additions;
};

PORTABLE struct kahan_reset kahan_reset_zero(void)
{
    struct kahan_reset s;
    s.state = kahan_zero();
    s.additions = 0;
    return s;
}

PORTABLE struct kahan_reset kahan_reset_add(struct kahan_reset s, real x)
{
    s.state.excess = s.additions % KAHAN_RESET_EVERY == 0 ? 0 : s.state.excess;
    s.state = kahan_add(s.state, x);
    s.additions++;
    return s;
}

PORTABLE struct kahan_reset kahan_reset_merge(struct kahan_reset a, struct kahan_reset b)
{
    a.state = kahan_merge(a.state, b.state);
    return a;
}

PORTABLE double kahan_reset_result(struct kahan_reset s)
{
    return kahan_result(s.state);
}

#undef STATE
#define STATE struct kahan_reset
#define kahan_zero kahan_reset_zero
#define kahan_add kahan_reset_add
#define kahan_merge kahan_reset_merge
#define kahan_result kahan_reset_result

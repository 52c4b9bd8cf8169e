/* After Higham, "The accuracy of floating point summation", SIAM J. Sci. Comput. 14(4) (1993) 783.
 *
 *   -3 1 2 4   1 (|1|), -3 (|-2| against |3| and |5|), 2 (|0|), 4
 *
 * The number wanted is the one nearest to minus the partial sum: its two neighbours among the sorted are found by
 * halving, those that are taken are passed over by links that shorten themselves (union-find).
 */
#include "ordering.h"

#include <math.h>

/* The first that is not taken from `i` on along the links; n + 1 or 0 stand for none, so indices start from 1. */
static uint64_t follow(uint64_t *link, uint64_t i)
{
    uint64_t end = i;
    while (link[end] != end)
        end = link[end];
    while (link[i] != end) {
        const uint64_t next = link[i];
        link[i] = end;
        i = next;
    }
    return end;
}

/* The first index from 1 whose number is at least v; n + 1 when there is none. */
static uint64_t first_at_least(const struct format *format, const void *sorted, uint64_t n, double v)
{
    uint64_t low = 1, high = n + 1;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (held_number(format, sorted, middle - 1) < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Of the neighbours below and above that are left, the better one. */
static uint64_t choose(const struct format *format, const void *sorted, uint64_t n, uint64_t below, uint64_t above,
                       double partial)
{
    if (below == 0 || above == n + 1)
        return below == 0 ? above : below;
    const double by_below = fabs(partial + held_number(format, sorted, below - 1));
    const double by_above = fabs(partial + held_number(format, sorted, above - 1));
    return by_below <= by_above ? below : above;
}

enum status psum_order(const struct format *format, void *sorted, uint64_t n)
{
    OWNED uint64_t *up = malloc((n + 2) * sizeof *up), *down = malloc((n + 2) * sizeof *down);
    OWNED void *chosen = malloc((n + 1) * format_held(format)->bytes);
    double partial = 0;
    TRY(up && down && chosen ? OK : out_of_memory("the links of order=psum"));
    for (uint64_t i = 0; i < n + 2; i++)
        up[i] = down[i] = i;
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t at = first_at_least(format, sorted, n, -partial);
        const uint64_t i = choose(format, sorted, n, follow(down, at - 1), follow(up, at), partial);
        const double x = held_number(format, sorted, i - 1);
        held_set(format, chosen, k, x);
        partial += x;
        up[i] = i + 1;
        down[i] = i - 1;
    }
    memcpy(sorted, chosen, n * format_held(format)->bytes);
    return OK;
}

#include "compare.h"

#include <math.h>

const char *const speed_verdicts[] = {
    [SAME_SPEED] = "same", [FASTER] = "faster", [SLOWER] = "slower", [NOT_COMPARABLE] = "not comparable"};

/* Mann and Whitney 1947: in how many of the orders of a and b values u of the pairs are inverted.  Orders of a - 1 and
 * b values behind which one of the a stands have none more, those behind which one of the b stands have a more:
 *
 *   count(a, b, u) = count(a - 1, b, u) + count(a, b - 1, u - a)
 *
 * counts[u] for `a` and `b`: of binary64, which is exact up to 2^53 and good to 1e-13 above. */
static double *counts_of_inversions(size_t a, size_t b)
{
    const size_t most = a * b + 1;
    double *counts = memory_cleared((a + 1) * most, sizeof *counts); /* a row for each 0..a, of the b so far */
    for (size_t i = 0; i <= a; i++)
        counts[i * most] = 1;
    for (size_t j = 1; j <= b; j++)
        for (size_t i = 1; i <= a; i++)
            for (size_t u = most; u-- > 0;)
                counts[i * most + u] = counts[(i - 1) * most + u] + (u >= i ? counts[i * most + u - i] : 0);
    for (size_t u = 0; u < most; u++)
        counts[u] = counts[a * most + u];
    return counts;
}

/* How many of the a b quotients may lie on the other side of 1 by a chance of one in 10,000; at least none. */
static size_t allowed_inversions(size_t a, size_t b)
{
    static const double chance = 1e-4;
    double *counts = counts_of_inversions(a, b), all = 0, sum = 0;
    size_t allowed = 0;
    for (size_t u = 0; u <= a * b; u++)
        all += counts[u];
    while (allowed < a * b / 2 && (sum += counts[allowed]) + counts[allowed + 1] <= chance * all)
        allowed++;
    free(counts);
    return allowed;
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct speed_change speed_change_of(const double *now, size_t nows, const double *then, size_t thens)
{
    const size_t pairs = nows * thens, outside = allowed_inversions(nows, thens);
    OWNED double *quotients = memory_cleared(pairs, sizeof *quotients);
    for (size_t i = 0; i < pairs; i++)
        quotients[i] = now[i / thens] / then[i % thens];
    qsort(quotients, pairs, sizeof *quotients, compare_numbers);
    struct speed_change change = {.quotient = (quotients[(pairs - 1) / 2] + quotients[pairs / 2]) / 2,
                                  .low = quotients[outside],
                                  .high = quotients[pairs - 1 - outside]};
    change.seen_from = fmax(LEAST_CHANGE, 1 - change.quotient / change.high);
    if (change.high < 1 && change.quotient < 1 - LEAST_CHANGE)
        change.verdict = SLOWER;
    else if (change.low > 1 && change.quotient > 1 + LEAST_CHANGE)
        change.verdict = FASTER;
    return change;
}

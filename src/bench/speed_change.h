/* Whether something became slower: two sets of shares compared, without a word about how they scatter.
 *
 * Of all quotients now_i / then_j the median says by how much (Hodges and Lehmann 1963), and those with so many before
 * or behind them that ranks alone would be so by chance once in 10,000 times say between what (Moses; Hollander, Wolfe
 * and Chicken, Nonparametric Statistical Methods, 4.3).  With 9 visits of each those are all but two at either end
 * of 81.
 */
#pragma once

#include <stddef.h>

enum speed_verdict { SAME_SPEED, FASTER, SLOWER, NOT_COMPARABLE };
extern const char *const speed_verdicts[];

/* Less than this is no verdict. */
#define LEAST_CHANGE 0.03

struct speed_change {
    double quotient, low, high; /* now / then: 0.95 is slower by 5 % */
    double seen_from;           /* the smallest slow-down that would be seen: 0.03 or more */
    enum speed_verdict verdict;
};

/* Of `nows` and `thens` shares, each above 0. */
struct speed_change speed_change_of(const double *now, size_t nows, const double *then, size_t thens);

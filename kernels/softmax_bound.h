/* What logsumexp, softmax, log_softmax and cross_entropy may err by, proven (docs/decisions/0050-softmax.md): of a sum
 * whatever bound its accumulator has, of exp and log what elementary.h says.
 *
 *   softmax.shifted:   p [(1+ub) (1+e) e^(ub |z| + R) - 1] + (1+ub) e^R eta / D + q/2
 *
 * with z = x - M, e and eta what exp errs by, and R what the log of the computed sum D is off by.  Host only.
 */
#pragma once

#include "statistic_bound.h"

/* As statistic_bound(), of those algorithms from BY_EXP on. */
double softmax_bound(const struct statistic_claim *claim, const struct moments *of);

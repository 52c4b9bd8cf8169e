/* Vectors whose dot product has the condition number asked for, and whose products are numbers of binary32: the sum of
 * the products is the dot product, for methods that add and for methods that multiply.
 *
 * Algorithm 6.1 (GenDot) of Ogita, Rump & Oishi, SIAM J. Sci. Comput. 26(6) (2005) 1955, b = log2(cond) / 2:
 *
 *   first half    x_i = (2r - 1) 2^e_i, y_i = (2r' - 1) 2^e_i, e_i uniform in 0..b, the first b and the last 0
 *   second half   x_i = (2r - 1) 2^e_i, y_i = (aim + (2r' - 1) 2^e_i - fl(dot so far)) / x_i, e_i from b down to 0
 *
 * Theirs has aim = 0 and comes near to cond in order of magnitude.  Here aim is sum |x_i y_i| / cond, the last pair
 * leaves just that, and a product is positive with probability (1 + 1 / cond) / 2: were it 1/2, 100 pairs would come
 * to 1.02 for cond = 1, and fewer to more.  All x and y have 12 significant bits at most, fewer where 2^-149 is near;
 * so y_i is wrong by 2^-12, and the second half needs log2(cond) / 12 pairs at least.  Where 2^(2b) is beyond binary32,
 * all exponents are lower.
 */
#pragma once

#include "conditioned.h"

/* call->n pairs, at least 2, in the order above: a shuffle takes it away.  Takes draw 2 attempt of each element.
 * *reached is the condition number sum |x_i y_i| / |sum x_i y_i| (theirs is twice that).  NOT_MEASURED for a product
 * that binary32 cannot represent, which is a bug. */
enum status gendot_pairs_build(const struct generator_call *call, double cond, uint32_t attempt, float *x, float *y,
                               double *reached);

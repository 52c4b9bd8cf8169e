/* What the families of a given condition number share: trying again until it is reached, the refusal.
 *
 *   cond = sum |x| / |sum x|
 */
#pragma once

#include "generator.h"
#include "running_sum.h"

enum { CONDITIONED_ATTEMPTS = 20 };

/* The format's limit: sum |x| < 2^127, so that no order of adding overflows, over |s| >= 2^-149 is 2^276 = 1.2e83. */
#define CONDITION_MOST 1e83

/* The 276 of it, for any format. */
int conditioned_room(const struct format *format);

/* The row "cond" in another format: up to 1e78 for bfloat16, 5e11 for binary16, and 1e300 for binary64, whose own
 * limit, 2^2097, no binary64 holds. */
void conditioned_adapt(const struct format *format, struct parameter *row);

/* What has been added: its exact value, and sum |x| to 53 bits, which only steers. */
struct conditioned_sum {
    struct running_sum exact;
    double abs;
};

void conditioned_clear(struct conditioned_sum *sum);
void conditioned_add(struct conditioned_sum *sum, double x);

/* Infinite when the terms cancel altogether, and when sum |x| is not below half of what overflows, 2^127 for binary32:
 * some order might. */
double conditioned_reached(const struct format *format, const struct conditioned_sum *sum);

/* Makes x; attempts differ in their random bits.  *reached is the condition number. */
typedef enum status conditioned_attempt(const struct generator_call *call, uint32_t attempt, void *x, double *reached);

/* Attempts until the condition is within a factor of 3 of `cond`.  Else complains, naming the family and the nearest
 * condition that was reached, and returns BAD_INPUT. */
enum status conditioned_build(const struct generator_call *call, const char *family, double cond,
                              conditioned_attempt *attempt, void *x);

/* How many binades there are from 1 to `v`, the last one maybe in part: e with 2^(e-1) < v <= 2^e. */
int conditioned_binades(double v);

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

/* call->n pairs, at least 2, in the order above: a shuffle takes it away.  Takes draw 2 attempt of each element.
 * *reached is the condition number sum |x_i y_i| / |sum x_i y_i| (theirs is twice that).  NOT_MEASURED for a product
 * that binary32 cannot represent, which is a bug. */
enum status gendot_pairs_build(const struct generator_call *call, double cond, uint32_t attempt, float *x, float *y,
                               double *reached);

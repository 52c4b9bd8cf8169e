/* The law of truncation: what a fused sum of products of one sign is short of in the mean.
 *
 * A block of n products behind a sum A is aligned to the exponent E of the larger, and each product x loses
 * |x| mod q, q = 2^(E - F), in the mean lam(q).  The block's own truncation to p bits loses (2^(F-p) - 1) q/2 more.
 * So A grows by n (mu - lam(q)) less that: it slows down as q grows, and stands still once q is above every product.
 */
#include "fused.h"

#include "claim.h"

#include <limits.h>

static double lost_in_mean(const double *products, size_t count, double q)
{
    double lost = 0;
    for (size_t i = 0; i < count; i++)
        lost += fmod(fabs(products[i]), q);
    return lost / (double)count;
}

/* What `blocks` blocks come to from 0.  Their own truncation loses nothing of products that are multiples of its unit.
 */
static double chain(const struct fused_unit *unit, const double *products, size_t count, uint64_t blocks, double mean)
{
    double sum = 0, largest = 0, lost = 0, cut = 0;
    int exponent = INT_MIN;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(products[i]));
    for (uint64_t b = 0; b < blocks; b++) {
        const int now = ilogb(fmax(sum, largest));
        if (now != exponent) {
            const double q = ldexp(1, now - unit->fraction), last = ldexp(1, now - unit->output);
            lost = lost_in_mean(products, count, q);
            cut = unit->rounding == TRUNCATED && lost_in_mean(products, count, last) > 0 ? (last - q) / 2 : 0;
        }
        exponent = now;
        sum += (double)unit->terms * (mean - lost) - cut;
    }
    return sum;
}

double fused_law(const struct fused_method *method, const double *products, size_t count, uint64_t terms)
{
    const uint64_t blocks = fused_blocks(method->unit, terms), period = fused_period(method, terms);
    const uint64_t together = period > 0 && period < blocks ? period : blocks;
    double mean = 0, sum = 0;
    for (size_t i = 0; i < count; i++) {
        mean += fabs(products[i]) / (double)count;
        sum += products[i] / (double)count;
    }
    if (blocks == 0 || !(mean > 0) || fabs(sum) != mean)
        return NAN;
    return chain(method->unit, products, count, together, mean) /
               ((double)(together * (uint64_t)method->unit->terms) * mean) -
           1;
}

/* What means, variances and their like may err by, proven (docs/bounds.md, "Means and variances"): of a sum whatever
 * bound its accumulator has, and of all that is done with sums five rules, one for each operation that rounds.
 *
 *   mean of n numbers, A(x) / n:   E_m = (1+ub) (E_s + |s/n| E_n) / (n - E_n) + ub |s/n| + q/2
 *
 * with E_s the accumulator's bound of the sum and E_n what rounding n costs.  Host only.
 */
#pragma once

#include "method.h" /* struct magnitudes */

/* docs/decisions/0048-means-and-variances.md has what each computes, operation by operation. */
enum statistic_algorithm {
    BY_SUM_THEN_DIVIDE,
    BY_TIMES_RECIPROCAL,
    BY_SCALED_FIRST,
    BY_RUNNING,
    BY_SQUARES, /* mean_square and, where it is_root, rms */
    BY_TEXTBOOK,
    BY_TEXTBOOK_SUMS,
    BY_TWO_PASS,
    BY_TWO_PASS_CORRECTED,
    BY_SHIFTED,
    BY_WELFORD,
    BY_CHAN,
    BY_WEIGHTS,
    BY_COSINE,
    BY_EXP, /* from here on of exponentials (docs/decisions/0050-softmax.md) */
    BY_SHIFTED_EXP,
    BY_ONLINE,
    BY_FAST_EXP,
    BY_LOGSUMEXP,
    BY_CROSS_ENTROPY,
    STATISTIC_ALGORITHMS
};

/* What an accumulator, in its order, errs by in a sum of n numbers of the format that is added, before the result's
 * rounding: as a function of their magnitudes that grows with each.  INFINITY: no claim. */
struct sum_bound {
    double (*of)(const void *context, uint64_t n, const struct magnitudes *of);
    const void *context;
};

struct statistic_claim {
    enum quantity of;
    enum statistic_algorithm algorithm;
    bool sums_are_plain;          /* each addition is rounded to nearest, and nothing else is done */
    bool of_sample, is_root;      /* n - 1 for n; the root of it all */
    bool normalizes;              /* (x - m) / root(v + eps) of an x */
    double eps, abs_result;       /* |exact result| of it, at most, and of a softmax's */
    const struct format *added;   /* terms are rounded to it; running means and squared deviations are kept in it */
    const struct format *formula; /* each operation after the sums is */
    const struct format *result;
    struct sum_bound of_data, of_terms; /* of the numbers as they are stored; of terms that are made, in `added` */
    uint64_t n, height;                 /* height: of the order, see struct method; running, welford and chan take it */
    bool merges;                        /* the order: false where it adds one by one */
    double most_right; /* the most numbers of a merge's right side for each of its left; 0: nobody knows */
};

/* A bound on |computed - exact| of a result that is a number.  INFINITY: no claim, where something on the way may
 * overflow, a divisor's error may be as large as it is, the square under a root may be below 0, or nothing is defined.
 * Round to nearest without flush to zero; sums of numbers >= 0 are >= 0 in each accumulator that has a claim. */
double statistic_bound(const struct statistic_claim *claim, const struct moments *of);

/* An exact value as two of binary64 and what they may be off by: most roundings need no more to be decided.
 *
 *   1/3 = 0x1.5555555555555p-2 + 0x1.5555555555555p-56, off by less than 2^-108 */
#pragma once

#include "exact_element.h"
#include "src/base/fp.h"

#include <stdbool.h>

/* The second of them is small beside the first. */
struct pair {
    double high, low;
};

/* a + b, exactly. */
static inline struct pair pair_sum(double a, double b)
{
    const double sum = a + b, of_b = sum - a;
    return (struct pair){sum, (a - (sum - of_b)) + (b - of_b)};
}

/* a b, by Veltkamp's halves: exactly, where none of them and no product of two leaves the range of binary64. */
static inline struct pair pair_product(double a, double b)
{
    const double split_a = 134217729 * a, split_b = 134217729 * b;
    const double high_a = split_a - (split_a - a), high_b = split_b - (split_b - b);
    const double low_a = a - high_a, low_b = b - high_b, product = a * b;
    return (struct pair){product, ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b};
}

struct near {
    struct pair value; /* high: the sum of both, rounded */
    double off;
};

/* All of `element` but sum_abs_above, of a result of the format that is held to the value.  False where the pair does
 * not say it: near a tie, near the ends of a format, of none within 2^-400 .. 2^overflow, of formats of more than 50
 * bits. */
bool near_element(struct near near, const struct format *result, double computed, struct exact_element *element);

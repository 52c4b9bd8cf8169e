/* The sizes of full_range and half_range: a power of i/n from a first number to the largest, signs in turn.
 *
 * ReproBLAS takes exp(log(first) + (log(MAX) - log(first)) i/n).  Read as integers, the bits of binary32 are such a
 * logarithm, but straight between powers of two, so that here the bits of x_i lie on a straight line:
 *
 *   first = 2^-126, n = 254:  2^-126, -2^-125, 2^-124, ...
 *
 * That is larger than ReproBLAS's by at most a factor 1.0615, and equal at both ends.
 */
#ifndef ULPSCOPE_WIDE_RANGE_H
#define ULPSCOPE_WIDE_RANGE_H

#include "random.h"

/* whole[0] = 1/n, in units of 2^-64 */
static inline enum status wide_range_prepare(struct generator_call *call)
{
    call->whole[0] = call->n > 1 ? UINT64_MAX / call->n : 0;
    return OK;
}

PORTABLE float wide_range_element(const struct generator_call *call, uint64_t i, uint32_t first_bits)
{
    const uint32_t range = 0x7f7fffffu - first_bits; /* to MAX */
    const uint32_t magnitude = first_bits + (uint32_t)random_below(i * call->whole[0], range);
    return float_from_bits(magnitude | (uint32_t)(i % 2) << 31);
}

#endif

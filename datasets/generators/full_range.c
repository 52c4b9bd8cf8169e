/* full_range: every size that binary32 has, with alternating signs, the smallest first.
 *
 * ReproBLAS takes exp(log(MIN) + (log(MAX) - log(MIN)) i/n).  Read as integers, the bits of binary32 are such a
 * logarithm, but straight between powers of two, so that here the bits of x_i lie on a straight line:
 *
 *   n = 254:  2^-126, -2^-125, 2^-124, ...
 *
 * That is larger than ReproBLAS's by at most a factor 1.0615, and equal at both ends.  Order matters through the signs:
 * the elements of even i add up to about 12 MAX for n = 4096, so that strided orders overflow where neighbours cancel.
 */
#include "../random.h"

#define FAMILY full_range

PORTABLE float full_range_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const uint32_t first = 0x00800000u, range = 0x7f7fffffu - first; /* from 2^-126 to MAX */
    const uint32_t magnitude = first + (uint32_t)random_below(i * call->whole[0], range);
    return float_from_bits(magnitude | (uint32_t)(i % 2) << 31);
}

#include "../element_loop.h"

#ifndef __CUDACC__
/* 1/n, in units of 2^-64. */
static enum status prepare(struct generator_call *call)
{
    call->whole[0] = call->n > 1 ? UINT64_MAX / call->n : 0;
    return OK;
}

static const struct parameter parameters[] = {{0}};

const struct generator generator_full_range = {
    .id = "full_range",
    .summary = "all sizes from the least normal to the largest, signs in turn",
    .formula = "x_i = (-1)^i MIN (MAX/MIN)^(i/n), the power with a linear significand",
    .source = "ReproBLAS, tests/common/test_util.c, util_Vec_Full_Range",
    .hurts = "binary32 in orders with a stride, which overflow; the time of superaccumulators that keep one place",
    .spares = "plain/serial, plain/pairwise; binary64",
    .exact = "about half the last element, condition about n/87",
    .showcase = {"full_range:n=4096"},
    .parameters = parameters,
    .prepare = prepare,
    .elements = full_range_elements,
};
#endif

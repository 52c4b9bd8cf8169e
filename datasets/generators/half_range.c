/* half_range: every size from 1 to the largest, with alternating signs, the smallest first.
 *
 * As full_range, which says how the bits make the power: at most a factor 1.0615 above ReproBLAS's exp(log(MAX) i/n).
 */
#include "../random.h"

#define FAMILY half_range

PORTABLE float half_range_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const uint32_t first = 0x3f800000u, range = 0x7f7fffffu - first; /* from 1 to MAX */
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

const struct generator generator_half_range = {
    .id = "half_range",
    .summary = "all sizes from 1 to the largest, signs in turn",
    .formula = "x_i = (-1)^i MAX^(i/n), the power with a linear significand",
    .source = "ReproBLAS, tests/common/test_util.c, util_Vec_Half_Range",
    .hurts = "binary32 in orders with a stride, which overflow; the time of superaccumulators that keep one place",
    .spares = "plain/serial, plain/pairwise; binary64",
    .exact = "about half the last element, condition about n/44",
    .showcase = {"half_range:n=4096"},
    .parameters = parameters,
    .prepare = prepare,
    .elements = half_range_elements,
};
#endif

/* half_range: every size from 1 to the largest, with alternating signs, the smallest first (wide_range.h). */
#include "datasets/wide_range.h"

#define FAMILY half_range

PORTABLE float half_range_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    return wide_range_element(call, i, 0x3f800000u); /* from 1 */
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
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
    .prepare = wide_range_prepare,
    .elements = half_range_elements,
};
#endif

/* swamp: a big number first, ones after it.
 *
 * From 2^24 on, big + 1 is a tie that goes back to the even big: left to right, every one is lost.
 */
#include "datasets/random.h"

#define FAMILY swamp

PORTABLE float swamp_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    return i == 0 ? (float)call->values[0] : 1.0f;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static const struct parameter parameters[] = {
    {"big", REAL, 0x1p24, 1, 0x1p127, "the first number, rounded to binary32", NULL},
    {0},
};

const struct generator generator_swamp = {
    .id = "swamp",
    .summary = "a big number first, ones after it",
    .formula = "x_0 = big, x_i = 1",
    .source = "\"swamping\" of FPRev (recalled); in the textbooks since Wilkinson",
    .hurts = "plain/serial: error n - 1, every one is lost",
    .spares = "trees, which add most ones to each other; everything compensated; binary64 below big = 2^53",
    .exact = "big + n - 1; condition 1",
    .showcase = {"swamp:n=64Ki", "swamp:n=1Mi"},
    .parameters = parameters,
    .elements = swamp_elements,
};
#endif

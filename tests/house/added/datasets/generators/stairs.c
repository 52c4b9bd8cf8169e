/* stairs: 0, 1, 2, ..., 999, and again from 0: whole numbers, whose sum is exact until it needs 25 bits. */
#include "datasets/random.h"

#define FAMILY stairs

PORTABLE float stairs_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)call, (void)random;
    return (float)(i % 1000);
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
const struct generator generator_stairs = {
    .id = "stairs",
    .summary = "0 to 999, again and again",
    .formula = "x_i = i mod 1000",
    .source = "made for a test",
    .effects = EFFECTS({"n=4Ki..32Ki*8", ALL_KINDS, AT_MOST, 0}, {"n=64Ki", "plain/serial", AT_LEAST, 7900}),
    .exact = "499,500 for each 1000 numbers; condition 1",
    .showcase = {"stairs:n=64Ki"},
    .parameters = PARAMETERS({0}),
    .elements = stairs_elements,
};
#endif

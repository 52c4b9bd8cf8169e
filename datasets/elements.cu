/* The families whose elements are formulas of i, on the GPU: each file of generators/ once more, read by nvcc. */
#include "generator.h"

enum { ELEMENTS_THREADS = 256 };

/* Blocks that fill any GPU, of threads with a pair each, or more. */
static unsigned elements_blocks(uint64_t n)
{
    const uint64_t most = 16384, needed = (n + 2 * ELEMENTS_THREADS - 1) / (2 * ELEMENTS_THREADS);
    return (unsigned)(needed < 1 ? 1 : needed < most ? needed : most);
}

#include "generated/elements.inc"

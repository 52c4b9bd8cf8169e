/* pairwise_1: recursive halving down to single elements, as in the theorem: height 1 + ceil(log2 n).
 *
 *   5 elements: ((x0 + x1) + (x2 + (x3 + x4)))    height 1 + 3
 */
#define HALVING pairwise_1
#define HALVING_BASE 1
#include "kernels/recursive_halving.h"

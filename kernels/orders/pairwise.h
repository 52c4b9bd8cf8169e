/* pairwise: recursive halving of the whole array, pieces of up to 128 left to right.  What NumPy and Julia do, but for
 * their unrolling; the base costs 128 u at most and saves nearly all calls.  Other bases: pairwise_1.
 *
 *   300 elements: 150 + 150 -> (75 + 75) + (75 + 75)    height 75 + 2
 */
#define HALVING pairwise
#define HALVING_BASE 128
#include "kernels/recursive_halving.h"

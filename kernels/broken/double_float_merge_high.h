/* double_float whose merge takes the high word of its second state alone: what a shuffle of one word brings. */
#include "kernels/accumulators/double_float.h"

PORTABLE struct double_float double_float_merge_high(struct double_float a, struct double_float b)
{
    return double_float_add(a, b.high);
}
#define double_float_merge double_float_merge_high

/* The sum is kept in bfloat16, 8 bits: each addition is made in binary32 and rounded to it.
 *
 *   256 + 1 = 256
 */
#define NARROW FORMAT_BFLOAT16
#include "plain_binary16.h"

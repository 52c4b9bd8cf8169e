/* The sum is kept in TF32, the 11 bits that tensor cores multiply: each addition is made in binary32 and rounded to it.
 *
 *   2048 + 1 = 2048
 */
#define NARROW FORMAT_TF32
#include "plain_binary16.h"

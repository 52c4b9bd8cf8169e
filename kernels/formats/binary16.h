/* binary16, added in binary16: 11 bits, from 2^-24 to 65504; from 65520 on a sum is infinite. */
#define REAL_FORMAT FORMAT_BINARY16
#define REAL_PRECISION 11
#define REAL_U 0x1p-11 /* unit roundoff */
#define REAL_MAX 65504.0f
#define REAL_MIN_NORMAL 0x1p-14f
#define HALF_LEAST 0x1p-24f
#include "half.h"

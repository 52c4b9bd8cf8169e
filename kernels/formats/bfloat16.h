/* bfloat16, added in bfloat16: 8 bits, and the exponents of binary32. */
#define REAL_FORMAT FORMAT_BFLOAT16
#define REAL_PRECISION 8
#define REAL_U 0x1p-8 /* unit roundoff */
#define REAL_MAX 0x1.fep127f
#define REAL_MIN_NORMAL FLT_MIN
#define HALF_LEAST 0x1p-133f
#include "half.h"

/* bfloat16, added in bfloat16: 8 bits, and the exponents of binary32. */
#define REAL_FORMAT FORMAT_BFLOAT16
#define REAL_PRECISION 8
#define REAL_U 0x1p-8 /* unit roundoff */
#define REAL_MAX 0x1.fep127f
#define REAL_MIN_NORMAL FLT_MIN
#define HALF_LEAST 0x1p-133f
#ifdef __CUDACC__
#include <cuda_bf16.h>
#define HALF __nv_bfloat16
#define HALF_NUMBER bfloat16_number
#define STORED_FORMATS(OF) OF(bfloat16, __nv_bfloat16)
#define RESULT_FORMATS(OF) OF(bfloat16, __nv_bfloat16)
#endif
#include "half.h"

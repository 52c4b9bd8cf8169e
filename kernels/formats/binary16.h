/* binary16, added in binary16: 11 bits, from 2^-24 to 65504; from 65520 on a sum is infinite. */
#define REAL_FORMAT FORMAT_BINARY16
#define REAL_PRECISION 11
#define REAL_U 0x1p-11 /* unit roundoff */
#define REAL_MAX 65504.0f
#define REAL_MIN_NORMAL 0x1p-14f
#define HALF_LEAST 0x1p-24f
#ifdef __CUDACC__
#include "fp8.h"
#define HALF __half
#define HALF_NUMBER binary16_number
#define STORED_FORMATS(OF) OF(binary16, __half) OF(e4m3, __nv_fp8_e4m3) OF(e5m2, __nv_fp8_e5m2)
#define RESULT_FORMATS(OF) OF(binary16, __half)
#endif
#include "half.h"
#ifdef __CUDACC__
static __device__ real as_real(__nv_fp8_e4m3 x)
{
    return as_real(as_half(x));
}

static __device__ real as_real(__nv_fp8_e5m2 x)
{
    return as_real(as_half(x));
}
#endif

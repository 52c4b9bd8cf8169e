/* binary32, added in binary32. */
typedef float real;
#define RN(x) (x) /* the machine's addition rounds */
#define REAL_FORMAT FORMAT_BINARY32
#define REAL_PRECISION 24
#define REAL_U 0x1p-24 /* unit roundoff */
#define REAL_MAX FLT_MAX
#define REAL_MIN_NORMAL FLT_MIN
#define REAL_ABS __builtin_fabsf /* clears a bit: no call, and no libm */
#ifdef __CUDACC__
#define real_fma __fmaf_rn /* x y + s, rounded once */
#else
#define real_fma __builtin_fmaf
#endif

/* The bits of a number; no instruction for either compiler. */
PORTABLE uint32_t real_bits(real v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* What rounding took from x y, of which `product` is the rounded one: exact but for underflow. */
KERNEL_OR_REPLAY real product_error(real x, real y, real product)
{
#ifdef __CUDACC__
    return real_fma(x, y, -product);
#else
    return (real)((double)x * (double)y - (double)product); /* where real_fma is a function */
#endif
}

#ifdef __CUDACC__
#include "fp8.h"
#include <cuda_bf16.h>

#define STORED_FORMATS(OF)                                                                                             \
    OF(binary32, float)                                                                                                \
    OF(binary16, __half) OF(bfloat16, __nv_bfloat16) OF(e4m3, __nv_fp8_e4m3) OF(e5m2, __nv_fp8_e5m2)
#define RESULT_FORMATS(OF) OF(binary32, float) OF(binary16, __half) OF(bfloat16, __nv_bfloat16)

static __device__ real as_real(float x)
{
    return x;
}

static __device__ real as_real(__half x)
{
    return __half2float(x);
}

static __device__ real as_real(__nv_bfloat16 x)
{
    return __bfloat162float(x);
}

static __device__ real as_real(__nv_fp8_e4m3 x)
{
    return __half2float(as_half(x));
}

static __device__ real as_real(__nv_fp8_e5m2 x)
{
    return __half2float(as_half(x));
}
#endif

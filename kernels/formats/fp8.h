/* The numbers of 8 bits, as a GPU has them: each is a number of binary16. */
#include <cuda_fp16.h>
#include <cuda_fp8.h>

PORTABLE __half as_half(__nv_fp8_e4m3 x)
{
    return __half(__nv_cvt_fp8_to_halfraw(x.__x, __NV_E4M3));
}

PORTABLE __half as_half(__nv_fp8_e5m2 x)
{
    return __half(__nv_cvt_fp8_to_halfraw(x.__x, __NV_E5M2));
}

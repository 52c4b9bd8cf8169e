/* e4m3, rounded to at every addition: 4 bits, from 2^-9 to 448, where sums end. */
#define REAL_FORMAT FORMAT_E4M3
#define REAL_PRECISION 4
#define REAL_U 0x1p-4 /* unit roundoff */
#define REAL_MAX 448.0f
#define REAL_SATURATES 464.0 /* half an ulp above: larger sums are 448, and err by more */
#define REAL_MIN_NORMAL 0x1p-6f
#define HALF_LEAST 0x1p-9f
#define ONLY_ACCUMULATOR plain
#ifdef __CUDACC__
#include "fp8.h"
#define FP8 __nv_fp8_e4m3
#define HALF_NUMBER e4m3_number
#define STORED_FORMATS(OF) OF(e4m3, __nv_fp8_e4m3)
#define RESULT_FORMATS(OF) OF(e4m3, __nv_fp8_e4m3)
#endif
#include "saturating.h"

/* e5m2, rounded to at every addition: 3 bits, from 2^-16 to 57344, where sums end. */
#define REAL_FORMAT FORMAT_E5M2
#define REAL_PRECISION 3
#define REAL_U 0x1p-3 /* unit roundoff */
#define REAL_MAX 57344.0f
#define REAL_SATURATES 61440.0 /* half an ulp above: larger sums are 57344, and err by more */
#define REAL_MIN_NORMAL 0x1p-14f
#define HALF_LEAST 0x1p-16f
#define ONLY_ACCUMULATOR plain
#ifdef __CUDACC__
#include "fp8.h"
#define FP8 __nv_fp8_e5m2
#define HALF_NUMBER e5m2_number
#define STORED_FORMATS(OF) OF(e5m2, __nv_fp8_e5m2)
#define RESULT_FORMATS(OF) OF(e5m2, __nv_fp8_e5m2)
#endif
#include "saturating.h"

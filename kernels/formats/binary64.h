/* binary64, added in binary64. */
typedef double real;
#define RN(x) (x) /* the machine's addition rounds */
#define REAL_FORMAT FORMAT_BINARY64
#define REAL_PRECISION 53
#define REAL_U 0x1p-53 /* unit roundoff */
#define REAL_MAX DBL_MAX
#define REAL_MIN_NORMAL DBL_MIN
#define REAL_ABS __builtin_fabs /* clears a bit: no call, and no libm */
#ifdef __CUDACC__
#define real_fma __fma_rn /* x y + s, rounded once */
#else
#define real_fma __builtin_fma
#endif

/* The bits of a number; no instruction for either compiler. */
PORTABLE uint64_t real_bits(real v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* What rounding took from x y, of which `product` is the rounded one: exact but for underflow. */
KERNEL_OR_REPLAY real product_error(real x, real y, real product)
{
    return real_fma(x, y, -product);
}

#ifdef __CUDACC__
#define STORED_FORMATS(OF) OF(binary64, double) OF(binary32, float)
#define RESULT_FORMATS(OF) OF(binary64, double)

static __device__ real as_real(double x)
{
    return x;
}

static __device__ real as_real(float x)
{
    return x;
}
#endif

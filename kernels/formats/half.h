/* What binary16 and bfloat16 share, and fp8 beside what saturating.h says. */
#ifdef __CUDACC__
/* A GPU adds them itself: __hadd_rn is one instruction, which is never contracted.  4 bytes, since states travel
 * between threads in words of 32 bits. */
struct alignas(4) HALF_NUMBER {
    HALF of;
    HALF_NUMBER() = default;
    __host__ __device__ HALF_NUMBER(HALF x) : of(x)
    {
    }
    __host__ __device__ HALF_NUMBER(int x) : of((float)x)
    {
    }
    __host__ __device__ explicit operator double() const
    {
        return (double)(float)of;
    }
};
typedef struct HALF_NUMBER real;

PORTABLE real operator+(real a, real b)
{
    return __hadd_rn(a.of, b.of);
}

PORTABLE real operator-(real a, real b)
{
    return __hsub_rn(a.of, b.of);
}

PORTABLE real operator*(real a, real b)
{
    return __hmul_rn(a.of, b.of);
}

PORTABLE real operator/(real a, real b)
{
    return HALF((float)a.of / (float)b.of);
}

PORTABLE real operator-(real a)
{
    return __hneg(a.of);
}

KERNEL_OR_REPLAY real real_fma(real x, real y, real s)
{
#if REAL_PRECISION == 8 && defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    /* There is no instruction: of the two binary32 around x y + s the odd one, which rounds as x y + s does. */
    const float down = __fmaf_rd(x.of, y.of, s.of), up = __fmaf_ru(x.of, y.of, s.of);
    return __float2bfloat16_rn(float_bits(down) & 1 ? down : up);
#else
    return __hfma(x.of, y.of, s.of);
#endif
}

/* What rounding took from x y, of which `product` is the rounded one: exact but for underflow. */
KERNEL_OR_REPLAY real product_error(real x, real y, real product)
{
    return real_fma(x, y, -product);
}

PORTABLE bool operator==(real a, real b)
{
    return __heq(a.of, b.of);
}

PORTABLE bool operator>=(real a, real b)
{
    return __hge(a.of, b.of);
}

PORTABLE real half_abs(real a)
{
    return __habs(a.of);
}

#ifndef REAL_SATURATES
static __device__ real atomicAdd(real *total, real x)
{
    return atomicAdd(&total->of, x.of);
}
#endif

static __device__ real as_real(HALF x)
{
    return x;
}

#define REAL_ABS half_abs
#ifdef REAL_SATURATES
#define RN(x) half_rounded(x)
#else
#define RN(x) (x)
#endif
#else
/* On the host numbers are kept in binary32, which holds each of them, and are added there.  RN() then rounds to
 * REAL_PRECISION bits, with the same result as one rounding of the exact sum: 24 bits are 2 * 11 + 2
 * (docs/decisions/0017-formats.md). */
typedef float real;
#define REAL_ABS __builtin_fabsf /* clears a bit: no call, and no libm */
#define RN(x) half_rounded(x)
#ifdef REAL_SATURATES
#define HALF_BEYOND float_bits(REAL_MAX)
#else
#define HALF_BEYOND (UINT32_C(0xff) << 23) /* infinity */
#endif

/* To nearest, ties to even.  The bits of a magnitude are an integer that grows with it, so that a carry out of the
 * fraction is right.  Below the least normal number the last place is HALF_LEAST, that of the frame. */
PORTABLE real half_rounded(float x)
{
    const uint32_t sign = float_bits(x) & UINT32_C(1) << 31, magnitude = float_bits(x) ^ sign;
    const uint32_t last = UINT32_C(1) << (24 - REAL_PRECISION), odd = magnitude / last & 1;
    const uint32_t rounded = (magnitude + last / 2 - 1 + odd) & ~(last - 1);
    const float frame = 1.5f * 0x1p23f * HALF_LEAST, tiny = (float_from_bits(magnitude) + frame) - frame;
    const uint32_t kept = float_from_bits(magnitude) < REAL_MIN_NORMAL ? float_bits(tiny) : rounded;
    const uint32_t limited = float_from_bits(kept) > REAL_MAX ? HALF_BEYOND : kept;
    return magnitude > UINT32_C(0xff) << 23 ? x : float_from_bits(sign | limited);
}

/* What rounding took from x y, of which `product` is the rounded one: exact but for underflow. */
KERNEL_OR_REPLAY real product_error(real x, real y, real product)
{
    return RN(x * y - product);
}

/* x y + s, rounded once.  x y is a binary64, and where its sum with s is not, the last bit is made odd, in which case
 * rounding again is as rounding once. */
KERNEL_OR_REPLAY real real_fma(real x, real y, real s)
{
    const double product = (double)x * (double)y, sum = product + (double)s;
    const double s_part = sum - product, product_part = sum - s_part;
    const double error = (product - product_part) + ((double)s - s_part);
    uint64_t bits = double_bits(sum);
    if (error - error == 0 && error != 0 && bits % 2 == 0)
        bits += (error > 0) == (sum > 0) ? 1 : -UINT64_C(1);
    return (real)rounded_to(double_from_bits(bits), &REAL_FORMAT);
}

/* The bits of a number as it is kept: those of the binary32, not the 16 that it is stored in. */
PORTABLE uint32_t real_bits(real v)
{
    return float_bits(v);
}
#endif

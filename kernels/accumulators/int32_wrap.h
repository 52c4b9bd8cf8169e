/* Sums of integers: each number is cut toward zero to an integer when it is added, and sums wrap around modulo 2^32, as
 * additions of int do on every processor.
 *
 *   0.6 + 0.6  ->  0 + 0 = 0        2147483647 + 1  ->  -2147483648
 *
 * Products of two numbers of 8 bits are exact, so that dot:int32_wrap is the product of int8 into int32.
 *
 * int32_saturate ends at the largest integer and at the least, so that its order matters:
 *
 *   (2147483647 + 1) - 1  ->  2147483646        2147483647 + (1 - 1)  ->  2147483647
 *
 * int64_wrap has 64 bits.  int32_accumulate is `int s; s += x`, as std::accumulate(x, x + n, 0) is compiled: s is
 * converted to the format of x, and each sum is cut.
 *
 *   5 - 0.5  ->  5 - 0 = 5, and 4 of int32_accumulate
 *
 * What C leaves undefined makes the result NaN: to cut a NaN or a number beyond 64 bits; of int32_accumulate a sum
 * beyond 32 bits.
 *
 * Bound: min(n, S) and one rounding to the result, where S < 2^31 (or 2^63), so that nothing wraps around or ends: what
 * cutting takes from a number is less than 1, and no more than it is (docs/bounds.md, P9).
 */
#if REAL_PRECISION < 24
#define ABSENT "it adds integers, to which wider numbers are cut: it is in the format that adds in binary32"
#else

#ifndef INTEGER_BITS
#define INTEGER_BITS 32
#endif
#define INTEGER_END (INTEGER_BITS == 64 ? 0x1p63 : 0x1p31)

#if INTEGER_BITS == 64
typedef int64_t integer;
typedef uint64_t integer_word;
#else
typedef int32_t integer;
typedef uint32_t integer_word;
#endif

STATE
{
    integer sum;
    integer_word is_undefined;
};

PORTABLE STATE A(zero)(void)
{
    STATE s;
    s.sum = 0;
    s.is_undefined = 0;
    return s;
}

/* The integer that stands for a sum beyond its bits, or a number. */
PORTABLE integer A(within)(int64_t sum)
{
#ifdef INTEGER_SATURATES
    return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (integer)sum;
#else
    return (integer)(integer_word)(uint64_t)sum; /* the last bits, with gcc, clang and nvcc */
#endif
}

PORTABLE integer A(plus)(integer a, integer b)
{
#ifdef INTEGER_SATURATES
    return A(within)((int64_t)a + b);
#else
    return (integer)((integer_word)a + (integer_word)b);
#endif
}

PORTABLE STATE A(add)(STATE s, real x)
{
#ifdef INTEGER_CUTS_SUMS
    const real sum = RN((real)s.sum + x);
    const int is_defined = (double)sum > -0x1p31 - 1 && (double)sum < 0x1p31;
    s.sum = is_defined ? (integer)sum : 0;
#else
    const int is_defined = x >= (real)-0x1p63 && x < (real)0x1p63;
    s.sum = A(plus)(s.sum, A(within)(is_defined ? (int64_t)x : 0));
#endif
    s.is_undefined |= !is_defined;
    return s;
}

PORTABLE STATE A(merge)(STATE a, STATE b)
{
#ifdef INTEGER_CUTS_SUMS
    const int64_t sum = (int64_t)a.sum + b.sum;
    a.is_undefined |= sum > INT32_MAX || sum < INT32_MIN;
#endif
    a.sum = A(plus)(a.sum, b.sum);
    a.is_undefined |= b.is_undefined;
    return a;
}

/* What is rounded to binary32 later has the last of its 53 bits set where any below them is (rounded to odd). */
PORTABLE double A(result)(STATE s)
{
    int64_t sum = s.sum;
    if (REAL_PRECISION == 24 && (sum >= INT64_C(1) << 53 || sum <= -(INT64_C(1) << 53)))
        sum = (sum | ((sum & 0x7ff) + 0x7ff)) & ~(int64_t)0x7ff;
    return s.is_undefined ? (double)NAN : (double)sum;
}

/* The same bits in any order, also where atomics decide it. */
#define int32_wrap_ANY_ORDER 1
#define int32_wrap_HAS_ATOMIC 1
#define int32_wrap_ATOMIC_LOSS 0.0
#define int64_wrap_ANY_ORDER 1
#define int64_wrap_HAS_ATOMIC 1
#define int64_wrap_ATOMIC_LOSS 0.0

#define INTEGER_ROUNDED_ONCE (REAL_PRECISION == 24)
#define int32_wrap_ROUNDED_ONCE INTEGER_ROUNDED_ONCE
#define int32_saturate_ROUNDED_ONCE INTEGER_ROUNDED_ONCE
#define int64_wrap_ROUNDED_ONCE INTEGER_ROUNDED_ONCE
#define int32_accumulate_ROUNDED_ONCE INTEGER_ROUNDED_ONCE

#undef TRAITS
#define TRAITS .advantage = "the integer"

#ifdef __CUDACC__
#if A(HAS_ATOMIC)
#if INTEGER_BITS == 64
typedef unsigned long long integer_atomic;
#else
typedef unsigned integer_atomic;
#endif
static __device__ void A(merge_atomic)(STATE *total, STATE s)
{
    atomicAdd((integer_atomic *)&total->sum, (integer_atomic)s.sum);
    if (s.is_undefined)
        atomicOr((integer_atomic *)&total->is_undefined, (integer_atomic)1);
}
#endif
#else
/* Two halves, which binary64 has. */
static inline int A(parts)(STATE s, double parts[])
{
    parts[0] = s.is_undefined ? (double)NAN : (double)(s.sum & ~(integer)UINT16_MAX);
    parts[1] = (double)(s.sum & (integer)UINT16_MAX);
    return 2;
}

static inline double A(bound)(const struct claim *of)
{
    const double u = A(ROUNDED_ONCE) ? of->result_u : REAL_U;
#ifdef INTEGER_CUTS_SUMS /* two roundings before it is cut; a sum less what was cut from it is within 2 S */
    const double rounding = round_up(bound_growth(2 * of->height, bound_one_rounding(REAL_U)) * of->sum_abs);
    const double lost = round_up(bound_min(of->n, 2 * of->sum_abs) + rounding);
#else
    const double rounding = 0, lost = bound_min(of->n, of->sum_abs);
#endif
    if (!(round_up(of->sum_abs + rounding) < INTEGER_END))
        return INFINITY;
    return round_up(lost + bound_one_rounding(u) * (of->abs_s + lost));
}
#endif
#endif

/* binary32 in binary64: what is not rounded by RN() keeps 53 bits, and shows. */
typedef double real;

/* 53 >= 2 * 24 + 2: the same as one rounding (docs/decisions/0017-formats.md).  Not by a conversion to float: gcc 12.2
 * then gets neumaier's additions wrong at -O2, unless told -fno-tree-slp-vectorize. */
static uint64_t roundings; /* so far */
static inline double RN(double x)
{
    roundings++;
    return rounded_to(x, &FORMAT_BINARY32);
}
#define real_fma(x, y, s) RN((x) * (y) + (s)) /* no sum here has products */
#define REAL_FORMAT FORMAT_BINARY32
#define REAL_PRECISION 24
#define REAL_U 0x1p-24
#define REAL_MAX ((double)FLT_MAX)
#define REAL_MIN_NORMAL ((double)FLT_MIN)
#define REAL_ABS __builtin_fabs

PORTABLE uint32_t real_bits(real v)
{
    return float_bits((float)v);
}

/* The input is binary32. */
typedef float real;
#define RN(x) (x) /* the machine's addition rounds */
#define REAL_FORMAT FORMAT_BINARY32
#define REAL_PRECISION 24
#define REAL_U 0x1p-24 /* unit roundoff */
#define REAL_MAX FLT_MAX
#define REAL_MIN_NORMAL FLT_MIN
#define REAL_ABS __builtin_fabsf /* clears a bit: no call, and no libm */

/* The bits of a number; no instruction for either compiler. */
PORTABLE uint32_t real_bits(real v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

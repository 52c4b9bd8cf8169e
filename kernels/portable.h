/* The C that gcc and nvcc read alike, and what every accumulator and order is written in.
 *
 * An accumulator or order file is an include-template: it is compiled once per accumulator and number format,
 *
 *   -DACC=kahan -DFORMAT=binary32, and the file of each
 *
 *   STATE           struct kahan
 *   A(add)          kahan_add
 *   A(result)       kahan_result: a binary64 that is the result once it is rounded; see store_result() in stored.h
 *   EXPORTED(name)  kahan_binary32_sum_name, for what the linker sees
 *   METHODS_NAME    kahan; or, with -DVARIANT=<id>, that id: some of its verbs are others, see broken.def
 *   real            the numbers that are added, from kernels/formats/
 *   RN(a + b)       their sum, rounded to nearest
 *
 * and of an operation, -DOPERATION_ID=dot_exact; see kernels/terms.h.
 */
#pragma once

#include "src/base/fp.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

#define PASTE_(a, b) a##_##b
#define PASTE(a, b) PASTE_(a, b)
#define A(verb) PASTE(ACC, verb)
#define EXPORTED(name) PASTE(PASTE(METHODS_NAME, FORMAT), PASTE(OPERATION_ID, name))
#define STATE struct ACC
#define TEXT_(word) #word
#define TEXT(word) TEXT_(word)

#ifdef VARIANT
#define METHODS_NAME VARIANT
#else
#define METHODS_NAME ACC
#endif

/* A condition that is seldom true: what it guards is laid out behind the common path, which then has no jump. */
#define RARELY(condition) __builtin_expect(!!(condition), 0)

/* Of functions that no CUDA program calls on its host: they may use instructions that only a GPU has. */
#ifdef __CUDACC__
#define KERNEL_OR_REPLAY static __device__
#else
#define KERNEL_OR_REPLAY static inline
#endif

#include FORMAT_FILE

/* Neither NaN nor infinite; without libm, so that both compilers emit two ordinary instructions. */
PORTABLE int is_finite(real v)
{
    return v - v == 0;
}

/* What a correction becomes when an infinity, or an intermediate beyond the largest number, has spoilt it. */
PORTABLE real finite_or_zero(real v)
{
    return is_finite(v) ? v : 0;
}

/* A count as a number, rounded once: beyond 24 bits, by way of an odd one of so many, to fewer. */
PORTABLE real real_of_count(uint32_t count)
{
#if REAL_PRECISION < 24
    const float odd = (float)(count >> 24 ? (count >> 8 | (count % 256 != 0)) << 8 : count);
#ifdef __CUDACC__
    return RN(real(HALF(odd)));
#else
    return RN(odd);
#endif
#else
    return (real)count;
#endif
}

/* a + b = sum + *error exactly, whatever their order of magnitude (Knuth, TAOCP 2, 4.2.2, theorem B): 6 additions. */
PORTABLE real two_sum(real a, real b, real *error)
{
    const real sum = RN(a + b);
    const real b_part = RN(sum - a);
    const real a_part = RN(sum - b_part);
    *error = RN(RN(a - a_part) + RN(b - b_part));
    return sum;
}

/* The same where |a| >= |b|, or a is a multiple of the last bit of b (Dekker, Numer. Math. 18 (1971)): 3 additions. */
PORTABLE real fast_two_sum(real a, real b, real *error)
{
    const real sum = RN(a + b);
    *error = RN(b - RN(sum - a));
    return sum;
}

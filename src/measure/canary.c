#include "canary.h"

#include "kernels/method.h"

#include <fenv.h>
#include <float.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

static float replayed(const char *id, const float *x, uint64_t n)
{
    const struct method *method = method_find(id);
    float result = 0;
    if (method && method_sum(method, x, n, (struct launch){1, 1}, 1, &result) != OK)
        memory_end(); /* which says nothing of arithmetic */
    return result;
}

/* fegetround() looks at the x87 unit alone; what follows is seen by the other. */
static int rounds_to_nearest(void)
{
    volatile float one = 1, tiny = 0x1p-30f;
    return fegetround() == FE_TONEAREST && one + tiny == 1 && one - tiny == 1 && -one - tiny == -1;
}

/* The bits themselves, which say it even where no operand happens to be subnormal. */
static int keeps_subnormals(void)
{
#ifdef __SSE2__
    enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x0040 };
    if (_mm_getcsr() & (FLUSH_TO_ZERO | DENORMALS_ARE_ZERO))
        return 0;
#endif
    volatile float least_normal = FLT_MIN, half = 0.5f;
    volatile float subnormal = least_normal * half;
    return subnormal != 0 && subnormal + subnormal == least_normal;
}

/* 2^24 + 1 + 1: a compensated sum keeps both ones; reassociated, its compensation is x - x = 0. */
static int compensation_survives(void)
{
    static const float x[] = {0x1p24f, 1, 1};
    return replayed("plain/serial", x, 3) == 0x1p24f && replayed("kahan/serial", x, 3) == 0x1.000002p24f &&
           replayed("neumaier/serial", x, 3) == 0x1.000002p24f;
}

/* The bits of two sums whose every step rounds: 1000.3, 0.1, -0.7, 3.3, 0.1, 0.2, 7.7. */
static int sums_have_known_bits(void)
{
    static const float x[] = {0x1.f42666p+9f, 0x1.99999ap-4f, -0x1.666666p-1f, 0x1.a66666p+1f,
                              0x1.99999ap-4f, 0x1.99999ap-3f, 0x1.ecccccp+2f};
    return float_bits(replayed("plain/serial", x, 7)) == 0x447cbfff &&
           float_bits(replayed("kahan/serial", x, 7)) == 0x447cc000;
}

/* (1 + 2^-12)^2 - (1 + 2^-11): 0 when the product is rounded first, 2^-24 when it is fused into the subtraction. */
static int products_are_rounded(void)
{
    volatile float opaque_a = 0x1.001p0f, opaque_c = 0x1.002p0f;
    const float a = opaque_a, c = opaque_c;
    const float difference = a * a - c;
    return difference == 0;
}

/* 5/3 times a rounded 1/3 is another float than 5/3 rounded: 0x1.aaaaacp+0 instead of 0x1.aaaaaap+0. */
static int quotients_are_rounded(void)
{
    volatile float opaque = 5;
    return opaque / 3.0f == 0x1.aaaaaap+0f;
}

/* -0 + 0 is 0; it stays -0 where the compiler may drop an added zero. */
static int zeros_keep_their_signs(void)
{
    static const float x[] = {-0.0f};
    volatile float opaque = -0.0f;
    return float_bits(opaque + 0.0f) == 0 && float_bits(replayed("plain/serial", x, 1)) == 0;
}

/* 0.1 of binary64 is not 0.1 of binary32. */
static int constants_are_binary64(void)
{
    volatile double tenth = 0.1;
    return tenth != 0.1f;
}

/* float in wider registers (x87) keeps 2^24 + 1. */
static int float_is_not_wider(void)
{
    volatile float opaque = 0x1p24f;
    const float a = opaque;
    return (a + 1.0f) - a == 0;
}

/* The first are about the mode of the thread, which can be changed while the program runs. */
enum { OF_MODE = 2 };

static const struct canary_check checks[] = {
    {"rounding to nearest", rounds_to_nearest,
     "the rounding mode is not to-nearest; something in this process called fesetround()"},
    {"subnormals are kept", keeps_subnormals,
     "subnormals are flushed to zero (FTZ or DAZ in MXCSR); a library linked with -ffast-math does that to the whole "
     "process: unset LD_PRELOAD or rebuild that library"},
    {"compensation survives", compensation_survives,
     "Kahan's compensation is optimised away; rebuild without -ffast-math and -fassociative-math"},
    {"known bits", sums_have_known_bits, "two known sums have other bits; rebuild with the flags of the presets"},
    {"products are rounded", products_are_rounded,
     "a product is fused into an addition; rebuild with -ffp-contract=off"},
    {"quotients are rounded", quotients_are_rounded,
     "a quotient is a product with a rounded reciprocal; rebuild without -freciprocal-math"},
    {"zeros keep their signs", zeros_keep_their_signs,
     "-0 + 0 is not 0; rebuild without -fno-signed-zeros and -ffast-math"},
    {"constants are binary64", constants_are_binary64,
     "constants of binary64 are rounded to binary32; rebuild without -fsingle-precision-constant"},
    {"float is not wider", float_is_not_wider, "float arithmetic is wider than binary32; rebuild with -mfpmath=sse"},
};

const struct canary_check *canary_checks(size_t *count)
{
    *count = sizeof checks / sizeof *checks;
    return checks;
}

static enum status check_first(size_t count)
{
    enum status status = OK;
    for (size_t i = 0; i < count; i++)
        if (!checks[i].sings())
            status = not_measured("canary: %s: %s", checks[i].name, checks[i].otherwise);
    return status;
}

enum status canary_check(void)
{
    return check_first(sizeof checks / sizeof *checks);
}

enum status canary_check_mode(void)
{
    return check_first(OF_MODE);
}

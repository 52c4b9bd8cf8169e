#include "running_sum.h"

#include "format_edges.h"

#include <assert.h>
#include <math.h>

enum { UNIT = -1074, LIMB = 64, LEAST_COUNT = 3, SIGNIFICAND = 52, FIELD_MOST = 0x7ff };

__extension__ typedef unsigned __int128 two_limbs;

void running_sum_clear(struct running_sum *sum)
{
    *sum = (struct running_sum){.count = LEAST_COUNT, .least = RUNNING_SUM_LIMBS};
}

static uint64_t sign_of(const struct running_sum *sum)
{
    return sum->limb[sum->count - 1] >> 63 ? UINT64_MAX : 0;
}

/* A carry has run out of the limbs below: through those that it turns over, not into those that end the number. */
static void carry_from(struct running_sum *sum, int k, uint64_t inverted)
{
    for (bool carry = true; carry && k < sum->count; k++) {
        const uint64_t limb = (sum->limb[k] ^ inverted) + 1;
        sum->limb[k] = limb ^ inverted;
        carry = limb == 0;
    }
}

/* One limb of sign at the end, not none and not two. */
static void trim(struct running_sum *sum)
{
    const uint64_t last = sum->limb[sum->count - 1], sign = sign_of(sum);
    if (last != sign)
        sum->limb[sum->count++] = sign;
    while (sum->count > LEAST_COUNT && sum->limb[sum->count - 2] == sign)
        sum->count--;
}

/* s - x is ~(~s + x): to subtract, limbs are inverted on their way in and out. */
static void add_at(struct running_sum *sum, int k, two_limbs x, uint64_t inverted)
{
    for (const uint64_t sign = sign_of(sum); sum->count < k + 3; sum->count++)
        sum->limb[sum->count] = sign;
    if (k < sum->least)
        sum->least = k;
    const two_limbs before = (two_limbs)(sum->limb[k + 1] ^ inverted) << LIMB | (sum->limb[k] ^ inverted);
    const two_limbs after = before + x;
    sum->limb[k] = (uint64_t)after ^ inverted;
    sum->limb[k + 1] = (uint64_t)(after >> LIMB) ^ inverted;
    if (after < before)
        carry_from(sum, k + 2, inverted);
    trim(sum);
}

void running_sum_add(struct running_sum *sum, double x)
{
    const uint64_t bits = double_bits(x);
    if (bits << 1 == 0)
        return;
    const int field = (int)(bits >> SIGNIFICAND & FIELD_MOST), place = field > 0 ? field - 1 : 0; /* of its last bit */
    assert(field < FIELD_MOST);
    const uint64_t significand = (bits & 0xfffffffffffff) | (uint64_t)(field > 0) << SIGNIFICAND;
    add_at(sum, place / LIMB, (two_limbs)significand << place % LIMB, bits >> 63 ? UINT64_MAX : 0);
}

bool running_sum_is_negative(const struct running_sum *sum)
{
    return sign_of(sum) != 0;
}

bool running_sum_is_zero(const struct running_sum *sum)
{
    return sum->count == LEAST_COUNT && (sum->limb[0] | sum->limb[1] | sum->limb[2]) == 0;
}

static bool any_below(const struct running_sum *sum, int k)
{
    for (k--; k >= sum->least; k--)
        if (sum->limb[k] != 0)
            return true;
    return false;
}

/* |sum| = bits 2^exponent, or a little more where `inexact`; the highest of the bits is set. */
struct head {
    uint64_t bits;
    int exponent;
    bool inexact;
};

/* Not of 0.  The window of two limbs holds the 64 bits: the upper of them is not 0, but in the least numbers, whose
 * window is all there is, and in a power of two below 0, which fills neither. */
static struct head head_of(const struct running_sum *sum)
{
    const int low = sum->count - 3;
    const bool more = any_below(sum, low);
    two_limbs window = (two_limbs)sum->limb[low + 1] << LIMB | sum->limb[low];
    int exponent = LIMB * (low + 1) + UNIT;
    if (running_sum_is_negative(sum)) {
        window = more ? ~window : -window;
        if (window == 0) /* -2^128 units of the window */
            return (struct head){1ull << 63, exponent + LIMB - (LIMB - 1), false};
    }
    const uint64_t upper = (uint64_t)(window >> LIMB);
    const int zeros = upper ? __builtin_clzll(upper) : LIMB + __builtin_clzll((uint64_t)window);
    window <<= zeros;
    exponent -= zeros;
    return (struct head){(uint64_t)(window >> LIMB), exponent, (uint64_t)window != 0 || more};
}

/* magnitude 2^exponent with the sign of the sum: exact, but infinite from 2^1024 on.  A sum below 2^-1022 has no bit
 * that binary64 lacks. */
static double scaled(const struct running_sum *sum, double magnitude, int exponent)
{
    const uint64_t bits = double_bits(magnitude), sign = sign_of(sum) << 63;
    const int field = (int)(bits >> SIGNIFICAND) + exponent;
    if (field > 0 && field < FIELD_MOST)
        return double_from_bits((bits + ((uint64_t)(int64_t)exponent << SIGNIFICAND)) | sign);
    return sign ? -ldexp(magnitude, exponent) : ldexp(magnitude, exponent);
}

/* 63 bits, the last of them also telling of all below: the machine's conversion rounds that to 53 as it would all. */
double running_sum_binary64(const struct running_sum *sum)
{
    if (running_sum_is_zero(sum))
        return 0;
    const struct head head = head_of(sum);
    const uint64_t bits = head.bits >> 1 | (head.bits & 1) | head.inexact;
    return scaled(sum, (double)(int64_t)bits, head.exponent + 1);
}

/* Rounded to odd at 53 bits, which a rounding to 24 or fewer does not see: Boldo & Melquiond, IEEE Trans. Comput.
 * 57(4) (2008). */
double running_sum_in(const struct format *format, const struct running_sum *sum)
{
    enum { DROPPED = 11 };
    if (format->precision > FLT_MANT_DIG)
        return running_sum_binary64(sum);
    if (running_sum_is_zero(sum))
        return 0;
    const struct head head = head_of(sum);
    const bool inexact = (head.bits & ((1u << DROPPED) - 1)) != 0 || head.inexact;
    return nearest_in(format, scaled(sum, (double)(int64_t)(head.bits >> DROPPED | inexact), head.exponent + DROPPED));
}

double running_sum_minus(const struct format *format, struct running_sum *sum, double x)
{
    running_sum_add(sum, -x);
    const double difference = running_sum_in(format, sum);
    running_sum_add(sum, x);
    return difference;
}

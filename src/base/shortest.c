/* The shortest decimal that reads back.
 *
 *   0.3 = m 2^-54 with m = 5404319552844595, and 10^17 0.3 = m 5^17 2^-37 = 29999999999999998.89
 *
 *   Half the distance to the next number is 5^17 2^-38 = 2.77 there: decimals that near read back.  Of 15 digits
 *   300000000000000|00 is the nearest, 1.11 away, and it is written: 0.3.
 */
#include "shortest.h"

#include "base.h"

#include <math.h>

__extension__ typedef unsigned __int128 wide;

/* 5^50 < 2^117: all that follows fits in 128 bits. */
enum { POWER_MOST = 50 };

static const double LOG10_2 = 0.30102999566398120;

/* |value| 10^power = whole + fraction 2^-shift, and the next number is gap 2^-shift away. */
struct scaled {
    uint64_t whole;
    wide fraction, gap;
    int shift;
};

static const uint64_t tens[] = {
    1,
    10,
    100,
    1000,
    10000,
    100000,
    1000000,
    10000000,
    100000000,
    1000000000,
    10000000000,
    100000000000,
    1000000000000,
    10000000000000,
    100000000000000,
    1000000000000000,
    10000000000000000,
    100000000000000000,
};

static wide five_to(int power)
{
    wide result = 1, square = 5;
    for (; power > 0; power /= 2, square *= square)
        if (power % 2 == 1)
            result *= square;
    return result;
}

static wide low_bits(wide value, int count)
{
    return value & (((wide)1 << count) - 1);
}

/* significand 2^exponent, scaled; in three limbs of 64 bits, since 5^50 times the significand has 170. */
static struct scaled scale(uint64_t significand, int exponent, int power)
{
    const wide five = five_to(power);
    const wide low = (wide)significand * (uint64_t)five;
    const wide high = (wide)significand * (uint64_t)(five >> 64) + (low >> 64); /* above the lowest limb */
    const int shift = -(exponent + power);
    struct scaled scaled = {.gap = five, .shift = shift};
    if (shift >= 64) {
        scaled.whole = (uint64_t)(high >> (shift - 64));
        scaled.fraction = low_bits(high, shift - 64) << 64 | (uint64_t)low;
    } else if (shift >= 0) {
        scaled.whole = (uint64_t)((low_bits(high, 64) << 64 | (uint64_t)low) >> shift);
        scaled.fraction = low_bits(low, shift);
    } else { /* a whole number */
        scaled.whole = (uint64_t)low << -shift;
        scaled.gap <<= -shift;
        scaled.shift = 0;
    }
    return scaled;
}

/* The multiple of `unit` that is nearest, and of two the even one: what printf gives. */
static uint64_t nearest(const struct scaled *scaled, uint64_t unit)
{
    const uint64_t rest = scaled->whole % unit, below = scaled->whole - rest;
    const wide whole = (wide)unit << scaled->shift, twice = ((wide)rest << scaled->shift | scaled->fraction) * 2;
    const bool up = twice > whole || (twice == whole && below / unit % 2 == 1);
    return up ? below + unit : below;
}

/* No further than half the gap, or a quarter of it below a power of two, where the next number is half as far. */
static bool reads_back(const struct scaled *scaled, uint64_t decimal, bool is_even, bool is_power_of_two)
{
    const bool above = decimal > scaled->whole;
    const wide whole = above ? decimal - scaled->whole : scaled->whole - decimal;
    const wide distance =
        above ? (whole << scaled->shift) - scaled->fraction : (whole << scaled->shift) + scaled->fraction;
    const wide compared = distance * (is_power_of_two && !above ? 4 : 2);
    return compared < scaled->gap || (is_even && compared == scaled->gap);
}

static char *write_zeros(char *end, int count)
{
    for (; count > 0; count--)
        *end++ = '0';
    return end;
}

static char *write_exponent(char *end, int exponent)
{
    *end++ = 'e';
    *end++ = exponent < 0 ? '-' : '+';
    *end++ = (char)('0' + abs(exponent) / 10); /* two digits, as printf; none has three */
    *end++ = (char)('0' + abs(exponent) % 10);
    return end;
}

/* As "%.*g" of `precision` digits places the point; the first digit is that of 10^magnitude. */
static void write_digits(uint64_t number, int magnitude, int precision, char *text)
{
    char digits[24], *first = digits + sizeof digits, *end = text;
    while (number % 10 == 0)
        number /= 10;
    for (; number > 0; number /= 10)
        *--first = (char)('0' + number % 10);
    const int count = (int)(digits + sizeof digits - first);
    const bool in_full = magnitude >= -4 && magnitude < precision;
    const int before_point = in_full ? magnitude + 1 : 1;
    if (before_point <= 0) {
        end = write_zeros(end, 1);
        *end++ = '.';
        end = write_zeros(end, -before_point);
    }
    for (int i = 0; i < count; i++) {
        if (i > 0 && i == before_point)
            *end++ = '.';
        *end++ = first[i];
    }
    end = write_zeros(end, before_point - count);
    if (!in_full)
        end = write_exponent(end, magnitude);
    *end = '\0';
}

/* The multiple of `unit` that reads back; 0: none does.  The nearest to a power of two may lie too far below it, and
 * the next one not too far above: of 16 digits that is 5.684341886080802e-14 for 2^-44. */
static uint64_t find_decimal(const struct scaled *scaled, uint64_t unit, bool is_even, bool is_power_of_two)
{
    const uint64_t decimal = nearest(scaled, unit);
    if (reads_back(scaled, decimal, is_even, is_power_of_two))
        return decimal;
    if (is_power_of_two && reads_back(scaled, decimal + unit, is_even, true))
        return decimal + unit;
    return 0;
}

bool shortest_write(double value, const struct decimals *format, char *text)
{
    int binary;
    if (value == 0) {
        strcpy(text, signbit(value) ? "-0" : "0");
        return true;
    }
    const double half_to_one = frexp(fabs(value), &binary);
    int power = format->most - 1 - (int)floor((binary - 1) * LOG10_2);
    if (power < 1 || power > POWER_MOST)
        return false;
    const uint64_t significand = (uint64_t)ldexp(half_to_one, format->precision);
    struct scaled scaled = scale(significand, binary - format->precision, power);
    if (scaled.whole >= tens[format->most]) /* the estimate is one too small at most */
        scaled = scale(significand, binary - format->precision, --power);
    if (signbit(value))
        *text++ = '-';
    for (int digits = format->fewest; digits <= format->most; digits++) {
        const uint64_t decimal =
            find_decimal(&scaled, tens[format->most - digits], significand % 2 == 0, half_to_one == 0.5);
        if (decimal == 0)
            continue;
        write_digits(decimal, format->most - 1 - power + (decimal >= tens[format->most]), digits, text);
        return true;
    }
    return false;
}

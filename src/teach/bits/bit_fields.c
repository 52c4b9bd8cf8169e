#include "bit_fields.h"

#include <math.h>

static void write_bits(uint64_t bits, int count, char text[FIELD_TEXT])
{
    for (int i = 0; i < count; i++)
        text[i] = (bits >> (count - 1 - i) & 1) ? '1' : '0';
    text[count] = '\0';
}

/* The largest power of two in range is 2^(overflow_exponent - 1), whose exponent field ends in a 0 behind ones only:
 * the field has one bit more than overflow_exponent has behind its own one. */
static int exponent_bits(const struct format *format)
{
    int bits = 1;
    while (format->overflow_exponent >> bits)
        bits++;
    return bits;
}

struct bit_fields bit_fields_of(double value, const struct format *format)
{
    const int width = exponent_bits(format), hidden = format->precision - 1;
    const int least_normal = format->least_exponent + hidden;
    uint64_t exponent = (UINT64_C(1) << width) - 1, significand = 0;
    struct bit_fields fields = {.sign = {signbit(value) && !isnan(value) ? '1' : '0'}};
    if (isnan(value)) {
        significand = UINT64_C(1) << (hidden - 1);
    } else if (isfinite(value)) {
        const int power = value == 0 || ilogb(value) < least_normal ? least_normal : ilogb(value);
        significand = (uint64_t)ldexp(fabs(value), hidden - power); /* with the hidden bit, where there is one */
        exponent = significand >> hidden ? (uint64_t)(power - least_normal + 1) : 0;
        significand &= (UINT64_C(1) << hidden) - 1;
    }
    write_bits(exponent, width, fields.exponent);
    write_bits(significand, hidden, fields.significand);
    return fields;
}

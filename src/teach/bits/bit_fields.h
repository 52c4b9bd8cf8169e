/* The bits of a number as its format has them, for people who look at them.
 *
 *   binary32 -1.5    1 01111111 10000000000000000000000     sign, exponent, significand
 *   tf32      1      0 01111111 0000000000                  likewise, 10 bits
 */
#pragma once

#include "src/base/base.h"

enum { FIELD_TEXT = 64 }; /* room for the widest, 52 digits */

struct bit_fields {
    char sign[2], exponent[FIELD_TEXT], significand[FIELD_TEXT]; /* of 0 and 1; without the hidden bit */
};

/* Of a number of the format.  A NaN is the quiet one without a payload. */
struct bit_fields bit_fields_of(double value, const struct format *format);

/* An addition in bits, lined up: each bit stands in the column of its power of two, and a bar behind the last place
 * that the result has.
 *
 *             2^24                 2^1|2^0
 *   left    + 100000000000000000000000|   0x1p+24
 *   right   +                         |1  0x1p+0
 *   exact   + 100000000000000000000000|1
 *                                      ^  a tie, rounded to even, down
 *   made    + 100000000000000000000000|   0x1p+24
 *   error   -                         |1  -0x1p+0
 *
 * The first line has the powers of the first column and of both beside the bar.  Columns in which nothing changes are
 * left out where there are too many: of 2^100 + 1 the exact row ends "0000|0...01".
 */
#pragma once

#include "src/base/base.h"

/* Of the bits; more only where so many differ, as two numbers of binary64 may in 106 places. */
enum { BIT_ROWS_WIDTH = 60 };

struct bit_sum {
    double left, right, made;
    const struct format *format;        /* that left + right is rounded to; NULL: none, and there is no bar */
    const char *left_name, *right_name; /* up to seven characters: "x0"; NULL: left, right */
};

enum { BIT_ROWS_MOST = 7, BIT_ROW_SIZE = 256 };

struct bit_rows {
    int count;
    char line[BIT_ROWS_MOST][BIT_ROW_SIZE]; /* none ends with a blank */
};

/* False, and no line, where a number is not finite.  There is no bar either where `made` is not left + right rounded to
 * the format: a merge of compensated states, say. */
bool bit_rows_of(const struct bit_sum *sum, struct bit_rows *rows);

/* The bits of a number as its format has them, for people who look at them.
 *
 *   binary32 -1.5    1 01111111 10000000000000000000000     sign, exponent, significand
 *   tf32      1      0 01111111 0000000000                  likewise, 10 bits
 */

enum { FIELD_TEXT = 64 }; /* room for the widest, 52 digits */

struct bit_fields {
    char sign[2], exponent[FIELD_TEXT], significand[FIELD_TEXT]; /* of 0 and 1; without the hidden bit */
};

/* Of a number of the format.  A NaN is the quiet one without a payload. */
struct bit_fields bit_fields_of(double value, const struct format *format);

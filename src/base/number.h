/* Text to number and back: one strict converter for the command line, study files, data specs and data files.
 *
 * A reader takes the whole text or nothing.  It returns NULL, or what is wrong with the text as the end of a sentence
 * ("is not a number", "is above 18446744073709551615"), for the caller to put the place in front of.
 * The decimal point is a point in every locale: the program never calls setlocale.
 */
#pragma once

#include "fp.h"

#include <stddef.h>
#include <stdint.h>

enum { NUMBER_TEXT = 32 }; /* room for any number that is written here */

/* As qsort wants it. */
static inline int count_order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* A count: 4096, 1e6, 1M = 10^6, 1Mi = 2^20 (K M G T, Ki Mi Gi Ti); 2.5e3 is 2500, 2.5 is refused. */
const char *read_size(const char *text, uint64_t *value);

/* A finite binary64: 0.1, 1e-3, 0x1.8p+3.  Rounded once, to nearest; out of range is refused. */
const char *read_real(const char *text, double *value);

/* A number of the format, rounded once from the decimal or hexadecimal text (nearest.c); nan and inf (any case, signed)
 * are read as such.  Out of range is refused, with an infinite *value; underflow to a subnormal or zero is not.  *side
 * (may be NULL) is the sign of text - value: not 0 when the text was rounded. */
const char *read_in_format(const char *text, const struct format *format, double *value, int *side);
const char *read_double(const char *text, double *value);
const char *read_float(const char *text, float *value);

/* "1Ki..1Mi*32": first, then each time `factor` as much, up to last.  A single size is a sweep of one.
 * *values is allocated; the caller frees it.  At most SWEEP_MOST values. */
enum { SWEEP_MOST = 1000 };
const char *read_size_sweep(const char *text, uint64_t **values, size_t *count);
const char *read_real_sweep(const char *text, double **values, size_t *count);

/* The shortest decimal that reads back to the same value; "inf", "-inf", "nan". */
void write_double(double value, char text[NUMBER_TEXT]);
void write_float(float value, char text[NUMBER_TEXT]);

/* The shortest decimal that reads back to the value in its format. */
void write_in_format(const struct format *format, double value, char text[NUMBER_TEXT]);

/* For people who look at bits: integers below 10^15 in full, else the shortest decimal of what is a number of binary32,
 * and 12 digits of any other: 16777220, 0.1, 1e+20, 1.00000011921. */
void write_plainly(double value, char text[NUMBER_TEXT]);

/* As C's %a writes normal numbers, "0x1.8p+3", with that 1 for subnormal ones, too: "0x1p-1074", as exact_hex has it;
 * "inf", "-inf", "nan". */
void write_hex(double value, char text[NUMBER_TEXT]);

/* For people, up to three digits: 0.50, 14.4, 517, 1.23e-07. */
void write_rounded(double value, char text[NUMBER_TEXT]);

/* The same of an error or a bound, rounded away from 0, so that what is shown as 0.500 is at most 0.5; just above it,
 * 0.501. */
void write_error(double error, char text[NUMBER_TEXT]);

/* The same where it is needed: in a place that lasts as long as the block.
 *
 *   printf("%s of %s", rounded_text(lost), hex_text(sum));
 */
#define double_text(value) number_text(write_double, value, (char[NUMBER_TEXT]){0})
#define plainly_text(value) number_text(write_plainly, value, (char[NUMBER_TEXT]){0})
#define hex_text(value) number_text(write_hex, value, (char[NUMBER_TEXT]){0})
#define rounded_text(value) number_text(write_rounded, value, (char[NUMBER_TEXT]){0})
#define error_text(error) number_text(write_error, error, (char[NUMBER_TEXT]){0})
#define format_text(format, value) number_text_in(format, value, (char[NUMBER_TEXT]){0})

static inline const char *number_text(void (*write)(double value, char text[NUMBER_TEXT]), double value, char *text)
{
    write(value, text);
    return text;
}

static inline const char *number_text_in(const struct format *format, double value, char *text)
{
    write_in_format(format, value, text);
    return text;
}

/* Text to the number of a format that is nearest to it: one rounding, ties to even, among the subnormals too.
 *
 *   0x1.098d65p-128, binary32     0x1.098d68p-128; strtof of glibc 2.36 gives 0x1.098d6p-128
 *   0.1, binary16                 0x1.998p-4
 */

/* *text is a digit, a point or a sign; *end is what follows the number.  Out of range it is infinite; a zero keeps its
 * sign.  *side (NULL: nobody asks, which is three times as fast) is the sign of text - value, 0 when they are equal. */
double nearest_to_text(const char *text, const struct format *format, char **end, int *side);

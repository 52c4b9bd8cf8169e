/* Numbers of any format: as values, which binary64 holds exactly, and as bits, which 64 hold.
 *
 *   format_bits(&FORMAT_BINARY16, 1.5) == 0x3e00        format_value(&FORMAT_BINARY16, 0x3e00) == 1.5
 */
#pragma once

#include "fp.h"

#include <stdbool.h>

/* Of a number of the format; every NaN becomes the quiet one without sign or payload, and so does an infinity where
 * there is none.  The 13 bits that TF32 does not have are ignored, as its units do. */
uint64_t format_bits(const struct format *format, double value);
double format_value(const struct format *format, uint64_t bits);

/* The same bits, or those of that NaN. */
uint64_t format_one_nan(const struct format *format, uint64_t bits);

/* A hash of numbers, of which every NaN is the same. */
uint64_t format_hash(const struct format *format, const uint64_t *bits, uint64_t count);

/* The bits of element i of an array, and the reverse. */
uint64_t format_load(const struct format *format, const void *x, uint64_t i);
void format_store(const struct format *format, void *x, uint64_t i, uint64_t bits);

/* Those of all elements, which may lie where their bits go. */
void format_load_all(const struct format *format, const void *x, uint64_t n, uint64_t *bits);

/* Element i of an array as the host has it, in format_held(format); and the elements as the format stores them. */
static inline double held_number(const struct format *format, const void *x, uint64_t i)
{
    return format_held(format)->bytes == sizeof(double) ? ((const double *)x)[i] : (double)((const float *)x)[i];
}

static inline void held_set(const struct format *format, void *x, uint64_t i, double value)
{
    if (format_held(format)->bytes == sizeof(double))
        ((double *)x)[i] = value;
    else
        ((float *)x)[i] = (float)value;
}

void held_pack(const struct format *format, const void *x, uint64_t n, void *stored);
void held_unpack(const struct format *format, const void *stored, uint64_t n, void *x);

/* ulp(x); that of 0 where x is no number. */
double format_spacing(const struct format *format, double x);

/* Whether bits are the same number: the same bits, or zeros of either sign. */
bool format_equal(const struct format *format, uint64_t a, uint64_t b);

/* A comparison of bits in which every NaN is the same NaN: the payload belongs to the hardware. */
bool format_same(const struct format *format, uint64_t a, uint64_t b);

/* Integers in the place of numbers: the one whose bits, in two's complement, are the last `width` of these; the number
 * that has the bits of an integer, or x itself where that is none. */
double integer_of_bits(uint64_t bits, unsigned width);
double number_of_integer(const struct format *format, double x);

/* "0x3e00": as many digits as the format has bytes. */
enum { FORMAT_BITS_TEXT = sizeof "0x0123456789abcdef" };
void format_write_bits(const struct format *format, uint64_t bits, char text[FORMAT_BITS_TEXT]);

/* The format of this name, or of one of its usual names: "float32"; NULL when numbers are stored in no such format. */
const struct format *format_named(const char *name);

/* "binary32" of "float32", "FP32" and the like; the name itself of all others. */
const char *format_unalias(const char *name);

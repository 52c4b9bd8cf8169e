#include "format.h"

#include <math.h>
#include <strings.h>

static uint64_t sign_of(const struct format *format)
{
    return UINT64_C(1) << (8 * format->bytes - 1);
}

/* The field of the exponent is full in an infinity, and what is more is NaN: all ones alone where there is none. */
static uint64_t infinity_of(const struct format *of)
{
    const struct format *format = format_encoding(of);
    const int least_normal = format->least_exponent + format->precision - 1;
    if (format->finite_only)
        return sign_of(format) - 2;
    return (uint64_t)(format->overflow_exponent - least_normal + 1) << (format->precision - 1);
}

/* Magnitudes in rising order have the integers from 0 on as their bits. */
static uint64_t magnitude_bits(const struct format *of, double magnitude)
{
    const struct format *format = format_encoding(of);
    const int last = format->precision - 1, least_normal = format->least_exponent + last;
    if (isnan(magnitude) || (isinf(magnitude) && format->finite_only))
        return infinity_of(format) | UINT64_C(1) << (last - 1) | format->finite_only;
    if (isinf(magnitude))
        return infinity_of(format);
    const int exponent = magnitude == 0 ? least_normal : ilogb(magnitude);
    const int last_place = (exponent > least_normal ? exponent : least_normal) - last;
    return ((uint64_t)(last_place - format->least_exponent) << last) + (uint64_t)ldexp(magnitude, -last_place);
}

uint64_t format_bits(const struct format *format, double value)
{
    const bool is_negative = signbit(value) && !isnan(value);
    return (is_negative ? sign_of(format) : 0) | magnitude_bits(format, fabs(value));
}

double format_value(const struct format *of, uint64_t bits)
{
    const struct format *format = format_encoding(of);
    const uint64_t sign = bits & sign_of(format), infinity = infinity_of(format);
    uint64_t magnitude = bits ^ sign;
    if (magnitude > infinity)
        return NAN;
    const int last = format->precision - 1;
    magnitude = magnitude >> (format->precision - of->precision) << (format->precision - of->precision);
    const uint64_t field = magnitude >> last, above = field > 0 ? field - 1 : 0;
    const double value = magnitude == infinity && !format->finite_only
                             ? (double)INFINITY
                             : ldexp((double)(magnitude - (above << last)), format->least_exponent + (int)above);
    return sign ? -value : value;
}

uint64_t format_one_nan(const struct format *format, uint64_t bits)
{
    const uint64_t infinity = infinity_of(format);
    return (bits & (sign_of(format) - 1)) > infinity ? magnitude_bits(format, (double)NAN) : bits;
}

uint64_t format_hash(const struct format *format, const uint64_t *bits, uint64_t count)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint64_t i = 0; i < count; i++)
        hash = (hash ^ format_one_nan(format, bits[i])) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
    return hash;
}

uint64_t format_load(const struct format *format, const void *x, uint64_t i)
{
    uint64_t bits = 0;
    memcpy(&bits, (const char *)x + i * format->bytes, format->bytes);
    return bits;
}

/* Inlined for each size: a copy of so many bytes as are known to the compiler is no call. */
__attribute__((always_inline)) static inline void widen(size_t bytes, const char *x, uint64_t n, uint64_t *bits)
{
    for (uint64_t i = n; i-- > 0;) { /* from the last, whose word covers no other */
        uint64_t word = 0;
        memcpy(&word, x + i * bytes, bytes);
        bits[i] = word;
    }
}

void format_load_all(const struct format *format, const void *x, uint64_t n, uint64_t *bits)
{
    switch (format->bytes) {
    case 1:
        widen(1, x, n, bits);
        break;
    case 2:
        widen(2, x, n, bits);
        break;
    case 4:
        widen(4, x, n, bits);
        break;
    default:
        widen(8, x, n, bits);
    }
}

void format_store(const struct format *format, void *x, uint64_t i, uint64_t bits)
{
    memcpy((char *)x + i * format->bytes, &bits, format->bytes);
}

void held_pack(const struct format *format, const void *x, uint64_t n, void *stored)
{
    const bool as_they_are = format->bytes == format_held(format)->bytes;
    if (as_they_are && n > 0) /* x may be NULL where there is none */
        memcpy(stored, x, n * format->bytes);
    for (uint64_t i = 0; !as_they_are && i < n; i++)
        format_store(format, stored, i, format_bits(format, held_number(format, x, i)));
}

/* Fraction and exponent become those of a binary32 that is 2^-shift times as large, and is subnormal where the number
 * is; no loop over the data has a branch. */
static void unpack_narrow(const struct format *format, const unsigned char *stored, uint64_t n, float *x)
{
    const unsigned last = (unsigned)format->precision - 1, left = 23 - last, sign_shift = 32 - 8 * format->bytes;
    const uint32_t sign = (uint32_t)sign_of(format), infinity = (uint32_t)infinity_of(format);
    const float scale = ldexpf(1, format->least_exponent + (int)last + 126);
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t bits =
            format->bytes == 1 ? stored[i] : (uint32_t)stored[2 * i] | (uint32_t)stored[2 * i + 1] << 8;
        const uint32_t magnitude = bits & (sign - 1);
        const float finite = float_from_bits(magnitude << left) * scale;
        const uint32_t special = 0xffu << 23 | (uint32_t)(magnitude > infinity) << 22;
        const uint32_t number = magnitude < infinity + format->finite_only ? float_bits(finite) : special;
        x[i] = float_from_bits(number | (bits & sign) << sign_shift);
    }
}

void held_unpack(const struct format *format, const void *stored, uint64_t n, void *x)
{
    if (format->bytes == format_held(format)->bytes)
        memcpy(x, stored, n * format->bytes);
    else
        unpack_narrow(format, stored, n, x);
}

double format_spacing(const struct format *format, double x)
{
    const int last_place = isfinite(x) && x != 0 ? ilogb(x) - (format->precision - 1) : format->least_exponent;
    return ldexp(1, last_place > format->least_exponent ? last_place : format->least_exponent);
}

bool format_equal(const struct format *format, uint64_t a, uint64_t b)
{
    return a == b || (format_value(format, a) == 0 && format_value(format, b) == 0);
}

bool format_same(const struct format *format, uint64_t a, uint64_t b)
{
    const uint64_t infinity = infinity_of(format), magnitude = sign_of(format) - 1;
    return a == b || ((a & magnitude) > infinity && (b & magnitude) > infinity);
}

double integer_of_bits(uint64_t bits, unsigned width)
{
    const unsigned unused = 64 - width;
    return (double)((int64_t)(bits << unused) >> unused);
}

double number_of_integer(const struct format *format, double x)
{
    const unsigned unused = 64 - 8 * format->bytes;
    if (x != trunc(x) || fabs(x) >= ldexp(1, 8 * (int)format->bytes - 1))
        return x;
    return format_value(format, (uint64_t)(int64_t)x << unused >> unused);
}

void format_write_bits(const struct format *format, uint64_t bits, char text[FORMAT_BITS_TEXT])
{
    const unsigned digits = 2 * format->bytes;
    memcpy(text, "0x", 2);
    text[2 + digits] = '\0';
    for (unsigned d = digits; d > 0; d--, bits >>= 4)
        text[1 + d] = "0123456789abcdef"[bits & 15];
}

/* Of NumPy, PyTorch, C and CUDA. */
static const struct {
    const char *alias, *name;
} aliases[] = {
    {"float64", "binary64"}, {"double", "binary64"},  {"fp64", "binary64"},      {"f64", "binary64"},
    {"float32", "binary32"}, {"float", "binary32"},   {"single", "binary32"},    {"fp32", "binary32"},
    {"f32", "binary32"},     {"float16", "binary16"}, {"half", "binary16"},      {"fp16", "binary16"},
    {"f16", "binary16"},     {"bf16", "bfloat16"},    {"float8_e4m3fn", "e4m3"}, {"fp8_e4m3", "e4m3"},
    {"float8_e4m3", "e4m3"}, {"e4m3fn", "e4m3"},      {"float8_e5m2", "e5m2"},   {"fp8_e5m2", "e5m2"},
};

const char *format_unalias(const char *name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strcasecmp(aliases[i].alias, name) == 0)
            return aliases[i].name;
    return name;
}

const struct format *format_named(const char *word)
{
    const char *name = format_unalias(word);
    for (int f = 0; f < STORED_FORMAT_COUNT; f++)
        if (strcmp(NUMBER_FORMATS[f]->name, name) == 0)
            return NUMBER_FORMATS[f];
    return NULL;
}

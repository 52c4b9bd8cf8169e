#include "base.h"

#include "shortest.h"

#include <ctype.h>
#include <float.h>
#include <math.h>

#include <mpfr.h> /* behind stdio.h, for mpfr_snprintf */

enum { EXPONENT_MOST = 1000000000 }; /* larger ones say nothing more */

static const char *const NOT_A_NUMBER = "is not a number";
static const char *const NAN_WITH_PAYLOAD = "is a nan with a payload, which is not kept; write nan";

/* strtod also takes blanks, "nan" and "infinity"; a number starts with a digit, a point or a sign. */
static bool looks_like_number(const char *text)
{
    const char *digits = *text == '-' || *text == '+' ? text + 1 : text;
    return isdigit((unsigned char)digits[0]) || (digits[0] == '.' && isdigit((unsigned char)digits[1]));
}

static const struct {
    const char *suffix;
    uint64_t factor;
} suffixes[] = {
    {"K", 1000},        {"M", 1000000},     {"G", 1000000000},  {"T", 1000000000000},
    {"Ki", 1ull << 10}, {"Mi", 1ull << 20}, {"Gi", 1ull << 30}, {"Ti", 1ull << 40},
};

static bool suffix_factor(const char *suffix, uint64_t *factor)
{
    *factor = 1;
    if (*suffix == '\0')
        return true;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (strcmp(suffix, suffixes[i].suffix) == 0) {
            *factor = suffixes[i].factor;
            return true;
        }
    return false;
}

/* digits 10^exponent, in integers: binary64 would read 9007199254740993.0 as ...992 and 1.001K as 1000.9999999999999.
 */
struct decimal {
    uint64_t digits; /* trailing zeros are in the exponent */
    int64_t exponent;
    bool too_long; /* more digits than 64 bits hold */
};

static void append_digit(struct decimal *decimal, unsigned digit)
{
    if (decimal->digits > (UINT64_MAX - digit) / 10)
        decimal->too_long = true;
    else
        decimal->digits = decimal->digits * 10 + digit;
}

/* Reads "12.50e3"; *end is what follows. */
static struct decimal scan_decimal(const char *text, const char **end)
{
    struct decimal decimal = {0};
    bool point = false;
    uint64_t zeros = 0; /* that wait for another digit */
    const char *p = *text == '+' ? text + 1 : text;
    for (; isdigit((unsigned char)*p) || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        decimal.exponent -= point;
        zeros++;
        if (*p == '0')
            continue;
        for (; zeros > 1 && decimal.digits > 0 && !decimal.too_long; zeros--)
            append_digit(&decimal, 0);
        append_digit(&decimal, (unsigned)(*p - '0'));
        zeros = 0;
    }
    decimal.exponent += (int64_t)zeros;
    const char *exponent = p[0] == 'e' || p[0] == 'E' ? p + 1 : NULL;
    if (exponent && isdigit((unsigned char)exponent[*exponent == '-' || *exponent == '+'])) {
        char *after;
        const long long given = strtoll(exponent, &after, 10);
        decimal.exponent += given < -EXPONENT_MOST ? -EXPONENT_MOST : given > EXPONENT_MOST ? EXPONENT_MOST : given;
        p = after;
    }
    *end = p;
    return decimal;
}

/* Takes `divisor` out of one of the two; false when it is in neither. */
static bool divide_one(uint64_t *a, uint64_t *b, uint64_t divisor)
{
    uint64_t *which = *a % divisor == 0 ? a : b;
    if (*which % divisor != 0)
        return false;
    *which /= divisor;
    return true;
}

const char *read_size(const char *text, uint64_t *value)
{
    static const char *const too_large = "is above 18446744073709551615";
    if (!looks_like_number(text))
        return NOT_A_NUMBER;
    if (*text == '-')
        return "is negative";
    const char *end;
    uint64_t factor;
    struct decimal size = scan_decimal(text, &end);
    if (!suffix_factor(end, &factor))
        return "has letters after the number that are not a size (K M G T Ki Mi Gi Ti)";
    if (size.too_long)
        return size.exponent < 0 ? "has more digits than a size can have" : too_large;
    for (; size.exponent < 0 && size.digits > 0; size.exponent++)
        if (!divide_one(&size.digits, &factor, 2) || !divide_one(&size.digits, &factor, 5))
            return "is not a whole number";
    for (; size.exponent > 0 && size.digits > 0; size.exponent--) {
        if (size.digits > UINT64_MAX / 10)
            return too_large;
        size.digits *= 10;
    }
    if (size.digits > UINT64_MAX / factor)
        return too_large;
    *value = size.digits * factor;
    return NULL;
}

static const char *too_large(const struct format *format)
{
    static _Thread_local char wrong[2 * NUMBER_TEXT];
    char largest[NUMBER_TEXT];
    write_hex(format_largest(format), largest);
    snprintf(wrong, sizeof wrong, "is outside %s (largest %s)", format->name, largest);
    return wrong;
}

static const char *read_finite(const char *text, const struct format *format, double *value, int *side)
{
    if (!looks_like_number(text))
        return strncasecmp(text + (*text == '-' || *text == '+'), "nan(", 4) == 0 ? NAN_WITH_PAYLOAD : NOT_A_NUMBER;
    char *end;
    const double nearest = nearest_to_text(text, format, &end, side);
    if (*end != '\0')
        return "has something after the number";
    *value = isfinite(nearest) ? nearest : *text == '-' ? -(double)INFINITY : (double)INFINITY;
    return isfinite(nearest) ? NULL : too_large(format);
}

static bool reads_special(const char *text, double *value)
{
    const bool negative = *text == '-';
    const char *word = *text == '-' || *text == '+' ? text + 1 : text;
    if (strcasecmp(word, "nan") == 0)
        *value = (double)NAN; /* its sign means nothing */
    else if (strcasecmp(word, "inf") == 0 || strcasecmp(word, "infinity") == 0)
        *value = negative ? -(double)INFINITY : (double)INFINITY;
    else
        return false;
    return true;
}

const char *read_in_format(const char *text, const struct format *format, double *value, int *side)
{
    if (!reads_special(text, value))
        return read_finite(text, format, value, side);
    if (side)
        *side = 0;
    return NULL;
}

const char *read_real(const char *text, double *value)
{
    double nearest;
    const char *wrong = read_finite(text, &FORMAT_BINARY64, &nearest, NULL);
    if (!wrong)
        *value = nearest;
    return wrong;
}

const char *read_double(const char *text, double *value)
{
    return read_in_format(text, &FORMAT_BINARY64, value, NULL);
}

const char *read_float(const char *text, float *value)
{
    double wide;
    const char *wrong = read_in_format(text, &FORMAT_BINARY32, &wide, NULL);
    if (!wrong)
        *value = (float)wide;
    return wrong;
}

/* Cuts "first..last*factor" into its three parts; false when it is a single value. */
static bool split_sweep(char *text, char **last, char **factor)
{
    char *dots = strstr(text, "..");
    if (!dots)
        return false;
    *dots = '\0';
    *last = dots + 2;
    *factor = strchr(*last, '*');
    if (*factor)
        *(*factor)++ = '\0';
    return true;
}

static const char *read_one_size(const char *text, double *value)
{
    uint64_t size;
    const char *wrong = read_size(text, &size);
    if (!wrong && size > UINT64_C(1) << 53)
        wrong = "is above 2^53, up to where a sweep can go";
    *value = wrong ? 0 : (double)size;
    return wrong;
}

/* v times factor.  Whole numbers and factors of 2^k stay as they are; else the decimal that is meant: 1e1..1e80*1e6
 * goes through 1e31, though 1e25 * 1e6 rounds to 1.0000000000000001e31. */
static double next_in_sweep(double v, double factor)
{
    int exponent;
    const double product = v * factor;
    if (frexp(factor, &exponent) == 0.5 || (product <= 0x1p53 && product == floor(product)))
        return product;
    char text[NUMBER_TEXT], *end;
    snprintf(text, sizeof text, "%.15g", product);
    return nearest_to_text(text, &FORMAT_BINARY64, &end, NULL);
}

/* Both sweeps: the values as binary64, in which sizes up to 2^53 are exact. */
static const char *read_sweep(const char *text, const char *(*read_one)(const char *, double *), double **values,
                              size_t *count)
{
    const char *wrong = NULL;
    char *copy = memory_copy(text), *last_text, *factor_text;
    double *list = memory_cleared(SWEEP_MOST, sizeof *list);
    double first, last, factor;
    *count = 1;
    if (!split_sweep(copy, &last_text, &factor_text)) {
        wrong = read_one(copy, &list[0]);
        goto done;
    }
    if (!factor_text) {
        wrong = "is a range without a step; write first..last*factor";
        goto done;
    }
    if ((wrong = read_one(copy, &first)) || (wrong = read_one(last_text, &last)) ||
        (wrong = read_real(factor_text, &factor)))
        goto done;
    if (!(first > 0 && last >= first && factor > 1)) {
        wrong = "is not a sweep; it needs 0 < first <= last and a factor above 1";
        goto done;
    }
    *count = 0;
    for (double v = first; v <= last; v = next_in_sweep(v, factor)) {
        if (*count == SWEEP_MOST) {
            wrong = "is a sweep of more than 1000 values; take a larger factor";
            goto done;
        }
        list[(*count)++] = v;
    }
done:
    free(copy);
    if (wrong)
        free(list);
    else
        *values = list;
    return wrong;
}

const char *read_real_sweep(const char *text, double **values, size_t *count)
{
    return read_sweep(text, read_real, values, count);
}

const char *read_size_sweep(const char *text, uint64_t **values, size_t *count)
{
    uint64_t *sizes = memory_cleared(1, sizeof *sizes);
    *count = 1;
    const char *wrong = NULL;
    if (!strstr(text, "..")) { /* not through binary64: a size may be above 2^53 */
        wrong = read_size(text, &sizes[0]);
    } else {
        OWNED double *reals = NULL;
        wrong = read_sweep(text, read_one_size, &reals, count);
        sizes = wrong ? sizes : memory_resized(sizes, *count * sizeof *sizes);
        for (size_t i = 0; !wrong && i < *count; i++) {
            sizes[i] = (uint64_t)reals[i];
            if ((double)sizes[i] != reals[i])
                wrong = "is a sweep through values that are not whole numbers";
        }
    }
    if (wrong)
        free(sizes);
    else
        *values = sizes;
    return wrong;
}

static bool write_special(double value, char text[NUMBER_TEXT])
{
    if (isfinite(value))
        return false;
    strcpy(text, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    return true;
}

/* Counts the last digit shown up: 5.684341886080801e-14 to 5.684341886080802e-14. */
static void count_up(char *text)
{
    for (char *p = text + strcspn(text, "e"); p > text;) {
        p--;
        if (*p == '9') {
            *p = '0';
        } else if (isdigit((unsigned char)*p)) {
            ++*p;
            return;
        }
    }
}

static bool reads_back(const char *text, double value, bool single)
{
    char *end;
    return nearest_to_text(text, single ? &FORMAT_BINARY32 : &FORMAT_BINARY64, &end, NULL) == value;
}

/* If any decimal of so many digits reads back, the nearest does; but above a power of two the numbers are twice as far
 * apart as below it, and the next one up may be the only one: 2^-44 is 5.684341886080802e-14. */
static void write_shortest(double value, int fewest, int most, bool single, char text[NUMBER_TEXT])
{
    int exponent;
    const bool power_of_two = fabs(frexp(value, &exponent)) == 0.5;
    for (int digits = fewest; digits <= most; digits++) {
        snprintf(text, NUMBER_TEXT, "%.*g", digits, value);
        if (reads_back(text, value, single))
            return;
        if (!power_of_two || digits == most)
            continue;
        snprintf(text, NUMBER_TEXT, "%#.*g", digits, value); /* with its zeros, so that the last digit is there */
        count_up(text);
        if (reads_back(text, value, single))
            return;
    }
}

/* Every decimal of 15 digits survives normal binary64, so if a shorter one reads back, "%.15g" prints just that one;
 * likewise 6 digits and binary32.  Subnormals have fewer. */
void write_double(double value, char text[NUMBER_TEXT])
{
    static const struct decimals format = {DBL_MANT_DIG, DBL_DIG, DBL_DECIMAL_DIG};
    if (!write_special(value, text) && !shortest_write(value, &format, text))
        write_shortest(value, fabs(value) < DBL_MIN ? 1 : DBL_DIG, DBL_DECIMAL_DIG, false, text);
}

void write_float(float value, char text[NUMBER_TEXT])
{
    static const struct decimals format = {FLT_MANT_DIG, FLT_DIG, FLT_DECIMAL_DIG};
    const bool is_subnormal = value != 0 && fabsf(value) < FLT_MIN;
    if (!write_special((double)value, text) && (is_subnormal || !shortest_write((double)value, &format, text)))
        write_shortest((double)value, is_subnormal ? 1 : FLT_DIG, FLT_DECIMAL_DIG, true, text);
}

void write_in_format(const struct format *format, double value, char text[NUMBER_TEXT])
{
    if (format->precision == FORMAT_BINARY32.precision)
        write_float((float)value, text);
    else
        write_double(value, text);
}

void write_plainly(double value, char text[NUMBER_TEXT])
{
    if (fabs(value) < 1e15 && value == trunc(value) && !(value == 0 && signbit(value)))
        snprintf(text, NUMBER_TEXT, "%.0f", value);
    else if ((double)(float)value == value || isnan(value))
        write_float((float)value, text);
    else
        snprintf(text, NUMBER_TEXT, "%.12g", value);
}

/* From the bits, 33 ns, because printf takes 174, and a store of 10^6 rows has 10^7 numbers. */
void write_hex(double value, char text[NUMBER_TEXT])
{
    enum { FRACTION_BITS = DBL_MANT_DIG - 1, EXPONENT_BITS_MOST = 0x7ff, BIAS = DBL_MAX_EXP - 1 };
    if (write_special(value, text))
        return;
    const uint64_t bits = double_bits(value), hidden = UINT64_C(1) << FRACTION_BITS;
    uint64_t significand = bits & (hidden - 1);
    int exponent = (int)(bits >> FRACTION_BITS & EXPONENT_BITS_MOST) - BIAS;
    if (exponent > -BIAS)
        significand |= hidden;
    else /* subnormal, or 0 */
        for (exponent = significand ? 1 - BIAS : 0; significand && significand < hidden; exponent--)
            significand <<= 1;
    char *end = text;
    if (bits >> 63)
        *end++ = '-';
    memcpy(end, "0x1", 3);
    end[2] = significand ? '1' : '0';
    end += 3;
    if (significand & (hidden - 1))
        *end++ = '.';
    for (uint64_t fraction = significand & (hidden - 1); fraction; fraction = fraction << 4 & (hidden - 1))
        *end++ = "0123456789abcdef"[fraction >> (FRACTION_BITS - 4)];
    *end++ = 'p';
    *end++ = exponent < 0 ? '-' : '+';
    const int magnitude = abs(exponent);
    for (int power = 1000; power > 0; power /= 10)
        if (magnitude >= power || power == 1)
            *end++ = (char)('0' + magnitude / power % 10);
    *end = '\0';
}

void write_rounded(double value, char text[NUMBER_TEXT])
{
    if (write_special(value, text))
        return;
    const double magnitude = fabs(value);
    if (value == 0)
        strcpy(text, "0");
    else if (magnitude >= 1e-3 && magnitude < 1000)
        snprintf(text, NUMBER_TEXT, "%.*f",
                 magnitude < 0.1     ? 4
                 : magnitude < 9.995 ? 2
                 : magnitude < 99.95 ? 1
                                     : 0,
                 value);
    else
        snprintf(text, NUMBER_TEXT, "%.2e", value);
}

void write_error(double error, char text[NUMBER_TEXT])
{
    if (write_special(error, text))
        return;
    const double magnitude = fabs(error);
    mpfr_t exact;
    mpfr_init2(exact, DBL_MANT_DIG);
    mpfr_set_d(exact, error, MPFR_RNDN);
    if (error == 0)
        strcpy(text, "0");
    else if (magnitude >= 1e-3 && magnitude <= 999)
        mpfr_snprintf(text, NUMBER_TEXT, "%.*RYf",
                      magnitude <= 0.0999  ? 4
                      : magnitude <= 0.999 ? 3
                      : magnitude <= 9.99  ? 2
                      : magnitude <= 99.9  ? 1
                                           : 0,
                      exact);
    else
        mpfr_snprintf(text, NUMBER_TEXT, "%.2RYe", exact);
    mpfr_clear(exact);
}

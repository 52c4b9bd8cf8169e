/* Every reader takes the same text.  What is read is held to exact integers: no number of the format is nearer. */
#include "fuzz.h"

#include "src/base/format.h"
#include "src/base/number.h"

#include <ctype.h>
#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXPONENT_MOST = 1200 };

/* ---- a second opinion: the text as numerator / denominator ---- */

struct fraction {
    mpz_t over, under; /* under > 0 */
    bool negative;
};

static void shift(struct fraction *f, long exponent, unsigned long base)
{
    mpz_t power;
    mpz_init(power);
    mpz_ui_pow_ui(power, base, (unsigned long)labs(exponent));
    mpz_mul(exponent > 0 ? f->over : f->under, exponent > 0 ? f->over : f->under, power);
    mpz_clear(power);
}

static const char *digits(struct fraction *f, const char *p, bool hex, long *scale)
{
    bool point = false;
    for (; (hex ? isxdigit : isdigit)((unsigned char)*p) || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        const int digit = isdigit((unsigned char)*p) ? *p - '0' : tolower((unsigned char)*p) - 'a' + 10;
        mpz_mul_ui(f->over, f->over, hex ? 16 : 10);
        mpz_add_ui(f->over, f->over, (unsigned long)digit);
        *scale -= point;
    }
    return p;
}

/* false: the text is no such number, or has an exponent that would take long. */
static bool fraction_of(const char *text, struct fraction *f)
{
    const char *p = *text == '-' || *text == '+' ? text + 1 : text;
    const bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    long scale = 0, exponent = 0;
    f->negative = *text == '-';
    p = digits(f, p + (hex ? 2 : 0), hex, &scale);
    if (tolower((unsigned char)*p) == (hex ? 'p' : 'e')) {
        char *end;
        if (!isdigit((unsigned char)p[1 + (p[1] == '-' || p[1] == '+')]))
            return false;
        exponent = strtol(p + 1, &end, 10);
        p = end;
    }
    if (*p != '\0' || exponent > EXPONENT_MOST || exponent < -EXPONENT_MOST)
        return false;
    shift(f, hex ? 4 * scale + exponent : scale + exponent, hex ? 2 : 10);
    return true;
}

/* Sets z / 2^1200 to x. */
static void set_exactly(mpz_t z, double x)
{
    int exponent;
    const double significand = frexp(x, &exponent);
    mpz_set_d(z, ldexp(significand, 53));
    mpz_mul_2exp(z, z, (mp_bitcnt_t)(1200 - 53 + exponent));
}

/* The sign of |text| - (a + b) / 2. */
static int compare_with_middle(const struct fraction *f, double a, double b)
{
    mpz_t left, right, other;
    mpz_inits(left, right, other, NULL);
    set_exactly(right, a);
    set_exactly(other, b);
    mpz_add(right, right, other);
    mpz_mul(right, right, f->under);
    mpz_mul_2exp(left, f->over, 1201);
    const int sign = mpz_cmp(left, right);
    mpz_clears(left, right, other, NULL);
    return sign;
}

static double neighbour(const struct format *format, double x, int step)
{
    const uint64_t bits = format_bits(format, x) + (uint64_t)(int64_t)step;
    const double value = format_value(format, bits);
    return isfinite(value) ? value : ldexp(1, format->overflow_exponent);
}

static void check_nearest(const char *text, const struct format *format, double value)
{
    struct fraction f;
    mpz_init_set_ui(f.over, 0);
    mpz_init_set_ui(f.under, 1);
    if (fraction_of(text, &f)) {
        const double x = fabs(value);
        const bool odd = format_bits(format, x) & 1;
        fuzz_check(!signbit(value) == !f.negative, "the sign of a number");
        const int above = compare_with_middle(&f, x, neighbour(format, x, 1));
        fuzz_check(odd ? above < 0 : above <= 0, "a number is nearer from above");
        if (x > 0) {
            const int below = compare_with_middle(&f, x, neighbour(format, x, -1));
            fuzz_check(odd ? below > 0 : below >= 0, "a number is nearer from below");
        }
    }
    mpz_clears(f.over, f.under, NULL);
}

/* ---- readers ---- */

static void in_formats(const char *text)
{
    for (int i = 0; i < NUMBER_FORMAT_COUNT; i++) {
        const struct format *format = NUMBER_FORMATS[i];
        double value = 0, again = 0;
        char written[NUMBER_TEXT];
        int side;
        if (read_in_format(text, format, &value, &side))
            continue;
        fuzz_check(!read_in_format(text, format, &again, NULL) && double_bits(again) == double_bits(value),
                   "the side changes the number");
        if (isfinite(value))
            check_nearest(text, format, value);
        write_in_format(format, value, written);
        const bool read =
            format->precision == FORMAT_BINARY64.precision || format->precision == FORMAT_BINARY32.precision;
        fuzz_check(!read_in_format(written, format, &again, NULL) &&
                       (!read || format_bits(format, again) == format_bits(format, value)),
                   "a number that is written is another when it is read");
    }
}

static void as_written(const char *text)
{
    double value, again = 0;
    char written[NUMBER_TEXT];
    if (read_double(text, &value))
        return;
    write_hex(value, written);
    fuzz_check(!read_double(written, &again) && format_same(&FORMAT_BINARY64, double_bits(again), double_bits(value)),
               "write_hex");
    write_plainly(value, written);
    write_rounded(value, written);
    write_error(value, written);
    fuzz_check(!read_double(written, &again) && (isnan(value) || fabs(again) >= fabs(value)),
               "write_error rounds down");
}

static void as_size(const char *text)
{
    static const char suffixes[][3] = {"", "K", "M", "G", "T", "Ki", "Mi", "Gi", "Ti"};
    uint64_t size, again = 0;
    char written[2 * NUMBER_TEXT];
    if (read_size(text, &size))
        return;
    struct fraction f;
    const size_t number = strspn(text, "0123456789.+-eE");
    char *digits_alone = fuzz_text(text, number);
    mpz_init_set_ui(f.over, 0);
    mpz_init_set_ui(f.under, 1);
    if (fraction_of(digits_alone, &f)) {
        for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
            if (strcmp(suffixes[i], text + number) == 0)
                shift(&f, i > 4 ? 10 * ((long)i - 4) : 3 * (long)i, i > 4 ? 2 : 10);
        mpz_mul_ui(f.under, f.under, size);
        fuzz_check(mpz_cmp(f.over, f.under) == 0, "a size is another number");
    }
    mpz_clears(f.over, f.under, NULL);
    free(digits_alone);
    snprintf(written, sizeof written, "%llu", (unsigned long long)size);
    fuzz_check(!read_size(written, &again) && again == size, "a size that is written is another");
}

static void as_sweep(const char *text)
{
    uint64_t *sizes = NULL;
    double *reals = NULL;
    size_t count = 0;
    if (!read_size_sweep(text, &sizes, &count)) {
        fuzz_check(count > 0 && count <= SWEEP_MOST, "a sweep of too many sizes");
        for (size_t i = 1; i < count; i++)
            fuzz_check(sizes[i] > sizes[i - 1], "sizes of a sweep do not grow");
        free(sizes);
    }
    if (!read_real_sweep(text, &reals, &count)) {
        fuzz_check(count > 0 && count <= SWEEP_MOST, "a sweep of too many numbers");
        for (size_t i = 1; i < count; i++)
            fuzz_check(reals[i] >= reals[i - 1], "numbers of a sweep do not grow");
        free(reals);
    }
}

static void one(const char *bytes, size_t size)
{
    char *text = fuzz_text(bytes, size);
    in_formats(text);
    as_written(text);
    as_size(text);
    as_sweep(text);
    free(text);
}

static const struct fuzz_seed seeds[] = {
    SEED("0.1"),
    SEED("-1e-3"),
    SEED("0x1.8p+3"),
    SEED("4096"),
    SEED("1Mi"),
    SEED("2.5e3"),
    SEED("1Ki..1Mi*32"),
    SEED("1e2..1e14*100"),
    SEED("0x1.098d65p-128"),
    SEED("2.00000011920928955078125"),
    SEED("65519.99999999999999999"),
    SEED("0x1p-1075"),
    SEED("4.9406564584124654e-324"),
    SEED("3.4028235677973366e38"),
    SEED("nan"),
    SEED("-INFINITY"),
    SEED("0.000000000931322574615478515625Ti"),
    SEED("18446744073709551615"),
    SEED("1..1e18*1.0000001"),
    SEED("1e-99999999999999999999"),
    {0},
};
const struct fuzz_family fuzz_numbers = {.one = one, .seeds = seeds};

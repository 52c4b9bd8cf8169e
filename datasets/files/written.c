#include "written.h"

#include <ctype.h>
#include <math.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

enum {
    TENS_MOST = 301029,     /* 10^301029 < 2^1000000 */
    DIGITS_OF_TEN = 19,     /* 10^19 < 2^64 */
    DIGITS_OF_SIXTEEN = 15, /* likewise, so that 2^63 of either fit in 127 bits */
    FIVES_MOST = 27,        /* 5^27 < 2^64 < 5^28 */
    NEAR_MOST = 900,        /* as exponents of two: far from subnormal and from overflow */
};

static const char *const NOT_A_NUMBER = "is not a number", *const MORE_BEHIND = "has something after the number",
                         *const TOO_LONG = "needs more than 1000000 bits";

/* ---- from text ---- */

static int digit_of(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

static bool is_digit(const struct written *number, char c)
{
    return number->base == 2 ? isxdigit((unsigned char)c) : isdigit((unsigned char)c);
}

static int digits_most(const struct written *number)
{
    return number->base == 2 ? DIGITS_OF_SIXTEEN : DIGITS_OF_TEN;
}

/* "012.50": what follows, or NULL where no digit is. */
static const char *scan_digits(const char *text, struct written *number)
{
    const char *p = text;
    bool has_point = false;
    uint64_t behind = 0, significand = 0;
    const unsigned scale = number->base == 2 ? 16 : 10;
    number->digits = text;
    for (; is_digit(number, *p) || (*p == '.' && !has_point); p++) {
        if (*p == '.') {
            has_point = true;
            continue;
        }
        const unsigned digit = (unsigned)digit_of(*p);
        behind += has_point;
        number->count += number->count > 0 || digit > 0;
        significand = significand * scale + digit; /* without a meaning where they are too many */
    }
    number->is_integer = !has_point;
    number->significand = significand;
    number->exponent = -(int64_t)behind * (number->base == 2 ? 4 : 1);
    return p > text + has_point ? p : NULL;
}

/* "e-12", from the letter on; NULL where no digit is.  Larger ones than fit say nothing more. */
static const char *scan_exponent(const char *p, struct written *number)
{
    enum { MOST = 1000000000 };
    char *end;
    if (!isdigit((unsigned char)p[p[1] == '-' || p[1] == '+' ? 2 : 1]))
        return NULL;
    const long long exponent = strtoll(p + 1, &end, 10);
    number->exponent += exponent < -MOST ? -MOST : exponent > MOST ? MOST : exponent;
    return end;
}

static bool is_too_long(const struct written *number)
{
    const int64_t most = number->base == 2 ? WRITTEN_BITS_MOST : TENS_MOST;
    const int64_t digits = (int64_t)number->count * (number->base == 2 ? 4 : 1);
    return number->exponent < -most || number->exponent + digits > most;
}

/* "/3". */
static const char *read_denominator(const char *p)
{
    const size_t length = strspn(p + 1, "0123456789");
    if (length == 0 || p[1 + length] != '\0')
        return MORE_BEHIND;
    if (strspn(p + 1, "0") == length)
        return "is divided by 0";
    return length > TENS_MOST ? TOO_LONG : NULL;
}

const char *written_read(const char *text, struct written *number)
{
    const char *p = text + (*text == '-' || *text == '+');
    const bool is_hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    *number = (struct written){.negative = *text == '-', .base = is_hex ? 2 : 10};
    if (!isdigit((unsigned char)*p) && !(*p == '.' && isdigit((unsigned char)p[1])))
        return NOT_A_NUMBER;
    p = scan_digits(is_hex ? p + 2 : p, number);
    const bool has_exponent = p && (is_hex ? *p == 'p' || *p == 'P' : *p == 'e' || *p == 'E');
    const bool is_plain = number->is_integer && !is_hex && !has_exponent;
    if (has_exponent)
        p = scan_exponent(p, number);
    number->is_fraction = is_plain && p && *p == '/';
    number->is_integer = is_plain && !number->is_fraction;
    number->is_zero = number->count == 0;
    number->is_short = (int64_t)number->count <= digits_most(number) && !number->is_fraction;
    number->exponent = number->is_zero ? 0 : number->exponent;
    if (is_too_long(number))
        return TOO_LONG;
    if (number->is_fraction)
        return read_denominator(p);
    return p && *p == '\0' ? NULL : MORE_BEHIND;
}

/* ---- the nearest number of binary64 ---- */

/* 5^|exponent|, 1 for powers of two; 0: it is no number of 64 bits. */
static uint64_t fives_of(const struct written *number)
{
    uint64_t fives = 1;
    if (number->base == 2)
        return 1;
    if (number->exponent > FIVES_MOST || number->exponent < -FIVES_MOST)
        return 0;
    for (int64_t i = number->exponent < 0 ? -number->exponent : number->exponent; i > 0; i--)
        fives *= 5;
    return fives;
}

/* digits 5^e, or digits 2^k / 5^-e, of 63 bits at least, and whether there is a remainder: 53 bits are kept. */
bool written_nearest(const struct written *number, double *value, bool *is_exact)
{
    const uint64_t fives = fives_of(number);
    const bool is_quotient = number->exponent < 0 && fives > 1;
    if (number->is_zero || !number->is_short || fives == 0 || number->exponent < -NEAR_MOST ||
        number->exponent > NEAR_MOST)
        return false;
    const int k = is_quotient ? __builtin_clzll(number->significand) + 63 : 0;
    const unsigned_wide scaled = (unsigned_wide)number->significand << k;
    const unsigned_wide integer = is_quotient ? scaled / fives : scaled * fives;
    int dropped = 0;
    while (integer >> dropped >> DBL_MANT_DIG > 0)
        dropped++;
    uint64_t kept = (uint64_t)(integer >> dropped);
    const unsigned_wide rest = 2 * (integer - ((unsigned_wide)kept << dropped)), half = (unsigned_wide)1 << dropped;
    const bool has_more = is_quotient && integer * fives != scaled;
    if (dropped > 0 && (rest > half || (rest == half && (has_more || kept % 2 > 0))))
        kept++;
    *is_exact = rest == 0 && !has_more;
    *value = ldexp((double)kept, (int)number->exponent - k + dropped);
    *value = number->negative ? -*value : *value;
    return true;
}

/* ---- sums ---- */

/* Twice the room in the direction that is needed. */
static wide *total_of(struct powers *powers, int64_t exponent)
{
    wide *totals = powers->totals;
    if (powers->room > 0 && exponent >= powers->least && exponent < powers->least + powers->room)
        return &totals[exponent - powers->least];
    const int64_t old = powers->room, least = old == 0 || exponent < powers->least ? exponent - old : powers->least;
    const int64_t end = old > 0 && powers->least + old > exponent ? powers->least + old : exponent + old + 1;
    wide *grown = memory_cleared((size_t)(end - least), sizeof *grown);
    if (old > 0)
        memcpy(grown + (powers->least - least), totals, (size_t)old * sizeof *grown);
    free(totals);
    *powers = (struct powers){grown, least, end - least};
    return &grown[exponent - least];
}

static void add_to(struct powers *powers, uint64_t digits, int64_t exponent, bool is_negative)
{
    *total_of(powers, exponent) += is_negative ? -(wide)digits : (wide)digits;
}

/* Digits in groups that fit, the last of which end at the exponent. */
static void add_long(struct powers *powers, const struct written *number, bool is_negative)
{
    const int most = digits_most(number), step = number->base == 2 ? 4 : 1;
    uint64_t left = number->count, group = 0;
    const char *p = number->digits;
    while (*p == '0' || *p == '.')
        p++;
    for (; left > 0; p++) {
        if (*p == '.')
            continue;
        group = group * (number->base == 2 ? 16 : 10) + (uint64_t)digit_of(*p);
        left--;
        if (left % (uint64_t)most == 0) {
            add_to(powers, group, number->exponent + (int64_t)left * step, is_negative);
            group = 0;
        }
    }
}

/* Adds those that the mask names, which are no more, and makes all of it number `at`. */
static void gather_fractions(struct written_sum *sum, mpq_t value, uint64_t mask, int at)
{
    for (; mask > 0; mask &= mask - 1) {
        mpq_t *const part = &sum->fractions[__builtin_ctzll(mask)];
        mpq_add(value, value, *part);
        mpq_clear(*part);
    }
    *sum->fractions[at] = *value;
}

static const char *add_fraction(struct written_sum *sum, const struct written *number, bool is_negative)
{
    const uint64_t before = sum->fraction_count;
    uint64_t bits = 0;
    mpq_t value;
    if (!sum->fractions)
        sum->fractions = memory_cleared(64, sizeof *sum->fractions);
    mpq_init(value);
    (void)mpq_set_str(value, number->digits, 10);
    mpq_canonicalize(value);
    if (is_negative)
        mpq_neg(value, value);
    gather_fractions(sum, value, before & ~(before + 1), __builtin_ctzll(before + 1));
    sum->fraction_count++;
    for (uint64_t left = sum->fraction_count; left > 0; left &= left - 1)
        bits += mpz_sizeinbase(mpq_denref(sum->fractions[__builtin_ctzll(left)]), 2);
    if (bits > WRITTEN_BITS_MOST) { /* unless they have much in common */
        mpq_init(value);
        gather_fractions(sum, value, sum->fraction_count, 0);
        sum->fraction_count = 1;
    }
    return bits > WRITTEN_BITS_MOST && mpz_sizeinbase(mpq_denref(*sum->fractions), 2) > WRITTEN_BITS_MOST
               ? "makes the common denominator of the fractions longer than 1000000 bits"
               : NULL;
}

const char *written_add(struct written_sum *sum, const struct written *number, bool take_away)
{
    struct powers *powers = number->base == 2 ? &sum->twos : &sum->tens;
    const bool is_negative = number->negative != take_away;
    if (number->is_zero)
        return NULL;
    if (number->is_fraction)
        return add_fraction(sum, number, is_negative);
    if (number->is_short)
        add_to(powers, number->significand, number->exponent, is_negative);
    else
        add_long(powers, number, is_negative);
    return NULL;
}

void written_add_double(struct written_sum *sum, double value, bool take_away)
{
    int exponent;
    const double significand = frexp(fabs(value), &exponent);
    if (value != 0)
        add_to(&sum->twos, (uint64_t)ldexp(significand, DBL_MANT_DIG), exponent - DBL_MANT_DIG,
               (value < 0) != take_away);
}

static void set_wide(mpz_t integer, wide value)
{
    const bool is_negative = value < 0;
    const unsigned_wide magnitude = is_negative ? -(unsigned_wide)value : (unsigned_wide)value;
    const uint64_t words[] = {(uint64_t)magnitude, (uint64_t)(magnitude >> 64)};
    mpz_import(integer, 2, -1, sizeof *words, 0, 0, words);
    if (is_negative)
        mpz_neg(integer, integer);
}

/* sum = totals[0] + totals[1] base + ..., by halves: term after term, 600,000 powers of ten take 30 s. */
static void sum_powers(const wide *totals, int64_t count, unsigned long base, mpz_t sum)
{
    const int64_t half = count / 2;
    mpz_t other;
    if (count <= 1) {
        set_wide(sum, count > 0 ? *totals : 0);
        return;
    }
    mpz_init(other);
    sum_powers(totals + half, count - half, base, sum);
    if (mpz_sgn(sum) != 0) {
        mpz_ui_pow_ui(other, base, (unsigned long)half);
        mpz_mul(sum, sum, other);
    }
    sum_powers(totals, half, base, other);
    mpz_add(sum, sum, other);
    mpz_clear(other);
}

static void add_powers(const struct powers *powers, unsigned long base, mpq_t total)
{
    mpz_t sum, step;
    mpq_t part;
    mpz_inits(sum, step, NULL);
    mpq_init(part);
    sum_powers(powers->totals, powers->room, base, sum);
    mpz_ui_pow_ui(step, base, (unsigned long)(powers->least < 0 ? -powers->least : powers->least));
    mpq_set_z(part, sum);
    if (powers->least < 0)
        mpz_set(mpq_denref(part), step);
    else
        mpz_mul(mpq_numref(part), sum, step);
    mpq_canonicalize(part);
    mpq_add(total, total, part);
    mpq_clear(part);
    mpz_clears(sum, step, NULL);
}

void written_total(const struct written_sum *sum, mpq_t total)
{
    mpq_set_ui(total, 0, 1);
    add_powers(&sum->tens, 10, total);
    add_powers(&sum->twos, 2, total);
    for (uint64_t left = sum->fraction_count; left > 0; left &= left - 1)
        mpq_add(total, total, sum->fractions[__builtin_ctzll(left)]);
}

void written_sum_free(struct written_sum *sum)
{
    free(sum->tens.totals);
    free(sum->twos.totals);
    for (uint64_t left = sum->fraction_count; left > 0; left &= left - 1)
        mpq_clear(sum->fractions[__builtin_ctzll(left)]);
    free(sum->fractions);
    *sum = (struct written_sum){0};
}

/* ---- exact numbers, rounded ---- */

bool written_to_odd(const mpq_t of, mpfr_prec_t bits, mpfr_t value)
{
    const bool is_binary = mpz_scan1(mpq_denref(of), 0) == mpz_sizeinbase(mpq_denref(of), 2) - 1;
    const mpfr_prec_t needed = (mpfr_prec_t)mpz_sizeinbase(mpq_numref(of), 2);
    mpfr_set_prec(value, !is_binary ? bits : needed > MPFR_PREC_MIN ? needed : MPFR_PREC_MIN);
    if (mpfr_set_q(value, of, MPFR_RNDZ) != 0 && mpfr_min_prec(value) < bits)
        (mpfr_sgn(value) > 0 ? mpfr_nextabove : mpfr_nextbelow)(value);
    return !is_binary;
}

char *written_decimal(const mpq_t of, int digits)
{
    const long shift = digits + 2 + (long)mpz_sizeinbase(mpq_denref(of), 10) - (long)mpz_sizeinbase(mpq_numref(of), 10);
    mpz_t step, over, under, rest;
    mpfr_t value;
    mpfr_exp_t exponent;
    mpz_inits(step, over, under, rest, NULL);
    mpz_ui_pow_ui(step, 10, (unsigned long)labs(shift));
    mpz_set(over, mpq_numref(of));
    mpz_set(under, mpq_denref(of));
    mpz_mul(shift > 0 ? over : under, shift > 0 ? over : under, step);
    mpz_tdiv_qr(over, rest, over, under);
    mpz_mul_2exp(over, over, 1);
    if (mpz_sgn(rest) != 0)
        (mpz_sgn(over) < 0 ? mpz_sub_ui : mpz_add_ui)(over, over, 1); /* then odd, and no tie of fewer digits */
    mpfr_init2(value, (mpfr_prec_t)mpz_sizeinbase(over, 2));
    mpfr_set_z_2exp(value, over, -1, MPFR_RNDN);
    char *significand = mpfr_get_str(NULL, &exponent, 10, (size_t)digits, value, MPFR_RNDN);
    const char *first = significand + (*significand == '-');
    char *text = text_made("%s%c%s%se%+03ld", *significand == '-' ? "-" : "", *first, digits > 1 ? "." : "", first + 1,
                           (long)exponent - 1 - shift);
    mpfr_free_str(significand);
    mpfr_clear(value);
    mpz_clears(step, over, under, rest, NULL);
    return text;
}

double written_to_double(const mpq_t of, const mpq_t by, mpfr_rnd_t rounding)
{
    mpq_t quotient;
    mpfr_t rounded;
    if (by && mpq_sgn(by) == 0)
        return mpq_sgn(of) == 0 ? 0 : INFINITY;
    mpq_init(quotient);
    mpfr_init2(rounded, DBL_MANT_DIG);
    mpq_set(quotient, of);
    if (by)
        mpq_div(quotient, of, by);
    mpfr_set_q(rounded, quotient, rounding);
    const double value = mpfr_get_d(rounded, rounding);
    mpfr_clear(rounded);
    mpq_clear(quotient);
    return value;
}

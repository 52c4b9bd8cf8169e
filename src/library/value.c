#include "value.h"

#include "src/base/format.h"

#include <math.h>

/* ---- large integers ---- */

bool big_is_zero(const struct big *a)
{
    return a->count == 0;
}

void big_set_count(struct big *a, unsigned count)
{
    a->count = ((unsigned)limbs_length(a->limbs, count) + 63) / 64;
}

/* Zeros up to so many limbs. */
static void pad(struct big *a, unsigned count)
{
    memset(a->limbs + a->count, 0, (count - a->count) * sizeof a->limbs[0]);
}

struct big big_of(uint64_t integer, int unit)
{
    struct big of;
    of.limbs[0] = integer;
    of.count = integer > 0;
    of.unit = unit;
    return of;
}

struct big big_product(const struct big *a, const struct big *b)
{
    struct big of = big_of(0, a->unit + b->unit);
    pad(&of, a->count + b->count);
    for (unsigned i = 0; i < a->count; i++) {
        uint64_t carry = 0;
        for (unsigned j = 0; j < b->count; j++) {
            const limbs_wide sum = (limbs_wide)a->limbs[i] * b->limbs[j] + of.limbs[i + j] + carry;
            of.limbs[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        of.limbs[i + b->count] = carry;
    }
    big_set_count(&of, a->count + b->count);
    return of;
}

/* The same in a lower unit. */
static struct big in_unit(const struct big *a, int unit)
{
    const unsigned bits = (unsigned)(a->unit - unit), words = bits / 64;
    struct big of = big_of(0, unit);
    if (a->count == 0)
        return of;
    pad(&of, a->count + words + 2);
    for (unsigned i = 0; i < a->count; i++) {
        const limbs_wide shifted = (limbs_wide)a->limbs[i] << bits % 64;
        of.limbs[i + words] |= (uint64_t)shifted;
        of.limbs[i + words + 1] = (uint64_t)(shifted >> 64);
    }
    big_set_count(&of, a->count + words + 1);
    return of;
}

struct big big_combined(const struct big *a, const struct big *b, bool subtract, bool *is_below)
{
    const int unit = a->unit < b->unit ? a->unit : b->unit;
    struct big x = in_unit(a, unit), y = in_unit(b, unit);
    const unsigned count = (x.count > y.count ? x.count : y.count) + 1;
    pad(&x, count);
    pad(&y, count);
    (subtract ? limbs_subtract : limbs_add)(x.limbs, x.limbs, y.limbs, count);
    *is_below = subtract && limbs_negative(x.limbs, count);
    if (*is_below)
        limbs_negate(x.limbs, count);
    big_set_count(&x, count);
    return x;
}

double big_ratio(const struct big *a, const struct big *b, int exponent, double of_zeros)
{
    struct big x = *a, y = *b;
    const unsigned count = (x.count > y.count ? x.count : y.count) + 1;
    pad(&x, count);
    pad(&y, count);
    return ratio_up(x.limbs, y.limbs, count, a->unit - b->unit + exponent, of_zeros);
}

/* ---- comparisons with a number ---- */

/* m 2^exponent, squared where the value is a root, times the denominator: what the numerator is compared with. */
static struct big times_denominator(const struct value *value, uint64_t m, int exponent)
{
    const struct big number = big_of(m, exponent);
    const struct big once = big_product(&number, &value->denominator);
    return value->is_root ? big_product(&number, &once) : once;
}

/* The sign of |value| - m 2^exponent. */
static int compare(const struct value *value, uint64_t m, int exponent)
{
    const struct big number = times_denominator(value, m, exponent);
    bool is_below;
    const struct big difference = big_combined(&value->numerator, &number, true, &is_below);
    return is_below ? -1 : !big_is_zero(&difference);
}

/* ---- numbers beyond the range of binary64, from above or from below ---- */

struct scaled {
    double value; /* 0, or 0.5 to 4 */
    int exponent;
};

static struct scaled big_scaled(const struct big *a)
{
    const int length = limbs_length(a->limbs, a->count), dropped = length > 64 ? length - 64 : 0;
    return length > 0 ? (struct scaled){ldexp((double)limbs_top(a->limbs, length, dropped), dropped - length),
                                        length + a->unit}
                      : (struct scaled){0, 0};
}

/* The root of a / b; within 2^-51 of it. */
static struct scaled root_of(const struct big *a, const struct big *b)
{
    const struct scaled x = big_scaled(a), y = big_scaled(b);
    const int exponent = x.exponent - y.exponent, odd = exponent & 1;
    return x.value > 0 ? (struct scaled){sqrt(ldexp(x.value / y.value, odd)), (exponent - odd) / 2}
                       : (struct scaled){0, 0};
}

static struct scaled quotient_of(const struct big *a, const struct big *b)
{
    const struct scaled x = big_scaled(a), y = big_scaled(b);
    return x.value > 0 ? (struct scaled){x.value / y.value, x.exponent - y.exponent} : (struct scaled){0, 0};
}

/* At least a / b, which have been rounded some times; b > 0. */
static double scaled_quotient(struct scaled a, struct scaled b)
{
    const double quotient = a.value / b.value * (1 + 0x1p-49);
    const double number = ldexp(quotient, a.exponent - b.exponent);
    return ldexp(number, b.exponent - a.exponent) < quotient ? nextafter(number, (double)INFINITY) : number;
}

static double scaled_above(struct scaled a)
{
    return scaled_quotient(a, (struct scaled){1, 0});
}

static struct scaled scaled_sum(struct scaled a, struct scaled b)
{
    const struct scaled more = b.value == 0 || (a.value > 0 && a.exponent > b.exponent) ? a : b,
                        less = more.value == a.value && more.exponent == a.exponent ? b : a;
    const int apart = less.exponent - more.exponent;
    const double small = less.value == 0 ? 0 : ldexp(less.value, apart > -100 ? apart : -100);
    return (struct scaled){more.value + small, more.exponent};
}

static struct scaled scaled_number(double number)
{
    int exponent = 0;
    const double value = number == 0 ? 0 : frexp(number, &exponent);
    return (struct scaled){value, exponent};
}

/* ---- the correct rounding ---- */

/* The middle of a number >= 0 of a format, and the next: m 2^*exponent. */
static uint64_t middle_above(const struct format *format, double number, int *exponent)
{
    int place;
    const uint64_t significand = significand_of(number, &place);
    const int length = significand > 0 ? 64 - __builtin_clzll(significand) : 0;
    const int least = format->least_exponent, normal = place + length - format->precision;
    const int last = significand == 0 || normal < least ? least : normal;
    *exponent = last - 1;
    if (significand == 0)
        return 1;
    return 2 * (last >= place ? significand >> (last - place) : significand << (place - last)) + 1;
}

/* Whether it rounds to a number above the one of these bits. */
static bool is_above(const struct value *value, const struct format *format, uint64_t bits)
{
    int exponent;
    const uint64_t m = middle_above(format, format_value(format, bits), &exponent);
    const int order = compare(value, m, exponent);
    return order > 0 || (order == 0 && (bits & 1));
}

/* The estimate is at most some numbers off. */
double value_nearest(const struct value *value, const struct format *format)
{
    const struct scaled estimate = (value->is_root ? root_of : quotient_of)(&value->numerator, &value->denominator);
    const uint64_t infinity = format_bits(format, (double)INFINITY);
    uint64_t bits = format_bits(format, rounded_to(ldexp(estimate.value, estimate.exponent), format));
    while (bits < infinity && is_above(value, format, bits))
        bits++;
    while (bits > 0 && !is_above(value, format, bits - 1))
        bits--;
    const double nearest = format_value(format, bits);
    return value->is_negative ? -nearest : nearest;
}

/* Of the last place that a format has for the value. */
static int last_place(const struct value *value, const struct format *format)
{
    const struct scaled estimate = (value->is_root ? root_of : quotient_of)(&value->numerator, &value->denominator);
    int power = estimate.exponent + ilogb(estimate.value);
    if (estimate.value == 0)
        return format->least_exponent;
    while (compare(value, 1, power) < 0)
        power--;
    while (compare(value, 1, power + 1) >= 0)
        power++;
    const int last = power + 1 - format->precision;
    return last > format->least_exponent ? last : format->least_exponent;
}

/* ---- what follows ---- */

static void conclude_value(const struct value *value, const struct format *format, struct ulpscope_value *exact)
{
    const int last = last_place(value, format);
    const struct big *const numerator = &value->numerator, *const scale = &value->scale;
    const bool is_scale = numerator->unit == scale->unit && numerator->count == scale->count &&
                          memcmp(numerator->limbs, scale->limbs, scale->count * sizeof scale->limbs[0]) == 0;
    exact->size = sizeof *exact;
    exact->nearest = value_nearest(value, format);
    exact->ulp = last < FORMAT_BINARY64.overflow_exponent ? double_scaled(1, last) : (double)INFINITY;
    if (!value->is_root) {
        exact->abs_above = big_ratio(numerator, &value->denominator, 0, 0);
        exact->sum_abs_above = big_ratio(scale, &value->denominator, 0, 0);
        exact->condition = big_ratio(scale, numerator, 0, 1);
        return;
    }
    exact->abs_above = scaled_above(root_of(numerator, &value->denominator));
    exact->sum_abs_above = scaled_above(root_of(scale, &value->denominator));
    exact->condition = is_scale                 ? 1
                       : big_is_zero(numerator) ? (double)INFINITY
                                                : scaled_above(root_of(scale, numerator));
}

/* |c - r| = |c^2 - r^2| / (c + r): of a number c >= 0 and a root r. */
static struct scaled error_of_root(const struct value *value, const struct big *number, double computed,
                                   bool is_opposite)
{
    const struct scaled c = scaled_number(fabs(computed)), r = root_of(&value->numerator, &value->denominator);
    const struct scaled sum = scaled_sum(c, r);
    bool is_below;
    if (is_opposite || sum.value == 0)
        return sum;
    const struct big difference = big_combined(number, &value->numerator, true, &is_below);
    const struct scaled of_squares = quotient_of(&difference, &value->denominator);
    return of_squares.value > 0 ? (struct scaled){of_squares.value / sum.value, of_squares.exponent - sum.exponent}
                                : of_squares;
}

static double share_of(struct scaled error, struct scaled of)
{
    return error.value == 0 ? 0 : of.value == 0 ? (double)INFINITY : scaled_quotient(error, of);
}

/* Of a finite value and a finite number. */
static void conclude_errors(const struct value *value, const struct format *format, struct ulpscope_error *error)
{
    int place;
    const uint64_t significand = significand_of(error->computed, &place);
    const struct big number = times_denominator(value, significand, place);
    const bool is_opposite = (signbit(error->computed) != 0) != value->is_negative;
    const int last = last_place(value, format);
    bool is_below;
    if (value->is_root) {
        const struct scaled off = error_of_root(value, &number, error->computed, is_opposite);
        error->error = off.value > 0 ? scaled_above(off) : 0;
        error->ulp_error = share_of(off, (struct scaled){1, last});
        error->relative_error = share_of(off, root_of(&value->numerator, &value->denominator));
        error->backward_error = share_of(off, root_of(&value->scale, &value->denominator));
        return;
    }
    const struct big off = big_combined(&number, &value->numerator, !is_opposite, &is_below);
    error->error = big_ratio(&off, &value->denominator, 0, 0);
    error->ulp_error = big_ratio(&off, &value->denominator, -last, 0);
    error->relative_error = big_ratio(&off, &value->numerator, 0, 0);
    error->backward_error = big_ratio(&off, &value->scale, 0, 0);
}

void value_conclude(const struct value *value, const struct format *format, const double *computed,
                    struct ulpscope_error *error)
{
    conclude_value(value, format, &error->exact);
    error->computed = computed ? *computed : error->exact.nearest;
    if (!computed)
        return;
    if (isfinite(error->computed)) {
        conclude_errors(value, format, error);
    } else {
        const double all = error->computed == error->exact.nearest ? 0 : (double)NAN;
        error->error = error->ulp_error = error->relative_error = error->backward_error = all;
    }
}

#include "statistic.h"

#include "ratio.h"

#include "src/base/format.h"

#include <math.h>

/* ---- which sums ---- */

static const struct {
    unsigned parts;
    enum part over; /* the numerator's: it may be infinite where all others are finite; PARTS: none may */
    bool is_root;
} statistics[] = {
    [ULPSCOPE_MEAN] = {1 << PART_X, PART_X, false},
    [ULPSCOPE_MEAN_SQUARE] = {1 << PART_XX, PART_XX, false},
    [ULPSCOPE_RMS] = {1 << PART_XX, PART_XX, true},
    [ULPSCOPE_VARIANCE] = {1 << PART_X | 1 << PART_XX, PARTS, false},
    [ULPSCOPE_STD] = {1 << PART_X | 1 << PART_XX, PARTS, true},
    [ULPSCOPE_MEAN_WEIGHTED] = {1 << PART_XY | 1 << PART_Y, PART_XY, false},
    [ULPSCOPE_COSINE] = {1 << PART_XY | 1 << PART_XX | 1 << PART_YY, PARTS, true},
};

unsigned statistic_parts(ulpscope_operation operation)
{
    return statistics[operation].parts;
}

/* ---- large integers ---- */

/* Times 2^unit; limbs from `count` on are anything, and the one before it is not 0.  The largest here: the square of a
 * product sum of binary64 (134 limbs, unit -4296) beside one of that times the square of a number. */
enum { BIG_LIMBS = RATIO_LIMBS_MOST };
struct big {
    uint64_t limbs[BIG_LIMBS];
    unsigned count;
    int unit;
};

static bool is_zero(const struct big *a)
{
    return a->count == 0;
}

static void set_count(struct big *a, unsigned count)
{
    a->count = ((unsigned)limbs_length(a->limbs, count) + 63) / 64;
}

/* Zeros up to so many limbs. */
static void pad(struct big *a, unsigned count)
{
    memset(a->limbs + a->count, 0, (count - a->count) * sizeof a->limbs[0]);
}

static struct big of_integer(uint64_t integer, int unit)
{
    struct big of;
    of.limbs[0] = integer;
    of.count = integer > 0;
    of.unit = unit;
    return of;
}

static struct big product(const struct big *a, const struct big *b)
{
    struct big of = of_integer(0, a->unit + b->unit);
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
    set_count(&of, a->count + b->count);
    return of;
}

/* The same in a lower unit. */
static struct big in_unit(const struct big *a, int unit)
{
    const unsigned bits = (unsigned)(a->unit - unit), words = bits / 64;
    struct big of = of_integer(0, unit);
    if (a->count == 0)
        return of;
    pad(&of, a->count + words + 2);
    for (unsigned i = 0; i < a->count; i++) {
        const limbs_wide shifted = (limbs_wide)a->limbs[i] << bits % 64;
        of.limbs[i + words] |= (uint64_t)shifted;
        of.limbs[i + words + 1] = (uint64_t)(shifted >> 64);
    }
    set_count(&of, a->count + words + 1);
    return of;
}

/* |a - b|, or a + b; *is_below: a < b. */
static struct big combined(const struct big *a, const struct big *b, bool subtract, bool *is_below)
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
    set_count(&x, count);
    return x;
}

static double ratio(const struct big *a, const struct big *b, int exponent, double of_zeros)
{
    struct big x = *a, y = *b;
    const unsigned count = (x.count > y.count ? x.count : y.count) + 1;
    pad(&x, count);
    pad(&y, count);
    return ratio_up(x.limbs, y.limbs, count, a->unit - b->unit + exponent, of_zeros);
}

/* ---- the value: numerator / denominator, or the root of that; its scale has another numerator ---- */

struct signed_big {
    struct big magnitude;
    bool is_negative; /* of 0: that all terms are -0 */
};

struct value {
    struct big numerator, scale, denominator;
    bool is_root, is_negative, is_defined;
};

/* P and N. */
static void take_totals(const struct bins *bins, struct big of_sign[2])
{
    for (int sign = 0; sign < 2; sign++) {
        memcpy(of_sign[sign].limbs, bins->totals[sign], bins->limbs * sizeof bins->totals[sign][0]);
        of_sign[sign].unit = bins->unit;
        set_count(&of_sign[sign], bins->limbs);
    }
}

/* P - N, less the last term where that is left out. */
static struct signed_big sum_of(const struct added_sum *sum, bool without_last)
{
    const struct bins *const bins = sum->bins;
    const bool all_zeros = sum->n > 0 && bins->negative_zeros == sum->n;
    struct big of_sign[2];
    struct signed_big of;
    take_totals(bins, of_sign);
    if (without_last) {
        int places[2];
        const struct big x = of_integer(significand_of(sum->last[0], &places[0]), 0),
                         y = of_integer(significand_of(sum->last[1], &places[1]), 0);
        struct big last = product(&x, &y), *const from = &of_sign[signbit(sum->last[0]) != signbit(sum->last[1])];
        bool is_below;
        last.unit = places[0] + places[1];
        *from = combined(from, &last, true, &is_below); /* it is in this sum, and not below 0 without it */
    }
    of.magnitude = combined(&of_sign[0], &of_sign[1], true, &of.is_negative);
    of.is_negative = is_zero(&of.magnitude) ? all_zeros : of.is_negative;
    return of;
}

static struct big abs_sum_of(const struct added_sum *sum)
{
    struct big of_sign[2];
    bool is_below;
    take_totals(sum->bins, of_sign);
    return combined(&of_sign[0], &of_sign[1], false, &is_below);
}

static void variance(const struct problem *problem, const struct added_sum parts[PARTS], uint64_t n, bool without_last,
                     struct value *value)
{
    const struct big count = of_integer(n, 0), divisor = of_integer(n > problem->ddof ? n - problem->ddof : 0, 0);
    const struct signed_big sum = sum_of(&parts[PART_X], without_last), squares = sum_of(&parts[PART_XX], without_last);
    const struct big square = product(&sum.magnitude, &sum.magnitude);
    bool is_below; /* never, by Cauchy and Schwarz */
    value->scale = product(&count, &squares.magnitude);
    value->numerator = combined(&value->scale, &square, true, &is_below);
    value->denominator = product(&count, &divisor);
}

static void cosine(const struct added_sum parts[PARTS], bool without_last, struct value *value)
{
    const struct signed_big products = sum_of(&parts[PART_XY], without_last), x = sum_of(&parts[PART_XX], without_last),
                            y = sum_of(&parts[PART_YY], without_last);
    const struct big magnitudes = abs_sum_of(&parts[PART_XY]);
    value->numerator = product(&products.magnitude, &products.magnitude);
    value->scale = product(&magnitudes, &magnitudes);
    value->denominator = product(&x.magnitude, &y.magnitude);
    value->is_negative = products.is_negative;
}

static void quotient(ulpscope_operation operation, const struct added_sum parts[PARTS], uint64_t n, bool without_last,
                     struct value *value)
{
    const struct added_sum *const over = &parts[statistics[operation].over];
    const struct signed_big sum = sum_of(over, without_last);
    value->numerator = sum.magnitude;
    value->scale = abs_sum_of(over);
    value->denominator = of_integer(n, 0);
    value->is_negative = sum.is_negative;
    if (operation == ULPSCOPE_MEAN_WEIGHTED) {
        const struct signed_big weights = sum_of(&parts[PART_Y], without_last);
        value->denominator = weights.magnitude;
        value->is_negative ^= weights.is_negative;
    }
}

/* Of finite numbers. */
static struct value value_of(const struct problem *problem, const struct added_sum parts[PARTS], bool without_last)
{
    const uint64_t n = problem->terms - without_last;
    struct value value;
    value.is_root = statistics[problem->operation].is_root;
    value.is_negative = false;
    if (problem->operation == ULPSCOPE_VARIANCE || problem->operation == ULPSCOPE_STD)
        variance(problem, parts, n, without_last, &value);
    else if (problem->operation == ULPSCOPE_COSINE)
        cosine(parts, without_last, &value);
    else
        quotient(problem->operation, parts, n, without_last, &value);
    value.is_defined = !is_zero(&value.denominator);
    return value;
}

/* ---- comparisons with a number ---- */

/* m 2^exponent, squared where the value is a root, times the denominator: what the numerator is compared with. */
static struct big times_denominator(const struct value *value, uint64_t m, int exponent)
{
    const struct big number = of_integer(m, exponent);
    const struct big once = product(&number, &value->denominator);
    return value->is_root ? product(&number, &once) : once;
}

/* The sign of |value| - m 2^exponent. */
static int compare(const struct value *value, uint64_t m, int exponent)
{
    const struct big number = times_denominator(value, m, exponent);
    bool is_below;
    const struct big difference = combined(&value->numerator, &number, true, &is_below);
    return is_below ? -1 : !is_zero(&difference);
}

/* ---- numbers beyond the range of binary64, from above or from below ---- */

struct scaled {
    double value; /* 0, or 0.5 to 4 */
    int exponent;
};

static struct scaled scaled_big(const struct big *a)
{
    const int length = limbs_length(a->limbs, a->count), dropped = length > 64 ? length - 64 : 0;
    return length > 0 ? (struct scaled){ldexp((double)limbs_top(a->limbs, length, dropped), dropped - length),
                                        length + a->unit}
                      : (struct scaled){0, 0};
}

/* The root of a / b; within 2^-51 of it. */
static struct scaled root_of(const struct big *a, const struct big *b)
{
    const struct scaled x = scaled_big(a), y = scaled_big(b);
    const int exponent = x.exponent - y.exponent, odd = exponent & 1;
    return x.value > 0 ? (struct scaled){sqrt(ldexp(x.value / y.value, odd)), (exponent - odd) / 2}
                       : (struct scaled){0, 0};
}

static struct scaled quotient_of(const struct big *a, const struct big *b)
{
    const struct scaled x = scaled_big(a), y = scaled_big(b);
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
static double nearest_to(const struct value *value, const struct format *format)
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
    exact->nearest = nearest_to(value, format);
    exact->ulp = last < FORMAT_BINARY64.overflow_exponent ? double_scaled(1, last) : (double)INFINITY;
    if (!value->is_root) {
        exact->abs_above = ratio(numerator, &value->denominator, 0, 0);
        exact->sum_abs_above = ratio(scale, &value->denominator, 0, 0);
        exact->condition = ratio(scale, numerator, 0, 1);
        return;
    }
    exact->abs_above = scaled_above(root_of(numerator, &value->denominator));
    exact->sum_abs_above = scaled_above(root_of(scale, &value->denominator));
    exact->condition = is_scale ? 1 : is_zero(numerator) ? (double)INFINITY : scaled_above(root_of(scale, numerator));
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
    const struct big difference = combined(number, &value->numerator, true, &is_below);
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
    const struct big off = combined(&number, &value->numerator, !is_opposite, &is_below);
    error->error = ratio(&off, &value->denominator, 0, 0);
    error->ulp_error = ratio(&off, &value->denominator, -last, 0);
    error->relative_error = ratio(&off, &value->numerator, 0, 0);
    error->backward_error = ratio(&off, &value->scale, 0, 0);
}

/* What infinities and NaNs among the data make of it; 0 where there are none, or where it is defined by finite sums. */
static double special_value(const struct problem *problem, const struct added_sum parts[PARTS])
{
    const enum part over = statistics[problem->operation].over;
    double special = 0;
    if (problem->terms == 0)
        return (double)NAN;
    for (enum part p = PART_X; p < PARTS; p++) {
        if (!(statistic_parts(problem->operation) >> p & 1))
            continue;
        const double of = special_sum(parts[p].bins);
        special = of == 0 || isnan(special) ? special : p == over ? of : (double)NAN;
    }
    if (isinf(special) && problem->operation == ULPSCOPE_MEAN_WEIGHTED) {
        const struct signed_big weights = sum_of(&parts[PART_Y], false);
        return is_zero(&weights.magnitude) ? (double)NAN : weights.is_negative ? -special : special;
    }
    return special;
}

static void conclude(const struct value *value, const struct format *format, const double *computed,
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

void conclude_statistic(const struct problem *problem, const struct added_sum parts[PARTS], const double *computed,
                        struct ulpscope_error *error)
{
    const double special = special_value(problem, parts);
    *error = (struct ulpscope_error){.size = sizeof *error, .bound = (double)INFINITY};
    if (special != 0) {
        conclude_special(special, computed, error);
        return;
    }
    const struct value value = value_of(problem, parts, false);
    if (value.is_defined)
        conclude(&value, problem->result, computed, error);
    else
        conclude_special((double)NAN, computed, error);
}

bool conclude_statistic_without_last(const struct problem *problem, const struct added_sum parts[PARTS],
                                     struct ulpscope_error *error)
{
    if (special_value(problem, parts) != 0)
        return false;
    const struct value rest = value_of(problem, parts, true), value = value_of(problem, parts, false);
    if (!rest.is_defined || !value.is_defined)
        return false;
    const double computed = nearest_to(&rest, problem->result);
    *error = (struct ulpscope_error){.size = sizeof *error, .bound = (double)INFINITY};
    conclude(&value, problem->result, &computed, error);
    return true;
}

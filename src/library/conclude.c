#include "conclude.h"

#include "ratio.h"

#include "src/base/quotient.h"

#include <stdint.h>

/* ---- P, N and what follows from them ---- */

enum { LIMBS_MOST = 80 };

/* P and N in units that hold numbers of the result's format as well. */
struct totals {
    uint64_t of_sign[2][LIMBS_MOST];
    unsigned limbs;
    int unit;
};

/* |s|, and its sign. */
struct magnitude {
    uint64_t limbs[LIMBS_MOST];
    int length;
    bool negative;
};

static void take_totals(const struct bins *bins, const struct format *result, struct totals *totals)
{
    unsigned below = 0;
    while (bins->unit - 64 * (int)below > result->least_exponent)
        below++;
    totals->unit = bins->unit - 64 * (int)below;
    totals->limbs = below + bins->limbs + 1;
    while (totals->unit + 64 * (int)(totals->limbs - 1) < result->overflow_exponent)
        totals->limbs++;
    for (int sign = 0; sign < 2; sign++) {
        memset(totals->of_sign[sign], 0, totals->limbs * sizeof totals->of_sign[sign][0]);
        memcpy(totals->of_sign[sign] + below, bins->totals[sign], bins->limbs * sizeof bins->totals[sign][0]);
    }
}

/* Of a number modulo 2^(64 limbs). */
static void make_magnitude(struct magnitude *of, unsigned limbs)
{
    of->negative = limbs_negative(of->limbs, limbs);
    if (of->negative)
        limbs_negate(of->limbs, limbs);
    of->length = limbs_length(of->limbs, limbs);
}

/* A number of the result's format, which has no bits below the unit. */
static void subtract_number(uint64_t *from, unsigned limbs, int unit, double number)
{
    int place;
    const uint64_t significand = significand_of(number, &place);
    const bool is_below = place < unit;
    if (significand != 0)
        limbs_add_word(from, limbs, is_below ? significand >> (unit - place) : significand,
                       is_below ? 0 : (unsigned)(place - unit), !signbit(number));
}

void total_number(struct bins *folded, double number, bool subtract)
{
    const bool is_negative = signbit(number);
    const uint64_t times = subtract ? UINT64_MAX : 1;
    folded->nans += isnan(number) ? times : 0;
    folded->infinities[is_negative] += isinf(number) ? times : 0;
    folded->negative_zeros += number == 0 && is_negative ? times : 0;
    if (isfinite(number))
        subtract_number(folded->totals[is_negative], folded->limbs, folded->unit,
                        subtract ? fabs(number) : -fabs(number));
}

/* Bits below the unit are zeros: 1 as a factor, and numbers of narrow formats, end with some. */
static void subtract_product(uint64_t *from, unsigned limbs, int unit, const double factors[2])
{
    int places[2];
    const uint64_t x = significand_of(factors[0], &places[0]), y = significand_of(factors[1], &places[1]);
    const bool subtract = !signbit(factors[0]) == !signbit(factors[1]);
    const int below = x > 0 && y > 0 ? unit - places[0] - places[1] : 0;
    const limbs_wide product = (limbs_wide)x * y, shifted = below > 0 ? product >> below : product;
    const unsigned bit = below > 0 ? 0 : (unsigned)-below;
    limbs_add_word(from, limbs, (uint64_t)shifted, bit, subtract);
    limbs_add_word(from, limbs, (uint64_t)(shifted >> 64), bit + 64, subtract);
}

/* Of the last place that a format has for s. */
static int last_place(const struct magnitude *s, int unit, const struct format *format)
{
    const int last = s->length + unit - format->precision;
    return s->length > 0 && last > format->least_exponent ? last : format->least_exponent;
}

static double nearest_to(const struct magnitude *s, int unit, const struct format *result)
{
    const double nearest = limbs_round(s->limbs, s->length, unit, result, LIMBS_NEAREST);
    return s->negative ? -nearest : nearest;
}

/* ---- infinities and NaNs ---- */

double special_sum(const struct bins *bins)
{
    const bool any = bins->infinities[0] > 0, any_negative = bins->infinities[1] > 0;
    if (bins->nans > 0 || (any && any_negative))
        return (double)NAN;
    return any ? INFINITY : any_negative ? -INFINITY : 0;
}

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void set_errors(struct ulpscope_error *error, double all)
{
    error->error = error->ulp_error = error->relative_error = error->backward_error = all;
}

void conclude_special(double special, const double *computed, struct ulpscope_error *error)
{
    const double none = (double)NAN;
    error->exact = (struct ulpscope_value){sizeof error->exact, special, none, fabs(special), none, none};
    error->computed = computed ? *computed : special;
    set_errors(error, is_same(error->computed, special) ? 0 : none);
}

/* ---- finite sums ---- */

static void conclude_value(const struct totals *totals, const struct magnitude *s, const uint64_t *sum_abs,
                           const struct format *result, struct ulpscope_value *value)
{
    const int length_abs = limbs_length(sum_abs, totals->limbs), last = last_place(s, totals->unit, result);
    value->size = sizeof *value;
    value->nearest = nearest_to(s, totals->unit, result);
    value->ulp = last < FORMAT_BINARY64.overflow_exponent ? double_scaled(1, last) : INFINITY;
    value->abs_above = limbs_round(s->limbs, s->length, totals->unit, &FORMAT_BINARY64, LIMBS_UP);
    value->sum_abs_above = limbs_round(sum_abs, length_abs, totals->unit, &FORMAT_BINARY64, LIMBS_UP);
    value->condition = ratio_up(sum_abs, s->limbs, totals->limbs, 0, 1);
}

/* Of a finite s, and a number that may be infinite: s rounds to it, or it is no number. */
static void conclude_error(const struct totals *totals, const struct magnitude *s, const uint64_t *sum_abs,
                           const struct format *result, struct ulpscope_error *error)
{
    if (!isfinite(error->computed)) {
        set_errors(error, is_same(error->computed, error->exact.nearest) ? 0 : (double)NAN);
        return;
    }
    struct magnitude off = *s;
    if (s->negative)
        limbs_negate(off.limbs, totals->limbs);
    subtract_number(off.limbs, totals->limbs, totals->unit, error->computed);
    make_magnitude(&off, totals->limbs);
    const int in_ulps = totals->unit - last_place(s, totals->unit, result);
    error->error = limbs_round(off.limbs, off.length, totals->unit, &FORMAT_BINARY64, LIMBS_UP);
    error->ulp_error = limbs_round(off.limbs, off.length, in_ulps, &FORMAT_BINARY64, LIMBS_UP);
    error->relative_error = ratio_up(off.limbs, s->limbs, totals->limbs, 0, 0);
    error->backward_error = ratio_up(off.limbs, sum_abs, totals->limbs, 0, 0);
}

static void conclude(const struct added_sum *sum, const struct format *result, const double *computed,
                     bool without_last, struct ulpscope_error *error)
{
    const double special = special_sum(sum->bins);
    struct totals totals;
    struct magnitude s;
    uint64_t sum_abs[LIMBS_MOST];
    *error = (struct ulpscope_error){.size = sizeof *error, .bound = INFINITY};
    if (special != 0) {
        conclude_special(special, computed, error);
        return;
    }
    take_totals(sum->bins, result, &totals);
    limbs_add(sum_abs, totals.of_sign[0], totals.of_sign[1], totals.limbs);
    limbs_subtract(s.limbs, totals.of_sign[0], totals.of_sign[1], totals.limbs);
    make_magnitude(&s, totals.limbs);
    conclude_value(&totals, &s, sum_abs, result, &error->exact);
    if (s.length == 0 && sum->n > 0 && sum->bins->negative_zeros == sum->n)
        error->exact.nearest = -0.0;
    error->computed = computed ? *computed : error->exact.nearest;
    if (without_last) {
        struct magnitude rest;
        limbs_subtract(rest.limbs, totals.of_sign[0], totals.of_sign[1], totals.limbs);
        subtract_product(rest.limbs, totals.limbs, totals.unit, sum->last);
        make_magnitude(&rest, totals.limbs);
        error->computed = nearest_to(&rest, totals.unit, result);
    }
    if (computed || without_last)
        conclude_error(&totals, &s, sum_abs, result, error);
}

void conclude_sum(const struct added_sum *sum, const struct format *result, const double *computed,
                  struct ulpscope_error *error)
{
    conclude(sum, result, computed, false, error);
}

void conclude_without_last(const struct added_sum *sum, const struct format *result, struct ulpscope_error *error)
{
    conclude(sum, result, NULL, true, error);
}

/* ---- elements of a matrix product ---- */

/* Ratios of such numbers are far from both ends of binary64's range. */
static bool is_ordinary(double x)
{
    return x == 0 || (x >= 0x1p-500 && x <= 0x1p+500);
}

static double above_ratio(double a, double b, double of_zeros)
{
    return b > 0 ? quotient_up(a, below(b)) : a == 0 ? of_zeros : INFINITY;
}

bool conclude_element(const struct exact_element *element, double computed, struct ulpscope_error *error)
{
    const double off = fabs(element->error);
    *error = (struct ulpscope_error){.size = sizeof *error, .computed = computed, .bound = INFINITY};
    if (element->kind != EXACT_FINITE) {
        conclude_special(element->nearest, &computed, error);
        return true;
    }
    if (!is_ordinary(element->abs_above) || !is_ordinary(element->sum_abs_above) || !is_ordinary(off) ||
        !isfinite(computed))
        return false;
    error->exact = (struct ulpscope_value){sizeof error->exact, element->nearest,       element->ulp,
                                           element->abs_above,  element->sum_abs_above, 0};
    error->exact.condition = above_ratio(element->sum_abs_above, element->abs_above, 1);
    error->error = off;
    error->ulp_error = off / element->ulp;
    error->relative_error = above_ratio(off, element->abs_above, 0);
    error->backward_error = above_ratio(off, element->sum_abs_above, 0);
    return true;
}

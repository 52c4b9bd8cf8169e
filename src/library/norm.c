/* Layer norms and RMS norms, before weights and biases. */
#include "per_number.h"

#include "reference/norm_near.h"

#include <math.h>

static bool is_centred(const struct number_row *row)
{
    return row->problem->operation == ULPSCOPE_LAYER_NORM;
}

/* ---- a row ---- */

/* The limbs that are 0 at its end cost time in each product. */
static struct big trimmed(const struct big *a)
{
    struct big of = big_of(0, a->unit);
    unsigned zeros = 0;
    while (zeros < a->count && a->limbs[zeros] == 0)
        zeros++;
    of.count = a->count - zeros;
    of.unit += 64 * (int)zeros;
    memcpy(of.limbs, a->limbs + zeros, of.count * sizeof of.limbs[0]);
    return of;
}

static double rounded_big(const struct big *a)
{
    return limbs_round(a->limbs, limbs_length(a->limbs, a->count), a->unit, &FORMAT_BINARY64, LIMBS_NEAREST);
}

struct pair big_pair(const struct big *a)
{
    const double high = rounded_big(a);
    int place;
    bool is_below;
    const uint64_t significand = isfinite(high) ? significand_of(high, &place) : 0;
    if (significand == 0)
        return (struct pair){high, 0};
    const struct big number = big_of(significand, place), rest = big_combined(a, &number, true, &is_below);
    return (struct pair){high, is_below ? -rounded_big(&rest) : rounded_big(&rest)};
}

/* 1 / root(d 2^e): Newton's step, with e = 1 - d r^2 to 2^-104, from r in binary64; to 2^-102 of it. */
static struct pair factor_of(const struct big *square)
{
    struct big scaled = *square;
    const int bits = limbs_length(square->limbs, square->count) + square->unit, even = bits - (bits & 1);
    scaled.unit -= even;
    const struct pair d = big_pair(&scaled);
    const double r = 1 / sqrt(d.high);
    const struct pair squared = pair_product(r, r), times = pair_product(d.high, squared.high);
    const double off = ((1 - times.high) - times.low) - d.high * squared.low - d.low * squared.high;
    const struct pair factor = pair_sum(r, r * (off / 2 + 0.375 * off * off));
    return (struct pair){ldexp(factor.high, -even / 2), ldexp(factor.low, -even / 2)};
}

static struct big count_of(const struct number_row *row)
{
    return big_of(row->problem->terms, 0);
}

static void begin(struct number_row *row, const struct added_sum parts[PARTS], const struct line *x)
{
    (void)x;
    struct norm *const norm = &row->of.norm;
    const struct signed_big squares = sum_of(&parts[PART_XX], false);
    int place;
    bool is_below;
    const uint64_t significand = significand_of(row->problem->eps, &place);
    const struct big count = count_of(row), eps = big_of(significand, place), of_eps = big_product(&count, &eps);
    const struct big inner = big_combined(&squares.magnitude, &of_eps, false, &is_below);
    struct big square = big_product(&count, &inner);
    norm->sum = (struct signed_big){big_of(0, 0), false};
    norm->sum_abs = big_of(0, 0);
    if (is_centred(row)) {
        const struct signed_big sum = sum_of(&parts[PART_X], false);
        const struct big all = abs_sum_of(&parts[PART_X]), less = big_product(&sum.magnitude, &sum.magnitude);
        norm->sum = (struct signed_big){trimmed(&sum.magnitude), sum.is_negative};
        norm->sum_abs = trimmed(&all);
        square = big_combined(&square, &less, true, &is_below); /* never below, by Cauchy and Schwarz */
    }
    const struct big one = big_of(1, 0);
    norm->square = trimmed(&square);
    norm->of_sum = big_pair(&norm->sum.magnitude);
    if (norm->sum.is_negative)
        norm->of_sum = (struct pair){-norm->of_sum.high, -norm->of_sum.low};
    norm->sum_abs_above = big_ratio(&norm->sum_abs, &one, 0, 0);
    if (!big_is_zero(&norm->square))
        norm->factor = factor_of(&norm->square);
}

/* ---- an element ---- */

static bool near(const struct number_row *row, double x, struct near *near, double *sum_abs_above)
{
    const struct norm *const norm = &row->of.norm;
    const double n = (double)row->problem->terms;
    if (big_is_zero(&norm->square) || !norm_is_near(norm->factor, x))
        return false;
    *near = near_of_norm(pair_product(n, x), norm->of_sum, norm->factor);
    *sum_abs_above = is_centred(row) ? (n * fabs(x) + norm->sum_abs_above) * norm->factor.high * (1 + 0x1p-50) : 0;
    return true;
}

/* The root of numerator^2 / square.  Of a numerator of 0 x says the sign, as it does of x - 0. */
static void full(const struct number_row *row, double x, const double *computed, struct ulpscope_error *error)
{
    const struct norm *const norm = &row->of.norm;
    struct value value = {.denominator = norm->square, .is_root = true};
    int place;
    bool is_below;
    const uint64_t significand = significand_of(x, &place);
    const struct big count = count_of(row), number = big_of(significand, place), times = big_product(&count, &number);
    const bool is_negative = signbit(x) != 0;
    const struct big numerator =
        big_combined(&times, &norm->sum.magnitude, is_negative == norm->sum.is_negative, &is_below);
    const struct big magnitude = big_combined(&times, &norm->sum_abs, false, &(bool){false});
    value.numerator = big_product(&numerator, &numerator);
    value.scale = big_product(&magnitude, &magnitude);
    value.is_negative =
        big_is_zero(&numerator) ? is_negative && x == 0 && !norm->sum.is_negative : is_negative != is_below;
    if (big_is_zero(&norm->square))
        conclude_special((double)NAN, computed, error);
    else
        value_conclude(&value, row->problem->result, computed, error);
}

const struct number_kind norm_kind = {begin, near, full};

#include "statistic.h"

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
    [ULPSCOPE_LAYER_NORM] = {1 << PART_X | 1 << PART_XX, PARTS, true},
    [ULPSCOPE_RMS_NORM] = {1 << PART_XX, PART_XX, true},
    [ULPSCOPE_LOGSUMEXP] = {0, PARTS, false}, /* as those before it */
};

unsigned statistic_parts(ulpscope_operation operation)
{
    return statistics[operation].parts;
}

/* P and N. */
static void take_totals(const struct bins *bins, struct big of_sign[2])
{
    for (int sign = 0; sign < 2; sign++) {
        memcpy(of_sign[sign].limbs, bins->totals[sign], bins->limbs * sizeof bins->totals[sign][0]);
        of_sign[sign].unit = bins->unit;
        big_set_count(&of_sign[sign], bins->limbs);
    }
}

struct signed_big sum_of(const struct added_sum *sum, bool without_last)
{
    const struct bins *const bins = sum->bins;
    const bool all_zeros = sum->n > 0 && bins->negative_zeros == sum->n;
    struct big of_sign[2];
    struct signed_big of;
    take_totals(bins, of_sign);
    if (without_last) {
        int places[2];
        const struct big x = big_of(significand_of(sum->last[0], &places[0]), 0),
                         y = big_of(significand_of(sum->last[1], &places[1]), 0);
        struct big last = big_product(&x, &y), *const from = &of_sign[signbit(sum->last[0]) != signbit(sum->last[1])];
        bool is_below;
        last.unit = places[0] + places[1];
        *from = big_combined(from, &last, true, &is_below); /* it is in this sum, and not below 0 without it */
    }
    of.magnitude = big_combined(&of_sign[0], &of_sign[1], true, &of.is_negative);
    of.is_negative = big_is_zero(&of.magnitude) ? all_zeros : of.is_negative;
    return of;
}

struct big abs_sum_of(const struct added_sum *sum)
{
    struct big of_sign[2];
    bool is_below;
    take_totals(sum->bins, of_sign);
    return big_combined(&of_sign[0], &of_sign[1], false, &is_below);
}

static void variance(const struct problem *problem, const struct added_sum parts[PARTS], uint64_t n, bool without_last,
                     struct value *value)
{
    const struct big count = big_of(n, 0), divisor = big_of(n > problem->ddof ? n - problem->ddof : 0, 0);
    const struct signed_big sum = sum_of(&parts[PART_X], without_last), squares = sum_of(&parts[PART_XX], without_last);
    const struct big square = big_product(&sum.magnitude, &sum.magnitude);
    bool is_below; /* never, by Cauchy and Schwarz */
    value->scale = big_product(&count, &squares.magnitude);
    value->numerator = big_combined(&value->scale, &square, true, &is_below);
    value->denominator = big_product(&count, &divisor);
}

static void cosine(const struct added_sum parts[PARTS], bool without_last, struct value *value)
{
    const struct signed_big products = sum_of(&parts[PART_XY], without_last), x = sum_of(&parts[PART_XX], without_last),
                            y = sum_of(&parts[PART_YY], without_last);
    const struct big magnitudes = abs_sum_of(&parts[PART_XY]);
    value->numerator = big_product(&products.magnitude, &products.magnitude);
    value->scale = big_product(&magnitudes, &magnitudes);
    value->denominator = big_product(&x.magnitude, &y.magnitude);
    value->is_negative = products.is_negative;
}

static void quotient(ulpscope_operation operation, const struct added_sum parts[PARTS], uint64_t n, bool without_last,
                     struct value *value)
{
    const struct added_sum *const over = &parts[statistics[operation].over];
    const struct signed_big sum = sum_of(over, without_last);
    value->numerator = sum.magnitude;
    value->scale = abs_sum_of(over);
    value->denominator = big_of(n, 0);
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
    value.is_defined = !big_is_zero(&value.denominator);
    return value;
}

double special_value(const struct problem *problem, const struct added_sum parts[PARTS])
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
        return big_is_zero(&weights.magnitude) ? (double)NAN : weights.is_negative ? -special : special;
    }
    return special;
}

/* ---- what bounds take ---- */

static double above(const struct big *a)
{
    const struct big one = big_of(1, 0);
    return big_ratio(a, &one, 0, 0);
}

/* |s| or more, and less. */
static double abs_above(const struct added_sum *sum)
{
    const struct signed_big s = sum_of(sum, false);
    return above(&s.magnitude);
}

static double abs_below(const struct added_sum *sum)
{
    const double above = abs_above(sum);
    return above > 0 ? nextafter(above, 0) : 0;
}

static double all_above(const struct added_sum *sum)
{
    const struct big all = abs_sum_of(sum);
    return above(&all);
}

/* sum (x - mean)^2 = Q - s^2 / n */
static double centred_above(const struct added_sum parts[PARTS], uint64_t n)
{
    const struct big count = big_of(n, 0);
    const struct signed_big sum = sum_of(&parts[PART_X], false), squares = sum_of(&parts[PART_XX], false);
    const struct big square = big_product(&sum.magnitude, &sum.magnitude),
                     of_squares = big_product(&count, &squares.magnitude);
    bool is_below;
    const struct big difference = big_combined(&of_squares, &square, true, &is_below);
    return big_ratio(&difference, &count, 0, 0);
}

/* max |x| <= root Q, or sum |x|; max - min <= root (2 C), or twice that. */
struct moments moments_of_sums(const struct problem *problem, const struct added_sum parts[PARTS])
{
    const unsigned has = statistic_parts(problem->operation);
    struct moments of = {.n = (double)problem->terms};
    if (has >> PART_X & 1) {
        of.sum_abs = of.max_abs = all_above(&parts[PART_X]);
        of.abs_sum = abs_above(&parts[PART_X]);
        of.range = 2 * of.max_abs;
    }
    if (has >> PART_XX & 1) {
        of.sum_squares = abs_above(&parts[PART_XX]);
        of.sum_squares_below = abs_below(&parts[PART_XX]);
        of.max_abs = nextafter(sqrt(of.sum_squares), (double)INFINITY);
    }
    if ((has >> PART_X & 1) && (has >> PART_XX & 1)) {
        of.centred = centred_above(parts, problem->terms);
        of.centred_below = of.centred > 0 ? nextafter(of.centred, 0) : 0;
        of.range = nextafter(sqrt(2 * of.centred), (double)INFINITY);
    }
    if (has >> PART_XY & 1) {
        of.sum_products_abs = all_above(&parts[PART_XY]);
        of.abs_products = abs_above(&parts[PART_XY]);
    }
    if (has >> PART_YY & 1) {
        of.sum_squares_2 = abs_above(&parts[PART_YY]);
        of.sum_squares_2_below = abs_below(&parts[PART_YY]);
    }
    if (has >> PART_Y & 1) {
        of.sum_weights_abs = all_above(&parts[PART_Y]);
        of.weights_below = abs_below(&parts[PART_Y]);
    }
    return of;
}

/* ---- beside what was computed ---- */

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
        value_conclude(&value, problem->result, computed, error);
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
    const double computed = value_nearest(&rest, problem->result);
    *error = (struct ulpscope_error){.size = sizeof *error, .bound = (double)INFINITY};
    value_conclude(&value, problem->result, &computed, error);
    return true;
}

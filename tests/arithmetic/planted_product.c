#include "planted_product.h"

#include <math.h>
#include <stdlib.h>

/* integer 2^exponent; `top`: what an alignment goes by. */
struct exact {
    int64_t integer;
    int exponent, top;
};

/* x / 2^shift by floor division and what is left of it. */
static int64_t divided(int64_t x, int shift, enum planted_way way)
{
    if (shift <= 0)
        return x * (INT64_C(1) << -shift);
    if (shift > 62)
        return way == TO_MINUS && x < 0 ? -1 : way == TO_PLUS && x > 0 ? 1 : 0;
    const int64_t quotient = x >> shift, rest = x - quotient * (INT64_C(1) << shift);
    const int64_t half = INT64_C(1) << (shift - 1);
    bool up = false;
    if (way == CUT)
        up = x < 0 && rest > 0;
    else if (way == TO_PLUS)
        up = rest > 0;
    else if (way == TIES_EVEN)
        up = rest > half || (rest == half && quotient % 2 != 0);
    else if (way == TIES_AWAY)
        up = rest > half || (rest == half && x > 0);
    return quotient + up;
}

static int bits_of(int64_t x)
{
    int bits = 0;
    for (uint64_t left = (uint64_t)(x < 0 ? -x : x); left; left >>= 1)
        bits++;
    return bits;
}

static struct exact exact_of(double x, int precision, int least)
{
    int exponent;
    const double fraction = frexp(x, &exponent);
    struct exact made = {(int64_t)ldexp(fraction, precision), exponent - precision, exponent - 1};
    if (made.top < least) { /* subnormal: fewer bits, the least exponent */
        made.integer = (int64_t)ldexp(x, precision - 1 - least);
        made.exponent = least - (precision - 1);
        made.top = least;
    }
    return made;
}

/* A factor of binary32 in 11 bits, by its value: 8 - 2^-7 and the like overflow nowhere here. */
static double input_of(const struct planted_model *model, double x)
{
    int exponent;
    if (model->input == 0 || x == 0)
        return x;
    const double scaled = ldexp(frexp(x, &exponent), 11);
    const int shift = exponent < -125 ? exponent + 125 : 0; /* below 2^-126 the last place stays that of 2^-126 */
    const double in_places = ldexp(scaled, shift), whole = trunc(in_places), rest = fabs(in_places - whole);
    const bool up =
        model->input == 2 ? rest > 0.5 || (rest == 0.5 && fmod(whole, 2) != 0) : model->input == 3 && rest >= 0.5;
    return ldexp(whole + (up ? copysign(1, x) : 0), exponent - 11 - shift);
}

static int least_normal(const struct planted_model *model)
{
    return model->formats->result->least_exponent == -24 ? -14 : -126;
}

/* integer 2^exponent to `output` bits. */
static double rounded(const struct planted_model *model, int64_t integer, int exponent, int output,
                      enum planted_way way)
{
    if (integer == 0)
        return 0;
    const int first = bits_of(integer) - 1 + exponent, least = least_normal(model);
    const int shift = (first < least ? least : first) - output - exponent;
    return shift > 0 ? ldexp((double)divided(integer, shift, way), exponent + shift) + 0.0
                     : ldexp((double)integer, exponent);
}

static void add_exactly(double x, double *sum, double *lost)
{
    const double next = *sum + x;
    *lost += fabs(*sum) >= fabs(x) ? (*sum - next) + x : (x - next) + *sum;
    *sum = next;
}

static double block(const struct planted_model *model, const double *a, const double *b, int count, double c,
                    int fraction)
{
    struct exact terms[65];
    int n = 0, top = model->floor;
    double sum = 0, lost = 0; /* their sign alone counts: Neumaier's sum */
    const int precision = model->input ? 11 : model->formats->stored->precision;
    const int least = model->formats->stored->least_exponent + model->formats->stored->precision - 1;
    for (int k = 0; k < count; k++) {
        const double x = input_of(model, a[k]), y = input_of(model, b[k]);
        if (x == 0 || y == 0)
            continue;
        const struct exact of_x = exact_of(x, precision, least), of_y = exact_of(y, precision, least);
        terms[n] = (struct exact){of_x.integer * of_y.integer, of_x.exponent + of_y.exponent, of_x.top + of_y.top};
        if (model->own_exponents)
            terms[n].top = terms[n].exponent + bits_of(terms[n].integer) - 1;
        add_exactly(x * y, &sum, &lost);
        n++;
    }
    if (c != 0) {
        terms[n++] = exact_of(c, 24, least_normal(model));
        add_exactly(c, &sum, &lost);
    }
    for (int t = 0; t < n; t++)
        top = terms[t].top > top ? terms[t].top : top;
    int64_t total = 0;
    for (int t = 0; t < n; t++)
        total += divided(terms[t].integer, top - fraction - terms[t].exponent, model->alignment);
    const double y = n > 0 ? rounded(model, total, top - fraction, model->output, model->rounding) : 0;
    return y == 0 && model->minus_zero && sum + lost < 0 ? -0.0 : y;
}

/* Sums of two floats, exact in binary64 but for far ones, whose last place is no tie then. */
static double spacing_below(const struct format *format, double x)
{
    const double next = frexp(fabs(x), &(int){0}) == 0.5 ? 1 : 0; /* of a power of two half as much */
    const double place = ldexp(1, ilogb(x) - (format->precision - 1) - (int)next);
    return fmax(place, ldexp(1, format->least_exponent));
}

static double added(const struct planted_model *model, double x, double y)
{
    const bool is_narrow = least_normal(model) == -14 && model->output <= 10;
    const double sum = x + y, lost = fabs(x) > fabs(y) ? y - (sum - x) : x - (sum - y);
    const struct format *format = is_narrow ? &FORMAT_BINARY16 : &FORMAT_BINARY32;
    if (model->addition != 1)
        return rounded_to(sum, format);
    double cut = rounded_to(sum, format);
    if (fabs(cut) > fabs(sum) || (cut == sum && lost != 0 && (lost > 0) != (sum > 0)))
        cut -= copysign(spacing_below(format, cut), cut);
    return cut;
}

double planted_element(const struct planted_model *model, const double *a, const double *b, int terms)
{
    double parts[256], c = 0, total = 0, excess = 0;
    int count = 0, in_part = 0;
    for (int first = 0, index = 0; first < terms; first += model->terms, index++) {
        const int here = terms - first < model->terms ? terms - first : model->terms;
        const int fraction = model->other_fraction && index % 2 ? model->other_fraction : model->fraction;
        c = block(model, a + first, b + first, here, c, fraction);
        if (model->period && (++in_part == model->period || first + here == terms)) {
            parts[count++] = model->rounded_parts ? rounded_to(c, model->formats->result) : c;
            c = in_part = 0;
        }
    }
    if (model->period == 0)
        return rounded_to(c, model->formats->result);
    for (int p = 0; p < count && !model->pairs; p++) {
        const double y = model->addition == 2 ? added(model, parts[p], -excess) : parts[p];
        const double sum = added(model, total, y);
        excess = model->addition == 2 ? added(model, added(model, sum, -total), -y) : 0;
        total = sum;
    }
    while (model->pairs && count > 1) {
        for (int p = 0; p < count / 2; p++)
            parts[p] = added(model, parts[2 * p], parts[2 * p + 1]);
        if (count % 2)
            parts[count / 2] = parts[count - 1];
        count = (count + 1) / 2;
    }
    return rounded_to(model->pairs ? parts[0] : total, model->formats->result);
}

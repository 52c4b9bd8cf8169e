/* An element as a model computes it: in integers of 128 bits.  What an alignment to ALIGNS_EXACTLY bits loses stays as
 * a last bit that is odd, enough to round a sum of two right. */
#include "arithmetic.h"

__extension__ typedef __int128 wide;

enum { FRACTION_BITS = 52, LEAST_OF_BINARY64 = -1022, BLOCK_MOST = 4096, NO_FLOOR = -100000 };

/* significand 2^place, whose alignment goes by `exponent`. */
struct term {
    wide significand;
    int place, exponent;
};

const struct input arithmetic_inputs[INPUTS] = {
    {"as they are stored", NULL, TOWARD_ZERO},
    {"TF32: 13 bits dropped", &FORMAT_TF32, TOWARD_ZERO},
    {"TF32: rounded to nearest, ties to even", &FORMAT_TF32, NEAREST_EVEN},
    {"TF32: rounded to nearest, ties away from 0", &FORMAT_TF32, NEAREST_AWAY},
    {"rounded to binary16", &FORMAT_BINARY16, NEAREST_EVEN},
    {"rounded to bfloat16", &FORMAT_BFLOAT16, NEAREST_EVEN},
    {"bfloat16: 16 bits dropped", &FORMAT_BFLOAT16, TOWARD_ZERO},
};

const char *const way_words[WAYS] = {[TOWARD_ZERO] = "truncated toward 0",
                                     [DOWN] = "rounded down",
                                     [UP] = "rounded up",
                                     [NEAREST_EVEN] = "rounded to nearest, ties to even",
                                     [NEAREST_AWAY] = "rounded to nearest, ties away from 0"};

static int length_of(wide magnitude)
{
    const uint64_t upper = (uint64_t)(magnitude >> 64), lower = (uint64_t)magnitude;
    return upper ? 128 - __builtin_clzll(upper) : lower ? 64 - __builtin_clzll(lower) : 0;
}

/* x 2^-by, by > 0. */
static wide shortened(wide x, int by, enum way way)
{
    const wide magnitude = x < 0 ? -x : x, one = 1;
    const wide kept = by < 127 ? magnitude >> by : 0, lost = by < 127 ? magnitude - (kept << by) : magnitude;
    const wide half = by < 127 ? one << (by - 1) : 0;
    const bool is_half = by < 127 && lost == half, is_above = by < 127 && lost > half;
    const bool is_up =
        lost != 0 && ((way == NEAREST_EVEN && (is_above || (is_half && (kept & 1)))) ||
                      (way == NEAREST_AWAY && (is_above || is_half)) || (way == UP && x > 0) || (way == DOWN && x < 0));
    return x < 0 ? -(kept + is_up) : kept + is_up;
}

static wide aligned(const struct term *term, int last, int fraction, enum way alignment)
{
    const int by = term->place - last;
    const wide one = 1;
    if (by >= 0)
        return term->significand * (one << by);
    if (fraction != ALIGNS_EXACTLY)
        return shortened(term->significand, -by, alignment);
    const wide magnitude = term->significand < 0 ? -term->significand : term->significand;
    const wide kept = -by < 127 ? magnitude >> -by : 0;
    const wide odd = kept | (magnitude != (-by < 127 ? kept << -by : 0));
    return term->significand < 0 ? -odd : odd;
}

/* total 2^place to `bits` behind the first, and no further than a format of this least normal exponent has. */
static double rounded_total(wide total, int place, int bits, enum way way, int least)
{
    const int length = length_of(total < 0 ? -total : total), first = length - 1 + place;
    const int drop = (first > least ? first : least) - bits - place;
    if (total == 0)
        return 0;
    const wide kept = drop > 0 ? shortened(total, drop, way) : total;
    return ldexp((double)kept, drop > 0 ? place + drop : place) + 0.0;
}

static wide total_of(const struct term *terms, size_t count, int last, int fraction, enum way alignment)
{
    wide total = 0;
    for (size_t t = 0; t < count; t++)
        total += aligned(&terms[t], last, fraction, alignment);
    return total;
}

static int least_normal(const struct format *format)
{
    return format->least_exponent + format->precision - 1;
}

/* What sums are kept in until the end: binary32's exponents, unless binary16 has all of its bits. */
static int least_of(const struct sum_format *formats, int bits)
{
    if (arithmetic_is_wide(formats))
        return least_normal(formats->result);
    const bool is_narrow = formats->result->least_exponent == FORMAT_BINARY16.least_exponent;
    return least_normal(is_narrow && bits < formats->result->precision ? &FORMAT_BINARY16 : &FORMAT_BINARY32);
}

static double input_of(const struct input *input, double x)
{
    if (!input->format)
        return x;
    if (input->way == NEAREST_EVEN)
        return rounded_to(x, input->format);
    const int dropped = FORMAT_BINARY32.precision - input->format->precision;
    const uint32_t half = input->way == NEAREST_AWAY ? UINT32_C(1) << (dropped - 1) : 0;
    return (double)float_from_bits((float_bits((float)x) + half) >> dropped << dropped);
}

/* x, of `precision` bits and not below 2^least but for subnormals. */
static struct term number(double x, int precision, int least, enum subnormals subnormals)
{
    const uint64_t bits = double_bits(x);
    uint64_t mantissa = bits & ((UINT64_C(1) << FRACTION_BITS) - 1);
    int exponent = (int)(bits >> FRACTION_BITS & 0x7ff) - 1023;
    if (exponent < LEAST_OF_BINARY64 && x != 0) { /* subnormal */
        const int by = __builtin_clzll(mantissa) - (63 - FRACTION_BITS);
        mantissa <<= by;
        exponent = LEAST_OF_BINARY64 - by;
    }
    int64_t significand = (int64_t)((mantissa | UINT64_C(1) << FRACTION_BITS) >> (FRACTION_BITS + 1 - precision));
    if (x == 0 || (exponent < least && subnormals == FLUSHED))
        return (struct term){0};
    if (exponent < least && subnormals == LEAST_EXPONENT) {
        significand >>= least - exponent;
        exponent = least;
    }
    return (struct term){bits >> 63 ? -significand : significand, exponent - (precision - 1), exponent};
}

/* A sum so far: all of its bits, and the exponent that it has in its format. */
static struct term number_of_sum(double c, int least)
{
    struct term term = number(c, FRACTION_BITS + 1, NO_FLOOR, OWN_EXPONENT);
    term.exponent = term.exponent > least ? term.exponent : least;
    return term;
}

struct summing {
    const struct arithmetic *of;
    const struct grouping *grouping;
    const struct element *element;
    const struct format *factors;
    int least, least_of_register;
};

static struct term product(const struct summing *summing, uint64_t k)
{
    const struct arithmetic *of = summing->of;
    const struct input *input = &arithmetic_inputs[of->input];
    const double x = summing->element->a[k], y = summing->element->b[k];
    if (x == 0 || y == 0)
        return (struct term){0};
    const int precision = summing->factors->precision, least = least_normal(summing->factors);
    const struct term a = number(input_of(input, x), precision, least, of->subnormals);
    const struct term b = number(input_of(input, y), precision, least, of->subnormals);
    struct term made = {a.significand * b.significand, a.place + b.place, a.exponent + b.exponent};
    if (of->normalised && made.significand != 0)
        made.exponent = made.place + length_of(made.significand < 0 ? -made.significand : made.significand) - 1;
    return made;
}

static double block(const struct summing *summing, uint64_t first, uint64_t end, double c)
{
    const struct arithmetic *of = summing->of;
    struct term terms[BLOCK_MOST + 1];
    size_t count = 0;
    int top = of->floor;
    for (uint64_t q = first; q < end; q++) {
        terms[count] = product(summing, summing->grouping->places[q]);
        count += terms[count].significand != 0;
    }
    if (c != 0)
        terms[count++] = number_of_sum(c, summing->least);
    for (size_t t = 0; t < count; t++)
        top = terms[t].exponent > top ? terms[t].exponent : top;
    if (count == 0)
        return 0;
    const int last = top - of->fraction;
    const double y = rounded_total(total_of(terms, count, last, of->fraction, of->alignment), last, of->output,
                                   of->rounding, summing->least);
    const int exact = top - ALIGNS_EXACTLY;
    if (y == 0 && of->negative_zero && total_of(terms, count, exact, ALIGNS_EXACTLY, TOWARD_ZERO) < 0)
        return -0.0;
    return y;
}

/* A register of fewer bits than binary32 that sums of binary32 are stored to is rounded to twice. */
static double added(const struct summing *summing, double x, double y, enum way way)
{
    const struct term terms[] = {number_of_sum(x, NO_FLOOR), number_of_sum(y, NO_FLOOR)};
    if (x == 0 && y == 0)
        return x + y;
    const int top = x == 0                                  ? terms[1].exponent
                    : y == 0                                ? terms[0].exponent
                    : terms[0].exponent > terms[1].exponent ? terms[0].exponent
                                                            : terms[1].exponent;
    const int last = top - ALIGNS_EXACTLY;
    wide total = 0;
    for (size_t t = 0; t < 2; t++)
        total += terms[t].significand != 0 ? aligned(&terms[t], last, ALIGNS_EXACTLY, TOWARD_ZERO) : 0;
    const struct sum_format *formats = summing->element->formats;
    const bool is_stored = way == NEAREST_EVEN && formats->added->precision == FORMAT_BINARY32.precision &&
                           summing->of->register_bits + 1 < FORMAT_BINARY32.precision;
    const double sum =
        is_stored
            ? rounded_to(rounded_total(total, last, FORMAT_BINARY32.precision - 1, way, least_normal(&FORMAT_BINARY32)),
                         formats->result)
            : rounded_total(total, last, summing->of->register_bits, way, summing->least_of_register);
    return sum == 0 && total < 0 ? -0.0 : sum;
}

/* An excess that is not finite is dropped. */
static void add_part(const struct summing *summing, double part, double *total, double *excess)
{
    const enum way way = summing->of->addition == ADDS_TRUNCATED ? TOWARD_ZERO : NEAREST_EVEN;
    if (summing->of->addition != ADDS_COMPENSATED) {
        *total = added(summing, *total, part, way);
        return;
    }
    const double y = added(summing, part, -*excess, way), sum = added(summing, *total, y, way);
    const double left = added(summing, added(summing, sum, -*total, way), -y, way);
    *excess = isfinite(left) ? left : 0;
    *total = sum;
}

static double group(const struct summing *summing, int level, uint64_t first, uint64_t end)
{
    const struct grouping *grouping = summing->grouping;
    const bool is_last = level == grouping->levels - 1 && summing->of->rounded_parts;
    const bool has_c = first == 0 && level > 0 && level == summing->element->entry;
    double total = has_c ? summing->element->c : 0, excess = 0;
    if (level == 0)
        return block(summing, first, end, 0);
    const uint64_t unit = grouping->sizes[level - 1], zeros = summing->element->first;
    const uint64_t begin = zeros > first && !has_c ? first + (zeros - first) / unit * unit : first;
    for (uint64_t at = begin; at < end; at += unit) {
        const uint64_t next = at + unit < end ? at + unit : end;
        if (level == 1 && grouping->chained) {
            total = block(summing, at, next, total);
            continue;
        }
        const double part = group(summing, level - 1, at, next);
        add_part(summing, is_last ? rounded_to(part, summing->element->formats->result) : part, &total, &excess);
    }
    return total;
}

double arithmetic_element(const struct arithmetic *of, const struct grouping *grouping, const struct element *element)
{
    const struct format *input = arithmetic_inputs[of->input].format;
    const struct summing summing = {of,
                                    grouping,
                                    element,
                                    input ? input : element->formats->stored,
                                    least_of(element->formats, of->output),
                                    least_of(element->formats, of->register_bits)};
    const struct format *result = element->formats->result;
    const double sum = group(&summing, grouping->levels - 1, 0, grouping->terms);
    if (element->entry < grouping->levels)
        return rounded_to(sum, result);
    const double part = element->entry == grouping->levels ? sum : rounded_to(sum, result);
    return rounded_to(added(&summing, part, element->c, NEAREST_EVEN), result);
}

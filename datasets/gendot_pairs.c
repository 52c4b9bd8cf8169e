#include "conditioned.h"

#include "random.h"

enum { BITS = 12, LEAST_EXPONENT = -149 };

/* A pair of exponent e (0..most) has a product of some 2^(2e + unit), x of some 2^(e + unit_x). */
struct shape {
    double cond;
    uint64_t first_half;
    int most, unit, unit_x;
    int least;               /* exponent whose product, of two factors of one bit, is still 2^-149 or 2^-148 */
    uint32_t draw, positive; /* a product is positive when its random word is at most `positive` */
};

struct pair {
    float x, y;
};

/* How many bits of each factor, of 12, are to be 0 so that a product below 2^exponent is a multiple of 2^-149. */
static int dropped_bits(int exponent)
{
    const int bits = (exponent - LEAST_EXPONENT) / 2;
    return bits >= BITS ? 0 : bits < 1 ? BITS - 1 : BITS - bits;
}

/* An odd number of at most 12 bits, but for those dropped, as a fraction: 2r - 1 without its sign. */
static float fraction(uint32_t word, int dropped)
{
    return (float)((word >> (32 - BITS + dropped) | 1) << dropped) * 0x1p-12f;
}

static int random_exponent(const struct shape *shape, uint64_t i, uint32_t word)
{
    if (i == 0)
        return shape->most;
    return i == shape->first_half - 1 ? 0 : (int)random_below((uint64_t)word << 32, (uint64_t)shape->most + 1);
}

static struct pair free_pair(const struct generator_call *call, const struct shape *shape, uint64_t i)
{
    const struct random_block bits = random_bits(call, i, shape->draw);
    const int exponent = random_exponent(shape, i, bits.word[0]);
    const int e = exponent > shape->least ? exponent : shape->least;
    const int dropped = dropped_bits(2 * e + shape->unit);
    const bool x_negative = bits.word[1] & 1, negative = bits.word[3] > shape->positive;
    const float x = fraction(bits.word[1], dropped) * two_to(e + shape->unit_x);
    const float y = fraction(bits.word[2], dropped) * two_to(e + shape->unit - shape->unit_x);
    return (struct pair){x_negative ? -x : x, x_negative != negative ? -y : y};
}

/* To 12 bits, and to a multiple of 2^grid; not to 0. */
static double rounded(double v, int grid)
{
    int exponent;
    (void)frexp(v, &exponent);
    if (exponent - BITS > grid)
        grid = exponent - BITS;
    const double units = ldexp(v, -grid), whole = (units + 0x1.8p52) - 0x1.8p52;
    return ldexp(whole != 0 ? whole : v < 0 ? -1 : 1, grid);
}

/* A pair with a product of t, nearly; x of some 2^(e + unit_x), but larger where y would be larger than x. */
static struct pair pair_of(const struct shape *shape, double t, int e, uint32_t word)
{
    int exponent;
    (void)frexp(t, &exponent);
    if (2 * e < exponent - shape->unit)
        e = (exponent - shape->unit + 1) / 2;
    const int dropped = dropped_bits(exponent);
    const float magnitude = fraction(word, dropped) * two_to(e + shape->unit_x);
    const float x = word & 1 ? -magnitude : magnitude;
    const int x_grid = e + shape->unit_x - BITS + dropped;
    return (struct pair){x, (float)rounded(t / (double)x, LEAST_EXPONENT - x_grid)};
}

/* The product after which s is sum |x y| / cond, that product among them; 0 where any positive one will do. */
static double last_product(const struct shape *shape, double s, double abs)
{
    const double aim = abs / shape->cond > 0x1p-149 ? abs / shape->cond : 0x1p-149;
    if (s > aim)
        return -(s - aim) / (1 + 1 / shape->cond);
    return shape->cond > 1 ? (aim - s) / (1 - 1 / shape->cond) : 0;
}

static struct pair steered_pair(const struct generator_call *call, const struct shape *shape, uint64_t i,
                                const struct conditioned_sum *sum)
{
    const struct random_block bits = random_bits(call, i, shape->draw);
    const uint64_t steps = call->n - shape->first_half - 1, left = call->n - 1 - i;
    const int e = steps ? (int)((double)shape->most * (double)left / (double)steps + 0.5) : 0;
    const double s = running_sum_binary64(&sum->exact);
    const double free = ldexp((double)fraction(bits.word[2], 0), e + shape->unit);
    double t = left == 0 ? last_product(shape, s, sum->abs)
                         : sum->abs / shape->cond - s + (bits.word[3] > shape->positive ? -free : free);
    if (t == 0)
        t = free;
    return pair_of(shape, t, e, bits.word[1]);
}

/* The first half's sum |x y| with exponents from 0. */
static double first_sum_abs(const struct generator_call *call, const struct shape *shape)
{
    double sum = 0;
    for (uint64_t i = 0; i < shape->first_half; i++) {
        const struct random_block bits = random_bits(call, i, shape->draw);
        const int e = random_exponent(shape, i, bits.word[0]);
        sum += ldexp((double)fraction(bits.word[1], 0) * (double)fraction(bits.word[2], 0), 2 * e);
    }
    return sum;
}

/* From 0 where n 2^(2 most + 3) < 2^127.  Else the second half, which takes the first one's sum back, at most doubles
 * sum |x y|, which comes to lie between 2^125 and 2^127. */
static int unit_of(const struct generator_call *call, const struct shape *shape)
{
    if (conditioned_binades((double)call->n) + 2 * shape->most + 3 < 127)
        return 0;
    return 126 - conditioned_binades(first_sum_abs(call, shape));
}

static struct shape shape_of(const struct generator_call *call, double cond, uint32_t attempt)
{
    struct shape shape = {.cond = cond, .draw = 2 * attempt};
    shape.first_half = call->n - call->n / 2;
    shape.most = (conditioned_binades(cond) + 1) / 2;
    shape.positive = (uint32_t)(0x1p31 * (1 + 1 / cond) - 0.5);
    shape.unit = unit_of(call, &shape);
    shape.unit_x = shape.unit / 2;
    shape.least = shape.unit < LEAST_EXPONENT + 2 ? (LEAST_EXPONENT + 3 - shape.unit) / 2 : 0;
    return shape;
}

/* ---- */

static enum status inexact(const struct generator_call *call, uint64_t i, struct pair pair)
{
    return not_measured("gendot: the product of %a and %a, pair %llu of %llu, is not representable in binary32; this "
                        "is a bug: please report it",
                        (double)pair.x, (double)pair.y, (unsigned long long)i, (unsigned long long)call->n);
}

enum status gendot_pairs_build(const struct generator_call *call, double cond, uint32_t attempt, float *x, float *y,
                               double *reached)
{
    const struct shape shape = shape_of(call, cond, attempt);
    struct conditioned_sum sum;
    conditioned_clear(&sum);
    for (uint64_t i = 0; i < call->n; i++) {
        const struct pair pair =
            i < shape.first_half ? free_pair(call, &shape, i) : steered_pair(call, &shape, i, &sum);
        const float product = pair.x * pair.y;
        if ((double)product != (double)pair.x * (double)pair.y)
            return inexact(call, i, pair);
        x[i] = pair.x;
        y[i] = pair.y;
        conditioned_add(&sum, (double)product);
    }
    *reached = conditioned_reached(&call->format, &sum);
    return OK;
}

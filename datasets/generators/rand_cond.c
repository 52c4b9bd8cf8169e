/* rand_cond: numbers at three sizes that cancel in pairs, and many small ones that stay.
 *
 *   pairs  x, -x   q = n / 8 of them: the first eighth of size 1e-20, to the half 1e-10, the others 1
 *   rest   f v     q of size 1, the others 1e-8; f = 2 c1 / (cond c - c2), where the pairs add to 2 c1 in magnitude and
 *                  the v to c2 in magnitude, to c as they are: here c = c2
 *
 * then a shuffle, and all change sign together or not.  Sizes are factors of a uniform number from (0, 1).
 *
 *   cond = 1e4, c1 = 1, the rest 0.5, 0.25:  f = 2 / (0.75e4 - 0.75), the sum 2e-4, sum |x| = 2.0002
 *
 * There the sum comes of more than half of the data, each of them small beside the pairs: none can be dropped, whoever
 * adds big ones first.  ReproBLAS keeps f between 1e-16 and 1e16; here, beyond cond = 1e20, all is scaled up as far as
 * it fits, and the rest becomes pairs where it would fall below 2^-149, the least number of the format: of s = k
 * 2^-149, no more than k / 16 stay.
 */
#include "datasets/conditioned.h"
#include "datasets/random.h"
#include "datasets/shuffle.h"

struct shape {
    uint64_t pairs; /* their positive numbers come first, their negatives after them, the rest at the end */
    bool scaled, little;
    uint32_t draw;
};

static const double SCALED_FROM = 1e20;

static struct shape shape_of(const struct generator_call *call, uint32_t attempt)
{
    const double cond = call->values[0];
    const double units =
        ldexp(1, conditioned_room(&call->format) - 1) / cond; /* of 2^-149 in s = 2^126 / cond, or more */
    struct shape shape = {.pairs = call->n < 16 ? 1 : call->n / 8, .draw = 2 * attempt};
    shape.scaled = cond > SCALED_FROM;
    shape.little = units < 64;
    if (shape.scaled && units / 16 < (double)(call->n - 2 * shape.pairs))
        shape.pairs = (call->n - (shape.little ? 1 : (uint64_t)(units / 16))) / 2;
    return shape;
}

static double size_of(const struct shape *shape, uint64_t i)
{
    if (i >= 2 * shape->pairs)
        return i < 3 * shape->pairs ? 1 : 1e-8;
    return i < shape->pairs / 8 ? 1e-20 : i < shape->pairs / 2 ? 1e-10 : 1;
}

/* Of (0, 1), times its size. */
static double random_number(const struct generator_call *call, const struct shape *shape, uint64_t i)
{
    const struct random_block bits = random_bits(call, i, shape->draw);
    if (call->format.precision > FLT_MANT_DIG)
        return (double)(random_half(bits, 0) >> 11 | 1) * 0x1p-53 * size_of(shape, i);
    return ((bits.word[0] >> 8) | 1) * 0x1p-24 * size_of(shape, i);
}

/* Of a sum of too little for many, one number stays, or two, 2 and -1. */
static double rest_number(const struct generator_call *call, const struct shape *shape, uint64_t i)
{
    if (!shape->little)
        return random_number(call, shape, i);
    return call->n % 2 == 1 ? 1 : i == 2 * shape->pairs ? 2 : -1;
}

/* sum |x| with the rest not yet there; the pairs are scaled to just below 2^127, half of what overflows. */
static double put_pairs(const struct generator_call *call, const struct shape *shape, double sign, void *x)
{
    const struct format *format = &call->format;
    double sum = 0;
    for (uint64_t i = 0; i < shape->pairs; i++) {
        const double x_i = nearest_in(format, random_number(call, shape, i));
        held_set(format, x, i, x_i);
        sum += 2 * x_i;
    }
    const int up = shape->scaled ? format->overflow_exponent - 1 - conditioned_binades(sum) : 0;
    for (uint64_t i = 0; i < shape->pairs; i++) {
        const double x_i = sign * ldexp(held_number(format, x, i), up);
        held_set(format, x, i, x_i);
        held_set(format, x, i + shape->pairs, -x_i);
    }
    return ldexp(sum, up);
}

/* f: of cond = (pairs + f c2) / (f c).  Near cond = 1 as large as binary32 tells from infinite. */
static double factor_of(const struct generator_call *call, const struct shape *shape, double pairs)
{
    double c = 0, c2 = 0;
    for (uint64_t i = 2 * shape->pairs; i < call->n; i++) {
        const double v = rest_number(call, shape, i);
        c += v;
        c2 += fabs(v);
    }
    const double left = call->values[0] * c - c2;
    const double f = pairs / (left > 0x1p-24 * c ? left : 0x1p-24 * c);
    const double rounded = nearest_in(&call->format, f);
    return !shape->little ? f : rounded > 0 ? rounded : format_least(&call->format);
}

/* Pairs add exactly 0, so that the sum is that of the rest. */
static enum status attempt(const struct generator_call *call, uint32_t attempt, void *x, double *reached)
{
    const struct shape shape = shape_of(call, attempt);
    const double sign = random_bits(call, 0, shape.draw + 1).word[0] & 1 ? -1 : 1;
    const double pairs = put_pairs(call, &shape, sign, x), f = factor_of(call, &shape, pairs);
    struct conditioned_sum sum;
    conditioned_clear(&sum);
    for (uint64_t i = 2 * shape.pairs; i < call->n; i++) {
        const double rounded = nearest_in(&call->format, f * rest_number(call, &shape, i));
        const double x_i = rounded != 0 ? rounded : format_least(&call->format);
        held_set(&call->format, x, i, sign * x_i);
        conditioned_add(&sum, x_i);
    }
    sum.abs += pairs;
    *reached = conditioned_reached(&call->format, &sum);
    shuffle(call, shape.draw + 1, x);
    return OK;
}

static enum status build(const struct generator_call *call, void *x)
{
    return conditioned_build(call, "rand_cond", call->values[0], attempt, x);
}

static const char *refuses(const struct format *format)
{
    if (format->least_exponent > -100 && format->bytes > 1)
        return "its numbers of 1e-20 are 0 there";
    return formats_of_results(format);
}

const struct generator generator_rand_cond = {
    .id = "rand_cond",
    .summary = "pairs of three sizes that cancel, and many small numbers that stay",
    .formula = "x, -x of sizes 1e-20, 1e-10, 1; f v with f = 2 c1 / (cond c - c2)",
    .source = "ReproBLAS, tests/common/test_util.c, util_Vec_Rand_Cond",
    .effects = EFFECTS(
        {"n=4Ki,cond=1e2", "compensated/*,wider/*,exact/*,!kahan*,!binned_3x13/*", AT_MOST, 1},
        {"n=4Ki,cond=1e2", "plain/*", AT_MOST, 200}, {"n=4Ki,cond=1e8", "plain/*,kahan_naive_merge/*", AT_LEAST, 1e4},
        {"n=4Ki,cond=1e8", "kahan/serial", AT_LEAST, 5e5}, {"n=4Ki,cond=1e8", "neumaier/*", AT_MOST, 50},
        {"n=4Ki,cond=1e8", "klein/*,binary64_kahan/*,binned_4x20/*,superacc/*", AT_MOST, 1},
        {"n=4Ki,cond=1e14", "plain/*,neumaier/*,double_float/*,binned/*", AT_LEAST, 300},
        {"n=4Ki,cond=1e14", "binary64/*", AT_LEAST, 4}, {"n=1Mi,cond=1e8", "plain/*", AT_LEAST, 2e4},
        {"n=1Mi,cond=1e8", "kahan/serial", AT_LEAST, 6e5}, {"n=1Mi,cond=1e8", "neumaier/serial", AT_LEAST, 3},
        {"n=1Mi,cond=1e8", "klein/*,binary64_kahan/*,binned_4x20/*,superacc/*", AT_MOST, 1}),
    .exact = "condition within a factor of 3 of cond",
    .showcase = {"rand_cond:n=4096,cond=1e2..1e14*1e6"},
    .parameters = PARAMETERS({"cond", REAL, 1e8, 1, CONDITION_MOST, "condition number, sum |x| / |sum x|", NULL}),
    .least_n = 3,
    .random = true,
    .refuses = refuses,
    .adapt = conditioned_adapt,
    .build = build,
};

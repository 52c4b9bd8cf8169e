/* spread: numbers around a mean, with a given kappa = ||x|| / ||x - mean||, the root of a variance's condition.
 *
 * Their mean of squares is 1, so the mean is m = sqrt(1 - 1/kappa^2) and the standard deviation 1/kappa, all times
 * scale:
 *
 *   offset      m + sqrt(3)/kappa v, v uniform in [-1, 1)
 *   clusters    m + 1/kappa or m - 1/kappa, at random
 *   outlier     all alike but the first, which `shifted` takes for the mean
 *   timestamps  1577836800e9 and 1609372800e9 by turns, nanoseconds at both ends of 2020; their kappa is 101
 *
 * From kappa = 1/(2u) on, in binary32 2^23, a deviation is less than the spacing at 1.  Then one number in
 * B = (2u kappa)^2 lies one spacing above m or below it, at random in each B: kappa is as large, for B <= n.  m is a
 * multiple of the spacing.
 *
 * Squares overflow from scale = 2^64 on in binary32, a variance from 2^64 kappa on.  At scale = 2^-70 and kappa = 1
 * a variance is subnormal.
 */
#include "datasets/random.h"

#define FAMILY spread

/* What prepare() works out, and the values. */
enum { SPREAD_MEAN, SPREAD_DEVIATION, SPREAD_FIRST };                       /* real; the first one's alone */
enum { SPREAD_EVERY };                                                      /* whole: B; 0: v */
enum { SPREAD_SHAPE, SPREAD_KAPPA, SPREAD_SCALE };                          /* values */
enum { SPREAD_OFFSET, SPREAD_CLUSTERS, SPREAD_OUTLIER, SPREAD_TIMESTAMPS }; /* shapes */

/* 1, -1 or, of most in a block where few deviate, 0. */
PORTABLE double spread_side(const struct generator_call *call, uint64_t i, uint64_t random)
{
    const uint64_t every = call->whole[SPREAD_EVERY];
    if (every > 1) {
        const struct random_block bits = random_bits(call, i / every, 1);
        if (random_below(random_half(bits, 0), every) != i % every)
            return 0;
        random = random_half(bits, 1);
    }
    return random >> 63 ? 1 : -1;
}

PORTABLE double spread_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    const double m = call->real[SPREAD_MEAN], deviation = call->real[SPREAD_DEVIATION];
    const unsigned shape = (unsigned)call->values[SPREAD_SHAPE];
    double x = m;
    if (shape == SPREAD_TIMESTAMPS)
        x = i % 2 ? 1609372800e9 : 1577836800e9;
    else if (shape == SPREAD_OUTLIER)
        x = i == 0 ? m + call->real[SPREAD_FIRST] : m;
    else if (shape == SPREAD_OFFSET && call->whole[SPREAD_EVERY] == 0)
        x = m + deviation * (2 * random_unit(&call->format, random) - 1);
    else
        x = m + deviation * spread_side(call, i, random);
    return x * call->values[SPREAD_SCALE];
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
#include <math.h>

static void adapt(const struct format *format, struct parameter *row)
{
    const int p = format->precision;
    adapt_row(row, "kappa", power_of_two(p / 2), 1, power_of_two(p + 18)); /* n < 2^40 */
    adapt_row(row, "scale", row->fallback, power_of_two(format_least_normal_exponent(format)),
              power_of_two(format->overflow_exponent - 2));
}

static enum status refuse(const struct generator_call *call, const char *what, const char *instead)
{
    return bad_input("spread: n=%llu, kappa=%.17g, scale=%.17g: %s; %s", (unsigned long long)call->n,
                     call->values[SPREAD_KAPPA], call->values[SPREAD_SCALE], what, instead);
}

static enum status prepare(struct generator_call *call)
{
    const double kappa = call->values[SPREAD_KAPPA], scale = call->values[SPREAD_SCALE], n = (double)call->n;
    const double spacing = power_of_two(1 - call->format.precision), spacings = 1 / (kappa * spacing);
    const bool is_timestamps = call->values[SPREAD_SHAPE] == SPREAD_TIMESTAMPS;
    const bool is_outlier = call->values[SPREAD_SHAPE] == SPREAD_OUTLIER;
    const double first = is_outlier ? fmax(1, round(spacings * n / sqrt(n - 1))) * spacing : 0;
    const double mean = sqrt((1 - 1 / kappa) * (1 + 1 / kappa)) - first / n;
    const double every = spacings < 1 ? round(1 / (spacings * spacings)) : 1; /* at most 2^38 */
    int exponent;
    call->real[SPREAD_FIRST] = first;
    call->real[SPREAD_MEAN] = round(mean / spacing) * spacing;
    call->real[SPREAD_DEVIATION] = spacings < 1                                    ? spacing
                                   : call->values[SPREAD_SHAPE] == SPREAD_CLUSTERS ? round(spacings) * spacing
                                                                                   : sqrt(3) / kappa;
    call->whole[SPREAD_EVERY] = spacings >= 1 && call->values[SPREAD_SHAPE] == SPREAD_OFFSET ? 0 : (uint64_t)every;
    if (frexp(scale, &exponent) != 0.5)
        return refuse(call, "the scale is no power of two", "choose one");
    if ((is_timestamps ? 1609372800e9 : fmax(3, first + 1)) * scale > format_largest(&call->format))
        return refuse(call, "numbers beyond the format", "choose a smaller scale or another shape");
    if (every > n && !is_timestamps)
        return refuse(call, "no numbers of the format have such a kappa", "choose a larger n, or a smaller kappa");
    return OK;
}

static const char *const shapes[] = {"offset", "clusters", "outlier", "timestamps", NULL};

const struct generator generator_spread = {
    .id = "spread",
    .summary = "numbers around a mean: how small a variance is beside the mean of squares",
    .formula = "x_i = (sqrt(1 - 1/kappa^2) + d_i) scale, the mean of d_i^2 1/kappa^2; other shapes",
    .source = "kappa of Chan, Golub & LeVeque, The American Statistician 37(3) (1983) 242; pandas, NumPy and others: "
              "variances of timestamps",
    .effects = EFFECTS({"n=4Ki..1Mi*256", "compensated/*,wider/*,exact/*", AT_MOST, 0.6},
                       {"n=4Ki", "variance.textbook:plain/*", AT_LEAST, 1e5},
                       {"n=4Ki", "variance.two_pass:plain/tree_two_pass", AT_MOST, 10},
                       {"n=4Ki", "variance.chan:plain/tree_two_pass", AT_LEAST, 10},
                       {"n=4Ki,kappa=1e8", "variance.two_pass:plain/serial", AT_LEAST, 100},
                       {"n=4Ki,kappa=1e8", "variance.two_pass_corrected:plain/serial", AT_MOST, 0},
                       {"n=4Ki,kappa=1e2,scale=0x1p64", "variance.textbook:plain/serial", AT_LEAST, NO_NUMBER},
                       {"n=4Ki,kappa=1e2,scale=0x1p64", "variance.two_pass:plain/tree_two_pass", AT_MOST, 10},
                       {"n=4Ki,kappa=1,scale=0x1p-70", "variance.two_pass:plain/tree_two_pass", AT_MOST, 0.5},
                       {"n=4Ki,shape=clusters", "variance.textbook:plain/*", AT_LEAST, 1e5},
                       {"n=4Ki,shape=outlier", "variance.shifted:plain/tree_two_pass", AT_LEAST, 4000},
                       {"n=4Ki,shape=outlier", "variance.two_pass:plain/tree_two_pass", AT_MOST, 4},
                       {"n=4Ki,shape=timestamps", "variance.textbook:plain/serial", AT_LEAST, NO_NUMBER},
                       {"n=4Ki,shape=timestamps", "variance.two_pass:plain/tree_two_pass", AT_MOST, 1}),
    .exact = "condition 1 but for a kappa near 1; that of the variance kappa^2, kappa within a factor of 1.5 of what "
             "is asked",
    .showcase = {"spread:n=4096,kappa=1e2..1e6*100", "spread:n=4096,shape=clusters", "spread:n=4096,shape=outlier",
                 "spread:n=4096,shape=timestamps"},
    .parameters = PARAMETERS(
        {"shape", WORD, 0, 0, 0, "how they lie around the mean", shapes},
        {"kappa", REAL, 0x1p12, 1, 0x1p42, "||x|| / ||x - mean||", NULL},
        {"scale", REAL, 1, 0x1p-126, 0x1p126, "a power of two; in binary32 squares overflow from 2^64 on", NULL}),
    .least_n = 2,
    .random = true,
    .refuses = every_format,
    .adapt = adapt,
    .prepare = prepare,
    .elements = spread_elements,
};
#endif

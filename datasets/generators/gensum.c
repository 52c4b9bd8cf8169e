/* gensum: n numbers whose sum has the condition number asked for.
 *
 *   cond = sum |x| / |sum x|
 *
 * Two terms give at most 2^(p+1), three and more what the format has room for: 1e83 for binary32 (conditioned.h).
 *
 * After Algorithm 6.1 (GenDot) of Ogita, Rump & Oishi, SIAM J. Sci. Comput. 26(6) (2005) 1955, which makes dot
 * products: exponents spread evenly over log2(cond), both ends among them; the exact running sum s is known at every
 * step, and a term may be its negative, rounded, plus what is to be left of it.  Theirs reaches `cond` in order of
 * magnitude; here the terms come in order of falling exponents and each steers s towards its aim, sum |x| / cond:
 *
 *   a = (1 + f) 2^e, e falling from log2(cond) to 0
 *   s far above a   x = -fl(s - a)                        cancels all but a
 *   otherwise       x = -a if s then stays above the aim, else a
 *   last term       x = what makes s the aim, rounded
 *
 *   cond = 16, a = 16, 9, 4:  16 - 9 - 4 = 3 and sum |x| = 29;  last -1.118: s = 1.882, sum |x| = 30.118
 *
 * then all change sign together or not, and a seeded shuffle (Fisher-Yates) takes the order away.  The exponents start
 * from 0 where there is room; else all are shifted down so that no order of adding them overflows, and no further than
 * that where cond is above 1e80.
 *
 * The condition is cond within a factor of 3, checked here; to three digits from 100 terms on, up to 1e60.
 */
#include "datasets/conditioned.h"
#include "datasets/random.h"
#include "datasets/shuffle.h"

enum { BATCH = 64 }; /* free terms wait for nothing and steered ones for each other: apart, both are faster */

struct shape {
    double cond;
    int span, top; /* exponents go from top down to top - span */
    uint32_t attempt;
};

/* Up to so many binades less than there are, 1e80 for binary32, there is room for more than it takes: the exponents
 * start from 0, or sum |x| < n 2^(top+3) < 2^127. */
enum { ROOMY = 10 };

/* Beyond, sum |x| has to come near to 2^127, or what it is in the format.  Half of it comes of the terms of the highest
 * binades, 1 and n / span of them: sum |x| is about 2^top (1.5 + 2.2 n / span). */
static int highest_top(const struct format *format, uint64_t n, int span)
{
    const double units = 1.5 + 2.2 * (double)n / span;
    int top = format->overflow_exponent - 1;
    while (units * power_of_two(top) > 1.15 * power_of_two(format->overflow_exponent - 2))
        top--;
    return top;
}

static struct shape shape_of(const struct generator_call *call, uint32_t attempt)
{
    const double cond = call->values[0];
    const int span = conditioned_binades(cond);
    const int roomy = call->format.overflow_exponent - 1 - 3 - conditioned_binades((double)call->n);
    const bool tight = span > conditioned_room(&call->format) - ROOMY;
    const int highest = tight ? highest_top(&call->format, call->n, span) : roomy;
    return (struct shape){cond, span, span < highest ? span : highest, attempt};
}

/* (1 + f) 2^e: the exponents are a straight line from top to top - span, rounded up or down at random. */
static double free_term(const struct generator_call *call, struct shape shape, uint64_t i)
{
    const struct random_block bits = random_bits(call, i, 2 * shape.attempt);
    const double along = call->n > 2 ? (double)i / (double)(call->n - 2) : 0;
    const int down = (int)(shape.span * along + random_unit(&FORMAT_BINARY32, bits.word[1]));
    const int exponent = shape.top - (down < shape.span ? down : shape.span), least = call->format.least_exponent;
    const uint64_t random = call->format.precision > FLT_MANT_DIG ? random_half(bits, 1) : bits.word[0];
    return nearest_in(&call->format,
                      random_significand(&call->format, random) * power_of_two(exponent > least ? exponent : least));
}

/* What a, of free_term, becomes. */
static double steered_term(const struct generator_call *call, struct shape shape, struct conditioned_sum *sum,
                           uint64_t i, double a)
{
    const double least = format_least(&call->format), s = running_sum_binary64(&sum->exact);
    const double aim = sum->abs / shape.cond;
    if (i == call->n - 1) {
        const double left = aim > least ? aim : least;
        const double last =
            nearest_in(&call->format, (s - left) / (1 + 1 / shape.cond)); /* s - last = (abs + last) / cond */
        if (last > 0)
            return -last;
    }
    if (s > 4 * a && a > aim)
        return -running_sum_minus(&call->format, &sum->exact, a);
    return s - a >= (sum->abs + a) / shape.cond ? -a : a;
}

/* In order of falling exponents, then shuffled, and all of the other sign or not. */
static enum status attempt(const struct generator_call *call, uint32_t attempt, void *x, double *reached)
{
    const struct shape shape = shape_of(call, attempt);
    const uint32_t draw = 2 * attempt + 1;
    const double sign = random_bits(call, 0, draw).word[0] & 1 ? -1 : 1;
    double a[BATCH];
    struct conditioned_sum sum;
    conditioned_clear(&sum);
    for (uint64_t first = 0; first < call->n; first += BATCH) {
        const uint64_t end = call->n - first < BATCH ? call->n : first + BATCH;
        for (uint64_t i = first; i < end; i++)
            a[i - first] = free_term(call, shape, i);
        for (uint64_t i = first; i < end; i++) {
            const double term = steered_term(call, shape, &sum, i, a[i - first]);
            conditioned_add(&sum, term);
            held_set(&call->format, x, i, sign * term);
        }
    }
    *reached = conditioned_reached(&call->format, &sum);
    shuffle(call, draw, x);
    return OK;
}

static enum status build(const struct generator_call *call, void *x)
{
    return conditioned_build(call, "gensum", call->values[0], attempt, x);
}

const struct generator generator_gensum = {
    .id = "gensum",
    .summary = "a sum of given condition number",
    .formula = "sum |x| / |sum x| = cond",
    .source = "after Ogita, Rump & Oishi, SIAM J. Sci. Comput. 26(6) (2005) 1955, Algorithm 6.1",
    .effects = EFFECTS(
        {"n=4Ki,cond=1e2", "compensated/*,wider/*,exact/*,!kahan*,!binned_3x13/*", AT_MOST, 1},
        {"n=4Ki,cond=1e2", "plain/*", AT_MOST, 300}, {"n=4Ki,cond=1e8", "plain/*,kahan_naive_merge/*", AT_LEAST, 600},
        {"n=4Ki,cond=1e8", "kahan/serial", AT_LEAST, 5000}, {"n=4Ki,cond=1e8", "fabsum/serial", AT_LEAST, 2e5},
        {"n=4Ki,cond=1e8", "neumaier/*,double_float/*", AT_MOST, 300},
        {"n=4Ki,cond=1e8", "klein/*,binary64*,binned/*,binned_4x20/*,superacc/*", AT_MOST, 1},
        {"n=4Ki,cond=1e14", "superacc/*", AT_MOST, 1},
        {"n=4Ki,cond=1e14", "plain/*,neumaier/*,sum2/*,kahan_naive_merge/*,binned_3x13/*", AT_LEAST, 3000},
        {"n=4Ki,cond=1e14", "double_float/*", AT_LEAST, 400}, {"n=4Ki,cond=1e14", "binary64/*", AT_LEAST, 10},
        {"n=4Ki,cond=1e20", "plain/*,kahan/*,neumaier/*,double_float/*,binary64/*,fabsum*,binned/*", AT_LEAST, 1e6},
        {"n=4Ki,cond=1e20", "klein/*", AT_LEAST, 100}, {"n=1Mi,cond=1e8", "plain/*", AT_LEAST, 1e4},
        {"n=1Mi,cond=1e8", "kahan/serial", AT_LEAST, 1000}, {"n=1Mi,cond=1e8", "neumaier/serial", AT_LEAST, 100},
        {"n=1Mi,cond=1e8", "klein/*,binary64*,binned/*,binned_4x20/*,superacc/*", AT_MOST, 1}),
    .parameters = PARAMETERS({"cond", REAL, 1e8, 1, CONDITION_MOST, "condition number, sum |x| / |sum x|", NULL}),
    .least_n = 2,
    .random = true,
    .exact = "condition within a factor of 3 of cond",
    .showcase = {"gensum:n=4096,cond=1e2..1e14*1e6"},
    .refuses = formats_of_results,
    .adapt = conditioned_adapt,
    .build = build,
};

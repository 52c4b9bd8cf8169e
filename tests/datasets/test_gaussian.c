/* Gaussians and the elementary functions: the table of the ziggurat and the functions against MPFR, the data against
 * the normal distribution, at fixed seeds.
 */
#include "family.h"

#include "datasets/gaussian.h"
#include "tests/support/random.h"

#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- the table ---- */

static const uint64_t digest_from_the_start = 0x95763730d15bd9c9;

/* FNV-1a of all of it. */
static uint64_t digest_of(const struct gaussian_layer *layers)
{
    uint64_t digest = 0xcbf29ce484222325;
    for (int k = 0; k <= GAUSSIAN_LAYERS; k++) {
        digest = (digest ^ double_bits(gaussian_heights[k])) * 0x100000001b3;
        if (k == GAUSSIAN_LAYERS)
            break;
        digest = (digest ^ double_bits(layers[k].scale)) * 0x100000001b3;
        digest = (digest ^ layers[k].under) * 0x100000001b3;
    }
    return digest;
}

static void table_has_the_bits_that_it_had_from_the_start(void **state)
{
    (void)state;
    assert_true(GAUSSIAN_TAIL == 0x1.027c84109fad5p+2);
    assert_int_equal(digest_of(gaussian_layers), digest_from_the_start);
    struct gaussian_layer changed[GAUSSIAN_LAYERS];
    memcpy(changed, gaussian_layers, sizeof changed);
    changed[GAUSSIAN_LAYERS - 1].under ^= 1;
    assert_int_not_equal(digest_of(changed), digest_from_the_start);
}

/* ---- exp and log ---- */

typedef double elementary(double x);
typedef int elementary_by_mpfr(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding);

/* |computed - f(x)| / |f(x)|, as a multiple of 2^-52 */
static double relative_error(elementary *computed, elementary_by_mpfr *f, double x)
{
    mpfr_t exact, error;
    mpfr_init2(exact, 53);
    mpfr_init2(error, 90);
    mpfr_set_d(exact, x, MPFR_RNDN);
    f(error, exact, MPFR_RNDN);
    mpfr_d_div(error, computed(x), error, MPFR_RNDN);
    mpfr_sub_ui(error, error, 1, MPFR_RNDN);
    const double relative = fabs(mpfr_get_d(error, MPFR_RNDN));
    mpfr_clears(exact, error, (mpfr_ptr)0);
    return relative * 0x1p52;
}

/* x evenly spread over the interval, and not on a grid. */
static double largest_error(elementary *computed, elementary_by_mpfr *f, double low, double high)
{
    enum { TIMES = 10000 };
    double largest = 0;
    seed_random(1);
    for (int k = 0; k < TIMES; k++)
        largest = fmax(largest, relative_error(computed, f, low + (high - low) * ((double)next_random() * 0x1p-64)));
    return largest;
}

static double exp_with_a_wrong_bit(double x)
{
    return exp_of(x) * (1 - 0x1p-51);
}

static double log_with_a_wrong_bit(double x)
{
    return log_of(x) * (1 - 0x1p-51);
}

static double exp2_of_sum(double y)
{
    return (double)exp2_of(EXP2_SHIFT + y);
}

static double exp2_with_a_wrong_bit(double y)
{
    return exp2_of_sum(y) * (1 - 0x1p-23);
}

static void powers_of_the_table_are_the_nearest(void **state)
{
    (void)state;
    mpfr_t power;
    mpfr_init2(power, 100);
    for (int j = 0; j < ELEMENTARY_POWERS; j++) {
        mpfr_set_d(power, (double)j / ELEMENTARY_POWERS, MPFR_RNDN);
        mpfr_exp2(power, power, MPFR_RNDN);
        assert_true(elementary_powers[j] == mpfr_get_d(power, MPFR_RNDN));
    }
    mpfr_clear(power);
}

static void exp_is_off_by_less_than_2_to_minus_51_8(void **state)
{
    (void)state;
    const double limit = 1.148; /* 2^0.2 */
    assert_true(largest_error(exp_of, mpfr_exp, -700, 700) < limit);
    assert_true(largest_error(exp_of, mpfr_exp, -1, 1) < limit);
    assert_true(exp_of(0) == 1);
    assert_false(largest_error(exp_with_a_wrong_bit, mpfr_exp, -1, 1) < limit);
}

/* In units of 2^-52. */
static void exp2_of_is_off_by_less_than_2_to_minus_23(void **state)
{
    (void)state;
    const double limit = 0x1p29;
    assert_true(largest_error(exp2_of_sum, mpfr_exp2, -126, 126) < limit);
    assert_true(largest_error(exp2_of_sum, mpfr_exp2, -0.5, 0.5) < limit);
    assert_true(largest_error(exp2_of_sum, mpfr_exp2, 0.4999, 0.5001) < limit);
    assert_true(exp2_of_sum(0) == 1 && exp2_of_sum(-126) == 0x1p-126 && exp2_of_sum(126) == 0x1p126);
    assert_false(largest_error(exp2_with_a_wrong_bit, mpfr_exp2, -0.5, 0.5) < limit);
}

static void log_is_off_by_less_than_2_to_minus_51(void **state)
{
    (void)state;
    assert_true(largest_error(log_of, mpfr_log, 0, 1) < 2);
    assert_true(largest_error(log_of, mpfr_log, 0.7, 1.42) < 2);
    assert_true(largest_error(log_of, mpfr_log, 0x1p-1022, 0x1p-1000) < 2);
    assert_true(largest_error(log_of, mpfr_log, 1, 1e300) < 2);
    assert_true(log_of(1) == 0);
    assert_false(largest_error(log_with_a_wrong_bit, mpfr_log, 0.7, 1.42) < 2);
}

/* sin(f pi/4) and cos(f pi/4) */
static int sine_by_mpfr(mpfr_ptr y, mpfr_srcptr f, mpfr_rnd_t rounding)
{
    mpfr_const_pi(y, rounding);
    mpfr_mul(y, y, f, rounding);
    mpfr_div_2ui(y, y, 2, rounding);
    return mpfr_sin(y, y, rounding);
}

static int cosine_by_mpfr(mpfr_ptr y, mpfr_srcptr f, mpfr_rnd_t rounding)
{
    mpfr_const_pi(y, rounding);
    mpfr_mul(y, y, f, rounding);
    mpfr_div_2ui(y, y, 2, rounding);
    return mpfr_cos(y, y, rounding);
}

static void sine_and_cosine_are_off_by_less_than_2_to_minus_51(void **state)
{
    (void)state;
    assert_true(largest_error(sine_of_octant, sine_by_mpfr, 0, 1) < 2);
    assert_true(largest_error(cosine_of_octant, cosine_by_mpfr, 0, 1) < 2);
    assert_false(largest_error(cosine_of_octant, sine_by_mpfr, 0, 1) < 2);
}

/* ---- the distribution ---- */

/* STRIPS are bounded by -x_1 < -x_2 < ... < 0 < ... < x_2 < x_1: an error at the edge of a layer fills the wrong ones.
 */
enum {
    PIECE = 1 << 14,
    PIECES = 1 << 8,
    SAMPLES = PIECE * PIECES,
    EDGES = 2 * GAUSSIAN_LAYERS - 1,
    STRIPS = EDGES + 1
};

typedef float element(const struct generator_call *call, uint64_t i);

static float right_element(const struct generator_call *call, uint64_t i)
{
    return (float)gaussian(call, i, random_of_element(call, i));
}

/* The first twin: no y is asked for, the corners of the layers stay in. */
static float element_with_corners(const struct generator_call *call, uint64_t i)
{
    const uint64_t random = random_of_element(call, i);
    return (float)((double)gaussian_abscissa(random) * gaussian_layers[random % GAUSSIAN_LAYERS].scale);
}

/* The second: what is not under the curve at once is not used at all. */
static float element_without_corners(const struct generator_call *call, uint64_t i)
{
    for (uint32_t draw = 0;; draw++) {
        const uint64_t random = random_half(random_bits(call, i, draw), 0);
        const int64_t a = gaussian_abscissa(random);
        if ((uint64_t)llabs(a) < gaussian_layers[random % GAUSSIAN_LAYERS].under)
            return (float)((double)a * gaussian_layers[random % GAUSSIAN_LAYERS].scale);
    }
}

static double edge(int e)
{
    return e < GAUSSIAN_LAYERS - 1    ? -0x1p52 * gaussian_layers[e + 1].scale
           : e == GAUSSIAN_LAYERS - 1 ? 0
                                      : 0x1p52 * gaussian_layers[EDGES - e].scale;
}

/* How many edges are at most x. */
static int strip_of(const double edges[EDGES], double x)
{
    int below = 0;
    for (int step = GAUSSIAN_LAYERS; step > 0; step /= 2)
        below += step * (edges[below + step - 1] <= x); /* 2^m - 1 edges: none of these is beyond the last */
    return below;
}

/* P(z < x) by MPFR. */
static double normal_below(double x)
{
    mpfr_t p;
    mpfr_init2(p, 80);
    mpfr_sqrt_ui(p, 2, MPFR_RNDN);
    mpfr_d_div(p, -x, p, MPFR_RNDN);
    mpfr_erfc(p, p, MPFR_RNDN);
    const double below = mpfr_get_d(p, MPFR_RNDN) / 2;
    mpfr_clear(p);
    return below;
}

/* How many of SAMPLES fall into each strip, and how many should. */
struct strips {
    double edges[EDGES], expected[STRIPS], seen[STRIPS];
};

static void expect_strips(struct strips *strips)
{
    double before = 0;
    for (int s = 0; s < STRIPS; s++) {
        strips->edges[s < EDGES ? s : EDGES - 1] = edge(s < EDGES ? s : EDGES - 1);
        const double below = s < EDGES ? normal_below(strips->edges[s]) : 1;
        strips->expected[s] = SAMPLES * (below - before);
        before = below;
    }
}

static void fill_strips(struct strips *strips, element *make)
{
    const struct generator_call call = family_call("normal");
    memset(strips->seen, 0, sizeof strips->seen);
    for (uint64_t i = 0; i < SAMPLES; i++)
        strips->seen[strip_of(strips->edges, (double)make(&call, i))]++;
}

/* Pearson's sum over groups of `width` strips, as standard deviations of chi-square from its mean. */
static double excess(const struct strips *strips, int width)
{
    double chi_square = 0;
    for (int s = 0; s < STRIPS; s += width) {
        double seen = 0, expected = 0;
        for (int w = 0; w < width; w++)
            seen += strips->seen[s + w], expected += strips->expected[s + w];
        assert_true(expected > 20);
        chi_square += (seen - expected) * (seen - expected) / expected;
    }
    const double freedom = STRIPS / width - 1;
    return (chi_square - freedom) / sqrt(2 * freedom);
}

/* Narrow groups see the edge of a layer, wide ones see what is wrong with all of them. */
static bool is_filled_as_by_gauss(struct strips *strips, element *make)
{
    fill_strips(strips, make);
    return fabs(excess(strips, 1)) < 3 && fabs(excess(strips, 16)) < 3;
}

static void strips_of_the_layers_are_filled_as_by_gauss(void **state)
{
    static struct strips strips;
    (void)state;
    expect_strips(&strips);
    assert_true(is_filled_as_by_gauss(&strips, right_element));
    assert_false(is_filled_as_by_gauss(&strips, element_with_corners));
    assert_false(is_filled_as_by_gauss(&strips, element_without_corners));
}

/* Kolmogorov and Smirnov's sqrt(n) D, above 1.95 once in 1000, of what gaussian_tail makes, against the tail. */
static double distance_of_tail(double start)
{
    enum { TAILS = 5000 };
    static double z[TAILS];
    const struct generator_call call = family_call("normal");
    const double beyond_start = normal_below(-start);
    double furthest = 0;
    for (uint64_t i = 0; i < TAILS; i++)
        z[i] = gaussian_tail(&call, i, 1) - GAUSSIAN_TAIL + start;
    qsort(z, TAILS, sizeof *z, by_value);
    for (int k = 0; k < TAILS; k++) {
        const double cdf = 1 - normal_below(-z[k]) / beyond_start;
        furthest = fmax(furthest, fmax(cdf - (double)k / TAILS, (double)(k + 1) / TAILS - cdf));
    }
    return sqrt(TAILS) * furthest;
}

static void the_tail_is_that_of_gauss(void **state)
{
    (void)state;
    assert_true(distance_of_tail(GAUSSIAN_TAIL) < 1.95);
    assert_false(distance_of_tail(GAUSSIAN_TAIL - 0.75) < 1.95); /* the twin: a tail from elsewhere */
}

/* What was seen of n elements of normal, as the family makes them. */
struct seen {
    double n;
    double power[5];   /* sums of x^k */
    double neighbours; /* the sum of x_i x_(i+1) */
    double beyond_3_4, beyond_5, above_3_4;
};

static void look(const float *x, struct seen *seen)
{
    for (uint64_t i = 0; i < PIECE; i++) {
        const double v = (double)x[i], v2 = v * v;
        seen->power[1] += v;
        seen->power[2] += v2;
        seen->power[3] += v * v2;
        seen->power[4] += v2 * v2;
        seen->neighbours += v * (double)x[i ^ 1];
        seen->beyond_3_4 += fabs(v) > 3.4;
        seen->above_3_4 += v > 3.4;
        seen->beyond_5 += fabs(v) > 5;
    }
    seen->n += PIECE;
}

static struct seen see(const char *text, uint64_t pieces)
{
    static float x[PIECE];
    const struct generator_call call = family_call(text);
    struct seen seen = {0};
    for (uint64_t p = 0; p < pieces; p++) {
        generator_find("normal")->elements(&call, p * PIECE, PIECE, x);
        look(x, &seen);
    }
    return seen;
}

/* |sum - n mean| < 5 sqrt(n variance), which chance passes once in 1.7 million. */
static bool is_near(double sum, double n, double mean, double variance)
{
    return fabs(sum - n * mean) < 5 * sqrt(n * variance);
}

static bool has_the_moments_of_gauss(const struct seen *seen)
{
    return is_near(seen->power[1], seen->n, 0, 1) && is_near(seen->power[2], seen->n, 1, 2) &&
           is_near(seen->power[3], seen->n, 0, 15) && is_near(seen->power[4], seen->n, 3, 96);
}

static bool is_beyond_as_often_as_gauss(double count, double n, double limit)
{
    const double p = 2 * normal_below(-limit);
    return is_near(count, n, p, p);
}

static void moments_and_tails_are_those_of_gauss(void **state)
{
    (void)state;
    const struct seen seen = see("normal", 8 * PIECES), wide = see("normal:sd=1.005", PIECES);
    assert_true(has_the_moments_of_gauss(&seen));
    assert_true(is_beyond_as_often_as_gauss(seen.beyond_3_4, seen.n, 3.4)); /* 22,600 */
    assert_true(is_beyond_as_often_as_gauss(seen.beyond_5, seen.n, 5));     /* 19 */
    assert_true(seen.beyond_5 >= 5);
    assert_true(is_near(seen.above_3_4 - seen.beyond_3_4 / 2, seen.beyond_3_4, 0, 0.25)); /* both signs alike */
    assert_true(is_near(seen.neighbours / 2, seen.n / 2, 0, 1)); /* each pair is counted twice */
    assert_false(has_the_moments_of_gauss(&wide));
    const struct seen wider = see("normal:sd=1.02", PIECES);
    assert_false(is_beyond_as_often_as_gauss(wider.beyond_3_4, wider.n, 3.4));
}

static void mean_and_sd_are_rounded_once_in_each_format(void **state)
{
    (void)state;
    struct dataset data = family_make("normal:n=1000,mean=0.3,sd=7");
    const struct generator_call call = family_call("normal:n=1000");
    for (uint64_t i = 0; i < data.n; i++)
        assert_true(((float *)data.x)[i] == (float)(0.3 + 7 * gaussian(&call, i, random_of_element(&call, i))));
    dataset_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_has_the_bits_that_it_had_from_the_start),
        cmocka_unit_test(powers_of_the_table_are_the_nearest),
        cmocka_unit_test(exp_is_off_by_less_than_2_to_minus_51_8),
        cmocka_unit_test(exp2_of_is_off_by_less_than_2_to_minus_23),
        cmocka_unit_test(log_is_off_by_less_than_2_to_minus_51),
        cmocka_unit_test(strips_of_the_layers_are_filled_as_by_gauss),
        cmocka_unit_test(the_tail_is_that_of_gauss),
        cmocka_unit_test(moments_and_tails_are_those_of_gauss),
        cmocka_unit_test(mean_and_sd_are_rounded_once_in_each_format),
        cmocka_unit_test(sine_and_cosine_are_off_by_less_than_2_to_minus_51),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Gaussians and the elementary functions: the table of the ziggurat and the functions against MPFR, the data against
 * the normal distribution, at fixed seeds.
 *
 *   test_gaussian              tests
 *   test_gaussian --print      prints datasets/gaussian_table.h
 */
#include "family.h"

#include "datasets/gaussian.h"
#include "tests/support/random.h"

#include <inttypes.h>
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

enum { LAYERS = GAUSSIAN_LAYERS, TABLE_BITS = 110 };

struct ziggurat {
    mpfr_t x[LAYERS + 1], height[LAYERS + 1]; /* x_k and f(x_k); x of the top is 0 */
    mpfr_t area, scratch;
};

/* exp(-x^2/2) */
static void density(mpfr_t f, const mpfr_t x)
{
    mpfr_sqr(f, x, MPFR_RNDN);
    mpfr_div_2ui(f, f, 1, MPFR_RNDN);
    mpfr_neg(f, f, MPFR_RNDN);
    mpfr_exp(f, f, MPFR_RNDN);
}

/* The area above x: sqrt(pi/2) erfc(x / sqrt(2)). */
static void tail_area(mpfr_t area, const mpfr_t x, mpfr_t scratch)
{
    mpfr_sqrt_ui(scratch, 2, MPFR_RNDN);
    mpfr_div(area, x, scratch, MPFR_RNDN);
    mpfr_erfc(area, area, MPFR_RNDN);
    mpfr_const_pi(scratch, MPFR_RNDN);
    mpfr_div_ui(scratch, scratch, 2, MPFR_RNDN);
    mpfr_sqrt(scratch, scratch, MPFR_RNDN);
    mpfr_mul(area, area, scratch, MPFR_RNDN);
}

/* Stacks layers on x[1].  True when they reach beyond f(0) = 1: x[1] is too small. */
static bool stack(struct ziggurat *z)
{
    density(z->height[1], z->x[1]);
    tail_area(z->area, z->x[1], z->scratch);
    mpfr_fma(z->area, z->x[1], z->height[1], z->area, MPFR_RNDN);
    mpfr_div(z->x[0], z->area, z->height[1], MPFR_RNDN);
    for (int k = 1; k < LAYERS; k++) {
        mpfr_div(z->height[k + 1], z->area, z->x[k], MPFR_RNDN);
        mpfr_add(z->height[k + 1], z->height[k + 1], z->height[k], MPFR_RNDN);
        if (mpfr_cmp_ui(z->height[k + 1], 1) >= 0)
            return k + 1 < LAYERS || mpfr_cmp_ui(z->height[k + 1], 1) > 0;
        mpfr_log(z->x[k + 1], z->height[k + 1], MPFR_RNDN);
        mpfr_mul_2si(z->x[k + 1], z->x[k + 1], 1, MPFR_RNDN);
        mpfr_neg(z->x[k + 1], z->x[k + 1], MPFR_RNDN);
        mpfr_sqrt(z->x[k + 1], z->x[k + 1], MPFR_RNDN);
    }
    return false;
}

static void init_ziggurat(struct ziggurat *z)
{
    mpfr_inits2(TABLE_BITS, z->area, z->scratch, (mpfr_ptr)0);
    for (int k = 0; k <= LAYERS; k++)
        mpfr_inits2(TABLE_BITS, z->x[k], z->height[k], (mpfr_ptr)0);
}

static void free_ziggurat(struct ziggurat *z)
{
    mpfr_clears(z->area, z->scratch, (mpfr_ptr)0);
    for (int k = 0; k <= LAYERS; k++)
        mpfr_clears(z->x[k], z->height[k], (mpfr_ptr)0);
}

/* The x[1] at which the top layer ends at f(0), between low and high, by halving. */
static void solve(struct ziggurat *z, double low, double high, int steps)
{
    mpfr_t least, most;
    mpfr_inits2(TABLE_BITS, least, most, (mpfr_ptr)0);
    mpfr_set_d(least, low, MPFR_RNDN);
    mpfr_set_d(most, high, MPFR_RNDN);
    for (int s = 0; s < steps; s++) {
        mpfr_add(z->x[1], least, most, MPFR_RNDN);
        mpfr_div_2ui(z->x[1], z->x[1], 1, MPFR_RNDN);
        mpfr_set(stack(z) ? least : most, z->x[1], MPFR_RNDN);
    }
    mpfr_set(z->x[1], most, MPFR_RNDN);
    (void)stack(z);
    mpfr_set_zero(z->x[LAYERS], 1);
    mpfr_set_ui(z->height[LAYERS], 1, MPFR_RNDN);
    mpfr_clears(least, most, (mpfr_ptr)0);
}

static double scale_of(struct ziggurat *z, int k)
{
    return ldexp(mpfr_get_d(z->x[k], MPFR_RNDN), -52);
}

static uint64_t under_of(struct ziggurat *z, int k)
{
    mpfr_div(z->scratch, z->x[k + 1], z->x[k], MPFR_RNDN);
    mpfr_mul_2ui(z->scratch, z->scratch, 52, MPFR_RNDN);
    return mpfr_get_uj(z->scratch, MPFR_RNDD);
}

static double height_of(struct ziggurat *z, int k)
{
    return k == 0 ? 0 : mpfr_get_d(z->height[k], MPFR_RNDN);
}

static void table_is_what_mpfr_computes(void **state)
{
    struct ziggurat z;
    (void)state;
    init_ziggurat(&z);
    solve(&z, GAUSSIAN_TAIL - 0x1p-46, GAUSSIAN_TAIL + 0x1p-46, 32);
    assert_true(mpfr_get_d(z.x[1], MPFR_RNDN) == GAUSSIAN_TAIL);
    for (int k = 0; k < LAYERS; k++) {
        assert_true(gaussian_layers[k].scale == scale_of(&z, k));
        assert_true(gaussian_layers[k].under == under_of(&z, k));
    }
    for (int k = 0; k <= LAYERS; k++)
        assert_true(gaussian_heights[k] == height_of(&z, k));
    free_ziggurat(&z);
}

/* The twin: a tail that starts 2^-40 further on has another table. */
static void another_tail_has_another_table(void **state)
{
    struct ziggurat z;
    unsigned different = 0;
    (void)state;
    init_ziggurat(&z);
    mpfr_set_d(z.x[1], GAUSSIAN_TAIL + 0x1p-40, MPFR_RNDN);
    (void)stack(&z);
    for (int k = 0; k < LAYERS - 1; k++)
        different += gaussian_layers[k].under != under_of(&z, k);
    assert_true(different > LAYERS / 2);
    free_ziggurat(&z);
}

static int print_table(void)
{
    struct ziggurat z;
    init_ziggurat(&z);
    solve(&z, 2, 6, 126);
    puts("/* The layers of gaussian.h's ziggurat.  Made by test_gaussian --print, by MPFR.\n"
         " *\n"
         " *   scale    x_k 2^-52\n"
         " *   under    2^52 x_(k+1) / x_k, rounded down: abscissas below it are under the curve\n"
         " *   heights  exp(-x_k^2/2), of the top 1; the first is not used\n"
         " */\n"
         "#ifndef ULPSCOPE_GAUSSIAN_TABLE_H\n"
         "#define ULPSCOPE_GAUSSIAN_TABLE_H\n\n"
         "#include <stdint.h>\n\n"
         "/* Device code cannot read the host's constants. */\n"
         "#ifdef __CUDA_ARCH__\n"
         "#define GAUSSIAN_TABLE static __device__ const\n"
         "#else\n"
         "#define GAUSSIAN_TABLE static const\n"
         "#endif\n");
    printf("enum { GAUSSIAN_LAYERS = %d };\n\n", LAYERS);
    printf("#define GAUSSIAN_TAIL %a /* x_1, where the tail starts */\n\n", mpfr_get_d(z.x[1], MPFR_RNDN));
    puts("struct gaussian_layer {\n    double scale;\n    uint64_t under;\n};\n\n"
         "/* clang-format off */\n"
         "GAUSSIAN_TABLE struct gaussian_layer gaussian_layers[GAUSSIAN_LAYERS] = {");
    for (int k = 0; k < LAYERS; k++)
        printf("%s{%a, %#" PRIx64 "},%s", k % 2 ? "" : "    ", scale_of(&z, k), under_of(&z, k), k % 2 ? "\n" : " ");
    puts("};\n\nGAUSSIAN_TABLE double gaussian_heights[GAUSSIAN_LAYERS + 1] = {");
    for (int k = 0; k <= LAYERS; k++)
        printf("%s%a,%s", k % 4 ? "" : "    ", height_of(&z, k), k % 4 == 3 || k == LAYERS ? "\n" : " ");
    puts("};\n/* clang-format on */\n\n#endif");
    free_ziggurat(&z);
    return 0;
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
enum { PIECE = 1 << 14, PIECES = 1 << 8, SAMPLES = PIECE * PIECES, EDGES = 2 * LAYERS - 1, STRIPS = EDGES + 1 };

typedef float element(const struct generator_call *call, uint64_t i);

static float right_element(const struct generator_call *call, uint64_t i)
{
    return (float)gaussian(call, i, random_of_element(call, i));
}

/* The first twin: no y is asked for, the corners of the layers stay in. */
static float element_with_corners(const struct generator_call *call, uint64_t i)
{
    const uint64_t random = random_of_element(call, i);
    return (float)((double)gaussian_abscissa(random) * gaussian_layers[random % LAYERS].scale);
}

/* The second: what is not under the curve at once is not used at all. */
static float element_without_corners(const struct generator_call *call, uint64_t i)
{
    for (uint32_t draw = 0;; draw++) {
        const uint64_t random = random_half(random_bits(call, i, draw), 0);
        const int64_t a = gaussian_abscissa(random);
        if ((uint64_t)llabs(a) < gaussian_layers[random % LAYERS].under)
            return (float)((double)a * gaussian_layers[random % LAYERS].scale);
    }
}

static double edge(int e)
{
    return e < LAYERS - 1    ? -0x1p52 * gaussian_layers[e + 1].scale
           : e == LAYERS - 1 ? 0
                             : 0x1p52 * gaussian_layers[EDGES - e].scale;
}

/* How many edges are at most x. */
static int strip_of(const double edges[EDGES], double x)
{
    int below = 0;
    for (int step = LAYERS; step > 0; step /= 2)
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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_what_mpfr_computes),
        cmocka_unit_test(another_tail_has_another_table),
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
    if (argc > 1 && strcmp(argv[1], "--print") == 0)
        return print_table();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

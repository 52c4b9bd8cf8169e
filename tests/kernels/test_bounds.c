/* The bounds that methods claim: the formulas of docs/bounds.md, against a second writing of them in MPFR; their shape.
 *
 * A row in claims[] holds an accumulator's bound to its formula; until there is one, the test names the accumulator and
 * holds the bound to the shape that every bound has.  tests/kernels/test_sums.c holds the sums themselves to the
 * bounds. */
#define FORMAT_FILE "formats/binary32.h"
#include "kernels/bound.h"
#include "src/base/format.h"
#include "src/measure/judge.h"

#include "tests/support/methods.h"
#include "tests/support/random.h"

#include <float.h>
#include <mpfr.h>

enum { BITS = 600 };

/* [0, 1) */
static double random_unit_double(void)
{
    return (double)(next_random() >> 11) * 0x1p-53;
}

/* ---- bound.h against MPFR ---- */

/* What keeps the value from being an upper bound of the exact one, and no loose one; NULL: nothing. */
static const char *fault_of(double value, const mpfr_t exact)
{
    mpfr_t limit;
    mpfr_init2(limit, BITS);
    mpfr_mul_d(limit, exact, 1 + 1e-9, MPFR_RNDN);
    const bool close = isinf(value) ? mpfr_cmp_d(limit, DBL_MAX) > 0 : mpfr_cmp_d(limit, value) >= 0;
    mpfr_clear(limit);
    if (isnan(value) || mpfr_cmp_d(exact, value) > 0)
        return "is below its formula";
    return close ? NULL : "is far above its formula";
}

static void assert_just_above(const char *what, double value, const mpfr_t exact)
{
    const char *fault = fault_of(value, exact);
    if (fault)
        fail_msg("%s = %.17g %s, which gives %.17g", what, value, fault, mpfr_get_d(exact, MPFR_RNDN));
}

/* (1+e)^k - 1 */
static void exact_growth(mpfr_t r, uint64_t k, const mpfr_t e)
{
    mpfr_add_ui(r, e, 1, MPFR_RNDN);
    mpfr_pow_ui(r, r, k, MPFR_RNDN);
    mpfr_sub_ui(r, r, 1, MPFR_RNDN);
}

/* v/(1+v) */
static void exact_one_rounding(mpfr_t r, double v)
{
    mpfr_t below;
    mpfr_init2(below, BITS);
    mpfr_set_d(below, v, MPFR_RNDN);
    mpfr_add_ui(below, below, 1, MPFR_RNDN);
    mpfr_d_div(r, v, below, MPFR_RNDN);
    mpfr_clear(below);
}

/* G1 */
static void exact_first_order(mpfr_t r, uint64_t n, uint64_t h, double v)
{
    mpfr_set_zero(r, 1);
    if (n <= 1 || h <= 1)
        return;
    mpfr_t linear;
    mpfr_init2(linear, BITS);
    exact_one_rounding(linear, v);
    exact_growth(r, h - 1, linear);
    mpfr_set_ui(linear, n - 1, MPFR_RNDN);
    mpfr_mul_d(linear, linear, v, MPFR_RNDN);
    mpfr_min(r, r, linear, MPFR_RNDN);
    mpfr_clear(linear);
}

/* D2 */
static void exact_second_order(mpfr_t r, uint64_t n, uint64_t h, double v)
{
    mpfr_set_zero(r, 1);
    if (n <= 2 || h <= 2)
        return;
    mpfr_t product;
    mpfr_init2(product, BITS);
    exact_one_rounding(product, v);
    exact_growth(r, h - 1, product);
    mpfr_sqr(r, r, MPFR_RNDN);
    mpfr_set_ui(product, n - 1, MPFR_RNDN);
    mpfr_mul_ui(product, product, n - 2, MPFR_RNDN);
    mpfr_mul_d(product, product, v * v, MPFR_RNDN);
    mpfr_min(r, r, product, MPFR_RNDN);
    mpfr_clear(product);
}

/* (1+first)(1+each)^(h-1) - 1 */
static void exact_compensated(mpfr_t r, uint64_t h, double first, double each)
{
    mpfr_set_zero(r, 1);
    if (h <= 1)
        return;
    mpfr_t factor;
    mpfr_init2(factor, BITS);
    mpfr_set_d(factor, each, MPFR_RNDN);
    exact_growth(r, h - 1, factor);
    mpfr_add_ui(r, r, 1, MPFR_RNDN);
    mpfr_set_d(factor, first, MPFR_RNDN);
    mpfr_add_ui(factor, factor, 1, MPFR_RNDN);
    mpfr_mul(r, r, factor, MPFR_RNDN);
    mpfr_sub_ui(r, r, 1, MPFR_RNDN);
    mpfr_clear(factor);
}

/* v/(1+v) |s| + (1+v) inner S, in place of inner */
static void exact_last_rounding(mpfr_t inner, uint64_t n, double abs_s, double sum_abs, double v)
{
    if (n <= 1 || sum_abs == 0) {
        mpfr_set_zero(inner, 1);
        return;
    }
    mpfr_t part;
    mpfr_init2(part, BITS);
    mpfr_set_d(part, v, MPFR_RNDN);
    mpfr_add_ui(part, part, 1, MPFR_RNDN);
    mpfr_mul(inner, inner, part, MPFR_RNDN);
    mpfr_mul_d(inner, inner, sum_abs, MPFR_RNDN);
    exact_one_rounding(part, v);
    mpfr_mul_d(part, part, abs_s, MPFR_RNDN);
    mpfr_add(inner, inner, part, MPFR_RNDN);
    mpfr_clear(part);
}

/* All magnitudes of n and h alike, powers of two among them; h <= n + 1. */
struct tree_shape {
    uint64_t n, h;
    double v; /* unit roundoff */
};

static struct tree_shape some_shape(void)
{
    const double roundoffs[] = {0x1p-24, 0x1p-24, 0x1p-53, 0x1p-11, 0x1p-8};
    const uint64_t n = below(UINT64_C(1) << below(42)) + below(3);
    const uint64_t power = (UINT64_C(1) << below(41)) + below(3);
    const uint64_t h = below(4) == 0 ? n : below(2) ? power : below(n + 2);
    return (struct tree_shape){n, h <= n ? h : n, roundoffs[below(COUNT_OF(roundoffs))]};
}

static void parts_of_bounds_are_just_above_their_formulas(void **state)
{
    (void)state;
    mpfr_t exact;
    mpfr_init2(exact, BITS);
    seed_random(4);
    for (int round = 0; round < 20000; round++) {
        const struct tree_shape shape = some_shape();
        const double n = (double)shape.n, h = (double)shape.h, v = shape.v;
        exact_one_rounding(exact, v);
        assert_just_above("bound_one_rounding", bound_one_rounding(v), exact);
        exact_first_order(exact, shape.n, shape.h, v);
        assert_just_above("bound_first_order", bound_first_order(n, h, v), exact);
        exact_second_order(exact, shape.n, shape.h, v);
        assert_just_above("bound_second_order", bound_second_order(n, h, v), exact);
        const double first = 2 * v * (1 + v), each = 5 * v * v;
        exact_compensated(exact, shape.h, first, each);
        assert_just_above("bound_compensated", bound_compensated(h, first, each), exact);
        const double inner = random_unit_double(), sum_abs = ldexp(random_unit_double(), (int)below(270) - 140);
        const double abs_s = sum_abs * (below(2) ? random_unit_double() : ldexp(1, -(int)below(60)));
        mpfr_set_d(exact, inner, MPFR_RNDN);
        exact_last_rounding(exact, shape.n, abs_s, sum_abs, v);
        assert_just_above("bound_last_rounding",
                          bound_last_rounding(&(struct claim){.n = n, .abs_s = abs_s, .sum_abs = sum_abs}, v, inner),
                          exact);
    }
    mpfr_clear(exact);
}

static void growth_is_just_above_its_formula(void **state)
{
    (void)state;
    mpfr_t exact, e;
    mpfr_inits2(BITS, exact, e, (mpfr_ptr)0);
    seed_random(5);
    for (int round = 0; round < 20000; round++) {
        const uint64_t k = below(UINT64_C(1) << below(42));
        const double each = ldexp(random_unit_double(), -(int)below(110));
        mpfr_set_d(e, each, MPFR_RNDN);
        exact_growth(exact, k, e);
        assert_just_above("bound_growth", bound_growth((double)k, each), exact);
    }
    assert_true(bound_growth(0, 1) == 0 && bound_growth(-1, 1) == 0);
    mpfr_clears(exact, e, (mpfr_ptr)0);
}

/* At h - 1 = 2^34 the first and only bit of the exponent meets a square that has overflowed. */
static void growth_beyond_the_range_is_infinite_and_the_linear_form_stays(void **state)
{
    (void)state;
    for (int k = 34; k <= 52; k++) {
        const double n = ldexp(1, k);
        assert_true(bound_growth(n, u) == INFINITY);
        assert_true(bound_first_order(n + 1, n + 1, u) == n * u);
        assert_true(bound_second_order(n + 1, n + 1, u) >= n * (n - 1) * u * u);
    }
}

static void round_up_pays_for_four_roundings(void **state)
{
    (void)state;
    mpfr_t exact;
    mpfr_init2(exact, BITS);
    seed_random(6);
    for (int round = 0; round < 20000; round++) {
        double product = 1;
        mpfr_set_ui(exact, 1, MPFR_RNDN);
        for (int i = 0; i < 5; i++) { /* the first product is exact */
            const double factor = 1 + random_unit_double();
            product *= factor;
            mpfr_mul_d(exact, exact, factor, MPFR_RNDN);
        }
        assert_just_above("round_up", round_up(product), exact);
    }
    mpfr_clear(exact);
}

/* The twin. */
static void comparison_with_a_formula_sees_either_side(void **state)
{
    (void)state;
    mpfr_t exact;
    mpfr_init2(exact, BITS);
    mpfr_set_ui(exact, 1, MPFR_RNDN);
    assert_null(fault_of(1, exact));
    assert_null(fault_of(1 + 0.9e-9, exact));
    assert_non_null(fault_of(nextafter(1, 0), exact));
    assert_non_null(fault_of(1 + 1.1e-9, exact));
    assert_non_null(fault_of(NAN, exact));
    assert_non_null(fault_of(INFINITY, exact));
    mpfr_clear(exact);
}

/* The formulas of docs/bounds.md, section 2, written a second time. */
static void exact_plain(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    exact_first_order(r, n, h, u);
    mpfr_mul_d(r, r, of->sum_abs, MPFR_RNDN);
}

static void exact_kahan(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    exact_compensated(r, h, 2 * u + 2 * u * u, 5 * u * u);
    exact_last_rounding(r, n, of->abs_s, of->sum_abs, u);
}

static void exact_neumaier(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    exact_second_order(r, n, h, u);
    exact_last_rounding(r, n, of->abs_s, of->sum_abs, u);
}

static void exact_binary64(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    exact_first_order(r, n, h, 0x1p-53);
    exact_last_rounding(r, n, of->abs_s, of->sum_abs, u);
}

static void exact_fabsum(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of, uint64_t block)
{
    const uint64_t longest = block < n ? (block < h ? block : h) : (n < h ? n : h);
    mpfr_t outside;
    mpfr_init2(outside, BITS);
    exact_first_order(r, longest, longest, u);
    exact_compensated(outside, h, 2 * u + 2 * u * u, 5 * u * u);
    mpfr_add_ui(r, r, 1, MPFR_RNDN);
    mpfr_add_ui(outside, outside, 1, MPFR_RNDN);
    mpfr_mul(r, r, outside, MPFR_RNDN); /* (1+e)(1+C) - 1 */
    mpfr_sub_ui(r, r, 1, MPFR_RNDN);
    exact_last_rounding(r, n, of->abs_s, of->sum_abs, u);
    mpfr_clear(outside);
}

static void exact_fabsum_32(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    exact_fabsum(r, n, h, of, 32);
}

static void exact_fabsum_128(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    exact_fabsum(r, n, h, of, 128);
}

static void exact_fabsum_512(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    exact_fabsum(r, n, h, of, 512);
}

/* `kept` bits of the largest number are not lost. */
static void exact_binned(mpfr_t r, uint64_t n, const struct magnitudes *of, int kept)
{
    mpfr_set_ui(r, n, MPFR_RNDN);
    mpfr_mul_d(r, r, of->max_abs, MPFR_RNDN);
    mpfr_div_2si(r, r, kept, MPFR_RNDN);
    mpfr_div_d(r, r, of->sum_abs, MPFR_RNDN);
    if (mpfr_cmp_ui(r, 1) > 0)
        mpfr_set_ui(r, 1, MPFR_RNDN);
    exact_last_rounding(r, n, of->abs_s, of->sum_abs, u);
}

static void exact_binned_3x20(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    (void)h;
    exact_binned(r, n, of, 40);
}

static void exact_binned_3x13(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    (void)h;
    exact_binned(r, n, of, 26);
}

static void exact_binned_4x20(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    (void)h;
    exact_binned(r, n, of, 60);
}

/* A subnormal sum is exact. */
static void exact_superacc(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    (void)h;
    mpfr_set_zero(r, 1);
    if (of->abs_s >= 0x1p-126)
        exact_last_rounding(r, n, of->abs_s, of->sum_abs, u);
}

static void exact_kahan_two_sum(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    exact_compensated(r, h, u, 3 * u * u);
    exact_last_rounding(r, n, of->abs_s, of->sum_abs, u);
}

static void exact_kahan_naive_merge(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    exact_compensated(r, h, 0, 2 * u + 16 * u * u);
    exact_last_rounding(r, n, of->abs_s, of->sum_abs, u);
}

/* D3 */
static void exact_third_order(mpfr_t r, uint64_t n, uint64_t h, double v)
{
    mpfr_set_zero(r, 1);
    if (n <= 3 || h <= 2)
        return;
    mpfr_t factor;
    mpfr_init2(factor, BITS);
    exact_one_rounding(factor, v);
    exact_growth(r, h - 1, factor);
    mpfr_sqr(r, r, MPFR_RNDN);
    exact_growth(factor, 2 * (h - 1), factor);
    mpfr_mul(r, r, factor, MPFR_RNDN);
    mpfr_set_d(factor, v * v * v, MPFR_RNDN);
    for (uint64_t less = 1; less <= 3; less++)
        mpfr_mul_ui(factor, factor, n - less, MPFR_RNDN);
    mpfr_min(r, r, factor, MPFR_RNDN);
    mpfr_clear(factor);
}

/* (v/(1+v) + v^2(1+v)) |s| + (1+v)^2 (D3 + v D2) S */
static void exact_klein(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    mpfr_t part;
    mpfr_init2(part, BITS);
    exact_second_order(part, n, h, u);
    mpfr_mul_d(part, part, u, MPFR_RNDN);
    exact_third_order(r, n, h, u);
    mpfr_add(r, r, part, MPFR_RNDN);
    mpfr_mul_d(r, r, 1 + 2 * u + u * u, MPFR_RNDN);
    mpfr_mul_d(r, r, of->sum_abs, MPFR_RNDN);
    exact_one_rounding(part, u);
    mpfr_add_d(part, part, u * u * (1 + u), MPFR_RNDN);
    mpfr_mul_d(part, part, of->abs_s, MPFR_RNDN);
    mpfr_add(r, r, part, MPFR_RNDN);
    if (n <= 1)
        mpfr_set_zero(r, 1);
    mpfr_clear(part);
}

static void exact_double_float(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    mpfr_t each;
    mpfr_init2(each, BITS);
    mpfr_set_d(each, 3 * u * u, MPFR_RNDN);
    mpfr_div_d(each, each, 1 - 4 * u, MPFR_RNDN);
    exact_growth(r, h - (h > 0), each);
    exact_last_rounding(r, n, of->abs_s, of->sum_abs, u);
    mpfr_clear(each);
}

/* v/(1+v) ... of binary32, and inside it v|s| + (1+v) [...] S of binary64 */
static void exact_binary64_kahan(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of)
{
    const double v = 0x1p-53;
    mpfr_t part;
    mpfr_init2(part, BITS);
    exact_compensated(r, h, 2 * v + 2 * v * v, 5 * v * v);
    mpfr_set_d(part, v, MPFR_RNDN);
    mpfr_add_ui(part, part, 1, MPFR_RNDN);
    mpfr_mul(r, r, part, MPFR_RNDN);
    mpfr_mul_d(r, r, of->sum_abs, MPFR_RNDN);
    mpfr_set_d(part, v, MPFR_RNDN);
    mpfr_mul_d(part, part, of->abs_s, MPFR_RNDN);
    mpfr_add(r, r, part, MPFR_RNDN);
    mpfr_mul_d(r, r, 1 + u, MPFR_RNDN);
    exact_one_rounding(part, u);
    mpfr_mul_d(part, part, of->abs_s, MPFR_RNDN);
    mpfr_add(r, r, part, MPFR_RNDN);
    if (n <= 1)
        mpfr_set_zero(r, 1);
    mpfr_clear(part);
}

static const struct {
    const char *accumulator;
    void (*formula)(mpfr_t r, uint64_t n, uint64_t h, const struct magnitudes *of);
    double atomic_loss;    /* of a block */
    bool overflows_at_end; /* alone: no sum on the way does */
} claims[] = {
    {"plain", exact_plain, 0x1p-125, false}, /* an operand and a result flushed, each below 2^-126 */
    {"kahan", exact_kahan, 0, false},
    {"kahan_two_sum", exact_kahan_two_sum, 0, false},
    {"kahan_naive_merge", exact_kahan_naive_merge, 0, false},
    {"neumaier", exact_neumaier, 0, false},
    {"sum2", exact_neumaier, 0, false},
    {"klein", exact_klein, 0, false},
    {"double_float", exact_double_float, 0, false},
    {"binary64", exact_binary64, 0, false},
    {"binary64_kahan", exact_binary64_kahan, 0, false},
    {"fabsum", exact_fabsum_128, 0, false},
    {"fabsum_32", exact_fabsum_32, 0, false},
    {"fabsum_512", exact_fabsum_512, 0, false},
    {"binned", exact_binned_3x20, 0, true},
    {"binned_3x13", exact_binned_3x13, 0, true},
    {"binned_4x20", exact_binned_4x20, 0, true},
    {"superacc", exact_superacc, 0, true},
};

/* Its row of claims[], or COUNT_OF(claims). */
static size_t claim_of(const struct method *method)
{
    size_t c = 0;
    while (c < COUNT_OF(claims) && strcmp(claims[c].accumulator, method->accumulator) != 0)
        c++;
    return c;
}

static void hold_bound_to_its_formula(const struct method *method, struct launch launch, void *context)
{
    size_t *held = context;
    const size_t c = claim_of(method);
    if (c == COUNT_OF(claims))
        return;
    const double loss = method->determinism == ORDER_OF_ARRIVAL ? claims[c].atomic_loss * launch.blocks : 0;
    mpfr_t exact;
    mpfr_init2(exact, BITS);
    for (int round = 0; round < 100; round++) {
        const uint64_t n = below(UINT64_C(1) << below(41)) + 1, h = method_height(method, n, launch);
        const double sum_abs = ldexp(random_unit_double(), (int)below(200) - 130);
        const double abs_s = sum_abs * (below(2) ? random_unit_double() : ldexp(1, -(int)below(60)));
        const struct magnitudes of = {abs_s, sum_abs, sum_abs * random_unit_double(), NULL};
        const double bound = method_bound(method, n, launch, &of);
        if (isinf(bound)) /* the next test's */
            continue;
        claims[c].formula(exact, n, h, &of);
        mpfr_add_d(exact, exact, loss, MPFR_RNDN);
        assert_just_above(method->id, bound, exact);
        ++*held;
    }
    mpfr_clear(exact);
}

static void bound_of_a_method_is_the_formula_of_its_accumulator(void **state)
{
    (void)state;
    size_t held = 0;
    seed_random(7);
    const size_t visits = for_each_sum(LAUNCHES, hold_bound_to_its_formula, &held);
    assert_true(visits >= 80 && held >= 7000);
}

/* L sqrt(k) w (1+w)^(k-1) with w = v/(1+v), k = h - 1; at most G1. */
static void exact_probabilistic(mpfr_t r, uint64_t n, uint64_t h, double v)
{
    mpfr_t one, root;
    exact_first_order(r, n, h, v);
    if (mpfr_zero_p(r))
        return;
    mpfr_inits2(BITS, one, root, (mpfr_ptr)NULL);
    exact_one_rounding(one, v);
    mpfr_add_ui(root, one, 1, MPFR_RNDN);
    mpfr_pow_ui(root, root, h - 2, MPFR_RNDN);
    mpfr_mul(one, one, root, MPFR_RNDN);
    mpfr_sqrt_ui(root, (unsigned long)(h - 1), MPFR_RNDN);
    mpfr_mul(one, one, root, MPFR_RNDN);
    mpfr_mul_d(one, one, LAMBDA, MPFR_RNDN);
    mpfr_min(r, r, one, MPFR_RNDN);
    mpfr_clears(one, root, (mpfr_ptr)NULL);
}

static void probabilistic_bounds_are_their_formulas(void **state)
{
    (void)state;
    mpfr_t exact;
    size_t below_worst = 0;
    mpfr_init2(exact, BITS);
    seed_random(11);
    for (int round = 0; round < 2000; round++) {
        const uint64_t n = below(UINT64_C(1) << below(25)) + 1;
        const double sum_abs = ldexp(1 + random_unit_double(), (int)below(100) - 50),
                     s = sum_abs * random_unit_double();
        const struct magnitudes of = {s, sum_abs, sum_abs, NULL};
        const struct method *plain = method_find("plain/serial"), *binary64 = method_find("binary64/serial");
        const uint64_t h = method_height(plain, n, launches[0]);
        exact_probabilistic(exact, n, h, REAL_U);
        mpfr_mul_d(exact, exact, sum_abs, MPFR_RNDN);
        const double probable = method_probabilistic_bound(plain, n, launches[0], &of);
        assert_just_above("plain", probable, exact);
        below_worst += probable < method_bound(plain, n, launches[0], &of) / 2;
        exact_probabilistic(exact, n, h, 0x1p-53);
        exact_last_rounding(exact, n, s, sum_abs, REAL_U);
        assert_just_above("binary64", method_probabilistic_bound(binary64, n, launches[0], &of), exact);
    }
    assert_true(below_worst > 100);
    mpfr_clear(exact);
}

static void no_model_is_claimed_of_compensated_sums_and_black_boxes(void **state)
{
    (void)state;
    const struct magnitudes of = {1, 1, 1, NULL};
    const double kahan = method_probabilistic_bound(method_find("kahan/serial"), 1000, launches[0], &of);
    const double plain = method_probabilistic_bound(method_find("plain/pairwise"), 1000, launches[0], &of);
    assert_true(isnan(kahan));
    assert_true(plain > 0); /* the twin */
    assert_true(!method_find("cub/device_reduce")->probabilistic_bound);
}

/* Of 4,000 sums of random numbers 4 may lie above; of biased ones all do. */
static void random_roundings_stay_below_the_model_and_biased_ones_do_not(void **state)
{
    (void)state;
    enum { N = 1000, ROUNDS = 4000 };
    const struct method *plain = method_find("plain/serial");
    int above = 0;
    seed_random(12);
    for (int round = 0; round < ROUNDS; round++) {
        float x[N], computed;
        double s = 0; /* exact: multiples of 2^-24 below 2^10 */
        for (int i = 0; i < N; i++)
            s += (double)(x[i] = (float)below(1 << 24) * 0x1p-24f);
        assert_int_equal(method_sum(plain, x, N, launches[0], 1, &computed), OK);
        above += fabs((double)computed - s) >
                 method_probabilistic_bound(plain, N, launches[0], &(struct magnitudes){s, s, 1, NULL});
    }
    assert_true(above <= 4);
    static float biased[1 << 16]; /* 1, then 1.125 u: each addition rounds down */
    float computed;
    for (int i = 1; i < 1 << 16; i++)
        biased[i] = 0x1.2p-24f * 0.5f;
    biased[0] = 1;
    const double s = 1 + 65535 * 0x1.2p-25;
    assert_int_equal(method_sum(plain, biased, 1 << 16, launches[0], 1, &computed), OK);
    assert_true(s - (double)computed >
                method_probabilistic_bound(plain, 1 << 16, launches[0], &(struct magnitudes){s, s, 1, NULL}));
}

/* A black box adds in an order that nobody knows; the serial one is as high as any. */
static void bound_of_a_black_box_is_that_of_plain_additions_in_any_order(void **state)
{
    (void)state;
    const double flushed = 0x1p-125; /* by an atomicAdd, as in claims[] */
    mpfr_t exact;
    mpfr_init2(exact, BITS);
    seed_random(8);
    for (int round = 0; round < 2000; round++) {
        const uint64_t n = below(UINT64_C(1) << below(41)) + 1;
        const double sum_abs = ldexp(random_unit_double(), (int)below(200) - 130), loss = (double)n * flushed;
        const struct magnitudes of = {sum_abs / 2, sum_abs, sum_abs, NULL},
                                with_loss = {sum_abs / 2, sum_abs + loss, sum_abs, NULL};
        assert_true(method_bound(method_find("cub/device_reduce"), n, launches[0], &of) ==
                    method_bound(method_find("plain/serial"), n, launches[0], &of));
        exact_plain(exact, n, n, &with_loss);
        mpfr_add_d(exact, exact, loss, MPFR_RNDN);
        assert_just_above("cuda/atomic_add", method_bound(method_find("cuda/atomic_add"), n, launches[0], &of), exact);
    }
    mpfr_clear(exact);
}

/* Only atomicAdd of binary32 flushes. */
static void bound_of_a_black_box_has_the_u_of_its_format(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        double u;
    } formats[] = {
        {"binary64", 0x1p-53}, {"binary16_in_binary16", 0x1p-11}, {"bfloat16_in_bfloat16", 0x1p-8}, {NULL, 0x1p-24}};
    const struct magnitudes of = {1, 1, 1, NULL};
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        const struct sum_format *format = formats[f].format ? sum_format_find(formats[f].format) : sum_formats[0];
        const double cub = method_bound(method_in(method_find("cub/device_reduce"), format), 3, launches[0], &of);
        const double atomic = method_bound(method_in(method_find("cuda/atomic_add"), format), 3, launches[0], &of);
        assert_true(cub > 2 * formats[f].u / (1 + formats[f].u) && cub <= 2 * formats[f].u * (1 + 0x1p-40));
        assert_true((atomic == cub) == (formats[f].format != NULL));
    }
}

static void black_boxes_of_unknown_arithmetic_claim_nothing(void **state)
{
    (void)state;
    static const char *const ids[] = {"cub/device_reduce_not_guaranteed", "cub/device_reduce_run_to_run",
                                      "cub/device_reduce_gpu_to_gpu", "cublas/dot", "cublas/dot@binary64"};
    for (size_t i = 0; i < COUNT_OF(ids); i++)
        assert_true(isinf(method_bound(method_find(ids[i]), 8, launches[0], &(struct magnitudes){1, 1, 1, NULL})));
}

/* 70,000 ones, whose sum binary16 has not: a finite one has overflowed nowhere if its additions are plain. */
static void a_finite_sum_of_plain_additions_has_a_bound_beyond_the_format(void **state)
{
    static const struct {
        const char *id;
        double least; /* (n - 1) u S of what is added, and the rounding to binary16; INFINITY: no claim is made */
    } rows[] = {{"plain/serial@binary16", 69999 * 7e4 * 0x1p-24 + 7e4 / 2049},
                {"plain/serial@binary16_in_binary16", 69999 * 7e4 * 0x1p-11},
                {"cub/device_reduce@binary16_in_binary16", 69999 * 7e4 * 0x1p-11},
                {"kahan/serial@binary16", INFINITY},
                {"kahan/serial@binary16_in_binary16", INFINITY},
                {"superacc/serial@binary16", INFINITY},
                {"cublas/dot@binary16_in_binary16", INFINITY}};
    enum { N = 70000 };
    float *const x = malloc(N * sizeof *x);
    struct exact_sum exact;
    (void)state;
    for (int i = 0; i < N; i++)
        x[i] = 1;
    assert_int_equal(exact_sum(&FORMAT_BINARY16, x, N, &exact), OK);
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        const struct method *const method = method_find(rows[r].id);
        const struct promise promise = promise_of(method, (struct launch){1, 32}, &exact);
        struct measured row;
        judge_sum(&exact, &FORMAT_BINARY16, &promise, 0x7c00, &row); /* infinity, which is right */
        assert_true(isinf(row.bound) && row.class == CLASS_OUT_OF_RANGE && row.metrics[METRIC_ulp_error] == 0);
        judge_sum(&exact, &FORMAT_BINARY16, &promise, 0x7bff, &row); /* the largest number */
        assert_true(row.class == CLASS_FINITE && row.metrics[METRIC_abs_error] == 4496);
        assert_false(row.probabilistic_bound > row.bound);
        assert_true(isinf(rows[r].least) ? isinf(row.bound)
                                         : row.bound >= rows[r].least && row.bound < rows[r].least * 1.01);
    }
    exact_free(&exact);
    free(x);
}

/* (1 + G1) S is 457.4 and 474.4, of which 464 is between; of e5m2 59164 and 63715, and 61440.  A finite sum tells
 * nothing there: the twins do. */
static void a_sum_that_may_saturate_has_no_bound(void **state)
{
    static const struct {
        const char *id;
        float x[2];
        bool has_bound, has_bound_if_finite;
    } rows[] = {{"plain/serial@e4m3_in_e4m3", {224, 208}, true, true},
                {"plain/serial@e4m3_in_e4m3", {224, 224}, false, false},
                {"plain/ranks_ring@e4m3_in_e4m3", {224, -224}, false, false},
                {"plain/serial@e5m2_in_e5m2", {28672, 24576}, true, true},
                {"plain/serial@e5m2_in_e5m2", {28672, 28672}, false, false},
                {"plain/serial@e5m2_in_e5m2", {INFINITY, 0}, false, false},
                {"plain/serial@e4m3_in_binary16", {224, 224}, true, true},
                {"plain/serial@e5m2_in_binary16", {28672, 28672}, false, true}};
    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        const struct method *const method = method_find(rows[r].id);
        struct exact_sum exact;
        assert_int_equal(exact_sum(method->sum_format->stored, rows[r].x, 2, &exact), OK);
        const struct promise promise = promise_of(method, (struct launch){2, 1}, &exact);
        assert_int_equal(isfinite(promise.bound) != 0, rows[r].has_bound);
        assert_int_equal(isfinite(promise.bound_if_finite) != 0, rows[r].has_bound_if_finite);
        assert_false(isfinite(promise.probabilistic_bound) && !rows[r].has_bound);
        exact_free(&exact);
    }
}

static void every_accumulator_without_a_formula_is_named(void **state)
{
    (void)state;
    size_t methods;
    const struct method *const *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++) {
        const bool first = m == 0 || strcmp(table[m]->accumulator, table[m - 1]->accumulator) != 0;
        if (first && table[m]->role == SUMS && table[m]->replay && claim_of(table[m]) == COUNT_OF(claims))
            print_message("%s: its bound is held to no formula yet, only to its shape and to the data of this file; "
                          "write the formula of docs/bounds.md a second time, here, and add it to claims[]\n",
                          table[m]->accumulator);
    }
}

/* The five numbers of docs/bounds.md, parts of an ulp beside a one, and the large ones again, away. */
static const float adversarial[] = {0x1.000002p26f, 0x1p50f,         -0x1.bffffep27f, 0x1.000006p50f,  -0x1p2f,
                                    0x1p0f,         0x1.fffffep-25f, 0x1.555556p-24f, -0x1.000006p50f, -0x1p50f};

static double bound_at(const struct method *method, uint64_t n, struct launch launch, double abs_s, double sum_abs)
{
    return method_bound(method, n, launch, &(struct magnitudes){abs_s, sum_abs, sum_abs, NULL});
}

/* What no bound of a sum does, or NULL: not below 0; where the tree is higher or the numbers are larger, not smaller;
 * and not below the error on the adversarial data, whole and its beginnings. */
static const char *fault_of_shape(const struct method *method, struct launch launch)
{
    for (uint64_t n = 2, before = 1; n < UINT64_C(1) << 40; before = n, n = 3 * n + 1) {
        const double low = bound_at(method, n, launch, 0.25, 1), lower = bound_at(method, before, launch, 0.25, 1);
        if (!(low >= 0))
            return "is negative, or NaN";
        if (method_height(method, n, launch) > method_height(method, before, launch) && low < lower)
            return "falls where the tree is higher";
        for (double scale = 2; scale < 0x1p90; scale *= 8)
            if (bound_at(method, n, launch, 0.25, scale) < bound_at(method, n, launch, 0.25, scale / 2))
                return "falls where the sum of magnitudes is larger";
    }
    for (uint64_t n = 1; n <= COUNT_OF(adversarial); n++) {
        struct trial trial = trial_of("adversarial", adversarial, n);
        const bool broken = ratio_of(method, launch, &trial) > 1;
        exact_free(&trial.exact);
        if (broken)
            return "is below the error on the adversarial data";
    }
    return NULL;
}

static void hold_bound_to_its_shape(const struct method *method, struct launch launch, void *context)
{
    (void)context;
    const char *fault = fault_of_shape(method, launch);
    if (fault)
        fail_msg("%s, %u x %u: its bound %s", method->id, launch.blocks, launch.threads, fault);
}

static void bound_of_every_method_has_the_shape_of_a_bound(void **state)
{
    (void)state;
    assert_true(for_each_sum(LAUNCHES, hold_bound_to_its_shape, NULL) >= 80);
}

static double bound_of_no_claim(const struct method *self, struct shape shape, struct launch launch,
                                const struct magnitudes *of)
{
    (void)self, (void)shape, (void)launch, (void)of;
    return INFINITY;
}

static double bound_of_minus_one(const struct method *self, struct shape shape, struct launch launch,
                                 const struct magnitudes *of)
{
    (void)self, (void)shape, (void)launch, (void)of;
    return -1;
}

static double bound_that_falls_with_n(const struct method *self, struct shape shape, struct launch launch,
                                      const struct magnitudes *of)
{
    (void)self, (void)launch;
    return of->sum_abs / (double)shape.terms;
}

static double bound_that_falls_with_the_magnitudes(const struct method *self, struct shape shape, struct launch launch,
                                                   const struct magnitudes *of)
{
    (void)self, (void)shape, (void)launch;
    return 1 / of->sum_abs;
}

static double bound_of_half_an_ulp_of_the_sum(const struct method *self, struct shape shape, struct launch launch,
                                              const struct magnitudes *of)
{
    (void)self, (void)shape, (void)launch;
    return u * of->abs_s;
}

/* The twin. */
static void shape_check_sees_each_fault(void **state)
{
    (void)state;
    struct method method = *find("plain", "serial");
    assert_null(fault_of_shape(&method, one_warp));
    method.bound = bound_of_no_claim;
    assert_null(fault_of_shape(&method, one_warp));
    method.bound = bound_of_minus_one;
    assert_string_equal(fault_of_shape(&method, one_warp), "is negative, or NaN");
    method.bound = bound_that_falls_with_n;
    assert_string_equal(fault_of_shape(&method, one_warp), "falls where the tree is higher");
    method.bound = bound_that_falls_with_the_magnitudes;
    assert_string_equal(fault_of_shape(&method, one_warp), "falls where the sum of magnitudes is larger");
    method.bound = bound_of_half_an_ulp_of_the_sum;
    assert_string_equal(fault_of_shape(&method, one_warp), "is below the error on the adversarial data");
}

static void hold_to_no_claim(const struct method *method, struct launch launch, void *context)
{
    (void)context;
    assert_true(bound_at(method, 2, launch, 1, INFINITY) == INFINITY);
    assert_true(bound_at(method, 2, launch, NAN, NAN) == INFINITY);
    const size_t c = claim_of(method);
    if (c == COUNT_OF(claims)) /* it may overflow elsewhere, or never */
        return;
    if (claims[c].overflows_at_end) {
        const bool is_exact = claims[c].formula == exact_superacc; /* nothing beside its rounding can go over the end */
        assert_true(isinf(bound_at(method, 2, launch, (double)FLT_MAX, (double)FLT_MAX)) == !is_exact);
        assert_true(bound_at(method, 2, launch, 0x1.ffffff8p+127, 0x1p+128) == INFINITY);
        assert_true(bound_at(method, 2, launch, 0x1.ffffp+127, INFINITY) == INFINITY);
        assert_true(bound_at(method, 2, launch, 0x1.ffffp+127, 0x1p+128) < 0x1p110);
        return;
    }
    assert_true(bound_at(method, 2, launch, 0, (double)FLT_MAX) == INFINITY);
    assert_true(bound_at(method, 2, launch, 0, 0x1.00001p+127) == INFINITY);
    assert_true(bound_at(method, 2, launch, 0, 0x1.ffffp+126) < 0x1p110);
}

/* Of 2^30 numbers G1 is 64, D2 4,096 and D3 262,144: the errors may add up to more than the sums. */
static void no_bound_is_claimed_where_what_is_lost_can_overflow(void **state)
{
    (void)state;
    static const struct {
        const char *accumulator;
        double times; /* S fits so often between -FLT_MAX and FLT_MAX */
    } rows[] = {{"plain", 1 + 64}, {"neumaier", 1 + 64 + 4096}, {"sum2", 1 + 64 + 4096}, {"klein", 1 + 64 + 262144}};
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        const struct method *method = find(rows[r].accumulator, "serial");
        const double largest = (double)FLT_MAX / 2 / (rows[r].times + (r == 0 ? 64 : 0)); /* plain's bound is G1 */
        assert_true(isinf(bound_at(method, UINT64_C(1) << 30, one_warp, 0, largest * 1.01)));
        assert_true(isfinite(bound_at(method, UINT64_C(1) << 30, one_warp, 0, largest * 0.99)));
    }
}

static void no_bound_is_claimed_where_a_sum_can_overflow(void **state)
{
    (void)state;
    assert_true(for_each_sum(LAUNCHES, hold_to_no_claim, NULL) > 0);
    assert_true(bound_at(method_find("binned/serial@binary64"), 16, one_warp, 0, 0x1p+1021) < 0x1p+946);
}

static void hold_to_zero(const struct method *method, struct launch launch, void *context)
{
    (void)context;
    if (claim_of(method) == COUNT_OF(claims)) /* it may claim less */
        return;
    const double loss = method->determinism == ORDER_OF_ARRIVAL ? 0x1p-125 * launch.blocks : 0;
    assert_true(bound_at(method, 0, launch, 0, 0) <= loss * (1 + 0x1p-49));
    assert_true(bound_at(method, 1, launch, 1, 1) <= loss * (1 + 0x1p-49));
    assert_true(bound_at(method, 1, launch, (double)FLT_MAX, (double)FLT_MAX) <= loss * (1 + 0x1p-49));
    assert_true(bound_at(method, 1, launch, NAN, NAN) == INFINITY); /* the twin: no number */
    assert_true(bound_at(method, 1000, launch, 0, 0) <= loss * (1 + 0x1p-49));
}

static void one_number_and_zeros_are_summed_without_error(void **state)
{
    (void)state;
    assert_true(for_each_sum(LAUNCHES, hold_to_zero, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_bounds_are_just_above_their_formulas),
        cmocka_unit_test(growth_is_just_above_its_formula),
        cmocka_unit_test(growth_beyond_the_range_is_infinite_and_the_linear_form_stays),
        cmocka_unit_test(round_up_pays_for_four_roundings),
        cmocka_unit_test(comparison_with_a_formula_sees_either_side),
        cmocka_unit_test(bound_of_a_method_is_the_formula_of_its_accumulator),
        cmocka_unit_test(probabilistic_bounds_are_their_formulas),
        cmocka_unit_test(no_model_is_claimed_of_compensated_sums_and_black_boxes),
        cmocka_unit_test(random_roundings_stay_below_the_model_and_biased_ones_do_not),
        cmocka_unit_test(bound_of_a_black_box_is_that_of_plain_additions_in_any_order),
        cmocka_unit_test(bound_of_a_black_box_has_the_u_of_its_format),
        cmocka_unit_test(black_boxes_of_unknown_arithmetic_claim_nothing),
        cmocka_unit_test(a_finite_sum_of_plain_additions_has_a_bound_beyond_the_format),
        cmocka_unit_test(a_sum_that_may_saturate_has_no_bound),
        cmocka_unit_test(every_accumulator_without_a_formula_is_named),
        cmocka_unit_test(bound_of_every_method_has_the_shape_of_a_bound),
        cmocka_unit_test(shape_check_sees_each_fault),
        cmocka_unit_test(no_bound_is_claimed_where_a_sum_can_overflow),
        cmocka_unit_test(no_bound_is_claimed_where_what_is_lost_can_overflow),
        cmocka_unit_test(one_number_and_zeros_are_summed_without_error),
    };
    return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}

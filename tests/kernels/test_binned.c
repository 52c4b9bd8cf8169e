/* Binned sums: the same bits in every order, and the bits are those of the pieces that are kept, cut and added up here
 * a second time with MPFR. */
#define FORMAT binary32
#define FORMAT_FILE "formats/binary32.h"
#define ACC binned
#include "kernels/bound.h"

#include "kernels/accumulators/binned.h"

#include "reference/exact.h"
#include "tests/support/methods.h"
#include "tests/support/random.h"

#include <mpfr.h>

enum { MOST = 4096, BITS = 600 };

static const struct {
    const char *id;
    int fold, width;
} variants[] = {{"binned", 3, 20}, {"binned_3x13", 3, 13}, {"binned_4x20", 4, 20}};

static const char *const orders[] = {"serial", "tree_two_pass", "shuffle_two_pass"};

static const struct launch few[] = {{1, 32}, {3, 64}, {5, 2}, {7, 128}, {2, 1024}, {1, 1}, {3, 96}};

/* ---- sums ---- */

static float serial(const char *accumulator, const float *x, uint64_t n)
{
    return replay(find(accumulator, "serial"), x, n, one_warp);
}

/* Whether every order and launch gives the bits of `expected`. */
static bool orders_agree(const char *accumulator, const float *x, uint64_t n, float expected)
{
    for (size_t o = 0; o < COUNT_OF(orders); o++)
        for (size_t l = 0; l < COUNT_OF(few); l++) {
            const struct method *method = find(accumulator, orders[o]);
            if (can_do(method, few[l]) && !float_same(replay(method, x, n, few[l]), expected))
                return false;
        }
    return true;
}

/* ---- the pieces that are kept, a second time ---- */

/* floor((exponent(max) + 150) / W), the exponent being that of the largest power of two in max; 0 when there is none.
 */
static int top_bin(const float *x, uint64_t n, int width, int offset)
{
    double max = 0;
    for (uint64_t i = 0; i < n; i++)
        max = fmax(max, fabs((double)x[i]));
    return max > 0 ? (ilogb(max) + offset) / width : 0;
}

static float sum_of_kept_pieces(const float *x, uint64_t n, int fold, int width, int offset)
{
    const int top = top_bin(x, n, width, offset);
    mpfr_t sum;
    mpfr_init2(sum, BITS);
    mpfr_set_zero(sum, 1);
    for (uint64_t i = 0; i < n; i++) {
        double rest = (double)x[i];
        for (int bin = top; bin > top - fold; bin--) {
            const double unit = ldexp(1, width * bin - 149), piece = nearbyint(rest / unit) * unit;
            assert_int_equal(mpfr_add_d(sum, sum, piece, MPFR_RNDN), 0);
            rest -= piece;
        }
    }
    const double rounded = exact_round(sum, &FORMAT_BINARY32);
    mpfr_clear(sum);
    return rounded == 0 ? 0 : (float)rounded; /* a sum of pieces has no minus zero */
}

/* ---- data ---- */

/* Exponents in a window that may be all there are, subnormals and the largest among them; ties of every bin; pairs that
 * cancel. */
static uint64_t fill(float *x, uint64_t most)
{
    const uint64_t n = below(most + 1);
    const uint64_t low = below(255), span = 1 + below(below(2) ? 255 - low : 1 + (255 - low) / 8);
    const uint64_t fractions[] = {0x7fffff, 0x400000, 0x7ff000, 0x000001, 0};
    const uint64_t mask = fractions[below(COUNT_OF(fractions))], signs = below(3) ? UINT64_C(0x80000000) : 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t exponent = low + below(span), fraction = below(8) ? next_random() & mask : 0x7fffff;
        x[i] = float_from_bits((uint32_t)((next_random() & signs) | exponent << 23 | fraction));
        if (i > 0 && below(5) == 0)
            x[i] = -x[below(i)];
    }
    return n;
}

/* ---- order ---- */

static void result_is_the_rounded_sum_of_the_kept_pieces(void **state)
{
    (void)state;
    float x[64];
    seed_random(1);
    for (int round = 0; round < 60000; round++) {
        const uint64_t n = fill(x, COUNT_OF(x));
        for (size_t v = 0; v < COUNT_OF(variants); v++) {
            const float expected = sum_of_kept_pieces(x, n, variants[v].fold, variants[v].width, 150);
            const float computed = serial(variants[v].id, x, n);
            if (float_bits(computed) != float_bits(expected))
                fail_msg("%s, round %d, n = %llu: %a, the pieces' sum is %a", variants[v].id, round,
                         (unsigned long long)n, (double)computed, (double)expected);
        }
    }
}

/* The twin: a bin that begins one binade later, one bin less, and one bit less are all noticed. */
static void other_pieces_have_other_sums(void **state)
{
    (void)state;
    float x[64];
    int offset = 0, fold = 0, width = 0;
    seed_random(2);
    for (int round = 0; round < 20000; round++) {
        const uint64_t n = fill(x, COUNT_OF(x));
        const float computed = serial("binned_3x13", x, n);
        offset += float_bits(computed) != float_bits(sum_of_kept_pieces(x, n, 3, 13, 149));
        fold += float_bits(computed) != float_bits(sum_of_kept_pieces(x, n, 2, 13, 150));
        width += float_bits(computed) != float_bits(sum_of_kept_pieces(x, n, 3, 12, 150));
    }
    assert_true(offset > 10 && fold > 10 && width > 10);
}

static void every_order_launch_and_permutation_gives_the_same_bits(void **state)
{
    (void)state;
    static float x[MOST];
    seed_random(3);
    for (int round = 0; round < 150; round++) {
        const uint64_t n = fill(x, round % 8 == 0 ? MOST : 200);
        for (size_t v = 0; v < COUNT_OF(variants); v++) {
            const float expected = serial(variants[v].id, x, n);
            for (int permutation = 0; permutation < 3; permutation++) {
                assert_true(orders_agree(variants[v].id, x, n, expected));
                shuffle_floats(x, n);
            }
        }
    }
}

static void every_family_gives_the_same_bits_in_every_order(void **state)
{
    (void)state;
    const char *const families[] = {"uniform:n=3000,low=-1",   "normal:n=4097",  "swamp:n=4001",
                                    "gensum:n=1000,cond=1e40", "mirror:n=2000",  "subnormal:n=3000",
                                    "specials:n=500",          "integers:n=999", "kahan_killer:n=1001"};
    for (size_t f = 0; f < COUNT_OF(families); f++)
        for (uint64_t trial = 0; trial < 3; trial++) {
            struct data_spec *specs;
            size_t count;
            struct dataset data;
            assert_int_equal(data_specs_read(families[f], "test", NONFINITE_REFUSE, &specs, &count), OK);
            assert_int_equal(dataset_make(specs, 1, trial, &data), OK);
            for (size_t v = 0; v < COUNT_OF(variants); v++)
                assert_true(orders_agree(variants[v].id, data.x, data.n, serial(variants[v].id, data.x, data.n)));
            dataset_free(&data);
            data_specs_free(specs, count);
        }
}

/* The twin: sums that depend on the order are found to. */
static void sums_that_are_not_binned_depend_on_the_order(void **state)
{
    (void)state;
    const char *const others[] = {"plain", "kahan", "binary64"};
    static float x[1000];
    seed_random(4);
    for (size_t a = 0; a < COUNT_OF(others); a++) {
        bool differ = false;
        for (int round = 0; round < 100 && !differ; round++) {
            for (size_t i = 1; i < COUNT_OF(x); i += 2) {
                x[i] = (float)ldexp((double)below(1 << 24), (int)below(90));
                x[i - 1] = -x[i];
            }
            x[0] += 1;
            shuffle_floats(x, COUNT_OF(x));
            differ = !orders_agree(others[a], x, COUNT_OF(x), serial(others[a], x, COUNT_OF(x)));
        }
        assert_true(differ);
    }
}

/* Additions and merges in any mixture: states are merged at random until one is left, and some are added to meanwhile.
 */
static float sum_by_random_tree(const float *x, uint64_t n)
{
    struct binned states[16];
    for (size_t k = 0; k < COUNT_OF(states); k++)
        states[k] = binned_zero();
    for (uint64_t i = 0; i < n; i++) {
        struct binned *to = &states[below(COUNT_OF(states))], *from = &states[below(COUNT_OF(states))];
        if (below(4) == 0 && to != from) {
            *to = below(2) ? binned_merge(*to, *from) : binned_merge(*from, *to);
            *from = binned_zero();
        }
        *to = binned_add(*to, x[i]);
    }
    struct binned all = states[0];
    for (size_t k = 1; k < COUNT_OF(states); k++)
        all = below(2) ? binned_merge(all, states[k]) : binned_merge(states[k], all);
    return (float)binned_result(all);
}

static void every_random_tree_gives_the_same_bits(void **state)
{
    (void)state;
    static float x[MOST];
    seed_random(5);
    for (int round = 0; round < 20000; round++) {
        const uint64_t n = fill(x, round % 1000 == 0 ? MOST : 60);
        const float expected = serial("binned", x, n);
        for (int tree = 0; tree < 3; tree++)
            assert_int_equal(float_bits(sum_by_random_tree(x, n)), float_bits(expected));
    }
}

static void merge_with_an_empty_state_changes_no_bit_of_the_state(void **state)
{
    (void)state;
    float x[64];
    const struct binned zero = binned_zero(), zeros = binned_merge(zero, zero);
    assert_memory_equal(&zeros, &zero, sizeof zero);
    assert_int_equal(sizeof zero, (3 + 2 * BINNED_FOLD) * sizeof(uint32_t)); /* whole words, no padding */
    seed_random(6);
    for (int round = 0; round < 1000; round++) {
        struct binned s = binned_zero();
        for (uint64_t n = fill(x, COUNT_OF(x)); n > 0; n--)
            s = binned_add(s, x[n - 1]);
        const struct binned left = binned_merge(zero, s), right = binned_merge(s, zero);
        assert_memory_equal(&left, &s, sizeof s);
        assert_memory_equal(&right, &s, sizeof s);
    }
}

/* ---- many numbers ---- */

static bool counts_are_true(const struct binned *s, int64_t most_piece)
{
    for (int k = 0; k < BINNED_FOLD; k++)
        if (llabs((long long)binned_low(*s, k)) > (long long)s->pieces * most_piece)
            return false;
    return s->pieces <= BINNED_MOST_PIECES;
}

/* The largest piece each time, of either sign: several carries of every bin. */
static void carries_keep_the_sum_and_its_count(void **state)
{
    (void)state;
    const float largest[] = {0x1.fffffep9f, -0x1.fffffep9f, 0x1p-9f, 1};
    for (size_t i = 0; i < COUNT_OF(largest); i++) {
        struct binned s = binned_zero();
        for (int64_t n = 1; n <= 50000; n++) {
            s = binned_add(s, largest[i]);
            assert_true(counts_are_true(&s, 1 << (BINNED_WIDTH - 1)));
            if (n % 997 == 0)
                assert_true((float)binned_result(s) == (float)((double)largest[i] * (double)n));
        }
    }
}

/* The twin: without its carry, low overflows. */
static void forgotten_carry_is_noticed(void **state)
{
    (void)state;
    struct binned s = binned_zero();
    for (int64_t n = 1; n <= 10000; n++) {
        s = binned_add(s, 0x1.fffffep9f);
        s.pieces = 1;
    }
    assert_false(counts_are_true(&s, 1 << (BINNED_WIDTH - 1)));
    assert_false((float)binned_result(s) == (float)(0x1.fffffep9 * 10000));
}

/* 2^40 numbers by doubling. */
static void bins_have_room_for_2_to_the_40_numbers(void **state)
{
    (void)state;
    const float largest[] = {0x1.fffffep9f, -0x1.fffffep9f, -0x1.000002p-70f, 0x1.8p-149f, 0x1.fffffep49f};
    for (size_t i = 0; i < COUNT_OF(largest); i++) {
        struct binned s = binned_add(binned_zero(), largest[i]);
        for (int doublings = 1; doublings <= 40; doublings++) {
            s = binned_merge(s, s);
            assert_true(s.pieces <= BINNED_MOST_PIECES);
            assert_true((float)binned_result(s) == ldexp((double)largest[i], doublings));
        }
        for (int k = 0; k < BINNED_FOLD; k++)
            assert_true(abs(s.high[k]) <= INT32_C(1) << 30);
        if (i == 0) /* and they need it */
            assert_true(abs(s.high[0]) >= INT32_C(1) << 29);
    }
}

/* ---- the ends of the range ---- */

static float binned_sum(const float *x, uint64_t n)
{
    return serial("binned", x, n);
}

#define SUM(...) binned_sum((const float[]){__VA_ARGS__}, COUNT_OF(((const float[]){__VA_ARGS__})))

static void last_rounding_is_to_nearest_even_once(void **state)
{
    (void)state;
    assert_true(SUM(1, 0x1p-24f) == 1);
    assert_true(SUM(0x1.000002p0f, 0x1p-24f) == 0x1.000004p0f);
    assert_true(SUM(1, 0x1p-24f, 0x1p-47f) == 0x1.000002p0f);              /* just above a tie */
    assert_true(SUM(0x1.000002p0f, 0x1p-24f, -0x1p-47f) == 0x1.000002p0f); /* just below one */
    assert_true(SUM(-1, -0x1p-24f, 0x1p-47f) == -1);
    assert_true(SUM(-0x1.000002p0f, -0x1p-24f, -0x1p-47f) == -0x1.000004p0f);
    assert_true(SUM(1, 0x1p-50f) == 1 && SUM(1, 0x1p-50f, -1) == 0); /* half a unit of the last bin */
    assert_true(SUM(1, 0x1.8p-50f, -1) == 0x1p-49f);
    assert_true(SUM(0x1p-149f, 0x1p-149f) == 0x1p-148f && SUM(0x1p-126f, -0x1p-149f) == 0x1.fffffcp-127f);
    assert_true(SUM(0x1p-126f, 0x1p-126f, -0x1p-149f) == 0x1.fffffep-126f);
}

/* The worked example of the accumulator's file. */
static void numbers_are_cut_as_in_the_example(void **state)
{
    (void)state;
    const float x[] = {1, 0x3p-30f, 0x1p-50f};
    const int64_t pieces[][BINNED_FOLD] = {{512, 0, 0}, {0, 2, -(1 << 19)}, {0, 0, 0}};
    struct binned s = binned_zero();
    int64_t bins[BINNED_FOLD] = {0};
    for (size_t i = 0; i < COUNT_OF(x); i++) {
        s = binned_add(s, x[i]);
        for (int k = 0; k < BINNED_FOLD; k++) {
            bins[k] += pieces[i][k];
            assert_int_equal(binned_bin(s, k), bins[k]);
        }
    }
}

static void nothing_overflows_before_the_last_rounding(void **state)
{
    (void)state;
    assert_true(SUM(FLT_MAX, FLT_MAX, -FLT_MAX) == FLT_MAX);
    assert_true(SUM(-FLT_MAX, -FLT_MAX, -FLT_MAX, FLT_MAX, FLT_MAX) == -FLT_MAX);
    assert_true(SUM(FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX, 0x1p88f) == 0x1p88f);
    assert_true(SUM(FLT_MAX, FLT_MAX) == INFINITY && SUM(-FLT_MAX, -FLT_MAX) == -INFINITY);
    assert_true(SUM(FLT_MAX, 0x1.fffffep92f) == FLT_MAX); /* just below the tie that rounds to infinity */
    assert_true(SUM(FLT_MAX, 0x1p103f) == INFINITY);
}

static void one_number_is_its_own_sum(void **state)
{
    (void)state;
    seed_random(7);
    for (int round = 0; round < 200000; round++) {
        const float x = any_float();
        for (size_t v = 0; v < COUNT_OF(variants); v++)
            assert_true(serial(variants[v].id, &x, 1) == x);
    }
}

/* NaN of a NaN or of both infinities, else the infinity, in any order and however much is finite. */
static void infinities_and_nan_give_the_same_in_every_order(void **state)
{
    (void)state;
    const float specials[] = {INFINITY, -INFINITY, NAN};
    float x[40];
    seed_random(8);
    for (int round = 0; round < 3000; round++) {
        const uint64_t n = 1 + fill(x, COUNT_OF(x) - 1), kinds = 1 + below(3);
        bool seen[3] = {false};
        for (uint64_t left = 1 + below(4); left > 0; left--) {
            const uint64_t kind = below(kinds), at = below(n);
            x[at] = specials[kind];
        }
        for (uint64_t i = 0; i < n; i++) {
            seen[0] |= x[i] == INFINITY;
            seen[1] |= x[i] == -INFINITY;
            seen[2] |= isnan(x[i]);
        }
        const float expected = seen[2] || (seen[0] && seen[1]) ? NAN : seen[0] ? INFINITY : -INFINITY;
        if (!seen[0] && !seen[1] && !seen[2]) /* x[n - 1] was never filled nor replaced */
            continue;
        for (size_t v = 0; v < COUNT_OF(variants); v++)
            assert_true(orders_agree(variants[v].id, x, n, expected));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(result_is_the_rounded_sum_of_the_kept_pieces),
        cmocka_unit_test(other_pieces_have_other_sums),
        cmocka_unit_test(every_order_launch_and_permutation_gives_the_same_bits),
        cmocka_unit_test(every_family_gives_the_same_bits_in_every_order),
        cmocka_unit_test(sums_that_are_not_binned_depend_on_the_order),
        cmocka_unit_test(every_random_tree_gives_the_same_bits),
        cmocka_unit_test(merge_with_an_empty_state_changes_no_bit_of_the_state),
        cmocka_unit_test(carries_keep_the_sum_and_its_count),
        cmocka_unit_test(forgotten_carry_is_noticed),
        cmocka_unit_test(bins_have_room_for_2_to_the_40_numbers),
        cmocka_unit_test(last_rounding_is_to_nearest_even_once),
        cmocka_unit_test(numbers_are_cut_as_in_the_example),
        cmocka_unit_test(nothing_overflows_before_the_last_rounding),
        cmocka_unit_test(one_number_is_its_own_sum),
        cmocka_unit_test(infinities_and_nan_give_the_same_in_every_order),
    };
    return cmocka_run_group_tests_name("binned", tests, NULL, NULL);
}

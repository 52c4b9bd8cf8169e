/* Every accumulator in the number format that it is compiled for, binary64,
 * binary32, binary16 or bfloat16: exact where it is exact, and within its bound
 * where numbers are sought that break it.
 *
 *   test_reals_bfloat16               the facts, and a short search
 *   test_reals_bfloat16 --climb 100   a search 100 times as long, as the table
 * in docs/bounds.md
 *
 * The search is by hill climbing: n numbers and a tree, one of them changed at
 * a time, kept where the share of the bound does not fall.  Numbers are
 * integers times UNIT, so that errors are computed exactly, in integers of 128
 * bits. */
#include "kernels/bound.h"

#include "kernels/accumulators/double_float.h"
#include "kernels/accumulators/kahan.h"
#include "kernels/accumulators/kahan_naive_merge.h"
#include "kernels/accumulators/kahan_two_sum.h"
#include "kernels/accumulators/klein.h"
#include "kernels/accumulators/neumaier.h"
#include "kernels/accumulators/plain.h"
#include "kernels/accumulators/sum2.h"

#define ACC fabsum
#define FABSUM_BLOCK 2 /* so that few numbers fill blocks */
#include "kernels/accumulators/fabsum.h"
#undef ACC
#define ACC binned
#include "kernels/accumulators/binned.h"
#undef ACC
#ifdef ABSENT
enum { HAS_INTEGERS = 0 };
#undef ABSENT
#else
enum { HAS_INTEGERS = 1 };
#include "kernels/accumulators/superacc.h"
#endif
#include "kernels/accumulators/binary64.h"
#ifdef ABSENT
enum { HAS_BINARY64 = 0 };
#undef ABSENT
#else
enum { HAS_BINARY64 = 1 };
#include "kernels/accumulators/binary64_kahan.h"
#endif

#include "kernels/walk.h"
#include "reference/exact.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "tests/support/trees.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- every accumulator of the format ---- */

#define ROWS_OF_ALL(ROW)                                                                                               \
    ROW(plain)                                                                                                         \
    ROW(kahan)                                                                                                         \
    ROW(kahan_two_sum)                                                                                                 \
    ROW(kahan_naive_merge)                                                                                             \
    ROW(neumaier)                                                                                                      \
    ROW(sum2)                                                                                                          \
    ROW(klein)                                                                                                         \
    ROW(double_float)                                                                                                  \
    ROW(fabsum)
#if REAL_PRECISION == 24
#define ROWS(ROW) ROWS_OF_ALL(ROW) ROW(binary64) ROW(binary64_kahan) ROW(binned) ROW(superacc)
#elif REAL_PRECISION == 53
#define ROWS(ROW) ROWS_OF_ALL(ROW) ROW(binned) ROW(superacc)
#else
#define ROWS(ROW) ROWS_OF_ALL(ROW)
#endif

ROWS(SUM_IN_TREES)

typedef double bounding(const struct claim *of);

static const struct accumulator {
    const char *id;
    real (*sum)(const struct tree *tree, const real *x);
    bounding *bound;
} accumulators[] = {
#define ROW(id) {#id, id##_sum, id##_bound},
    ROWS(ROW)
#undef ROW
};
enum { ACCUMULATORS = COUNT_OF(accumulators) };

static bool same(real a, real b)
{
    return same_double((double)a, (double)b);
}

/* ---- the share of the bound, exactly ---- */

__extension__ typedef __int128 integer;

#if REAL_PRECISION == 11
#define UNIT 0x1p-24 /* all there is of it, up to REAL_MAX */
enum { MOST_BITS = 40 };
#elif REAL_PRECISION == 53
#define UNIT 1.0
enum { MOST_BITS = 112 }; /* of a number; some more of their sum */
#else
#define UNIT 1.0
enum { MOST_BITS = REAL_PRECISION + 42 };
#endif

static integer integer_of(real v)
{
    return (integer)((double)v / UNIT);
}

static double magnitude_above(integer v)
{
    const integer magnitude = v < 0 ? -v : v;
    const double near = (double)magnitude;
    return ((integer)near < magnitude ? nextafter(near, INFINITY) : near) * UNIT;
}

struct found {
    size_t n;
    struct tree tree;
    real x[MOST_TERMS];
    double ratio;
};

static double ratio_of(const struct accumulator *accumulator, bounding *bound, const struct found *of)
{
    integer s = 0, sum_abs = 0, max = 0;
    for (size_t i = 0; i < of->n; i++) {
        const integer term = integer_of(of->x[i]), magnitude = term < 0 ? -term : term;
        s += term;
        sum_abs += magnitude;
        max = magnitude > max ? magnitude : max;
    }
    const struct claim claim = {(double)of->n,        (double)height_of(&of->tree),
                                magnitude_above(s),   magnitude_above(sum_abs),
                                magnitude_above(max), REAL_U};
    const double limit = bound(&claim);
    const real computed = accumulator->sum(&of->tree, of->x);
    if (isinf(limit))
        return 0;
    if (!is_finite(computed))
        return INFINITY;
    const double error = magnitude_above(integer_of(computed) - s);
    return error == 0 ? 0 : error / limit;
}

/* ---- hill climbing ---- */

static bool fits(real x)
{
    return is_finite(x) && x != 0 && fabs((double)x) <= (double)REAL_MAX && fabs((double)x) < ldexp(UNIT, MOST_BITS) &&
           rint((double)x / UNIT) == (double)x / UNIT;
}

/* The distance of the numbers around x. */
static real spacing(real x)
{
    return (real)fmax(ldexp(1, ilogb((double)x) - REAL_PRECISION + 1), UNIT);
}

static real some_number(void)
{
    for (;;) {
        const uint64_t last = UINT64_C(1) << (REAL_PRECISION - 1), half = last / 2;
        const uint64_t significands[] = {
            last, last + 1, 2 * last - 1, last + half, last + half + 1, last + half - 1, last + below(last)};
        const double significand = (double)significands[below(COUNT_OF(significands))];
        const real x = (real)ldexp(significand * UNIT, (int)below(MOST_BITS) - REAL_PRECISION + 1);
        if (fits(x))
            return below(2) ? x : -x;
    }
}

static real changed(const struct found *at, size_t i)
{
    const real x = at->x[i];
    const real other = at->x[below(at->n)];
    const double step = ldexp((double)spacing(x), below(2) ? 0 : (int)below(REAL_PRECISION));
    switch (below(8)) {
    case 0:
        return some_number();
    case 1:
        return -x;
    case 2:
        return x * 2;
    case 3:
        return x / 2;
    case 4:
        return below(2) ? other : -other;
    case 5:
        return RN(x - (real)step);
    case 6: /* beside a tie of another, or of their sum */
        return (below(2) ? spacing(other) : -spacing(other)) / (real)(1 << below(3));
    default:
        return RN(x + (real)step);
    }
}

static void start(struct found *at, size_t n)
{
    at->n = n;
    at->tree = some_tree(n);
    for (size_t i = 0; i < n; i++)
        at->x[i] = some_number();
}

static void keep_larger(struct found *best, const struct found *found)
{
    if (found->ratio > best->ratio)
        *best = *found;
}

static struct found climb(const struct accumulator *accumulator, bounding *bound, size_t most, int starts)
{
    enum { STEPS = 1500 };
    struct found best = {.ratio = 0};
    for (int k = 0; k < starts; k++) {
        struct found at;
        start(&at, 2 + below(most - 1));
        at.ratio = ratio_of(accumulator, bound, &at);
        for (int step = 0; step < STEPS; step++) {
            struct found next = at;
            const size_t i = below(at.n);
            if (below(16) == 0)
                next.tree = some_tree(at.n);
            else
                next.x[i] = changed(&at, i);
            if (!fits(next.x[i]))
                continue;
            next.ratio = ratio_of(accumulator, bound, &next);
            if (next.ratio >= at.ratio)
                at = next;
        }
        keep_larger(&best, &at);
    }
    return best;
}

/* ---- all of a grid ---- */

struct grid {
    real numbers[256];
    size_t count;
    struct found *best; /* of each accumulator */
};

/* Numbers of few bits, or all ones, and of one binade and those that round
 * beside it. */
static void make_grid(struct grid *grid, int significands)
{
    const uint64_t last = UINT64_C(1) << (REAL_PRECISION - 1);
    const uint64_t of[] = {last, last + 1, 2 * last - 1, last + last / 2, last + 2, 2 * last - 2};
    const int exponents[] = {0, 1, 2, REAL_PRECISION - 1, REAL_PRECISION, REAL_PRECISION + 1};
    for (size_t e = 0; e < COUNT_OF(exponents); e++)
        for (int k = 0; k < significands; k++) {
            const real x = (real)ldexp((double)of[k] * UNIT, exponents[e]);
            grid->numbers[grid->count++] = x;
            grid->numbers[grid->count++] = -x;
        }
}

static void visit_tree(const struct tree *tree, size_t n, void *context)
{
    struct grid *grid = context;
    size_t digits[MOST_TERMS] = {0};
    struct found at = {.n = n, .tree = *tree};
    for (bool more = true; more;) {
        for (size_t i = 0; i < n; i++)
            at.x[i] = grid->numbers[digits[i]];
        for (size_t a = 0; a < ACCUMULATORS; a++) {
            at.ratio = ratio_of(&accumulators[a], accumulators[a].bound, &at);
            keep_larger(&grid->best[a], &at);
        }
        size_t i = 0;
        for (more = false; i < n && !more; i++) {
            digits[i] = digits[i] + 1 < grid->count ? digits[i] + 1 : 0;
            more = digits[i] > 0;
        }
    }
}

/* ---- the search ---- */

static void print_found(const char *id, const struct found *found)
{
    printf("| %s | %s | %.4f |", TEXT(FORMAT), id, found->ratio);
    for (size_t i = 0; i < found->n; i++)
        printf(" %a", (double)found->x[i]);
    for (size_t k = 0; k < found->tree.count; k++)
        printf("%s%c", k == 0 ? ", " : "", "fnms"[found->tree.steps[k]]);
    printf(" |\n");
}

static int search_length = 1;

static void no_numbers_break_a_bound(void **state)
{
    (void)state;
    struct found best[ACCUMULATORS] = {0};
    struct grid grid = {.best = best};
    seed_random(1);
    make_grid(&grid, search_length > 1 ? 6 : 2);
    for (size_t n = 2; n <= (search_length > 1 ? 3 : 2); n++)
        for_each_tree(n, visit_tree, &grid);
    for (size_t a = 0; a < ACCUMULATORS; a++) {
        const struct accumulator *accumulator = &accumulators[a];
        const struct found few = climb(accumulator, accumulator->bound, 6, 40 * search_length);
        keep_larger(&best[a], &few);
        if (search_length > 1) {
            const struct found many = climb(accumulator, accumulator->bound, 24, 10 * search_length);
            keep_larger(&best[a], &many);
        }
        print_found(accumulator->id, &best[a]);
    }
    for (size_t a = 0; a < ACCUMULATORS; a++)
        if (!(best[a].ratio <= 1 && best[a].ratio > 0.3))
            fail_msg("%s: %.17g of its bound", accumulators[a].id, best[a].ratio);
}

/* The twin: the bound of who loses less. */
static void numbers_that_break_what_is_no_bound_are_found(void **state)
{
    (void)state;
    enum { WORSE = 4 }; /* rows: plain, kahan and its variants */
    assert_string_equal(accumulators[WORSE].id, "neumaier");
    seed_random(2);
    for (size_t a = 0; a < WORSE; a++)
        assert_true(climb(&accumulators[a], neumaier_bound, 6, 20).ratio > 1);
}

/* ---- facts of every accumulator ---- */

/* Multiples of `unit` whose magnitudes add up to 2^p of them. */
static void hold_to_exact_sums(double unit)
{
    for (int round = 0; round < 2000; round++) {
        real x[16];
        const size_t n = 1 + below(COUNT_OF(x));
        double sum = 0;
        for (size_t i = 0; i < n; i++) {
            x[i] = (real)((double)below((UINT64_C(2) << (REAL_PRECISION - 1)) / n + 1) * unit);
            x[i] = below(2) ? x[i] : -x[i];
            sum += (double)x[i];
        }
        const struct tree tree = some_tree(n);
        for (size_t a = 0; a < ACCUMULATORS; a++)
            if ((double)accumulators[a].sum(&tree, x) != sum)
                fail_msg("%s: not %a", accumulators[a].id, sum);
    }
}

static void sums_that_need_no_rounding_are_exact(void **state)
{
    (void)state;
    seed_random(3);
    hold_to_exact_sums(1 / REAL_U * 0x1p-40 > 1 ? 0x1p-40 : 0x1p-8);
    hold_to_exact_sums(ldexp(1, REAL_FORMAT.least_exponent)); /* subnormals */
}

/* The twin: one bit more. */
static void sum_of_one_bit_more_is_rounded(void **state)
{
    (void)state;
    const real x[] = {(real)(1 / REAL_U), 1};
    const struct tree two = serial(2);
    for (size_t a = 0; a < ACCUMULATORS; a++)
        assert_true(accumulators[a].sum(&two, x) == x[0]); /* the tie goes to even */
}

/* Where plain's sum is finite no other is NaN; infinities and NaN among small
 * numbers are in every sum. */
static void special_values_are_in_every_sum(void **state)
{
    (void)state;
    const real least = (real)ldexp(1, REAL_FORMAT.least_exponent), infinity = (real)INFINITY;
    const real specials[] = {infinity,   -infinity, (real)NAN, 1,        -1,        3,        0,
                             -(real)0.0, least,     -least,    REAL_MAX, -REAL_MAX, REAL_MAX, -REAL_MAX};
    size_t kinds[3] = {0};
    seed_random(4);
    for (int round = 0; round < 20000; round++) {
        real x[7];
        const size_t n = 1 + below(COUNT_OF(x)), from = below(2) ? 3 : 0;
        const uint64_t to = from > 0 ? COUNT_OF(specials) : COUNT_OF(specials) - 4;
        for (size_t i = 0; i < n; i++)
            x[i] = specials[from + below(to - from)];
        const struct tree tree = some_tree(n);
        const real plain = plain_sum(&tree, x);
        kinds[isnan(plain) ? 0 : isinf(plain) ? 1 : 2]++;
        for (size_t a = 0; a < ACCUMULATORS; a++) {
            const real sum = accumulators[a].sum(&tree, x);
            const bool bad = from > 0 ? is_finite(plain) && isnan(sum) : !is_finite(plain) && !same(sum, plain);
            if (bad || (sum == 0 && signbit(sum) != 0))
                fail_msg("%s: %a, plain %a", accumulators[a].id, (double)sum, (double)plain);
        }
    }
    assert_true(kinds[0] > 100 && kinds[1] > 100 && kinds[2] > 100);
}

/* ---- exact accumulators: binary64 and binary32 ---- */

static void accumulators_are_where_their_additions_are(void **state)
{
    (void)state;
    assert_int_equal(HAS_INTEGERS, REAL_PRECISION >= 24);
    assert_int_equal(HAS_BINARY64, REAL_PRECISION == 24);
}

#if REAL_PRECISION >= 24
/* Numbers of every binade, or of some, often the first or the last, with ties;
 * some cancel. */
static size_t fill(real *x, size_t most)
{
    const size_t n = 1 + below(most);
    const int fields = REAL_FORMAT.overflow_exponent - REAL_FORMAT.least_exponent;
    const int span = 1 + (int)below(below(2) ? (uint64_t)fields : 80 < fields ? 80 : (uint64_t)fields);
    const int ends[] = {0, fields - span, (int)below((uint64_t)(fields - span + 1))};
    const int low = REAL_FORMAT.least_exponent + ends[below(COUNT_OF(ends))];
    for (size_t i = 0; i < n; i++) {
        const uint64_t last = UINT64_C(1) << (REAL_PRECISION - 1);
        const double significand = (double)(last + (below(3) ? below(last) : below(3) ? last - 1 : 0));
        const int exponent = low + (int)below((uint64_t)span);
        x[i] = (real)ldexp(significand, exponent - REAL_PRECISION + 1);
        x[i] = below(2) ? x[i] : -x[i];
        if (i > 0 && below(4) == 0)
            x[i] = -x[below(i)];
    }
    return n;
}

static real nearest_sum(const real *x, size_t n)
{
    struct exact_sum exact;
    assert_int_equal(exact_sum(&REAL_FORMAT, x, n, &exact), OK);
    const real nearest = (real)exact.nearest;
    exact_free(&exact);
    return nearest;
}

static void superacc_is_the_nearest_number_in_every_tree(void **state)
{
    (void)state;
    size_t others = 0, subnormal = 0, infinite = 0;
    seed_random(5);
    for (int round = 0; round < 20000; round++) {
        real x[MOST_TERMS];
        const size_t n = fill(x, below(4) ? 6 : MOST_TERMS);
        const struct tree tree = some_tree(n);
        const real nearest = nearest_sum(x, n), computed = superacc_sum(&tree, x);
        if (!same(computed, nearest))
            fail_msg("round %d: %a, the nearest is %a", round, (double)computed, (double)nearest);
        others += !same(plain_sum(&tree, x), nearest);
        subnormal += nearest != 0 && fabs((double)nearest) < (double)REAL_MIN_NORMAL;
        infinite += !is_finite(nearest);
    }
    assert_true(others > 100); /* the twin: who is not exact is seen */
    assert_true(subnormal > 20 && infinite > 20);
}

#define SUM(id, ...) serial_sum(id##_sum, (const real[]){__VA_ARGS__}, COUNT_OF(((const real[]){__VA_ARGS__})))

static real serial_sum(real (*sum)(const struct tree *tree, const real *x), const real *x, size_t n)
{
    const struct tree tree = serial(n);
    return sum(&tree, x);
}

static void last_rounding_is_to_nearest_even_once(void **state)
{
    (void)state;
    const real u = (real)REAL_U, least = (real)ldexp(1, REAL_FORMAT.least_exponent);
    const real half_ulp_of_max = (real)ldexp(1, REAL_FORMAT.overflow_exponent - REAL_PRECISION - 1);
    assert_true(SUM(superacc, 1, u) == 1 && SUM(binned, 1, u) == 1);
    assert_true(SUM(superacc, 1 + 2 * u, u) == 1 + 4 * u && SUM(binned, 1 + 2 * u, u) == 1 + 4 * u);
    assert_true(SUM(superacc, 1, u, least) == 1 + 2 * u);
    assert_true(SUM(superacc, 1 + 2 * u, u, -least) == 1 + 2 * u);
    assert_true(SUM(superacc, -1, -u, least) == -1);
    assert_true(SUM(binned, 1, u, u * u / 2) == 1 + 2 * u);
    assert_true(SUM(superacc, REAL_MAX, REAL_MAX, -REAL_MAX) == REAL_MAX);
    assert_true(SUM(binned, REAL_MAX, REAL_MAX, -REAL_MAX) == REAL_MAX);
    assert_true(isinf(SUM(superacc, REAL_MAX, half_ulp_of_max)) && isinf(SUM(binned, REAL_MAX, half_ulp_of_max)));
    assert_true(SUM(superacc, REAL_MAX, half_ulp_of_max, -least) == REAL_MAX);
    assert_true(SUM(superacc, -REAL_MAX, -REAL_MAX) == -(real)INFINITY);
    assert_true(SUM(superacc, least, least) == 2 * least && SUM(binned, least, least) == 2 * least);
    assert_true(SUM(superacc, REAL_MIN_NORMAL, -least) == REAL_MIN_NORMAL - least);
    assert_true(SUM(binned, REAL_MIN_NORMAL, -least) == REAL_MIN_NORMAL - least);
}

static void states_have_room_for_2_to_the_40_numbers(void **state)
{
    (void)state;
    struct superacc wide = superacc_add(superacc_zero(), REAL_MAX);
    struct superacc other = superacc_add(superacc_zero(), -REAL_MAX);
    const real largest = (real)ldexp(1 - REAL_U, 40 * ((int)BINNED_WIDTH / 13)), limit = largest * (real)0x1p40;
    struct binned bins = binned_add(binned_zero(), largest);
    for (int doublings = 1; doublings <= 40; doublings++) {
        wide = superacc_merge(wide, wide);
        other = superacc_merge(other, other);
        bins = binned_merge(bins, bins);
        assert_true((real)binned_result(bins) == (real)ldexp((double)largest, doublings));
    }
    assert_true((real)binned_result(bins) == limit);
    assert_true(isinf((real)superacc_result(wide)));
    assert_true(superacc_result(superacc_add(superacc_merge(other, wide), -3)) == -3);
}

/* ---- binned: the pieces that are kept, a second time ---- */

static real sum_of_kept_pieces(const real *x, size_t n, int fold, int width, int offset)
{
    double max = 0;
    mpfr_t sum;
    for (size_t i = 0; i < n; i++)
        max = fmax(max, fabs((double)x[i]));
    const int top = max > 0 ? (ilogb(max) + offset - REAL_FORMAT.least_exponent) / width : 0;
    mpfr_init2(sum, 2400);
    mpfr_set_zero(sum, 1);
    for (size_t i = 0; i < n; i++) {
        double rest = (double)x[i];
        for (int bin = top; bin > top - fold && bin >= 0; bin--) {
            const double unit = ldexp(1, width * bin + REAL_FORMAT.least_exponent);
            double piece = rint(rest / unit) * unit; /* rest / unit is exact, or the rounded quotient is no half */
            assert_int_equal(mpfr_add_d(sum, sum, piece, MPFR_RNDN), 0);
            rest -= piece;
        }
    }
    const double rounded = exact_round(sum, &REAL_FORMAT);
    mpfr_clear(sum);
    return rounded == 0 ? 0 : (real)rounded;
}

static void binned_is_the_rounded_sum_of_the_kept_pieces_in_every_tree(void **state)
{
    (void)state;
    int offset = 0, fold = 0, width = 0;
    seed_random(6);
    for (int round = 0; round < 20000; round++) {
        real x[MOST_TERMS];
        const size_t n = fill(x, below(4) ? 6 : MOST_TERMS);
        size_t largest = 0;
        for (size_t i = 0; i < n; i++)
            largest = fabs((double)x[i]) > fabs((double)x[largest]) ? i : largest;
        if (fabs((double)x[largest]) > ldexp(1, REAL_FORMAT.overflow_exponent - 2))
            continue; /* pieces in binary64 would overflow, here */
        const struct tree tree = some_tree(n);
        const real computed = binned_sum(&tree, x), expected = sum_of_kept_pieces(x, n, BINNED_FOLD, BINNED_WIDTH, 1);
        if (!same(computed, expected))
            fail_msg("round %d, n = %zu: %a, the pieces' sum is %a", round, n, (double)computed, (double)expected);
        offset += !same(computed, sum_of_kept_pieces(x, n, BINNED_FOLD, BINNED_WIDTH, 0));
        fold += !same(computed, sum_of_kept_pieces(x, n, BINNED_FOLD - 1, BINNED_WIDTH, 1));
        width += !same(computed, sum_of_kept_pieces(x, n, BINNED_FOLD, BINNED_WIDTH - 1, 1));
    }
    assert_true(offset > 2 && fold > 10 && width > 10); /* the twins */
}

/* Carries of every bin, of either sign; more than a word of 32 bits takes
 * without one. */
static void bins_carry(void **state)
{
    (void)state;
    const real largest[] = {1 - (real)REAL_U, -1 + (real)REAL_U};
    for (size_t i = 0; i < COUNT_OF(largest); i++) {
        struct binned s = binned_zero();
        s.pieces = BINNED_MOST_PIECES - 3; /* as if so many had been added: zeros */
        for (int n = 1; n <= 9; n++) {
            s = binned_add(s, largest[i]);
            assert_true((real)binned_result(s) == RN((real)n * largest[i]));
        }
        assert_true(s.pieces == BINNED_PIECES_LEFT + 6);
    }
}

/* ---- what states are worth ---- */

static bool are_worth_the_sum(const double *parts, int count, const real *x, size_t n)
{
    struct exact_sum of_data, of_parts;
    assert_int_equal(exact_sum(&REAL_FORMAT, x, n, &of_data), OK);
    assert_int_equal(exact_sum(&FORMAT_BINARY64, parts, (uint64_t)count, &of_parts), OK);
    const bool equal = mpfr_equal_p(of_data.sum, of_parts.sum) != 0;
    exact_free(&of_data);
    exact_free(&of_parts);
    return equal;
}

static void parts_of_exact_states_are_worth_the_sum(void **state)
{
    (void)state;
    double parts[MOST_PARTS];
    size_t lost = 0;
    seed_random(7);
    for (int round = 0; round < 3000; round++) {
        real x[MOST_TERMS];
        const size_t n = fill(x, 7);
        const struct tree tree = some_tree(n);
        if (isinf(nearest_sum(x, n)))
            continue;
        const int count = superacc_parts(superacc_state(&tree, x), parts);
        assert_true(count <= MOST_PARTS);
        assert_true(are_worth_the_sum(parts, count, x, n));
        lost += !are_worth_the_sum(parts, kahan_parts(kahan_state(&tree, x), parts), x, n); /* the twin */
        const struct binned one = binned_add(binned_zero(), x[0]);
        assert_true(are_worth_the_sum(parts, binned_parts(one, parts), x, 1));
    }
    assert_true(lost > 100);
}
#endif

#if REAL_PRECISION == 24
/* ---- results of a narrower format: rounded to it, and to nothing else ---- */

static const struct format *const narrow[] = {&FORMAT_BINARY16, &FORMAT_BFLOAT16};

static double narrow_sum(const struct format *format, double (*result)(struct superacc s), const float *x, size_t n)
{
    struct superacc s = superacc_zero();
    for (size_t i = 0; i < n; i++)
        s = superacc_add(s, x[i]);
    return rounded_to(result(s), format);
}

static double result_by_way_of_binary32(struct superacc s)
{
    return (double)(float)superacc_result(s);
}

static void narrower_results_are_rounded_once(void **state)
{
    (void)state;
    const float above_a_tie[] = {1, 0x1p-11f, 0x1p-24f};
    assert_true(narrow_sum(&FORMAT_BINARY16, superacc_result, above_a_tie, 3) == 1 + 0x1p-10);
    assert_true(narrow_sum(&FORMAT_BINARY16, result_by_way_of_binary32, above_a_tie, 3) == 1); /* the twin */
    seed_random(8);
    for (int round = 0; round < 20000; round++) {
        const struct format *format = narrow[round % 2];
        float x[20];
        struct exact_sum exact;
        const size_t n = 2 + below(COUNT_OF(x) - 1);
        for (size_t i = 0; i < n; i++)
            x[i] = (float)rounded_to(ldexp((double)next_random() - 0x1p63, (int)below(24) - 78), format);
        assert_int_equal(exact_sum(format, x, n, &exact), OK);
        assert_true(narrow_sum(format, superacc_result, x, n) == exact.nearest);
        const struct claim claim = {(double)n,           (double)n,     exact.abs_above,
                                    exact.sum_abs_above, exact.max_abs, ldexp(1, -format->precision)};
        const struct tree tree = serial(n);
        const double bounds[] = {superacc_bound(&claim), binary64_bound(&claim), binary64_kahan_bound(&claim),
                                 binned_bound(&claim)};
        const double results[] = {superacc_result(superacc_state(&tree, x)), binary64_result(binary64_state(&tree, x)),
                                  binary64_kahan_result(binary64_kahan_state(&tree, x)),
                                  binned_result(binned_state(&tree, x))};
        for (size_t a = 0; a < COUNT_OF(results); a++) {
            mpfr_t error;
            mpfr_init2(error, 300);
            mpfr_d_sub(error, rounded_to(results[a], format), exact.sum, MPFR_RNDA);
            assert_true(mpfr_cmpabs(error, (mpfr_set_d(exact.sum_abs, bounds[a], MPFR_RNDU), exact.sum_abs)) <= 0);
            mpfr_clear(error);
        }
        exact_free(&exact);
    }
}
#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest search[] = {cmocka_unit_test(no_numbers_break_a_bound)};
    const struct CMUnitTest facts[] = {
        cmocka_unit_test(accumulators_are_where_their_additions_are),
        cmocka_unit_test(no_numbers_break_a_bound),
        cmocka_unit_test(numbers_that_break_what_is_no_bound_are_found),
        cmocka_unit_test(sums_that_need_no_rounding_are_exact),
        cmocka_unit_test(sum_of_one_bit_more_is_rounded),
        cmocka_unit_test(special_values_are_in_every_sum),
#if REAL_PRECISION >= 24
        cmocka_unit_test(superacc_is_the_nearest_number_in_every_tree),
        cmocka_unit_test(last_rounding_is_to_nearest_even_once),
        cmocka_unit_test(states_have_room_for_2_to_the_40_numbers),
        cmocka_unit_test(binned_is_the_rounded_sum_of_the_kept_pieces_in_every_tree),
        cmocka_unit_test(bins_carry),
        cmocka_unit_test(parts_of_exact_states_are_worth_the_sum),
#endif
#if REAL_PRECISION == 24
        cmocka_unit_test(narrower_results_are_rounded_once),
#endif
    };
    if (argc > 2 && strcmp(argv[1], "--climb") == 0) {
        search_length = atoi(argv[2]);
        return cmocka_run_group_tests(search, NULL, NULL);
    }
    return cmocka_run_group_tests(facts, NULL, NULL);
}

/* The state of the exact sum: every step is that of integers modulo 2^320, which GMP has; and its last rounding. */
#define FORMAT binary32
#define FORMAT_FILE "formats/binary32.h"
#define ACC superacc
#include "kernels/bound.h"

#include "kernels/accumulators/superacc.h"

#include "kernels/bins.h"
#include "kernels/window.h"

#include "src/base/format.h"
#include "tests/reference/fixed.h"
#include "tests/support/methods.h"
#include "tests/support/random.h"

#include <float.h>
#include <gmp.h>
#include <mpfr.h>

enum { STATE_BITS = superacc_LIMBS * superacc_LIMB_BITS };

/* ---- a state as an integer ---- */

/* Of [-2^319, 2^319). */
static void integer_of_state(mpz_t integer, const struct superacc *s)
{
    mpz_import(integer, superacc_LIMBS, -1, sizeof(uint64_t), 0, 0, s->limb);
    if (mpz_tstbit(integer, STATE_BITS - 1)) {
        mpz_t wrap;
        mpz_init_set_ui(wrap, 1);
        mpz_mul_2exp(wrap, wrap, STATE_BITS);
        mpz_sub(integer, integer, wrap);
        mpz_clear(wrap);
    }
}

/* Modulo 2^320. */
static struct superacc state_of_integer(const mpz_t integer)
{
    struct superacc s = superacc_zero();
    mpz_t rest;
    mpz_init(rest);
    mpz_fdiv_r_2exp(rest, integer, STATE_BITS);
    mpz_export(s.limb, NULL, -1, sizeof(uint64_t), 0, 0, rest);
    mpz_clear(rest);
    return s;
}

static bool is_integer(struct superacc s, const mpz_t integer)
{
    const struct superacc expected = state_of_integer(integer);
    return memcmp(s.limb, expected.limb, sizeof s.limb) == 0;
}

/* Limbs of ones and of zeros, through which a carry runs, among random ones. */
static struct superacc some_state(void)
{
    const uint64_t limbs[] = {0, UINT64_MAX, 1, UINT64_MAX - 1, UINT64_C(1) << 63, UINT32_MAX, UINT64_C(1) << 32};
    struct superacc s = superacc_zero();
    for (int k = 0; k < superacc_LIMBS; k++)
        s.limb[k] = below(3) ? limbs[below(COUNT_OF(limbs))] : next_random();
    return s;
}

static uint64_t some_magnitude(void)
{
    const uint64_t all = below(4) ? next_random() : UINT64_MAX;
    return all >> below(64);
}

/* The worked example of the file. */
static void numbers_have_their_places(void **state)
{
    (void)state;
    const struct superacc one = superacc_add(superacc_zero(), 1), least = superacc_add(superacc_zero(), 0x1p-149f);
    const struct superacc largest = superacc_add(superacc_zero(), FLT_MAX);
    assert_true(one.limb[2] == UINT64_C(1) << 22 && least.limb[0] == 2);
    mpz_t integer;
    mpz_init(integer);
    integer_of_state(integer, &largest);
    assert_int_equal(mpz_scan1(integer, 0), 254);
    assert_int_equal(mpz_sizeinbase(integer, 2), 278);
    assert_int_equal(mpz_popcount(integer), 24);
    mpz_clear(integer);
}

/* fixed_sum(), of the reference, has the unit 2^-149. */
static void a_number_is_added_as_an_integer(void **state)
{
    (void)state;
    mpz_t integer, x, unused;
    mpz_inits(integer, x, unused, NULL);
    seed_random(1);
    for (int round = 0; round < 200000; round++) {
        const struct superacc before = some_state();
        const uint32_t few_bits = below(4) ? UINT32_MAX : UINT32_C(0x80ffffff); /* subnormals, and the least normal */
        const float number = float_from_bits(float_bits(any_float()) & few_bits);
        integer_of_state(integer, &before);
        fixed_sum(&FORMAT_BINARY32, &number, 1, x, unused);
        mpz_mul_2exp(x, x, 1);
        mpz_add(integer, integer, x);
        if (!is_integer(superacc_add(before, number), integer))
            fail_msg("%a is not added", (double)number);
    }
    mpz_clears(integer, x, unused, NULL);
}

static void an_integer_is_added_or_subtracted_at_every_bit(void **state)
{
    (void)state;
    mpz_t integer, x;
    mpz_inits(integer, x, NULL);
    seed_random(2);
    for (int round = 0; round < 300000; round++) {
        const struct superacc before = some_state();
        const uint64_t magnitude = some_magnitude();
        const uint32_t bit = (uint32_t)below(STATE_BITS);
        const bool negative = below(2);
        integer_of_state(integer, &before);
        mpz_set_ui(x, magnitude);
        mpz_mul_2exp(x, x, bit);
        (negative ? mpz_sub : mpz_add)(integer, integer, x);
        if (!is_integer(superacc_add_integer(before, magnitude, negative, bit), integer))
            fail_msg("%llx at bit %u, negative %d", (unsigned long long)magnitude, bit, negative);
    }
    mpz_clears(integer, x, NULL);
}

static void states_are_merged_and_negated_as_integers(void **state)
{
    (void)state;
    mpz_t left, right;
    mpz_inits(left, right, NULL);
    seed_random(3);
    for (int round = 0; round < 200000; round++) {
        const struct superacc a = some_state(), b = some_state();
        integer_of_state(left, &a);
        integer_of_state(right, &b);
        mpz_add(left, left, right);
        assert_true(is_integer(superacc_merge(a, b), left));
        mpz_neg(right, right);
        assert_true(is_integer(superacc_negated(b), right));
    }
    mpz_clears(left, right, NULL);
}

/* ---- the parts of the fast order ---- */

enum { INTEGERS = 16 }; /* 16 bits apart */

static void integers_16_bits_apart(mpz_t sum, const int64_t integers[INTEGERS])
{
    mpz_set_si(sum, 0);
    for (int k = INTEGERS; k-- > 0;) {
        mpz_mul_2exp(sum, sum, 16);
        if (integers[k] < 0)
            mpz_sub_ui(sum, sum, (uint64_t)-integers[k]);
        else
            mpz_add_ui(sum, sum, (uint64_t)integers[k]);
    }
}

static void assert_sum_of_integers(const int64_t integers[INTEGERS])
{
    mpz_t sum;
    mpz_init(sum);
    integers_16_bits_apart(sum, integers);
    assert_true(is_integer(superacc_of_integers(integers, INTEGERS, -150, 16), sum));
    mpz_clear(sum);
}

static void integers_of_bins_are_added_up(void **state)
{
    (void)state;
    const int64_t extreme = INT64_MAX;
    int64_t integers[INTEGERS];
    for (int signs = 0; signs < 1 << INTEGERS; signs++) { /* all at the extreme */
        for (int k = 0; k < INTEGERS; k++)
            integers[k] = signs >> k & 1 ? -extreme : extreme;
        assert_sum_of_integers(integers);
    }
    seed_random(4);
    for (int round = 0; round < 200000; round++) {
        for (int k = 0; k < INTEGERS; k++) {
            const int64_t integer = (int64_t)(next_random() >> (1 + below(63)));
            integers[k] = below(3) == 0 ? 0 : below(2) ? integer : -integer;
        }
        assert_sum_of_integers(integers);
    }
}

/* A number alone, wherever it begins in a limb: the bin of binary16. */
static void one_integer_is_put_at_its_place(void **state)
{
    (void)state;
    mpz_t sum;
    mpz_init(sum);
    for (int unit = -150; unit < 100; unit++)
        for (int64_t integer = -3; integer <= 3; integer++) {
            const int64_t large = integer * (INT64_MAX / 3);
            mpz_set_si(sum, large);
            mpz_mul_2exp(sum, sum, (mp_bitcnt_t)(unit + 150));
            assert_true(is_integer(superacc_of_integers(&large, 1, unit, 0), sum));
        }
    mpz_clear(sum);
}

struct halves {
    uint64_t low[superacc_LIMBS], high[superacc_LIMBS];
};

/* As if `count` blocks had this state. */
static void add_halves(struct halves *halves, struct superacc s, uint64_t count)
{
    for (int k = 0; k < superacc_LIMBS; k++) {
        halves->low[k] += count * (s.limb[k] & UINT32_MAX);
        halves->high[k] += count * (s.limb[k] >> 32);
    }
}

static void halves_of_many_states_are_added_up(void **state)
{
    (void)state;
    mpz_t sum, x;
    mpz_inits(sum, x, NULL);
    seed_random(5);
    for (int round = 0; round < 20000; round++) {
        struct halves halves = {{0}, {0}};
        mpz_set_ui(sum, 0);
        for (uint64_t states = below(9); states > 0; states--) {
            const struct superacc s = some_state();
            const uint64_t count = 1 + (below(2) ? 0 : below(UINT64_C(1) << 29)); /* eight: at most 2^32 */
            add_halves(&halves, s, count);
            integer_of_state(x, &s);
            mpz_addmul_ui(sum, x, count);
        }
        assert_true(is_integer(superacc_of_halves(halves.low, halves.high), sum));
    }
    mpz_clears(sum, x, NULL);
}

/* ---- bins ---- */

/* Of a part of a number: it is a whole number of units, which is found again. */
static void assert_in_bin(struct bin_layout layout, double part, uint32_t bin, double *most)
{
    const double units = ldexp(part, -(layout.unit + (int)bin * layout.spacing));
    const double held = ldexp(part, (int)bin >= layout.scaled ? -layout.scale : 0);
    assert_true((int)bin < layout.count && units == nearbyint(units));
    assert_true(bin_units(layout, held, (int)bin) == (int64_t)units);
    *most = fmax(*most, fabs(units));
}

/* `room` of the largest are below 2^digits units.  The twin: of no bin are 2^13 times as many. */
static void assert_room(struct bin_layout layout, double most)
{
    assert_true(most * layout.room < ldexp(1, layout.digits));
    assert_false(most * layout.room * 8192 < ldexp(1, layout.digits));
}

/* Of every exponent the least and the largest, of either sign. */
static void numbers_of_32_bits_and_fewer_fit_their_bins(void **state)
{
    (void)state;
    const struct bin_layout one_bin[] = {BINS_OF_BINARY16, BINS_OF_E4M3, BINS_OF_E5M2};
    const struct format *const formats[] = {&FORMAT_BINARY16, &FORMAT_E4M3, &FORMAT_E5M2};
    double most32 = 0, most_bfloat16 = 0;
    for (uint32_t field = 0; field < 2 * 255; field++)
        for (uint32_t fraction = 0; fraction <= 0x7fffff; fraction += 0x7fffff) {
            const uint32_t bits = (field % 255) << 23 | (field / 255) << 31 | fraction;
            const float x = float_from_bits(bits), narrow = float_from_bits(bits & UINT32_C(0xffff0000));
            assert_in_bin(BINS_OF_BINARY32, (double)x, bin_of_binary32(x), &most32);
            assert_in_bin(BINS_OF_BFLOAT16, (double)narrow, bin_of_bfloat16(narrow), &most_bfloat16);
            assert_true(narrow * 0x1p-16f * 0x1p16f == narrow); /* scaled, it lost nothing */
        }
    assert_room(BINS_OF_BINARY32, most32);
    assert_room(BINS_OF_BFLOAT16, most_bfloat16);
    for (int f = 0; f < 3; f++) {
        double most = 0;
        for (uint64_t bits = 0; bits < UINT64_C(1) << (8 * formats[f]->bytes); bits++)
            if (isfinite(format_value(formats[f], bits)))
                assert_in_bin(one_bin[f], format_value(formats[f], bits), 0, &most);
        assert_true(most * one_bin[f].room < 0x1p53);
    }
    assert_int_equal(bin_of_binary32(-INFINITY), 15);
    assert_int_equal(bin_of_bfloat16(-INFINITY), 31);
    assert_int_equal(bin_of_binary32(1), 7);
}

static void both_parts_of_a_binary64_fit_their_bins(void **state)
{
    (void)state;
    const uint64_t fractions[] = {0, 1, 0x7ffffff, 0x8000000, 0x7fffffffffff, UINT64_C(0xfffffffffffff)};
    double most = 0;
    for (uint32_t field = 0; field < 2 * 2047; field++)
        for (size_t f = 0; f < sizeof fractions / sizeof *fractions; f++) {
            const double x =
                double_from_bits((uint64_t)(field % 2047) << 52 | (uint64_t)(field / 2047) << 63 | fractions[f]);
            const double upper = upper_part(x), lower = x - upper;
            const uint32_t of_upper = bin_of_upper_part(field % 2047), of_lower = bin_of_lower_part(field % 2047);
            assert_true(of_lower < of_upper && (int)of_lower < BINS_OF_BINARY64.scaled && upper + lower == x);
            assert_in_bin(BINS_OF_BINARY64, upper, of_upper, &most);
            assert_in_bin(BINS_OF_BINARY64, lower, of_lower, &most);
        }
    assert_room(BINS_OF_BINARY64, most);
}

/* What is left in a bin stays finite, and would not without its scale. */
static void full_bins_do_not_overflow(void **state)
{
    (void)state;
    const struct bin_layout wide = BINS_OF_BINARY64, narrow = BINS_OF_BFLOAT16;
    const double of_full_bin = ldexp(1, wide.unit + (wide.scaled - 1) * wide.spacing + wide.digits);
    assert_true(isfinite(of_full_bin) && isfinite(DBL_MAX * 0x1p-64 * wide.room) && !isfinite(DBL_MAX * wide.room));
    assert_true(0x1.fep127f * 0x1p-16f * (float)narrow.room <= FLT_MAX && isinf(0x1.fep127f * (float)narrow.room));
}

/* The bin of a number alone is what the state has that added it. */
static void a_number_in_its_bin_is_the_number_added(void **state)
{
    (void)state;
    for (uint32_t field = 0; field < 255; field++)
        for (uint32_t fraction = 0; fraction <= 0x7fffff; fraction += 0x7fffff) {
            const float x = float_from_bits(UINT32_C(0x80000000) | field << 23 | fraction);
            int64_t integers[INTEGERS] = {0};
            integers[bin_of_binary32(x)] = bin_units(BINS_OF_BINARY32, (double)x, (int)bin_of_binary32(x));
            const struct superacc by_bin = superacc_of_integers(integers, INTEGERS, -150, 16);
            const struct superacc added = superacc_add(superacc_zero(), x);
            assert_memory_equal(by_bin.limb, added.limb, sizeof added.limb);
        }
}

/* ---- windows ---- */

/* What two frames take of m 2^shift units of the second, and whether that is all. */
static bool are_taken(int unit, int64_t m, int shift, superacc_signed *taken)
{
    const double first = frame_of_unit(unit), second = frame_of_unit(unit - BITS_OF_FRAME);
    double left = ldexp((double)m, unit - BITS_OF_FRAME + shift);
    uint32_t outside = 0;
    const int64_t of_first = take_units(first, &left, &outside), of_second = take_units(second, &left, &outside);
    *taken = (superacc_signed)of_first * ((superacc_signed)1 << BITS_OF_FRAME) + of_second;
    return left == 0 && outside >> 20 == 0;
}

/* A number is taken whole, or has a bit below the last unit, or is no less than 2^51 units but for a rounding. */
static void a_window_takes_a_number_or_says_that_it_does_not(void **state)
{
    (void)state;
    enum { ROUNDS = 1000000, FEWEST = -12, MOST = 60 };
    static const int units[] = {0, -1000, 900, BITS_OF_FRAME - 1074};
    long of_each[3] = {0, 0, 0};
    seed_random(11);
    for (int round = 0; round < ROUNDS; round++) {
        const int unit = units[round % 4], shift = FEWEST + (int)below(MOST - FEWEST);
        const int64_t m = (int64_t)(next_random() >> 11) * (below(2) ? 1 : -1);
        const int64_t odd_bits = shift < 0 ? m & ((INT64_C(1) << -shift) - 1) : 0;
        superacc_signed taken;
        if (unit - BITS_OF_FRAME + shift < -1074)
            continue;
        if (are_taken(unit, m, shift, &taken)) {
            assert_true(odd_bits == 0);
            assert_true(taken == (shift < 0 ? (superacc_signed)m >> -shift
                                            : (superacc_signed)m * ((superacc_signed)1 << shift)));
            of_each[0]++;
        } else if (odd_bits != 0) {
            of_each[1]++;
        } else {
            assert_true(ldexp((double)(m < 0 ? -m : m), shift) >=
                        ldexp(1, BITS_OF_FRAME + 51) - ldexp(1, BITS_OF_FRAME - 1));
            of_each[2]++;
        }
    }
    for (int k = 0; k < 3; k++)
        assert_true(of_each[k] > ROUNDS / 20);
    superacc_signed taken;
    assert_true(are_taken(0, (INT64_C(1) << 51) - 1, BITS_OF_FRAME, &taken));
    assert_true(are_taken(0, -(INT64_C(1) << 51), BITS_OF_FRAME, &taken));
    assert_false(are_taken(0, INT64_C(1) << 51, BITS_OF_FRAME, &taken) || are_taken(0, 1, -1, &taken));
}

static void a_window_takes_no_special_number(void **state)
{
    (void)state;
    static const double specials[] = {INFINITY, -INFINITY, NAN, DBL_MAX};
    for (size_t k = 0; k < sizeof specials / sizeof *specials; k++) {
        double left = specials[k];
        uint32_t outside = 0;
        take_units(frame_of_unit(0), &left, &outside);
        assert_true(left != 0 || outside >> 20 != 0);
    }
}

/* ---- the last rounding ---- */

/* What the reference gives, in both of its ways: exact_round() and fixed_nearest_bits(). */
static float nearest_to(const mpz_t integer)
{
    mpz_t multiple_of_least;
    mpfr_t exact;
    mpz_init(multiple_of_least);
    mpfr_init2(exact, STATE_BITS);
    assert_int_equal(mpz_tstbit(integer, 0), 0); /* every sum is a multiple of 2^-149 */
    mpz_fdiv_q_2exp(multiple_of_least, integer, 1);
    assert_int_equal(mpfr_set_z_2exp(exact, multiple_of_least, -149, MPFR_RNDN), 0);
    const float nearest =
        float_from_bits((uint32_t)fixed_nearest_bits(&FORMAT_BINARY32, multiple_of_least, &FORMAT_BINARY32));
    assert_true((float)exact_round(exact, &FORMAT_BINARY32) == nearest);
    mpfr_clear(exact);
    mpz_clear(multiple_of_least);
    return nearest;
}

static void assert_rounded(const mpz_t integer)
{
    const float rounded = (float)superacc_result(state_of_integer(integer)), nearest = nearest_to(integer);
    if (float_bits(rounded) != float_bits(nearest))
        gmp_printf("%Zx units: %a, to nearest %a\n", integer, (double)rounded, (double)nearest);
    assert_int_equal(float_bits(rounded), float_bits(nearest));
}

/* significand 2^place + more 2^far units, and its opposite. */
static void assert_rounded_beside(uint64_t significand, unsigned place, long more, unsigned far)
{
    mpz_t integer, rest;
    mpz_init_set_ui(integer, significand);
    mpz_init_set_si(rest, more);
    mpz_mul_2exp(integer, integer, place);
    mpz_mul_2exp(rest, rest, far);
    mpz_add(integer, integer, rest);
    if (mpz_sizeinbase(integer, 2) < STATE_BITS) {
        assert_rounded(integer);
        mpz_neg(integer, integer);
        assert_rounded(integer);
    }
    mpz_clears(integer, rest, NULL);
}

/* 25 bits, of which the last is the half that is rounded: ties, and one bit beside them in every place further down. */
static void ties_and_their_neighbours_are_rounded_to_nearest_even(void **state)
{
    (void)state;
    const uint64_t odd_half[] = {0x1000001, 0x1000003, 0x1ffffff, 0x1555555, 0x1fffffd, 0x1aaaaab};
    for (size_t s = 0; s < COUNT_OF(odd_half); s++)
        for (unsigned place = 1; place + 25 < STATE_BITS; place++) {
            assert_rounded_beside(odd_half[s], place, 0, 0);
            for (unsigned far = 1; far < place; far++) {
                assert_rounded_beside(odd_half[s], place, 1, far);
                assert_rounded_beside(odd_half[s], place, -1, far);
            }
        }
}

static void sums_of_every_length_are_rounded(void **state)
{
    (void)state;
    mpz_t integer;
    mpz_init(integer);
    seed_random(7);
    for (int round = 0; round < 300000; round++) {
        const struct superacc s = some_state();
        integer_of_state(integer, &s);
        mpz_fdiv_q_2exp(integer, integer, 1 + below(STATE_BITS - 1)); /* the sign stays */
        mpz_mul_2exp(integer, integer, below(STATE_BITS - mpz_sizeinbase(integer, 2)));
        mpz_clrbit(integer, 0);
        assert_rounded(integer);
    }
    mpz_clear(integer);
}

/* Without rounding: a subnormal has no bit below 2^-149.  The twin is 2^-126 2^24 and a half, which has. */
static void subnormal_sums_are_exact(void **state)
{
    (void)state;
    for (uint64_t sum = 0; sum < UINT64_C(1) << 24; sum += sum < 1 << 12 ? 1 : 4093) {
        const struct superacc s = superacc_add_integer(superacc_zero(), sum, 0, 1);
        assert_true((float)superacc_result(s) == (double)sum * 0x1p-149);
    }
    const uint64_t half = (UINT64_C(1) << 24) + 1;
    assert_false((float)superacc_result(superacc_add_integer(superacc_zero(), half, 0, 1)) == (double)half * 0x1p-149);
}

static float sum_of(const float *x, size_t n)
{
    struct superacc s = superacc_zero();
    for (size_t i = 0; i < n; i++)
        s = superacc_add(s, x[i]);
    return (float)superacc_result(s);
}

#define SUM(...) sum_of(TERMS(__VA_ARGS__))

/* Half an ulp of FLT_MAX is 2^103: the tie goes to infinity, as if there were a next number. */
static void sums_overflow_where_the_exact_one_does(void **state)
{
    (void)state;
    assert_true(SUM(FLT_MAX, 0x1p103f) == INFINITY && SUM(-FLT_MAX, -0x1p103f) == -INFINITY);
    assert_true(SUM(FLT_MAX, 0x1p103f, -0x1p-149f) == FLT_MAX);
    assert_true(SUM(-FLT_MAX, -0x1p103f, 0x1p-149f) == -FLT_MAX);
    assert_true(SUM(FLT_MAX, 0x1.fffffep102f) == FLT_MAX);
    assert_true(SUM(FLT_MAX, FLT_MAX) == INFINITY && SUM(FLT_MAX, FLT_MAX, -FLT_MAX) == FLT_MAX);
    assert_true(SUM(-FLT_MAX, -FLT_MAX, -FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX, -0x1p-149f) == -0x1p-149f);
    assert_int_equal(float_bits(SUM(FLT_MAX, -FLT_MAX)), 0);
    assert_int_equal(float_bits(SUM(-0.0f, -0.0f)), 0); /* a state starts at +0 */
}

/* 2^41 times FLT_MAX, and back.  The twin: at 2^42 the sign is lost, and what is subtracted again still gives 0. */
static void there_is_room_for_2_to_the_41_numbers(void **state)
{
    (void)state;
    const float numbers[] = {FLT_MAX, -FLT_MAX};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        struct superacc s = superacc_add(superacc_zero(), numbers[i]);
        mpz_t integer, expected;
        mpz_init(integer);
        mpz_init(expected);
        integer_of_state(expected, &s);
        for (int doublings = 1; doublings <= 41; doublings++) {
            s = superacc_merge(s, s);
            mpz_mul_2exp(expected, expected, 1);
            integer_of_state(integer, &s);
            assert_int_equal(mpz_cmp(integer, expected), 0);
            assert_true((float)superacc_result(s) == (numbers[i] > 0 ? INFINITY : -INFINITY));
            assert_int_equal(float_bits((float)superacc_result(superacc_merge(s, superacc_negated(s)))), 0);
        }
        s = superacc_merge(s, s);
        assert_true((float)superacc_result(s) == (numbers[i] > 0 ? -INFINITY : INFINITY));
        assert_int_equal(float_bits((float)superacc_result(superacc_merge(s, superacc_negated(s)))), 0);
        mpz_clears(integer, expected, NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_their_places),
        cmocka_unit_test(a_number_is_added_as_an_integer),
        cmocka_unit_test(an_integer_is_added_or_subtracted_at_every_bit),
        cmocka_unit_test(states_are_merged_and_negated_as_integers),
        cmocka_unit_test(integers_of_bins_are_added_up),
        cmocka_unit_test(halves_of_many_states_are_added_up),
        cmocka_unit_test(one_integer_is_put_at_its_place),
        cmocka_unit_test(numbers_of_32_bits_and_fewer_fit_their_bins),
        cmocka_unit_test(both_parts_of_a_binary64_fit_their_bins),
        cmocka_unit_test(full_bins_do_not_overflow),
        cmocka_unit_test(a_number_in_its_bin_is_the_number_added),
        cmocka_unit_test(a_window_takes_a_number_or_says_that_it_does_not),
        cmocka_unit_test(a_window_takes_no_special_number),
        cmocka_unit_test(ties_and_their_neighbours_are_rounded_to_nearest_even),
        cmocka_unit_test(sums_of_every_length_are_rounded),
        cmocka_unit_test(subnormal_sums_are_exact),
        cmocka_unit_test(sums_overflow_where_the_exact_one_does),
        cmocka_unit_test(there_is_room_for_2_to_the_41_numbers),
    };
    return cmocka_run_group_tests_name("superacc", tests, NULL, NULL);
}

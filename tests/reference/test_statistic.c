/* Exact means, variances and cosines against quotients of GMP integers, whose roots are never taken: c is above a root
 * where its square is above the quotient.  Whether a number is the nearest, or the least that is no less, is a search
 * over all numbers of the format.
 *
 *   tests_reference test_statistic [--tries N | --print SEED N]     --print: inputs and results for
 * test_statistic_integers.py
 */
#include "reference/statistic.h"

#include "exact_fields.h"
#include "fixed.h"
#include "nist.h"
#include "number_kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { STATISTICS = EXACT_COSINE + 1, MOST = 24, MANY = 600000, UNIT = 1200, DDOFS = 3 };

static const char *const names[STATISTICS] = {"mean", "mean_square",   "rms",   "variance",
                                              "std",  "mean_weighted", "cosine"};

/* ---- inputs ---- */

struct input {
    const struct format *format;
    uint64_t n, ddof;
    union numbers {
        float narrow[MOST];
        double wide[MOST];
    } x, y;
};

static double small_integer(const struct format *format)
{
    (void)format;
    return (double)below(8) - 2;
}

static double offset(const struct format *format)
{
    return rounded_to(ldexp(1, format->precision - 3) + (double)below(6) * 0.5, format);
}

static double equal(const struct format *format)
{
    return rounded_to(1.7, format);
}

static double number_of_kind(size_t kind, const struct format *format)
{
    static number_kind *const more[] = {small_integer, offset, equal};
    return kind < COUNT_OF(kinds) ? kinds[kind](format) : more[(kind - COUNT_OF(kinds)) % COUNT_OF(more)](format);
}

/* The mean is a middle of two numbers of a format, but for one that is lost in binary64. */
static struct input near_tie(const struct format *format)
{
    struct input input = {.format = format, .n = 4, .ddof = 1};
    const int precision = NUMBER_FORMATS[below(NUMBER_FORMAT_COUNT)]->precision;
    const double numbers[] = {1, 1 + ldexp(1, 1 - precision), ldexp(below(2) ? 1 : -1, format->least_exponent), 0};
    for (uint64_t i = 0; i < input.n; i++) {
        held_set(format, &input.x, i, rounded_to(numbers[i], format));
        held_set(format, &input.y, i, 1);
    }
    return input;
}

/* A weighted mean 1 / b next to a number 2^-k c: b, the sum of the weights, is 2^k / c rounded to an integer. */
static struct input near_number(void)
{
    struct input input = {.format = &FORMAT_BINARY64, .x.wide = {1}, .y.wide = {1}};
    mpz_t rest, c;
    mpz_init_set_ui(c, (unsigned long)(UINT64_C(1) << 52 | next_random() >> 12));
    mpz_init(rest);
    mpz_ui_pow_ui(rest, 2, 106 + below(600));
    mpz_tdiv_q(rest, rest, c);
    for (input.n = 1; mpz_sgn(rest) > 0; input.n++) { /* 53 bits in each weight */
        const size_t bits = mpz_sizeinbase(rest, 2), dropped = bits > 53 ? bits - 53 : 0;
        mpz_tdiv_q_2exp(c, rest, dropped);
        input.y.wide[input.n] = ldexp(mpz_get_d(c), (int)dropped);
        mpz_tdiv_r_2exp(rest, rest, dropped);
    }
    mpz_clears(rest, c, (mpz_ptr)0);
    return input;
}

static struct input random_input(size_t round)
{
    const struct format *format = NUMBER_FORMATS[round % STORED_FORMAT_COUNT];
    struct input input = {.format = format, .n = below(8) ? 1 + below(MOST) : below(3), .ddof = below(DDOFS)};
    const size_t kind = below(COUNT_OF(kinds) + 5), other = below(COUNT_OF(kinds) + 3);
    if (kind == COUNT_OF(kinds) + 3)
        return near_tie(format);
    if (kind == COUNT_OF(kinds) + 4 && format == &FORMAT_BINARY64)
        return near_number();
    const int relation = (int)below(8); /* of y: itself, -x, |y| */
    for (uint64_t i = 0; i < input.n; i++) {
        const double x = number_of_kind(kind, format), y = number_of_kind(other, format);
        held_set(format, &input.x, i, x);
        held_set(format, &input.y, i, relation == 0 ? x : relation == 1 ? -x : relation < 5 ? fabs(y) : y);
    }
    return input;
}

static enum status evaluate(enum exact_statistic of, const struct input *input, struct exact_sum *exact,
                            struct moments *moments)
{
    return exact_statistic(of, input->ddof, input->format, (struct exact_how){.verify = true}, &input->x,
                           of >= EXACT_MEAN_WEIGHTED ? &input->y : NULL, input->n, exact, moments);
}

/* ---- quotients ---- */

/* over / under >= 0, or its root. */
struct rational {
    mpz_t over, under;
    bool is_root;
};

/* Of finite numbers, in units of the least subnormal or its square. */
struct integers {
    mpz_t x, abs_x, y, abs_y, xx, yy, xy, abs_xy, n_xx, centred, scratch; /* centred: n sum x^2 - (sum x)^2 */
};

static void sum_integers(const struct input *input, struct integers *of)
{
    const struct format *held = format_held(input->format);
    mpz_inits(of->x, of->abs_x, of->y, of->abs_y, of->xx, of->yy, of->xy, of->abs_xy, of->n_xx, of->centred,
              of->scratch, (mpz_ptr)0);
    fixed_sum(held, &input->x, input->n, of->x, of->abs_x);
    fixed_sum(held, &input->y, input->n, of->y, of->abs_y);
    fixed_dot(held, &input->x, &input->x, input->n, of->xx, of->scratch);
    fixed_dot(held, &input->y, &input->y, input->n, of->yy, of->scratch);
    fixed_dot(held, &input->x, &input->y, input->n, of->xy, of->abs_xy);
    mpz_mul_ui(of->n_xx, of->xx, input->n);
    mpz_mul(of->centred, of->x, of->x);
    mpz_sub(of->centred, of->n_xx, of->centred);
}

static void free_integers(struct integers *of)
{
    mpz_clears(of->x, of->abs_x, of->y, of->abs_y, of->xx, of->yy, of->xy, of->abs_xy, of->n_xx, of->centred,
               of->scratch, (mpz_ptr)0);
}

/* |over| 2^(units of the least subnormal) / |under|, which is not 0. */
static struct rational rational(const struct format *format, const mpz_t over, int units, const mpz_t under)
{
    struct rational made = {.is_root = false};
    mpz_inits(made.over, made.under, (mpz_ptr)0);
    mpz_abs(made.over, over);
    mpz_abs(made.under, under);
    mpz_mul_2exp(made.under, made.under, (mp_bitcnt_t)(-units * format_held(format)->least_exponent));
    return made;
}

static void free_rational(struct rational *made)
{
    mpz_clears(made->over, made->under, (mpz_ptr)0);
}

/* |value| and its scale; returns the sign of the value. */
static int value_of(enum exact_statistic of, const struct input *input, struct integers *sums, struct rational *value,
                    struct rational *scale)
{
    const struct format *format = input->format;
    mpz_t under;
    int sign = 1;
    mpz_init_set_ui(under, input->n);
    if (of == EXACT_MEAN) {
        sign = mpz_sgn(sums->x);
        *value = rational(format, sums->x, 1, under);
        *scale = rational(format, sums->abs_x, 1, under);
    } else if (of == EXACT_MEAN_SQUARE || of == EXACT_RMS) {
        *value = rational(format, sums->xx, 2, under);
        *scale = rational(format, sums->xx, 2, under);
    } else if (of == EXACT_VARIANCE || of == EXACT_STD) {
        mpz_mul_ui(under, under, input->n - input->ddof);
        *value = rational(format, sums->centred, 2, under);
        *scale = rational(format, sums->n_xx, 2, under);
    } else if (of == EXACT_MEAN_WEIGHTED) {
        sign = mpz_sgn(sums->xy) * mpz_sgn(sums->y);
        *value = rational(format, sums->xy, 1, sums->y);
        *scale = rational(format, sums->abs_xy, 1, sums->y);
    } else {
        sign = mpz_sgn(sums->xy);
        mpz_mul(under, sums->xx, sums->yy);
        mpz_mul(sums->scratch, sums->xy, sums->xy);
        *value = rational(format, sums->scratch, 0, under);
        mpz_mul(sums->scratch, sums->abs_xy, sums->abs_xy);
        *scale = rational(format, sums->scratch, 0, under);
    }
    value->is_root = scale->is_root = of == EXACT_RMS || of == EXACT_STD || of == EXACT_COSINE;
    mpz_clear(under);
    return sign;
}

/* ---- searches ---- */

/* x 2^UNIT */
static void to_units(mpz_t units, double x)
{
    int exponent;
    mpz_set_d(units, ldexp(frexp(x, &exponent), 53));
    if (exponent - 53 + UNIT >= 0)
        mpz_mul_2exp(units, units, (mp_bitcnt_t)(exponent - 53 + UNIT));
    else
        mpz_tdiv_q_2exp(units, units, (mp_bitcnt_t)(53 - UNIT - exponent));
}

/* The sign of number 2^-UNIT - value, of a number >= 0. */
static int compare(const mpz_t number, const struct rational *value)
{
    mpz_t left, right;
    mpz_inits(left, right, (mpz_ptr)0);
    mpz_mul(left, number, value->under);
    if (value->is_root)
        mpz_mul(left, left, number);
    mpz_mul_2exp(right, value->over, (value->is_root ? 2 : 1) * UNIT);
    const int sign = mpz_cmp(left, right);
    mpz_clears(left, right, (mpz_ptr)0);
    return sign;
}

/* Number `index` >= 0 of a format, from 0 on; the one after the last is the power of two that is out of range. */
static void number_to_units(mpz_t units, const struct format *format, uint64_t index)
{
    if (index <= format_bits(format, format_largest(format)))
        to_units(units, format_value(format, index));
    else
        mpz_ui_pow_ui(units, 2, (unsigned)(format->overflow_exponent + UNIT));
}

/* Whether number `index` is no more than the value. */
static bool is_reached(const struct rational *value, const struct format *format, uint64_t index)
{
    mpz_t number;
    mpz_init(number);
    number_to_units(number, format, index);
    const bool reached = compare(number, value) <= 0;
    mpz_clear(number);
    return reached;
}

/* Near enough to begin a search; what it finds does not depend on it. */
static uint64_t guess(const struct rational *value, const struct format *format)
{
    const mpq_t quotient = {{*value->over, *value->under}};
    const double near = value->is_root ? sqrt(mpq_get_d(quotient)) : mpq_get_d(quotient);
    return format_bits(format, fmin(rounded_to(near, format), format_largest(format)));
}

/* The index of the last number that is no more than the value. */
static uint64_t last_below(const struct rational *value, const struct format *format)
{
    const uint64_t near = guess(value, format);
    uint64_t low = 0, high = format_bits(format, format_largest(format)) + 2;
    if (near > 1 && is_reached(value, format, near - 2))
        low = near - 2;
    if (near + 2 < high && !is_reached(value, format, near + 2))
        high = near + 2;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (is_reached(value, format, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double number_at(const struct format *format, uint64_t index)
{
    return index <= format_bits(format, format_largest(format)) ? format_value(format, index) : INFINITY;
}

/* Of the value: the nearest number, ties to even. */
static double nearest_of(const struct rational *value, const struct format *format, size_t *ties)
{
    const uint64_t below_it = last_below(value, format);
    mpz_t low, high;
    if (number_at(format, below_it) == INFINITY)
        return INFINITY;
    mpz_inits(low, high, (mpz_ptr)0);
    number_to_units(low, format, below_it);
    number_to_units(high, format, below_it + 1);
    mpz_add(low, low, high);
    mpz_tdiv_q_2exp(low, low, 1);
    const int middle = compare(low, value);
    *ties += middle == 0;
    mpz_clears(low, high, (mpz_ptr)0);
    return number_at(format, below_it + (middle < 0 || (middle == 0 && below_it % 2 == 1)));
}

static double rounded_down(const struct rational *value)
{
    const double below_it = number_at(&FORMAT_BINARY64, last_below(value, &FORMAT_BINARY64));
    return below_it == INFINITY ? DBL_MAX : below_it;
}

static double rounded_up(const struct rational *value)
{
    const uint64_t index = last_below(value, &FORMAT_BINARY64);
    mpz_t number;
    mpz_init(number);
    number_to_units(number, &FORMAT_BINARY64, index);
    const bool is_more = compare(number, value) < 0;
    mpz_clear(number);
    return number_at(&FORMAT_BINARY64, index + is_more);
}

/* The least q of binary64 with |c - value| <= q. */
static double error_up(double c, const struct rational *value)
{
    uint64_t low = 0, high = double_bits(INFINITY);
    mpz_t number, distance;
    mpz_inits(number, distance, (mpz_ptr)0);
    to_units(number, c);
    const int side = compare(number, value);
    while (side != 0 && high - low > 1) { /* low is too little, high enough */
        const uint64_t middle = low + (high - low) / 2;
        to_units(distance, double_from_bits(middle));
        if (side < 0)
            mpz_add(distance, number, distance);
        else
            mpz_sub(distance, number, distance);
        const bool reached = mpz_sgn(distance) < 0 || compare(distance, value) * side <= 0;
        low = reached ? low : middle;
        high = reached ? middle : high;
    }
    mpz_clears(number, distance, (mpz_ptr)0);
    return side == 0 ? 0 : double_from_bits(high);
}

/* Whether the value ends in binary. */
static bool ends(const struct rational *value)
{
    mpq_t q;
    mpq_init(q);
    mpq_set_num(q, value->over);
    mpq_set_den(q, value->under);
    mpq_canonicalize(q);
    bool has_end = mpz_popcount(mpq_denref(q)) == 1;
    if (value->is_root && has_end) {
        mpz_mul(mpq_numref(q), mpq_numref(q), mpq_denref(q));
        has_end = mpz_perfect_square_p(mpq_numref(q)) != 0;
    }
    mpq_clear(q);
    return has_end;
}

/* Whether |result| is next to the value, as a number rounded to odd is: less than a unit of its last place away. */
static bool is_next_to(const mpfr_t result, const struct rational *value)
{
    mpz_t number, left, right;
    mpz_inits(number, left, right, (mpz_ptr)0);
    const mpfr_exp_t unit = mpfr_get_z_2exp(number, result); /* in units of 2^unit, < 0 or not */
    bool is_next = true;
    mpz_abs(number, number);
    for (int step = -1; step <= 1; step += 2) {
        mpz_add_ui(left, number, 1);
        mpz_sub_ui(left, left, step < 0 ? 2 : 0);
        mpz_pow_ui(left, left, value->is_root ? 2 : 1);
        mpz_mul(left, left, value->under);
        mpz_mul_2exp(left, left, unit > 0 ? (mp_bitcnt_t)unit * (value->is_root ? 2 : 1) : 0);
        mpz_mul_2exp(right, value->over, unit < 0 ? (mp_bitcnt_t)-unit * (value->is_root ? 2 : 1) : 0);
        is_next = is_next && mpz_cmp(left, right) * step > 0;
    }
    mpz_clears(number, left, right, (mpz_ptr)0);
    return is_next;
}

/* ---- what each should be ---- */

static double sign_of(double x)
{
    return isfinite(x) ? (double)((x > 0) - (x < 0)) : x;
}

static enum exact_kind kind_of_double(double x)
{
    return isnan(x) ? EXACT_NAN : isinf(x) ? EXACT_INF : EXACT_FINITE;
}

/* Of finite ones. */
static int sign_of_weights(const struct input *input)
{
    mpz_t sum, sum_abs;
    mpz_inits(sum, sum_abs, (mpz_ptr)0);
    fixed_sum(format_held(input->format), &input->y, input->n, sum, sum_abs);
    const int sign = mpz_sgn(sum);
    mpz_clears(sum, sum_abs, (mpz_ptr)0);
    return sign;
}

/* By IEEE arithmetic of signs, in which nothing overflows. */
static double special_of(enum exact_statistic of, const struct input *input)
{
    double x = 0, xx = 0, y = 0, xy = 0;
    bool no_x = true, no_y = true;
    for (uint64_t i = 0; i < input->n; i++) {
        const double a = held_number(input->format, &input->x, i), b = held_number(input->format, &input->y, i);
        x += sign_of(a);
        xx += sign_of(a) * sign_of(a);
        y += sign_of(b);
        xy += sign_of(a) * sign_of(b);
        no_x = no_x && a == 0;
        no_y = no_y && b == 0;
    }
    const bool has_spread = input->n > input->ddof && isfinite(xx);
    switch (of) {
    case EXACT_MEAN:
        return input->n > 0 ? x : NAN;
    case EXACT_MEAN_SQUARE:
    case EXACT_RMS:
        return input->n > 0 ? xx : NAN;
    case EXACT_VARIANCE:
    case EXACT_STD:
        return has_spread ? 0 : NAN;
    case EXACT_MEAN_WEIGHTED:
        return isfinite(y) && sign_of_weights(input) != 0 ? xy * sign_of_weights(input) : NAN;
    case EXACT_COSINE:
        return isfinite(x + y) && !no_x && !no_y ? 0 : NAN;
    }
    return NAN;
}

/* ---- comparisons ---- */

struct tally {
    size_t values, undefined, infinite, roundings, moments, errors, ties, exact, rounded, no_spread, subnormal, beyond;
    size_t twin_n, twin_no_mean, twin_twice; /* of wrong N, Q / N for a variance, a rounding through binary64 */
};

static void compare_moments(enum exact_statistic of, const struct input *input, struct integers *sums,
                            const struct moments *moments, struct tally *tally)
{
    const struct format *format = input->format;
    const bool of_one = of <= EXACT_STD, has_spread = of == EXACT_VARIANCE || of == EXACT_STD;
    const bool has_mean = of == EXACT_MEAN || has_spread, is_cosine = of == EXACT_COSINE;
    const bool has_squares = (of_one && of != EXACT_MEAN) || is_cosine, has_weights = of == EXACT_MEAN_WEIGHTED;
    mpz_t one, n, offset, range, least;
    mpz_inits(one, n, offset, range, least, (mpz_ptr)0);
    mpz_set_ui(one, 1);
    mpz_set_ui(n, input->n);
    if (has_mean) { /* n x_0 - s, and max - min */
        fixed_sum(format_held(format), &input->x, 1, offset, range);
        mpz_mul(offset, offset, n);
        mpz_sub(offset, offset, sums->x);
        for (uint64_t i = 0; i < input->n; i++) {
            const void *const x = format_held(format) == &FORMAT_BINARY64 ? (const void *)(input->x.wide + i)
                                                                          : (const void *)(input->x.narrow + i);
            fixed_sum(format_held(format), x, 1, sums->scratch, sums->abs_xy);
            if (i == 0 || mpz_cmp(sums->scratch, range) > 0)
                mpz_set(range, sums->scratch);
            if (i == 0 || mpz_cmp(sums->scratch, least) < 0)
                mpz_set(least, sums->scratch);
        }
        mpz_sub(range, range, least);
    }
    const struct {
        mpz_srcptr over, under;
        int units;
        double measured;
        bool is_wanted, is_below;
    } rows[] = {
        {sums->abs_x, one, 1, moments->sum_abs, of_one, false},
        {sums->x, one, 1, moments->abs_sum, of_one, false},
        {sums->x, n, 1, moments->abs_mean, has_mean, false},
        {range, one, 1, moments->range, has_mean, false},
        {offset, n, 1, moments->first_offset, has_mean, false},
        {sums->xx, one, 2, moments->sum_squares, has_squares, false},
        {sums->xx, one, 2, moments->sum_squares_below, has_squares, true},
        {sums->centred, n, 2, moments->centred, has_spread, false},
        {sums->centred, n, 2, moments->centred_below, has_spread, true},
        {sums->xy, one, 2, moments->abs_products, !of_one, false},
        {sums->abs_xy, one, 2, moments->sum_products_abs, !of_one, false},
        {sums->yy, one, 2, moments->sum_squares_2, is_cosine, false},
        {sums->yy, one, 2, moments->sum_squares_2_below, is_cosine, true},
        {sums->y, one, 1, moments->weights_below, has_weights, true},
        {sums->abs_y, one, 1, moments->sum_weights_abs, has_weights, false},
    };
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        struct rational value = rational(format, rows[r].over, rows[r].units, rows[r].under);
        const double expected = rows[r].is_below ? rounded_down(&value) : rounded_up(&value);
        assert_true(rows[r].is_wanted ? expected == rows[r].measured : isnan(rows[r].measured));
        tally->moments += rows[r].is_wanted;
        free_rational(&value);
    }
    const bool has_negative = mpz_cmp(sums->y, sums->abs_y) != 0;
    assert_true(has_weights ? moments->negative_weights == has_negative : isnan(moments->negative_weights));
    mpz_clears(one, n, offset, range, least, (mpz_ptr)0);
}

static void compare_roundings(const struct input *input, const struct exact_sum *exact, const struct rational *value,
                              int sign, struct tally *tally)
{
    for (size_t f = 0; f < NUMBER_FORMAT_COUNT; f++) {
        const double expected = nearest_of(value, NUMBER_FORMATS[f], &tally->ties);
        const double rounded = exact_round(exact->sum, NUMBER_FORMATS[f]);
        assert_true(fabs(rounded) == expected && (sign == 0 || (signbit(rounded) != 0) == (sign < 0)));
        tally->roundings++;
        tally->subnormal +=
            expected != 0 && expected < ldexp(1, NUMBER_FORMATS[f]->least_exponent + NUMBER_FORMATS[f]->precision - 1);
        tally->beyond += expected == INFINITY;
        tally->twin_twice += rounded_to(exact_round(exact->sum, &FORMAT_BINARY64), NUMBER_FORMATS[f]) != rounded;
        if (NUMBER_FORMATS[f] == input->format)
            assert_true(exact->nearest == rounded);
    }
    for (size_t c = 0; c < 2; c++) { /* errors of numbers near the value and elsewhere */
        const double nearest = fabs(exact_round(exact->sum, input->format));
        const double numbers[] = {nearest, rounded_to(nearest / 3, input->format)};
        mpfr_t error;
        if (!isfinite(numbers[c]))
            continue;
        mpfr_init2(error, DBL_MANT_DIG);
        (void)(mpfr_sgn(exact->sum) < 0 ? mpfr_add_d(error, exact->sum, numbers[c], MPFR_RNDA)
                                        : mpfr_sub_d(error, exact->sum, numbers[c], MPFR_RNDA));
        assert_true(fabs(mpfr_get_d(error, MPFR_RNDA)) == error_up(numbers[c], value));
        tally->errors++;
        mpfr_clear(error);
    }
}

static double condition_of(struct rational *value, struct rational *scale, size_t *ties)
{
    if (mpz_sgn(value->over) == 0)
        return mpz_sgn(scale->over) == 0 ? 1 : INFINITY;
    struct rational condition = {.is_root = value->is_root};
    mpz_init_set(condition.over, scale->over);
    mpz_init_set(condition.under, value->over);
    const double nearest = nearest_of(&condition, &FORMAT_BINARY64, ties);
    free_rational(&condition);
    return nearest;
}

/* Wrong on purpose: N, and what is subtracted from the mean of squares. */
static void compare_twins(enum exact_statistic of, const struct input *input, const struct exact_sum *exact,
                          const struct rational *value, const struct rational *scale, struct tally *tally)
{
    size_t ties = 0;
    struct rational twin = {.is_root = value->is_root};
    mpz_init_set(twin.over, value->over);
    mpz_init(twin.under);
    mpz_divexact_ui(twin.under, value->under, input->n - (of >= EXACT_VARIANCE ? input->ddof : 0));
    mpz_mul_ui(twin.under, twin.under, input->n + 1);
    const double nearest = fabs(exact_round(exact->sum, &FORMAT_BINARY64));
    tally->twin_n += nearest_of(&twin, &FORMAT_BINARY64, &ties) != nearest;
    if (of == EXACT_VARIANCE)
        tally->twin_no_mean += nearest_of(scale, &FORMAT_BINARY64, &ties) != nearest;
    free_rational(&twin);
}

static void compare_finite(enum exact_statistic of, const struct input *input, const struct exact_sum *exact,
                           const struct moments *moments, struct tally *tally)
{
    struct integers sums;
    struct rational value, scale;
    size_t no_ties = 0;
    sum_integers(input, &sums);
    const int sign = value_of(of, input, &sums, &value, &scale);
    assert_int_equal(mpfr_zero_p(exact->sum) ? 0 : mpfr_sgn(exact->sum) < 0 ? -1 : 1, mpz_sgn(value.over) ? sign : 0);
    assert_int_equal(exact->is_rounded, !ends(&value));
    assert_int_equal(exact->sum_abs_is_rounded, !ends(&scale));
    assert_true(!exact->is_rounded ||
                (mpfr_min_prec(exact->sum) == mpfr_get_prec(exact->sum) && is_next_to(exact->sum, &value)));
    assert_true(!exact->sum_abs_is_rounded || is_next_to(exact->sum_abs, &scale));
    compare_roundings(input, exact, &value, sign, tally);
    assert_true(exact->abs_above == rounded_up(&value));
    assert_true(exact->sum_abs_above == rounded_up(&scale));
    assert_true(exact->condition == condition_of(&value, &scale, &no_ties) && exact->condition >= 1);
    if (of <= EXACT_STD)
        compare_twins(of, input, exact, &value, &scale, tally);
    tally->exact += !exact->is_rounded;
    tally->rounded += exact->is_rounded;
    tally->no_spread += of == EXACT_VARIANCE && mpz_sgn(value.over) == 0;
    compare_moments(of, input, &sums, moments, tally);
    free_rational(&value);
    free_rational(&scale);
    free_integers(&sums);
}

/* What is counted of x, or of the products. */
static void compare_counts(enum exact_statistic of, const struct input *input, const struct exact_sum *exact)
{
    static const char *const counted[] = {
        "n",       "nans",           "positive_infinities", "negative_infinities", "subnormals", "negative_zeros",
        "max_abs", "least_exponent", "largest_exponent"};
    struct exact_sum of_terms;
    size_t compared = 0;
    assert_int_equal(of < EXACT_MEAN_WEIGHTED
                         ? exact_sum(input->format, &input->x, input->n, &of_terms)
                         : exact_dot(input->format, (struct exact_how){0}, &input->x, &input->y, input->n, &of_terms),
                     OK);
    for (size_t f = 0; f < EXACT_FIELDS; f++)
        for (size_t c = 0; c < COUNT_OF(counted); c++)
            if (strcmp(exact_fields[f].name, counted[c]) == 0) {
                assert_true(same_field(&of_terms, exact, &exact_fields[f]));
                compared++;
            }
    assert_int_equal(compared, COUNT_OF(counted));
    exact_free(&of_terms);
}

static void compare_statistic(enum exact_statistic of, const struct input *input, struct tally *tally)
{
    struct exact_sum exact;
    struct moments moments;
    assert_int_equal(evaluate(of, input, &exact, &moments), OK);
    const double special = special_of(of, input);
    assert_int_equal(exact.kind, kind_of_double(special));
    assert_true(moments.n == (double)input->n);
    compare_counts(of, input, &exact);
    if (exact.kind == EXACT_FINITE) {
        compare_finite(of, input, &exact, &moments, tally);
    } else {
        assert_true(same_double(exact.nearest, special) && isnan(exact.condition) && isnan(exact.ulp));
        assert_true(isnan(exact.sum_abs_above) && isnan(moments.max_abs) && isnan(moments.sum_squares));
        tally->undefined += exact.kind == EXACT_NAN;
        tally->infinite += exact.kind == EXACT_INF;
    }
    tally->values++;
    exact_free(&exact);
}

static size_t tries = 10000;

static void every_statistic_is_the_one_of_integers(void **state)
{
    struct tally tally = {0};
    (void)state;
    for (size_t round = 0; round < tries; round++) {
        const struct input input = random_input(round);
        for (unsigned of = 0; of < STATISTICS; of++)
            compare_statistic((enum exact_statistic)of, &input, &tally);
    }
    const size_t finite = tally.values - tally.undefined - tally.infinite;
    printf("%zu values: %zu undefined, %zu infinite; %zu exact, %zu rounded; %zu roundings, %zu ties, %zu subnormal, "
           "%zu beyond; %zu errors, %zu moments\n",
           tally.values, tally.undefined, tally.infinite, tally.exact, tally.rounded, tally.roundings, tally.ties,
           tally.subnormal, tally.beyond, tally.errors, tally.moments);
    assert_int_equal(tally.values, STATISTICS * tries);
    assert_int_equal(tally.exact + tally.rounded, finite);
    assert_int_equal(tally.roundings, NUMBER_FORMAT_COUNT * finite);
    assert_true(finite > tally.values / 2 && tally.moments > 3 * finite && tally.errors > finite);
    const size_t seen[] = {tally.undefined, tally.infinite,  tally.exact,  tally.rounded,      tally.ties,
                           tally.subnormal, tally.no_spread, tally.twin_n, tally.twin_no_mean, tally.twin_twice};
    for (size_t s = 0; s < COUNT_OF(seen); s++)
        assert_true(seen[s] > tries / 100);
}

/* Next to 1, by 2^-208 / 5, where sum |x| is 5: a sum that needs more bits than its scale. */
static void a_short_scale_shortens_no_sum(void **state)
{
    struct tally tally = {0};
    const struct input input = {
        .format = &FORMAT_BINARY64,
        .n = 5,
        .x.wide = {5 - 0x1p-50, 0x1p-50 - 0x1p-103, 0x1p-103 - 0x1p-156, 0x1p-156 - 0x1p-209, -0x1p-209}};
    (void)state;
    compare_statistic(EXACT_MEAN, &input, &tally);
    assert_int_equal(tally.rounded, 1);
}

/* ---- what is known ---- */

static double value(enum exact_statistic of, uint64_t ddof, uint64_t n, const double *x, const double *y)
{
    struct exact_sum exact;
    struct moments moments;
    assert_int_equal(exact_statistic(of, ddof, &FORMAT_BINARY64, (struct exact_how){0}, x, y, n, &exact, &moments), OK);
    const double nearest = exact.nearest;
    exact_free(&exact);
    return nearest;
}

static void a_sum_out_of_range_is_none_of_a_mean(void **state)
{
    (void)state;
    assert_true(value(EXACT_MEAN, 0, 2, (const double[]){DBL_MAX, DBL_MAX}, NULL) == DBL_MAX);
    assert_true(value(EXACT_RMS, 0, 2, (const double[]){DBL_MAX, -DBL_MAX}, NULL) == DBL_MAX);
    assert_true(value(EXACT_STD, 0, 2, (const double[]){DBL_MAX, -DBL_MAX}, NULL) == DBL_MAX);
    assert_true(isinf(value(EXACT_STD, 1, 2, (const double[]){DBL_MAX, -DBL_MAX}, NULL))); /* by root 2 larger */
    assert_true(value(EXACT_COSINE, 0, 2, (const double[]){DBL_MAX, 0x1p-1074}, (const double[]){DBL_MAX, 0}) == 1);
}

static void zeros_have_signs(void **state)
{
    static const double zeros[] = {-0.0, -0.0}, weights[] = {-1, -1}, one[] = {0, 1}, other[] = {1, 0};
    (void)state;
    assert_true(same_double(value(EXACT_MEAN, 0, 2, zeros, NULL), -0.0));
    assert_true(same_double(value(EXACT_MEAN_SQUARE, 0, 2, zeros, NULL), 0.0));
    assert_true(same_double(value(EXACT_STD, 0, 2, zeros, NULL), 0.0));
    assert_true(same_double(value(EXACT_MEAN_WEIGHTED, 0, 2, zeros, weights), -0.0)); /* 0 / -2 */
    assert_true(same_double(value(EXACT_COSINE, 0, 2, one, other), 0.0));
}

/* Seconds of a year's ends: a binary64 loop is 1,000 ulp off. */
static void timestamps_have_this_variance(void **state)
{
    static const double x[] = {1577836800e9, 1609372800e9};
    (void)state;
    assert_true(value(EXACT_VARIANCE, 0, 2, x, NULL) == 15768e12 * 15768e12);
    assert_true(value(EXACT_VARIANCE, 1, 2, x, NULL) == 2 * (15768e12 * 15768e12));
    assert_true(value(EXACT_STD, 0, 2, x, NULL) == 15768e12);
    const double mean_of_squares = (x[0] * x[0] + x[1] * x[1]) / 2, mean = (x[0] + x[1]) / 2;
    assert_true(mean_of_squares - mean * mean != 15768e12 * 15768e12); /* the twin */
}

/* ---- NIST's Statistical Reference Datasets ---- */

enum { DIGITS_OF_PI = 5000, LONGEST_SET = DIGITS_OF_PI };

/* The set has a 3 where pi has an 8, and the values that are certified are those of the set. */
enum { WRONG_DIGIT = 956 };

static uint64_t digits_of_pi(double *x)
{
    mpfr_t pi;
    mpfr_exp_t exponent;
    mpfr_init2(pi, 4 * DIGITS_OF_PI);
    (void)mpfr_const_pi(pi, MPFR_RNDZ);
    char *const digits = mpfr_get_str(NULL, &exponent, 10, DIGITS_OF_PI, pi, MPFR_RNDZ);
    for (size_t i = 0; i < DIGITS_OF_PI; i++)
        x[i] = digits[i] - '0';
    assert_true(x[WRONG_DIGIT] == 8);
    x[WRONG_DIGIT] = 3;
    mpfr_free_str(digits);
    mpfr_clear(pi);
    return DIGITS_OF_PI;
}

/* One middle, then 500 of each of its neighbours in turn. */
static uint64_t alternating(double *x, double middle)
{
    x[0] = middle;
    for (size_t i = 1; i <= 1000; i++)
        x[i] = i % 2 == 1 ? middle - 1 : middle + 1;
    return 1001;
}

/* The 15 digits that are certified, of numbers that stand as integers: times 10^power, so that none is rounded. */
static void has_digits(const double *x, uint64_t n, int power, const char *mean, const char *deviation)
{
    const enum exact_statistic rows[] = {EXACT_MEAN, EXACT_STD};
    const char *const certified[] = {mean, deviation};
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        struct exact_sum exact;
        struct moments moments;
        assert_int_equal(exact_statistic(rows[r], 1, &FORMAT_BINARY64, (struct exact_how){.verify = true}, x, NULL, n,
                                         &exact, &moments),
                         OK);
        mpfr_t scale;
        mpfr_init2(scale, 64);
        mpfr_ui_pow_ui(scale, 10, (unsigned)power, MPFR_RNDN);
        mpfr_prec_round(exact.sum, 400, MPFR_RNDN);
        mpfr_div(exact.sum, exact.sum, scale, MPFR_RNDN);
        char *const digits = exact_decimal(exact.sum, 15);
        assert_string_equal(digits, certified[r]);
        assert_string_not_equal(mean, deviation); /* the twin */
        free(digits);
        mpfr_clear(scale);
        exact_free(&exact);
    }
}

static void has_digits_of_offsets(const double *offsets, uint64_t n, double from, int power, const char *mean,
                                  const char *deviation)
{
    static double x[LONGEST_SET];
    for (uint64_t i = 0; i < n; i++)
        x[i] = from + offsets[i];
    has_digits(x, n, power, mean, deviation);
}

static void nist_certifies_these_digits(void **state)
{
    static double x[LONGEST_SET];
    (void)state;
    has_digits(x, digits_of_pi(x), 0, "4.53480000000000e+00", "2.86733906028871e+00");
    has_digits(lottery, COUNT_OF(lottery), 0, "5.18958715596330e+02", "2.91699727470969e+02");
    has_digits(lew, COUNT_OF(lew), 0, "-1.77435000000000e+02", "2.77332168044316e+02");
    has_digits_of_offsets(mavro, COUNT_OF(mavro), 200000, 5, "2.00185600000000e+00", "4.29123454003053e-04");
    has_digits_of_offsets(michelso, COUNT_OF(michelso), 29900, 2, "2.99852400000000e+02", "7.90105478190518e-02");
    has_digits((const double[]){10000001, 10000003, 10000002}, 3, 0, "1.00000020000000e+07", "1.00000000000000e+00");
    has_digits(x, alternating(x, 12), 1, "1.20000000000000e+00", "1.00000000000000e-01");
    has_digits(x, alternating(x, 10000002), 1, "1.00000020000000e+06", "1.00000000000000e-01");
    has_digits(x, alternating(x, 100000002), 1, "1.00000002000000e+07", "1.00000000000000e-01");
}

/* ---- many numbers ---- */

static void are_same(const struct exact_sum *one, const struct exact_sum *other, const struct moments *moments,
                     const struct moments *other_moments)
{
    double fields[2][sizeof *moments / sizeof(double)];
    assert_null(exact_difference(one, other));
    memcpy(fields[0], moments, sizeof *moments);
    memcpy(fields[1], other_moments, sizeof *moments);
    for (size_t f = 0; f < COUNT_OF(fields[0]); f++)
        assert_true(same_double(fields[0][f], fields[1][f]));
}

static void threads_change_nothing(void **state)
{
    static float x[MANY], y[MANY];
    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        x[i] = (float)of_one_size(&FORMAT_BINARY32);
        y[i] = (float)zero_or_not(&FORMAT_BINARY32);
    }
    x[MANY - 1] = 3; /* the largest is the last thread's */
    for (unsigned of = 0; of < STATISTICS; of++) {
        struct exact_sum exact[2];
        struct moments moments[2];
        for (unsigned t = 0; t < 2; t++)
            assert_int_equal(exact_statistic((enum exact_statistic)of, 1, &FORMAT_BINARY32,
                                             (struct exact_how){.workers = 1 + 2 * t}, x, y, MANY, &exact[t],
                                             &moments[t]),
                             OK);
        are_same(&exact[0], &exact[1], &moments[0], &moments[1]);
        exact_free(&exact[0]);
        exact_free(&exact[1]);
    }
}

static void repeated_data_are_data(void **state)
{
    size_t compared = 0, twin_differs = 0;
    (void)state;
    for (size_t round = 0; round < 600; round++) {
        struct input input = random_input(round);
        const uint64_t period = input.n < 1 ? 1 : input.n < 6 ? input.n : 6, n = below(MOST + 1);
        for (uint64_t i = 0; i < n; i++) {
            held_set(input.format, &input.x, i, held_number(input.format, &input.x, i % period));
            held_set(input.format, &input.y, i, held_number(input.format, &input.y, i % period));
        }
        input.n = n;
        for (unsigned of = 0; of < STATISTICS; of++) {
            struct exact_sum exact, repeated, twin;
            struct moments moments, same;
            assert_int_equal(evaluate((enum exact_statistic)of, &input, &exact, &moments), OK);
            for (uint64_t less = 2; less-- > 0;) /* the twin first */
                assert_int_equal(exact_statistic_repeated((enum exact_statistic)of, input.ddof, input.format, &input.x,
                                                          &input.y, period, n + less, less ? &twin : &repeated, &same),
                                 OK);
            are_same(&exact, &repeated, &moments, &same);
            twin_differs += exact_difference(&exact, &twin) != NULL;
            compared++;
            exact_free(&exact);
            exact_free(&repeated);
            exact_free(&twin);
        }
    }
    assert_int_equal(compared, 600 * STATISTICS);
    assert_true(twin_differs == compared); /* n differs, if nothing else */
}

/* ---- for test_statistic_integers.py ---- */

static void print_numbers(const struct input *input, const union numbers *numbers)
{
    printf(" %" PRIu64, input->n);
    for (uint64_t i = 0; i < input->n; i++)
        printf(" %a", held_number(input->format, numbers, i));
}

static int print_results(uint64_t seed, size_t count)
{
    seed_random(seed);
    for (size_t round = 0; round < count * STORED_FORMAT_COUNT; round++) {
        const struct input input = random_input(round);
        for (unsigned of = 0; of < STATISTICS; of++) {
            struct exact_sum exact;
            struct moments moments;
            if (evaluate((enum exact_statistic)of, &input, &exact, &moments) != OK)
                return 1;
            printf("%s %" PRIu64 " %s", names[of], input.ddof, input.format->name);
            print_numbers(&input, &input.x);
            print_numbers(&input, &input.y);
            printf(" %a %a %a %a\n", exact.nearest, exact.abs_above, exact.sum_abs_above, exact.condition);
            exact_free(&exact);
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "--print") == 0)
        return print_results(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
    if (argc > 2 && strcmp(argv[1], "--tries") == 0)
        tries = strtoull(argv[2], NULL, 10);
    seed_random(tries);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_statistic_is_the_one_of_integers),
        cmocka_unit_test(a_short_scale_shortens_no_sum),
        cmocka_unit_test(a_sum_out_of_range_is_none_of_a_mean),
        cmocka_unit_test(zeros_have_signs),
        cmocka_unit_test(timestamps_have_this_variance),
        cmocka_unit_test(nist_certifies_these_digits),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(repeated_data_are_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

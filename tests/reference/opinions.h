/* What the exact sum of an input should be, in every field, by code that shares nothing with reference/exact: the sum
 * by one mpfr_add per term, by mpfr_sum, which has an algorithm of its own (Lefevre, ARITH 2017), and in GMP integers,
 * which also round it; the rest by the classes of <math.h>.
 *
 *   disagreement(&input, &exact)      NULL, or the name of what differs first
 */
#ifndef ULPSCOPE_TESTS_OPINIONS_H
#define ULPSCOPE_TESTS_OPINIONS_H

#include "exact_fields.h"
#include "fixed.h"
#include "tests/support/adversarial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <limits.h>
#include <string.h>

static const struct format *const data_formats[] = {&FORMAT_BINARY32, &FORMAT_BINARY64};

static inline bool is_binary32(const struct format *format)
{
    return format->bytes == sizeof(float);
}

struct input {
    const struct format *format;
    union {
        float binary32[LENGTH_MOST];
        double binary64[LENGTH_MOST];
    } x;
    size_t n;
};

static inline double term_of(const struct input *input, size_t i)
{
    return element_of(input->format, &input->x, i);
}

static inline void set_term(struct input *input, size_t i, double value)
{
    set_element(input->format, &input->x, i, value);
}

static inline void fill_input(struct input *input, const struct format *format, size_t which, size_t n)
{
    input->format = format;
    input->n = n;
    fills[which](format, &input->x, n);
}

/* NaN of any payload, infinities and zeros in a few places. */
static inline void sprinkle(struct input *input)
{
    static const double specials[] = {INFINITY, -INFINITY, INFINITY, -0.0, 0};
    const size_t count = sizeof specials / sizeof *specials;
    const size_t which = below(count + 1);
    for (uint64_t left = input->n > 0 ? 1 + below(3) : 0; left > 0; left--) {
        const size_t i = below(input->n), kind = below(2) ? which : below(count + 1);
        const uint64_t sign = next_random() & 1, payload = 1 + below(2000);
        const uint32_t narrow = (uint32_t)(sign << 31 | 0x7f800000 | payload);
        const uint64_t wide = sign << 63 | 0x7ff0000000000000 | payload;
        if (kind < count)
            set_term(input, i, specials[kind]);
        else if (is_binary32(input->format))
            memcpy(input->x.binary32 + i, &narrow, sizeof narrow);
        else
            memcpy(input->x.binary64 + i, &wide, sizeof wide);
    }
}

/* ---- three more opinions of the sum of finite terms, and of their absolute values ---- */

enum { BITS = 2098 + 64 }; /* of binary64; there are enough for binary32, too */

static inline void add_term_by_term(const struct input *input, mpfr_t sum, mpfr_t sum_abs)
{
    mpfr_t term;
    mpfr_init2(term, 53);
    mpfr_set_zero(sum, 1);
    mpfr_set_zero(sum_abs, 1);
    for (size_t i = 0; i < input->n; i++) {
        assert_int_equal(is_binary32(input->format) ? mpfr_set_flt(term, input->x.binary32[i], MPFR_RNDN)
                                                    : mpfr_set_d(term, input->x.binary64[i], MPFR_RNDN),
                         0);
        assert_int_equal(mpfr_add(sum, sum, term, MPFR_RNDN), 0);
        mpfr_abs(term, term, MPFR_RNDN);
        assert_int_equal(mpfr_add(sum_abs, sum_abs, term, MPFR_RNDN), 0);
    }
    mpfr_clear(term);
}

static inline void sum_by_mpfr_sum(const struct input *input, mpfr_t sum, mpfr_t sum_abs)
{
    static mpfr_t terms[LENGTH_MOST];
    static mpfr_ptr addresses[LENGTH_MOST];
    for (size_t i = 0; i < input->n; i++) {
        if (!addresses[i])
            mpfr_init2(terms[i], 53);
        addresses[i] = terms[i];
        mpfr_set_d(terms[i], term_of(input, i), MPFR_RNDN);
    }
    assert_int_equal(mpfr_sum(sum, addresses, input->n, MPFR_RNDN), 0);
    for (size_t i = 0; i < input->n; i++)
        mpfr_abs(terms[i], terms[i], MPFR_RNDN);
    assert_int_equal(mpfr_sum(sum_abs, addresses, input->n, MPFR_RNDN), 0);
}

static inline void sum_in_integers(const struct input *input, mpfr_t sum, mpfr_t sum_abs)
{
    mpz_t units, units_abs;
    mpz_inits(units, units_abs, (mpz_ptr)0);
    fixed_sum(input->format, &input->x, input->n, units, units_abs);
    assert_int_equal(mpfr_set_z_2exp(sum, units, is_binary32(input->format) ? -149 : -1074, MPFR_RNDN), 0);
    assert_int_equal(mpfr_set_z_2exp(sum_abs, units_abs, is_binary32(input->format) ? -149 : -1074, MPFR_RNDN), 0);
    mpz_clears(units, units_abs, (mpz_ptr)0);
}

static const struct {
    const char *name;
    void (*sum)(const struct input *input, mpfr_t sum, mpfr_t sum_abs);
} opinions[] = {
    {"one mpfr_add per term", add_term_by_term},
    {"mpfr_sum", sum_by_mpfr_sum},
    {"GMP integers", sum_in_integers},
};
enum { OPINIONS = sizeof opinions / sizeof *opinions };

static inline bool opinion_agrees(size_t which, const struct input *finite, const struct exact_sum *exact)
{
    mpfr_t sum, sum_abs;
    mpfr_inits2(BITS, sum, sum_abs, (mpfr_ptr)0);
    opinions[which].sum(finite, sum, sum_abs);
    const bool same =
        (exact->kind != EXACT_FINITE || mpfr_equal_p(sum, exact->sum)) && mpfr_equal_p(sum_abs, exact->sum_abs);
    mpfr_clears(sum, sum_abs, (mpfr_ptr)0);
    return same;
}

/* ---- the other fields, derived once more ---- */

/* Counts what is special, copies what is finite. */
static inline void look_at_terms(const struct input *input, struct exact_sum *expected, struct input *finite)
{
    finite->format = input->format;
    finite->n = 0;
    for (size_t i = 0; i < input->n; i++) {
        const double x = term_of(input, i);
        const int class = is_binary32(input->format) ? fpclassify((float)x) : fpclassify(x);
        const int normal = is_binary32(input->format) ? -126 : -1022;
        int exponent; /* |x| = [1/2, 1) 2^exponent */
        frexp(x, &exponent);
        expected->nans += isnan(x) ? 1 : 0;
        expected->positive_infinities += x == INFINITY;
        expected->negative_infinities += x == -INFINITY;
        expected->negative_zeros += class == FP_ZERO && signbit(x);
        expected->subnormals += class == FP_SUBNORMAL;
        if (!isfinite(x))
            continue;
        set_term(finite, finite->n++, x);
        expected->max_abs = fabs(x) > expected->max_abs ? fabs(x) : expected->max_abs;
        if (x == 0)
            continue;
        exponent = class == FP_SUBNORMAL ? normal : exponent - 1;
        expected->least_exponent = exponent < expected->least_exponent ? exponent : expected->least_exponent;
        expected->largest_exponent = exponent > expected->largest_exponent ? exponent : expected->largest_exponent;
    }
}

static inline void make_special(struct exact_sum *expected)
{
    if (expected->nans > 0 || (expected->positive_infinities > 0 && expected->negative_infinities > 0)) {
        expected->kind = EXACT_NAN;
        mpfr_set_nan(expected->sum);
    } else if (expected->positive_infinities + expected->negative_infinities > 0) {
        expected->kind = EXACT_INF;
        mpfr_set_inf(expected->sum, expected->negative_infinities > 0 ? -1 : 1);
    } else if (mpfr_zero_p(expected->sum)) {
        mpfr_set_zero(expected->sum, expected->n > 0 && expected->negative_zeros == expected->n ? -1 : 1);
    }
}

static inline double condition_of(const mpfr_t sum, const mpfr_t sum_abs)
{
    if (mpfr_zero_p(sum))
        return mpfr_zero_p(sum_abs) ? 1 : INFINITY;
    mpfr_t quotient;
    mpfr_init2(quotient, 53);
    mpfr_div(quotient, sum_abs, sum, MPFR_RNDN);
    const double condition = fabs(mpfr_get_d(quotient, MPFR_RNDN));
    mpfr_clear(quotient);
    return condition;
}

static inline double ulp_of(const mpfr_t sum, const struct format *format)
{
    const int least = is_binary32(format) ? -149 : -1074, digits = is_binary32(format) ? 24 : 53;
    const int last = mpfr_zero_p(sum) ? least : (int)mpfr_get_exp(sum) - digits;
    return ldexp(1, last > least ? last : least);
}

/* What follows from the sums of the finite terms and the counts. */
static inline void conclude_expected(struct exact_sum *expected)
{
    make_special(expected);
    const bool is_finite = expected->kind == EXACT_FINITE;
    expected->condition = is_finite ? condition_of(expected->sum, expected->sum_abs) : NAN;
    expected->ulp = is_finite ? ulp_of(expected->sum, expected->format) : NAN;
    expected->nearest = is_binary32(expected->format) ? (double)mpfr_get_flt(expected->sum, MPFR_RNDN)
                                                      : mpfr_get_d(expected->sum, MPFR_RNDN);
    expected->sum_abs_above = is_finite ? mpfr_get_d(expected->sum_abs, MPFR_RNDU) : NAN;
    expected->abs_above = fabs(mpfr_get_d(expected->sum, mpfr_signbit(expected->sum) ? MPFR_RNDD : MPFR_RNDU));
}

static inline struct exact_sum expected_of(const struct input *input, struct input *finite)
{
    struct exact_sum expected = {
        .format = input->format, .n = input->n, .least_exponent = INT_MAX, .largest_exponent = INT_MIN};
    mpfr_inits2(BITS, expected.sum, expected.sum_abs, (mpfr_ptr)0);
    look_at_terms(input, &expected, finite);
    add_term_by_term(finite, expected.sum, expected.sum_abs);
    conclude_expected(&expected);
    return expected;
}

/* ---- rounding, in integers ---- */

/* A sum in units of from's least subnormal rounds to so much. */
static inline bool integer_rounds_to(const struct format *from, const mpz_t sum, const struct format *to,
                                     double rounded)
{
    const uint64_t bits = fixed_nearest_bits(from, sum, to), sign = UINT64_C(1) << (8 * to->bytes - 1);
    const uint64_t hidden = UINT64_C(1) << (to->precision - 1), field = (bits & ~sign) / hidden;
    const double magnitude = field < finite_fields(to) ? number_of(to, (uint32_t)field, bits % hidden) : INFINITY;
    const double expected = bits & sign ? -magnitude : magnitude;
    return mpz_sgn(sum) == 0 ? rounded == 0 : double_bits(expected) == double_bits(rounded);
}

static inline bool integers_round_to(const struct input *finite, const struct format *to, double rounded)
{
    mpz_t sum, sum_abs;
    mpz_inits(sum, sum_abs, (mpz_ptr)0);
    fixed_sum(finite->format, &finite->x, finite->n, sum, sum_abs);
    const bool same = integer_rounds_to(finite->format, sum, to, rounded);
    mpz_clears(sum, sum_abs, (mpz_ptr)0);
    return same;
}

/* ---- all of them ---- */

static const struct format *const result_formats[] = {&FORMAT_BINARY16, &FORMAT_BFLOAT16, &FORMAT_BINARY32,
                                                      &FORMAT_BINARY64};
enum { RESULT_FORMATS = sizeof result_formats / sizeof *result_formats };

/* What differs first from what the exact sum should be; NULL: nothing. */
static inline const char *disagreement(const struct input *input, const struct exact_sum *exact)
{
    static struct input finite;
    struct exact_sum expected = expected_of(input, &finite);
    const char *difference = exact_difference(exact, &expected);
    exact_free(&expected);
    for (size_t i = 0; !difference && i < OPINIONS; i++)
        if (!opinion_agrees(i, &finite, exact))
            difference = opinions[i].name;
    for (size_t i = 0; !difference && exact->kind == EXACT_FINITE && i < RESULT_FORMATS; i++)
        if (!integers_round_to(&finite, result_formats[i], exact_round(exact->sum, result_formats[i])))
            difference = result_formats[i]->name;
    return difference;
}

#endif

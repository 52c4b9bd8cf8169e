/* Exact softmax, log-softmax, logsumexp and cross-entropy against MPFR's exponentials and logarithms of 2,000 bits: the
 * nearest number and the ulp to the bit, errors never too small; the bounds that exp_integer.c and scaled.c claim; what
 * is known of some rows.  test_softmax_decimal.py has them once more, by Python's decimal numbers.
 *
 *   tests_reference test_exact_softmax [--tries N [--seed K] | --print SEED N]     N elements of each format and
 * operation tests_reference test_exact_softmax --results N [--seed K]     so many logsumexp and cross-entropies of each
 * format, alone
 */
#include "reference/exp_integer.h"
#include "reference/rounding.h"
#include "reference/scaled.h"
#include "reference/softmax.h"

#include "number_kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROW_MOST = 32, BITS = 2000 };
enum what { SOFTMAX, LOG_SOFTMAX, LOGSUMEXP, CROSS_ENTROPY, WHATS };
static const char *const names[] = {"softmax", "log_softmax", "logsumexp", "cross_entropy"};

/* ---- the exponentials as integers ---- */

/* |v - e^r| in units. */
static double units_off(double high, double low)
{
    mpfr_t exact, computed, part;
    int k;
    const limbs_wide v = exp_integer(high, low, &k);
    mpfr_inits2(BITS, exact, computed, part, (mpfr_ptr)0);
    (void)mpfr_set_d(exact, high, MPFR_RNDN);
    (void)mpfr_add_d(exact, exact, low, MPFR_RNDN);
    (void)mpfr_exp(exact, exact, MPFR_RNDN);
    (void)mpfr_set_uj_2exp(computed, (uint64_t)(v >> 64), 64, MPFR_RNDN);
    (void)mpfr_set_uj(part, (uint64_t)v, MPFR_RNDN);
    (void)mpfr_add(computed, computed, part, MPFR_RNDN);
    (void)mpfr_mul_2si(exact, exact, EXP_PLACES + k, MPFR_RNDN);
    (void)mpfr_sub(exact, exact, computed, MPFR_RNDN);
    const double off = fabs(mpfr_get_d(exact, MPFR_RNDN));
    mpfr_clears(exact, computed, part, (mpfr_ptr)0);
    assert_true(k >= 1 && v > (limbs_wide)1 << 125 && v < ((limbs_wide)1 << 127) + ((limbs_wide)1 << 98));
    return off;
}

static uint64_t exponentials = 20000;

/* The twins: half of EXP_OFF is too little, and so is what r alone loses. */
static void exponentials_are_as_near_as_they_claim(void **state)
{
    double most = 0;
    uint64_t beyond_6 = 0, beyond_9 = 0;
    (void)state;
    exp_integer_begin();
    for (uint64_t t = 0; t < exponentials; t++) {
        const double size = ldexp(1, (int)below(40) - 29), share = (double)(next_random() >> 11) * 0x1p-53;
        const double high = below(4) ? -share * (double)-EXP_LEAST : -share * size;
        const double low = below(2) ? 0 : ldexp(high, -54) * ((double)below(1 << 20) * 0x1p-19 - 1);
        const double off = units_off(high <= EXP_LEAST ? -1 : high, high <= EXP_LEAST ? 0 : low);
        most = off > most ? off : most;
        beyond_6 += off > 6;
        beyond_9 += off > EXP_OFF / 2 - 1;
    }
    printf("%" PRIu64 " exponentials, off by up to %.2f of %d; %" PRIu64 " by more than 6, %" PRIu64 " than 9\n",
           exponentials, most, EXP_OFF, beyond_6, beyond_9);
    assert_true(most < EXP_OFF && beyond_6 > exponentials / 1000);
    assert_true(units_off(0, 0) < EXP_OFF && units_off(-1099.99, 0) < EXP_OFF && units_off(-DBL_TRUE_MIN, 0) < EXP_OFF);
}

/* ---- rows ---- */

struct input {
    enum what what;
    const struct format *format, *result;
    uint64_t n;
    union numbers {
        float narrow[ROW_MOST];
        double wide[ROW_MOST];
    } x, y, computed;
};

static double normal(double spread)
{
    double sum = 0;
    for (int k = 0; k < 4; k++)
        sum += (double)(int64_t)next_random() * 0x1p-63;
    return sum * spread;
}

/* x_i of a family of rows, before it is rounded. */
static double logit(unsigned family, uint64_t i, double spread, const struct format *format)
{
    switch (family) {
    case 0: /* all equal, some masked */
        return below(6) ? spread : -INFINITY;
    case 1: /* one dominant, by as much as a format holds; others masked */
        return i == 1 ? spread : below(4) ? spread - 30 - fabs(spread) * (double)below(3) : -INFINITY;
    case 2: /* two close ones */
        return i < 2 ? spread + (double)i * ldexp(spread, -format->precision) : spread - (double)below(40);
    case 3: /* few different numbers */
        return (double)below(4) - 2;
    case 4: /* no difference that an exponential of 53 bits shows */
        return ldexp((double)below(8) - 3, format->least_exponent + (int)below(60));
    case 5: /* every exponent */
        return any_finite(format);
    case 6: /* one number */
        return i == 0 ? spread : -INFINITY;
    case 7: /* integers that differ by about as much as the range of the result */
        return below(2) ? -(double)below(1000) : 0;
    default:
        return normal(spread);
    }
}

static void random_input(uint64_t round, enum what what, struct input *input)
{
    const struct format *format = NUMBER_FORMATS[round % STORED_FORMAT_COUNT];
    const unsigned family = (unsigned)below(16);
    const double spreads[] = {1, 4, 10, 80, 400, 1e4, 0x1p-10};
    const double spread = below(8) ? (below(2) ? 1 : -1) * spreads[below(COUNT_OF(spreads))] : normal(3);
    *input = (struct input){.what = what,
                            .format = format,
                            .result = format->bytes == 1 || below(4) == 0 ? NUMBER_FORMATS[below(4)] : format,
                            .n = below(8) ? 1 + below(ROW_MOST) : 1 + below(3)};
    const bool is_one_hot = below(2);
    const uint64_t hot = below(input->n);
    for (uint64_t i = 0; i < input->n; i++) {
        const double x = rounded_to(logit(family, i, spread, format), format);
        held_set(format, &input->x, i, isnan(x) || x == INFINITY ? format_largest(format) : x);
        held_set(format, &input->y, i, is_one_hot ? i == hot : below(3) ? rounded_to(fabs(normal(0.3)), format) : 0);
    }
}

/* ---- by 2,000 bits ---- */

struct opinion {
    enum exact_kind kind;
    mpfr_t value, scale; /* to 2^-1980 of them, but for what is nearly a number, which `is_known` says */
    bool is_known;
};

static void set_difference(const struct input *input, uint64_t i, double largest, mpfr_t z)
{
    (void)mpfr_set_d(z, held_number(input->format, &input->x, i), MPFR_RNDN);
    (void)mpfr_sub_d(z, z, largest, MPFR_RNDN);
}

struct of_row {
    double largest;
    uint64_t unmasked;
    mpfr_t sum, log;
};

static void row_begin(const struct input *input, struct of_row *row)
{
    mpfr_t z;
    mpfr_inits2(3 * BITS, z, row->sum, row->log, (mpfr_ptr)0);
    mpfr_set_zero(row->sum, 1);
    row->largest = -INFINITY;
    row->unmasked = 0;
    for (uint64_t i = 0; i < input->n; i++)
        row->largest = fmax(row->largest, held_number(input->format, &input->x, i));
    for (uint64_t i = 0; i < input->n && isfinite(row->largest); i++) {
        row->unmasked += isfinite(held_number(input->format, &input->x, i)) ? 1 : 0;
        set_difference(input, i, row->largest, z);
        mpfr_set_prec(row->log, BITS);
        (void)mpfr_exp(row->log, z, MPFR_RNDN);
        (void)mpfr_add(row->sum, row->sum, row->log, MPFR_RNDN);
    }
    mpfr_set_prec(row->log, 3 * BITS);
    (void)mpfr_log(row->log, row->sum, MPFR_RNDN);
    mpfr_clear(z);
}

static void row_end(struct of_row *row)
{
    mpfr_clears(row->sum, row->log, (mpfr_ptr)0);
}

/* scale = max(|value|, least). */
static void set_scale(struct opinion *opinion, double least)
{
    (void)mpfr_set_d(opinion->scale, least, MPFR_RNDN);
    if (mpfr_cmpabs(opinion->value, opinion->scale) > 0)
        (void)mpfr_abs(opinion->scale, opinion->value, MPFR_RNDN);
}

static void opinion_of(const struct input *input, const struct of_row *row, uint64_t i, struct opinion *opinion)
{
    mpfr_t z, term;
    mpfr_inits2(3 * BITS, opinion->value, opinion->scale, z, (mpfr_ptr)0);
    mpfr_init2(term, BITS);
    opinion->kind = isfinite(row->largest) ? EXACT_FINITE : EXACT_NAN;
    set_difference(input, i, row->largest, z);
    switch (input->what) {
    case SOFTMAX:
        (void)mpfr_exp(term, z, MPFR_RNDN);
        (void)mpfr_div(opinion->value, term, row->sum, MPFR_RNDN);
        set_scale(opinion, 0);
        break;
    case LOG_SOFTMAX:
        (void)mpfr_sub(opinion->value, z, row->log, MPFR_RNDN);
        opinion->kind = mpfr_inf_p(z) && opinion->kind == EXACT_FINITE ? EXACT_INF : opinion->kind;
        set_scale(opinion, 1);
        break;
    case LOGSUMEXP:
        (void)mpfr_add_d(opinion->value, row->log, fabs(row->largest), MPFR_RNDN);
        set_scale(opinion, 1);
        (void)mpfr_add_d(opinion->value, row->log, row->largest, MPFR_RNDN);
        break;
    default: {
        mpfr_set_zero(opinion->value, 1);
        mpfr_set_zero(opinion->scale, 1);
        for (uint64_t k = 0; k < input->n; k++) {
            const double weight = held_number(input->format, &input->y, k);
            (void)mpfr_add_d(opinion->scale, opinion->scale, weight, MPFR_RNDN);
            set_difference(input, k, row->largest, z);
            (void)mpfr_sub(z, row->log, z, MPFR_RNDN);
            (void)mpfr_mul_d(z, z, weight, MPFR_RNDN);
            if (weight > 0)
                (void)mpfr_add(opinion->value, opinion->value, z, MPFR_RNDN);
        }
        opinion->kind = mpfr_inf_p(opinion->value) ? EXACT_INF : opinion->kind;
        (void)mpfr_max(opinion->scale, opinion->scale, opinion->value, MPFR_RNDN);
    }
    }
    mpfr_clears(z, term, (mpfr_ptr)0);
}

/* ---- comparisons ---- */

struct counts {
    uint64_t elements, by_integers, exactly_right, not_told, twins;
};

/* Whether some number within 2^-bits of value is nearer to another number: then 2,000 bits do not tell. */
static bool is_told(const mpfr_t value, const struct format *format)
{
    mpfr_t other;
    mpfr_init2(other, 3 * BITS);
    bool same = true;
    for (int side = -1; side < 2; side += 2) {
        (void)mpfr_mul_2si(other, value, -1900, MPFR_RNDN);
        (void)mpfr_mul_si(other, other, side, MPFR_RNDN);
        (void)mpfr_add(other, other, value, MPFR_RNDN);
        same = same && same_double(exact_round(other, format), exact_round(value, format)) &&
               exact_ulp(other, format) == exact_ulp(value, format);
    }
    mpfr_clear(other);
    return same;
}

/* |e| <= |error| <= |e| (1 + 2^-29), or less than the least number more; and of its sign: e is computed - s. */
static bool is_error(double error, double computed, const mpfr_t s)
{
    mpfr_t e, most;
    mpfr_inits2(8 * BITS, e, most, (mpfr_ptr)0);
    (void)mpfr_d_sub(e, computed, s, MPFR_RNDN);
    (void)mpfr_abs(most, s, MPFR_RNDN); /* what s is not known to */
    (void)mpfr_mul_2si(most, most, -1900, MPFR_RNDN);
    bool is_right = mpfr_cmpabs(e, most) <= 0 || (error < 0) == (mpfr_sgn(e) < 0);
    (void)mpfr_abs(e, e, MPFR_RNDN);
    (void)mpfr_sub(e, e, most, MPFR_RNDN);
    is_right = is_right && mpfr_cmp_d(e, fabs(error)) <= 0;
    if (isinf(error)) /* it is beyond binary64 */
        (void)mpfr_set_d(most, mpfr_cmp_d(e, DBL_MAX) > 0 ? error : 0, MPFR_RNDN);
    (void)mpfr_abs(most, most, MPFR_RNDN);
    (void)mpfr_add(most, most, e, MPFR_RNDN);
    (void)mpfr_mul_d(most, most, 1 + 0x1p-29, MPFR_RNDN);
    (void)mpfr_add_d(most, most, DBL_TRUE_MIN, MPFR_RNDN);
    is_right = is_right && mpfr_cmp_d(most, fabs(error)) >= 0;
    mpfr_clears(e, most, (mpfr_ptr)0);
    return is_right;
}

/* above is no less than |value|, and less than 2^-48 or the least number more. */
static bool is_above(double above, const mpfr_t value)
{
    return above >= fabs(mpfr_get_d(value, MPFR_RNDA)) * (1 - 0x1p-52) &&
           above <= fabs(mpfr_get_d(value, MPFR_RNDA)) * (1 + 0x1p-48) + DBL_TRUE_MIN;
}

/* NULL, or what differs. */
static const char *difference(const struct input *input, uint64_t i, const struct opinion *opinion,
                              const struct exact_element *element, struct counts *counts)
{
    const double computed = held_number(input->result, &input->computed, i);
    counts->elements++;
    if (element->kind != opinion->kind)
        return "kind";
    if (element->kind == EXACT_NAN)
        return isnan(element->nearest) && isnan(element->ulp) && element->error == 0 ? NULL : "NaN";
    if (element->kind == EXACT_INF)
        return isinf(element->nearest) && element->error == 0 ? NULL : "infinity";
    const bool lacks_bits = input->what != SOFTMAX && mpfr_zero_p(opinion->value) && element->abs_above > 0;
    const bool tells = !lacks_bits && is_told(opinion->value, input->result);
    counts->not_told += !tells;
    if (tells) {
        if (!same_double(element->nearest, exact_round(opinion->value, input->result)))
            return "nearest";
        if (element->ulp != exact_ulp(opinion->value, input->result))
            return "ulp";
    }
    counts->exactly_right += element->error == 0;
    return !isfinite(computed) ? same_double(element->error, computed) ? NULL : "error"
           : !is_error(element->error, computed, opinion->value) ? "error"
           : !is_above(element->abs_above, opinion->value)       ? "abs_above"
           : !is_above(element->sum_abs_above, opinion->scale)   ? "sum_abs_above"
                                                                 : NULL;
}

/* What is said of one in full: rounded to odd, as the opinion is, where that knows more bits. */
static const char *difference_in_full(enum what what, const struct exact_sum *exact, const struct opinion *opinion)
{
    if (exact->kind != EXACT_FINITE || !mpfr_regular_p(opinion->value) || !mpfr_regular_p(exact->sum) ||
        mpfr_get_exp(opinion->value) < (what == SOFTMAX ? -60000 : -BITS)) /* ln(1 + 2^-4000) lacks bits of 6,000 */
        return NULL;
    mpfr_t off, unit;
    const mpfr_prec_t bits = mpfr_get_prec(exact->sum);
    mpfr_init2(off, 3 * BITS);
    mpfr_init2(unit, DBL_MANT_DIG);
    (void)mpfr_sub(off, exact->sum, opinion->value, MPFR_RNDN);
    (void)mpfr_set_d(unit, 1 + 0x1p-50, MPFR_RNDN); /* the opinion is off, too */
    (void)mpfr_mul_2si(unit, unit, mpfr_get_exp(exact->sum) - (mpfr_exp_t)bits, MPFR_RNDN);
    const bool is_near = mpfr_cmpabs(off, unit) <= 0, is_odd = mpfr_min_prec(exact->sum) == bits;
    const bool is_known = bits < BITS - 100;
    mpfr_clears(off, unit, (mpfr_ptr)0);
    return exact->is_rounded && !is_odd ? "is_rounded" : is_known && !is_near ? "sum" : NULL;
}

static double beside(const mpfr_t value, const struct format *result)
{
    const double nearest = exact_round(value, result);
    const int64_t steps[] = {0, 0, 0, 0, 1, -1, (int64_t)below(1000)};
    const double step = isfinite(nearest) ? format_spacing(result, nearest) : 1;
    const double other = fabs(nearest) + (double)steps[below(COUNT_OF(steps))] * step;
    return below(50) == 0   ? any_finite(result)
           : below(50) == 0 ? format_value(result, format_bits(result, below(2) ? NAN : -INFINITY))
                            : copysign(rounded_to(other, result), nearest);
}

static uint64_t elements_of_each = 800;

static void compare_row(struct input *input, struct counts *counts)
{
    struct exact_element elements[ROW_MOST];
    struct opinion opinions[ROW_MOST];
    struct of_row of_row;
    struct exact_row *row;
    row_begin(input, &of_row);
    assert_int_equal(exact_softmax_row(input->what == LOG_SOFTMAX, input->format, (struct exact_how){.verify = true},
                                       &input->x, input->n, &row),
                     OK);
    for (uint64_t i = 0; i < input->n; i++) {
        opinion_of(input, &of_row, i, &opinions[i]);
        held_set(input->result, &input->computed, i, beside(opinions[i].value, input->result));
    }
    assert_int_equal(exact_row_elements(row, input->result, &input->computed, 0, input->n, 1, elements), OK);
    for (uint64_t i = 0; i < input->n; i++) {
        struct exact_element element;
        FREED_BY(exact_free) struct exact_sum exact = {0};
        const double computed = held_number(input->result, &input->computed, i);
        counts->by_integers += row->kind->quick(row, input->result, i, computed, &element);
        assert_int_equal(exact_row_element(row, i, &exact), OK);
        const char *differs = difference(input, i, &opinions[i], &elements[i], counts);
        differs = differs ? differs : difference_in_full(input->what, &exact, &opinions[i]);
        if (!differs && !same_double(exact_round(exact.sum, input->result), elements[i].nearest))
            differs = "nearest in full";
        if (!differs && exact.kind == EXACT_FINITE && !is_above(elements[i].sum_abs_above, exact.sum_abs))
            differs = "sum_abs in full";
        if (differs)
            fail_msg("%s of element %" PRIu64 " of %" PRIu64 ", %s, %s to %s", differs, i, input->n, names[input->what],
                     input->format->name, input->result->name);
        (void)mpfr_mul_d(opinions[i].value, opinions[i].value, 1 + 0x1p-20, MPFR_RNDN);
        counts->twins += difference(input, i, &opinions[i], &elements[i], &(struct counts){0}) != NULL;
        mpfr_clears(opinions[i].value, opinions[i].scale, (mpfr_ptr)0);
    }
    exact_row_free(row);
    row_end(&of_row);
}

static void elements_are_those_of_2000_bits(void **state)
{
    struct counts all = {0};
    (void)state;
    for (int what = SOFTMAX; what <= LOG_SOFTMAX; what++)
        for (uint64_t f = 0; f < STORED_FORMAT_COUNT; f++) {
            struct counts counts = {0};
            for (uint64_t round = f; counts.elements < elements_of_each; round += STORED_FORMAT_COUNT) {
                struct input input;
                random_input(round, (enum what)what, &input);
                compare_row(&input, &counts);
            }
            printf("%s of %s: %" PRIu64 " elements, %" PRIu64 " by integers, %" PRIu64 " computed exactly, %" PRIu64
                   " not told by 2,000 bits; a twin differs in %" PRIu64 "\n",
                   names[what], NUMBER_FORMATS[f]->name, counts.elements, counts.by_integers, counts.exactly_right,
                   counts.not_told, counts.twins);
            assert_true(counts.by_integers > counts.elements / 2 && counts.not_told < counts.elements / 10);
            assert_true(counts.twins > counts.elements / 4);
            all.elements += counts.elements;
        }
    assert_true(all.elements >= 2 * STORED_FORMAT_COUNT * elements_of_each);
}

/* L = e^-79.75 or less, which 126 bits do not have beside z: numbers of the result, ties of it, and what was computed
 * is z.  The twin: four units of z, too near a tie to tell. */
static void logarithms_too_small_to_show_are_told_by_integers(void **state)
{
    static const struct {
        const struct format *format, *result;
        uint64_t n, told;
        double x[4];
    } rows[] = {
        {&FORMAT_BFLOAT16, &FORMAT_BFLOAT16, 4, 4, {0, -100, -128, -1000}},
        {&FORMAT_BINARY32, &FORMAT_BFLOAT16, 4, 4, {0, -100, -128.5, -1001}},
        {&FORMAT_BINARY64, &FORMAT_BINARY64, 4, 4, {0x1p-50, -100, -0x1.0000000000001p10, -1000}},
        {&FORMAT_BINARY32, &FORMAT_BFLOAT16, 3, 2, {0, -79.75, -128.5}},
    };
    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        struct input input = {LOG_SOFTMAX, rows[r].format, rows[r].result, rows[r].n, {{0}}, {{0}}, {{0}}};
        struct counts counts = {0};
        for (uint64_t i = 0; i < input.n; i++)
            held_set(input.format, &input.x, i, rows[r].x[i]);
        for (int times = 0; times < 20; times++)
            compare_row(&input, &counts);
        assert_int_equal(counts.by_integers, 20 * rows[r].told);
    }
}

/* ---- one result ---- */

static enum status one_result(const struct input *input, struct exact_sum *exact)
{
    const struct exact_how how = {.verify = true};
    return input->what == LOGSUMEXP
               ? exact_logsumexp(input->format, how, &input->x, input->n, input->n, exact)
               : exact_cross_entropy(input->format, how, &input->x, &input->y, input->n, input->n, exact);
}

static struct exact_element element_of(const struct exact_sum *exact, const struct format *result, double computed)
{
    mpfr_t error;
    mpfr_init2(error, DBL_MANT_DIG);
    (void)mpfr_d_sub(error, computed, exact->sum, MPFR_RNDA);
    const struct exact_element element = {exact->kind,
                                          exact_round(exact->sum, result),
                                          exact_ulp(exact->sum, result),
                                          exact->abs_above,
                                          exact->sum_abs_above,
                                          exact->kind == EXACT_FINITE ? mpfr_get_d(error, MPFR_RNDA) : 0};
    mpfr_clear(error);
    return element;
}

static void results_are_those_of_2000_bits(void **state)
{
    (void)state;
    for (int what = LOGSUMEXP; what < WHATS; what++)
        for (uint64_t f = 0; f < STORED_FORMAT_COUNT; f++) {
            struct counts counts = {0};
            while (counts.elements < elements_of_each / 4) {
                FREED_BY(exact_free) struct exact_sum exact = {0};
                struct input input;
                struct of_row of_row;
                struct opinion opinion;
                random_input(f, (enum what)what, &input);
                row_begin(&input, &of_row);
                opinion_of(&input, &of_row, 0, &opinion);
                held_set(input.result, &input.computed, 0, beside(opinion.value, input.result));
                assert_int_equal(one_result(&input, &exact), OK);
                const struct exact_element element =
                    element_of(&exact, input.result, held_number(input.result, &input.computed, 0));
                const char *differs = difference(&input, 0, &opinion, &element, &counts);
                differs = differs ? differs : difference_in_full((enum what)what, &exact, &opinion);
                if (differs)
                    fail_msg("%s of %s of %" PRIu64 ", %s to %s", differs, names[what], input.n, input.format->name,
                             input.result->name);
                (void)mpfr_mul_d(opinion.value, opinion.value, 1 + 0x1p-20, MPFR_RNDN);
                counts.twins += difference(&input, 0, &opinion, &element, &(struct counts){0}) != NULL;
                mpfr_clears(opinion.value, opinion.scale, (mpfr_ptr)0);
                row_end(&of_row);
            }
            printf("%s of %s: %" PRIu64 " results, %" PRIu64 " not told by 2,000 bits; a twin differs in %" PRIu64 "\n",
                   names[what], NUMBER_FORMATS[f]->name, counts.elements, counts.not_told, counts.twins);
            assert_true(counts.not_told < counts.elements / 10 && counts.twins > counts.elements / 3);
        }
}

/* ---- what is known of some ---- */

/* One row, and the nearest numbers and errors of computed zeros, or ones where a nearest number is 1. */
static void has_elements(bool is_log, const struct format *format, const struct format *result, const double *x,
                         uint64_t n, const double *nearest, const double *errors)
{
    struct exact_row *row;
    struct exact_element elements[ROW_MOST];
    union numbers held = {{0}}, computed = {{0}};
    for (uint64_t i = 0; i < n; i++) {
        held_set(format, &held, i, x[i]);
        held_set(result, &computed, i, nearest[i] == 1);
    }
    assert_int_equal(exact_softmax_row(is_log, format, (struct exact_how){.verify = true}, &held, n, &row), OK);
    assert_int_equal(exact_row_elements(row, result, &computed, 0, n, 2, elements), OK);
    for (uint64_t i = 0; i < n; i++) {
        assert_true(same_double(elements[i].nearest, nearest[i]));
        if (errors)
            assert_true(elements[i].error == errors[i]);
    }
    exact_row_free(row);
}

#define ROW(...) ((const double[]){__VA_ARGS__})
#define HAS(is_log, n, x, nearest) has_elements(is_log, &FORMAT_BINARY32, &FORMAT_BINARY32, x, n, nearest, NULL)

static void some_rows_have_these_elements(void **state)
{
    const double third = rounded_to(1.0 / 3, &FORMAT_BINARY32), tiny = DBL_TRUE_MIN;
    (void)state;
    HAS(false, 2, ROW(7, 7), ROW(0.5, 0.5));
    HAS(false, 4, ROW(0, -INFINITY, -0.0, 0), ROW(third, 0, third, third));
    HAS(false, 1, ROW(-FLT_MAX), ROW(1));
    HAS(true, 1, ROW(3), ROW(0));
    HAS(true, 3, ROW(-INFINITY, 3, -INFINITY), ROW(-INFINITY, 0, -INFINITY));
    HAS(true, 2, ROW(FLT_MAX, -FLT_MAX), ROW(-0.0, -INFINITY)); /* beyond binary32 */
    for (int is_log = 0; is_log < 2; is_log++) {
        HAS(is_log, 3, ROW(1, NAN, 2), ROW(NAN, NAN, NAN));
        HAS(is_log, 3, ROW(1, INFINITY, -INFINITY), ROW(NAN, NAN, NAN));
        HAS(is_log, 2, ROW(-INFINITY, -INFINITY), ROW(NAN, NAN));
        HAS(is_log, 0, ROW(0), ROW(0)); /* no numbers, no elements */
    }
    /* nearly a number: e^-1e9 and less; and a half of which a tie says nothing */
    has_elements(false, &FORMAT_BINARY64, &FORMAT_BINARY64, ROW(0, -1e9), 2, ROW(1, 0), ROW(tiny, -tiny));
    has_elements(false, &FORMAT_BINARY64, &FORMAT_BINARY16, ROW(0, -DBL_MAX, 0), 3, ROW(0.5, 0, 0.5), NULL);
    has_elements(true, &FORMAT_BINARY64, &FORMAT_BINARY64, ROW(5, -DBL_MAX), 2, ROW(-0.0, -DBL_MAX),
                 ROW(tiny, INFINITY));
}

/* Shares of equal ones are numbers, and some are ties: 2^-10 is half the least number of e4m3. */
static void shares_of_equals_are_rounded_once(void **state)
{
    static const struct {
        uint64_t n;
        const struct format *result;
        double nearest, error; /* of a computed 0 */
    } shares[] = {{1024, &FORMAT_E4M3, 0, -0x1p-10},    {1023, &FORMAT_E4M3, 0x1p-9, 0},
                  {512, &FORMAT_E4M3, 0x1p-9, -0x1p-9}, {512, &FORMAT_BFLOAT16, 0x1p-9, -0x1p-9},
                  {3, &FORMAT_BFLOAT16, 0x1.56p-2, 0},  {1, &FORMAT_BFLOAT16, 1, -1}};
    static float x[1024], computed[1024];
    (void)state;
    for (size_t s = 0; s < COUNT_OF(shares); s++) {
        struct exact_row *row;
        struct exact_element elements[1024];
        assert_int_equal(
            exact_softmax_row(false, &FORMAT_BFLOAT16, (struct exact_how){.verify = true}, x, shares[s].n, &row), OK);
        assert_int_equal(exact_row_elements(row, shares[s].result, computed, 0, shares[s].n, 1, elements), OK);
        for (uint64_t i = 0; i < shares[s].n; i++) {
            assert_true(elements[i].nearest == shares[s].nearest);
            assert_true(elements[i].error == shares[s].error || shares[s].error == 0);
            assert_true(elements[i].error < 0);
        }
        exact_row_free(row);
    }
}

/* Of binary32: the kind, and the nearest number of a format. */
static void has_result(enum what what, const double *x, const double *y, uint64_t n, const struct format *result,
                       enum exact_kind kind, double nearest)
{
    FREED_BY(exact_free) struct exact_sum exact = {0};
    struct input input = {.what = what, .format = &FORMAT_BINARY32, .n = n};
    for (uint64_t i = 0; i < n; i++) {
        held_set(input.format, &input.x, i, x[i]);
        held_set(input.format, &input.y, i, y ? y[i] : 0);
    }
    assert_int_equal(one_result(&input, &exact), OK);
    assert_int_equal(exact.kind, kind);
    assert_true(same_double(exact_round(exact.sum, result), nearest));
}

static void some_rows_have_these_results(void **state)
{
    const struct format *const bfloat16 = &FORMAT_BFLOAT16, *const binary64 = &FORMAT_BINARY64;
    const double inf = INFINITY, tie = 1 + 0x1p-8;
    (void)state;
    has_result(LOGSUMEXP, ROW(0, 0), NULL, 2, binary64, EXACT_FINITE, 0x1.62e42fefa39efp-1);
    has_result(LOGSUMEXP, ROW(-3.5, -inf), NULL, 2, binary64, EXACT_FINITE, -3.5);
    has_result(LOGSUMEXP, ROW(FLT_MAX, FLT_MAX), NULL, 2, binary64, EXACT_FINITE, FLT_MAX);
    has_result(LOGSUMEXP, ROW(0, -FLT_MAX), NULL, 2, binary64, EXACT_FINITE, 0);
    has_result(LOGSUMEXP, ROW(tie), NULL, 1, bfloat16, EXACT_FINITE, 1);
    has_result(LOGSUMEXP, ROW(tie, -1e30), NULL, 2, bfloat16, EXACT_FINITE, 1 + 0x1p-7);
    has_result(LOGSUMEXP, ROW(-tie - 0x1p-7, -1e30), NULL, 2, bfloat16, EXACT_FINITE, -1 - 0x1p-7);
    has_result(LOGSUMEXP, ROW(-tie - 0x1p-7), NULL, 1, bfloat16, EXACT_FINITE, -1 - 0x1p-6);
    has_result(LOGSUMEXP, ROW(0), NULL, 0, binary64, EXACT_NAN, NAN);
    has_result(LOGSUMEXP, ROW(1, inf), NULL, 2, binary64, EXACT_NAN, NAN);
    has_result(LOGSUMEXP, ROW(1, NAN), NULL, 2, binary64, EXACT_NAN, NAN);
    has_result(LOGSUMEXP, ROW(-inf, -inf), NULL, 2, binary64, EXACT_NAN, NAN);
    has_result(CROSS_ENTROPY, ROW(0, 0), ROW(0, 1), 2, binary64, EXACT_FINITE, 0x1.62e42fefa39efp-1);
    has_result(CROSS_ENTROPY, ROW(0, 0), ROW(0, -0.0), 2, binary64, EXACT_FINITE, 0);
    has_result(CROSS_ENTROPY, ROW(2, -inf), ROW(0.5, 0), 2, binary64, EXACT_FINITE, 0);
    has_result(CROSS_ENTROPY, ROW(2, -inf), ROW(1, 0x1p-149), 2, binary64, EXACT_INF, inf);
    has_result(CROSS_ENTROPY, ROW(0, -1e30), ROW(0, 2), 2, binary64, EXACT_FINITE, 2 * (double)1e30f);
    has_result(CROSS_ENTROPY, ROW(0, 1), ROW(1, -0x1p-149), 2, binary64, EXACT_NAN, NAN);
    has_result(CROSS_ENTROPY, ROW(0, 1), ROW(1, inf), 2, binary64, EXACT_NAN, NAN);
    has_result(CROSS_ENTROPY, ROW(0, inf), ROW(1, 0), 2, binary64, EXACT_NAN, NAN);
}

/* What bounds take, of {0, 0, -1}: D = 2 + 1/e. */
static void moments_surround_what_they_say(void **state)
{
    FREED_BY(exact_free) struct exact_sum exact = {0};
    const float x[] = {0, 0, -1, -INFINITY}, y[] = {0, 0.5f, 0.25f, 0};
    (void)state;
    assert_int_equal(exact_cross_entropy(&FORMAT_BINARY32, (struct exact_how){0}, x, y, 4, 4, &exact), OK);
    const struct moments *const of = &exact.moments;
    assert_true(of->n == 4 && of->unmasked == 3 && of->largest == 0 && of->least == -1 && of->max_abs == 1);
    assert_true(of->exps == nextafter(of->exps_below, 3) && of->exps > 2.3678794411714 && of->exps < 2.3678794411715);
    assert_true(of->log_exps == nextafter(of->log_exps_below, 1) && fabs(of->log_exps - 0.86199480405825) < 1e-14);
    assert_true(of->abs_lse == of->log_exps && of->weighted_offsets == 0.25 && of->weights_below == 0.75);
    assert_true(of->exps_moved >= 0x1.78b56362cef37p-2 && of->exps_moved < 0x1.78b56363p-2);
    assert_true(of->sum_products_abs == 0.25 && of->sum_weights_abs == 0.75 && of->negative_weights == 0);
}

/* All that is known of {1, -inf, -2, 0.5, 1} repeated to every length up to 17; with another last number, not. */
static void repeated_numbers_are_as_if_they_were_written(void **state)
{
    enum { PERIOD = 5, LENGTHS = 18 };
    const float x[PERIOD] = {1, -INFINITY, -2, 0.5f, 1}, y[PERIOD] = {0.25f, 0, 0, 1, 0.5f};
    unsigned same = 0, twins = 0;
    (void)state;
    for (uint64_t n = 0; n < LENGTHS; n++)
        for (int twin = 0; twin < 2; twin++)
            for (int weighted = 0; weighted < 2; weighted++) {
                FREED_BY(exact_free) struct exact_sum repeated = {0}, written = {0};
                const struct exact_how how = {.verify = true};
                float all_x[LENGTHS] = {0}, all_y[LENGTHS] = {0};
                for (uint64_t i = 0; i < n; i++) {
                    all_x[i] = x[i % PERIOD] + (float)(twin && i == n - 1);
                    all_y[i] = y[i % PERIOD];
                }
                const void *const ys[] = {weighted ? y : NULL, weighted ? all_y : NULL};
                assert_int_equal(exact_cross_entropy(&FORMAT_BINARY32, how, x, ys[0], PERIOD, n, &repeated), OK);
                assert_int_equal(exact_cross_entropy(&FORMAT_BINARY32, how, all_x, ys[1], n, n, &written), OK);
                const bool is_same = repeated.kind == written.kind && repeated.n == written.n &&
                                     same_double(repeated.nearest, written.nearest) &&
                                     memcmp(&repeated.moments, &written.moments, sizeof repeated.moments) == 0 &&
                                     (repeated.kind != EXACT_FINITE || mpfr_equal_p(repeated.sum, written.sum));
                same += is_same && !twin;
                twins += !is_same && twin;
            }
    assert_int_equal(same, 2 * LENGTHS);
    assert_true(twins >= LENGTHS);
}

enum { MANY = 30001 };

static void threads_change_nothing(void **state)
{
    static float x[MANY], computed[MANY];
    static struct exact_element elements[2][MANY];
    struct exact_row *row[2];
    (void)state;
    for (size_t i = 0; i < MANY; i++)
        x[i] = (float)rounded_to(normal(9), &FORMAT_BINARY32);
    for (unsigned t = 0; t < 2; t++) {
        assert_int_equal(exact_softmax_row(false, &FORMAT_BINARY32,
                                           (struct exact_how){.workers = 1 + 4 * t, .verify = t}, x, MANY, &row[t]),
                         OK);
        assert_int_equal(exact_row_elements(row[t], &FORMAT_BINARY32, computed, 0, MANY, 1 + 2 * t, elements[t]), OK);
    }
    assert_memory_equal(exact_row_moments(row[0]), exact_row_moments(row[1]), sizeof(struct moments));
    uint64_t positive = 0;
    for (size_t i = 0; i < MANY; i++) {
        assert_true(same_double(elements[0][i].nearest, elements[1][i].nearest));
        assert_true(same_double(elements[0][i].error, elements[1][i].error));
        positive += elements[0][i].nearest > 0;
    }
    assert_true(positive == MANY);
    exact_row_free(row[0]);
    exact_row_free(row[1]);
}

/* ---- for test_softmax_decimal.py ---- */

static int print_results(uint64_t seed, uint64_t count)
{
    seed_random(seed);
    for (uint64_t round = 0; round < count; round++) {
        struct exact_element elements[ROW_MOST];
        FREED_BY(exact_free) struct exact_sum exact = {0};
        struct input input;
        struct exact_row *row = NULL;
        const enum what what = (enum what)(round / STORED_FORMAT_COUNT % WHATS);
        random_input(round, what, &input);
        const uint64_t results = what == SOFTMAX || what == LOG_SOFTMAX ? input.n : 1;
        if (exact_softmax_row(what == LOG_SOFTMAX, input.format, (struct exact_how){0}, &input.x, input.n, &row) !=
                OK ||
            (results == 1 && what != SOFTMAX && what != LOG_SOFTMAX && one_result(&input, &exact) != OK))
            return 1;
        for (uint64_t i = 0; i < results; i++) {
            FREED_BY(exact_free) struct exact_sum element = {0};
            if (what <= LOG_SOFTMAX && exact_row_element(row, i, &element) != OK)
                return 1;
            held_set(input.result, &input.computed, i,
                     beside(what <= LOG_SOFTMAX ? element.sum : exact.sum, input.result));
        }
        if (what <= LOG_SOFTMAX) {
            if (exact_row_elements(row, input.result, &input.computed, 0, input.n, 1, elements) != OK)
                return 1;
        } else {
            elements[0] = element_of(&exact, input.result, held_number(input.result, &input.computed, 0));
        }
        printf("%s %s %s %" PRIu64, names[what], input.format->name, input.result->name, input.n);
        for (uint64_t i = 0; i < input.n; i++)
            printf(" %a", held_number(input.format, &input.x, i));
        for (uint64_t i = 0; what == CROSS_ENTROPY && i < input.n; i++)
            printf(" %a", held_number(input.format, &input.y, i));
        for (uint64_t i = 0; i < results; i++) {
            const struct exact_element *e = &elements[i];
            printf(" %a %a %a %a %a %a", held_number(input.result, &input.computed, i), e->nearest, e->ulp,
                   e->abs_above, e->sum_abs_above, e->error);
        }
        printf("\n");
        exact_row_free(row);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "--print") == 0)
        return print_results(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
    if (argc > 2 && strcmp(argv[1], "--tries") == 0) {
        elements_of_each = (uint64_t)strtod(argv[2], NULL);
        exponentials = 10 * elements_of_each;
    }
    const bool are_results = argc > 2 && strcmp(argv[1], "--results") == 0;
    elements_of_each = are_results ? 4 * strtoull(argv[2], NULL, 10) : elements_of_each;
    const uint64_t other_seed = argc > 4 && strcmp(argv[3], "--seed") == 0 ? strtoull(argv[4], NULL, 10) : 0;
    seed_random(elements_of_each + (other_seed << 32));
    const struct CMUnitTest of_results[] = {cmocka_unit_test(results_are_those_of_2000_bits)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponentials_are_as_near_as_they_claim),
        cmocka_unit_test(elements_are_those_of_2000_bits),
        cmocka_unit_test(logarithms_too_small_to_show_are_told_by_integers),
        cmocka_unit_test(results_are_those_of_2000_bits),
        cmocka_unit_test(some_rows_have_these_elements),
        cmocka_unit_test(shares_of_equals_are_rounded_once),
        cmocka_unit_test(some_rows_have_these_results),
        cmocka_unit_test(repeated_numbers_are_as_if_they_were_written),
        cmocka_unit_test(moments_surround_what_they_say),
        cmocka_unit_test(threads_change_nothing),
    };
    if (are_results)
        return cmocka_run_group_tests(of_results, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

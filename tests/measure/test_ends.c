/* Every metric at the ends of the range: five ends, every operation, every format of a sum, held to integers.
 *
 *   test_ends          40 results of each end, operation and format: 1 s
 *   test_ends --all    1,000 of each, with five metrics each: 2,925,000 of them, 23 s of a core
 *
 * All that goes into a metric is a multiple of a power of two.  v is |c - s| / d, rounded up once, where v d >= |c - s|
 * and v' d < |c - s|, v' being the number below v: integers are multiplied and compared, of a root their squares, and
 * nothing is divided or rounded.  No code is shared with reference/ or src/measure, which are held to this.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "include/ulpscope/ulpscope.h"
#include "src/base/format.h"
#include "src/measure/element_tally.h"
#include "src/measure/judge.h"
#include "src/measure/operation.h"
#include "tests/support/random.h"

#include <float.h>
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum end { LEAST_SUBNORMAL, LEAST_NORMAL, LARGEST, BELOW_THE_LEAST, OVERFLOW_ON_THE_WAY, ENDS };
static const char *const end_names[ENDS] = {"least subnormal", "least normal", "largest", "below the least",
                                            "overflow on the way"};

/* HELD: the metrics that this test knows; a new row of metrics.def brings its own test. */
enum { TERMS_MOST = 6, SIDE = 2, HELD = METRIC_bound_ratio + 1, CHECKS = HELD + 2 /* class, nearest */ };

static uint64_t results_of_a_cell = 40;

/* ---- integers ---- */

/* A number x is the integer x 2^SCALE here; products of two numbers of binary64 are. */
enum { SCALE = 2200, SCALE_OF_METRIC = 1074 };

/* z = |x| 2^scale */
static void set_magnitude(mpz_t z, double x, int scale)
{
    int exponent;
    mpz_set_d(z, ldexp(frexp(fabs(x), &exponent), DBL_MANT_DIG));
    if (exponent + scale >= DBL_MANT_DIG)
        mpz_mul_2exp(z, z, (mp_bitcnt_t)(exponent + scale - DBL_MANT_DIG));
    else
        mpz_tdiv_q_2exp(z, z, (mp_bitcnt_t)(DBL_MANT_DIG - exponent - scale));
}

static void set_number(mpz_t z, double x, int scale)
{
    set_magnitude(z, x, scale);
    if (x < 0)
        mpz_neg(z, z);
}

static void set_power(mpz_t z, int exponent)
{
    mpz_set_ui(z, 1);
    mpz_mul_2exp(z, z, (mp_bitcnt_t)(exponent + SCALE));
}

/* What is exact, of some terms: |s|, or s^2 where s is a root, and sum |x_i|. */
struct truth {
    mpz_t s, sum_abs;
    int sign;
    bool is_root, is_negative_zero;
};

static void truth_free(struct truth *truth)
{
    mpz_clears(truth->s, truth->sum_abs, (mpz_ptr)0);
}

/* The sign of a |s| - b; of a root a^2 s^2 and b^2 are compared. */
static int compare(const struct truth *truth, const mpz_t a, const mpz_t b)
{
    mpz_t left, right;
    mpz_inits(left, right, (mpz_ptr)0);
    mpz_mul(left, a, truth->s);
    mpz_set(right, b);
    if (truth->is_root) {
        mpz_mul(left, left, a);
        if (mpz_sgn(a) < 0)
            mpz_neg(left, left);
        mpz_mul(right, right, b);
        if (mpz_sgn(b) < 0)
            mpz_neg(right, right);
    }
    const int order = mpz_cmp(left, right);
    mpz_clears(left, right, (mpz_ptr)0);
    return order;
}

/* Whether |c - s| <= v d; d is NULL for |s|: |s| (1 - v) <= c' <= |s| (1 + v), where c' is c in the direction of s. */
static bool is_at_least(const struct truth *truth, double c, double v, const mpz_t d)
{
    mpz_t low, high, metric, computed, one;
    mpz_inits(low, high, metric, computed, one, (mpz_ptr)0);
    mpz_set_ui(one, 1);
    mpz_mul_2exp(one, one, SCALE_OF_METRIC);
    set_magnitude(metric, v, SCALE_OF_METRIC);
    set_number(computed, truth->sign < 0 ? -c : c, SCALE + SCALE_OF_METRIC);
    bool is;
    if (!d) {
        mpz_sub(low, one, metric);
        mpz_add(high, one, metric);
        is = compare(truth, low, computed) <= 0 && compare(truth, high, computed) >= 0;
    } else {
        mpz_mul(metric, metric, d);
        mpz_sub(low, computed, metric);
        mpz_add(high, computed, metric);
        is = compare(truth, one, low) >= 0 && compare(truth, one, high) <= 0;
    }
    mpz_clears(low, high, metric, computed, one, (mpz_ptr)0);
    return is;
}

/* What is wrong with v, or NULL: it is too small, or a smaller one would do, `slack` of it smaller. */
static const char *fault_of(const struct truth *truth, double c, double v, const mpz_t d, double slack)
{
    if (!(v >= 0))
        return "no number";
    if (isfinite(v) && !is_at_least(truth, c, v, d))
        return "too small";
    const double smaller = slack > 0 && isfinite(v) ? fmin(v * (1 - slack), nextafter(v, 0)) : nextafter(v, 0);
    return v > 0 && is_at_least(truth, c, smaller, d) ? "too large" : NULL;
}

/* ---- what follows from the truth ---- */

/* 2^e <= |s| < 2^(e+1) */
static int binade_of(const struct truth *truth)
{
    const int bits = (int)mpz_sizeinbase(truth->s, 2) - 1;
    return (truth->is_root ? bits / 2 : bits) - SCALE;
}

static int ulp_exponent(const struct truth *truth, const struct format *format)
{
    const int last = binade_of(truth) - format->precision + 1;
    return truth->sign == 0 || last < format->least_exponent ? format->least_exponent : last;
}

/* |s| is at least the middle between the largest number and the next, were there one. */
static bool is_out_of_range(const struct truth *truth, const struct format *format)
{
    mpz_t middle, half, one;
    mpz_inits(middle, half, one, (mpz_ptr)0);
    mpz_set_ui(one, 1);
    set_power(middle, format->overflow_exponent);
    set_power(half, format->overflow_exponent - format->precision - 1);
    mpz_sub(middle, middle, half);
    const bool is = compare(truth, one, middle) >= 0;
    mpz_clears(middle, half, one, (mpz_ptr)0);
    return is;
}

/* The nearest multiple of ulp(s), of two the even one; and its sign. */
static bool is_nearest(const struct truth *truth, const struct format *format, double nearest)
{
    const bool is_negative = truth->sign < 0 || truth->is_negative_zero;
    if ((signbit(nearest) != 0) != is_negative)
        return false;
    if (is_out_of_range(truth, format) || isinf(nearest))
        return is_out_of_range(truth, format) && isinf(nearest);
    mpz_t multiple, low, high, two;
    mpz_inits(multiple, low, high, two, (mpz_ptr)0);
    mpz_set_ui(two, 2);
    set_magnitude(multiple, nearest, SCALE);
    set_power(low, ulp_exponent(truth, format));
    const bool divides = mpz_divisible_p(multiple, low) != 0;
    mpz_mul_ui(high, multiple, 2);
    mpz_add(high, high, low);
    mpz_divexact(multiple, multiple, low);
    mpz_mul_2exp(low, low, 1);
    mpz_sub(low, high, low);
    const int above_low = compare(truth, two, low), above_high = compare(truth, two, high);
    const bool is = divides && above_low >= 0 && above_high <= 0 &&
                    ((above_low > 0 && above_high < 0) || mpz_even_p(multiple) != 0);
    mpz_clears(multiple, low, high, two, (mpz_ptr)0);
    return is;
}

/* What a format without infinity has no number for: from half of the last place above its largest number on. */
static bool has_no_nearest(const struct truth *truth, const struct format *format)
{
    mpz_t middle, half, one;
    mpz_inits(middle, half, one, (mpz_ptr)0);
    mpz_set_ui(one, 1);
    set_power(middle, format->overflow_exponent);
    set_power(half, format->overflow_exponent - format->precision - 1);
    mpz_submul_ui(middle, half, 3);
    const bool has_none = format->finite_only && compare(truth, one, middle) > 0;
    mpz_clears(middle, half, one, (mpz_ptr)0);
    return has_none;
}

static enum result_class class_of(const struct truth *truth, const struct format *format, double c)
{
    if (isnan(c))
        return CLASS_NAN;
    if (isinf(c))
        return is_out_of_range(truth, format) && (c < 0) == (truth->sign < 0) ? CLASS_OUT_OF_RANGE : CLASS_OVERFLOW;
    mpz_t none;
    mpz_init(none);
    const bool is_exact = is_at_least(truth, c, 0, none);
    mpz_clear(none);
    return is_exact ? CLASS_EXACT : truth->sign == 0 ? CLASS_ZERO_SUM : CLASS_FINITE;
}

/* ---- a judged result ---- */

struct cell {
    uint64_t results, checks[CHECKS];
    uint64_t reached; /* s is where the end is, or overflows */
    uint64_t alone;   /* elements that were summed again */
    uint64_t of_library;
};

/* Above sum |x_i|, or |s| of a root, a bound claims nothing, unless it is broken. */
static bool claims_nothing(const struct truth *truth, const struct format *format, const struct measured *row)
{
    mpz_t bound;
    mpz_init(bound);
    set_magnitude(bound, row->bound, SCALE);
    const bool is_above = truth->is_root ? row->bound > fabs(format_value(format, row->nearest_bits))
                                         : mpz_cmp(bound, truth->sum_abs) > 0;
    const bool nothing = is_above && is_at_least(truth, row->computed, 1, bound);
    mpz_clear(bound);
    return nothing;
}

static const char *wrong_metric(const struct truth *truth, const struct format *format, const struct measured *row,
                                enum metric metric, double slack)
{
    const double v = row->metrics[metric], c = row->computed;
    const bool is_ratio = metric == METRIC_bound_ratio;
    if (is_ratio && isinf(row->bound))
        return isnan(v) ? NULL : "a bound that is not there";
    if (isnan(c))
        return (is_ratio ? v == INFINITY : isnan(v)) ? NULL : "of a NaN";
    if (isinf(c))
        return v == (row->class == CLASS_OUT_OF_RANGE ? 0 : INFINITY) ? NULL : "of an infinity";
    if (is_ratio && claims_nothing(truth, format, row))
        return isnan(v) ? NULL : "of a bound that claims nothing";
    if (row->class == CLASS_EXACT)
        return v == 0 && !signbit(v) ? NULL : "of what is exact";
    const bool is_over_s = metric == METRIC_relative_error || (metric == METRIC_backward_error && truth->is_root);
    if (is_over_s && truth->sign == 0)
        return isnan(v) ? NULL : "over 0";
    mpz_t d;
    mpz_init(d);
    if (metric == METRIC_backward_error)
        mpz_set(d, truth->sum_abs);
    else if (is_ratio)
        set_magnitude(d, row->bound, SCALE);
    else
        set_power(d, metric == METRIC_ulp_error ? ulp_exponent(truth, format) : 0);
    const char *fault;
    if (!is_over_s && mpz_sgn(d) == 0)
        fault = (is_ratio ? v == INFINITY : isnan(v)) ? NULL : "over 0";
    else
        fault = fault_of(truth, c, v, is_over_s ? NULL : d, slack);
    if (fault && is_over_s && truth->is_root) /* one number too large where s is within 2^-60 of a short one */
        fault = fault_of(truth, c, nextafter(v, 0), NULL, slack);
    mpz_clear(d);
    return fault;
}

static const char *wrong_row(const struct truth *truth, const struct format *format, const struct measured *row,
                             double slack, struct cell *cell)
{
    if (row->class != class_of(truth, format, row->computed))
        return "class";
    cell->checks[HELD]++;
    const double nearest = format_value(format, row->nearest_bits);
    if (has_no_nearest(truth, format) ? !isnan(nearest) : !is_nearest(truth, format, nearest))
        return "nearest";
    cell->checks[HELD + 1]++;
    for (int m = 0; m < HELD; m++) {
        if (wrong_metric(truth, format, row, (enum metric)m, slack))
            return metric_table[m].id;
        cell->checks[m]++;
    }
    cell->results++;
    return NULL;
}

/* ---- numbers at an end ---- */

/* rows x n and n x columns of them; vectors are 1 x n and n x 1. */
struct numbers {
    const struct format *format;
    uint64_t n, rows, columns;
    double x[SIDE * TERMS_MOST], y[TERMS_MOST * SIDE];
    double held_x[SIDE * TERMS_MOST], held_y[TERMS_MOST * SIDE];
};

static int between(int least, int most)
{
    return least + (int)below((uint64_t)(most - least + 1));
}

static int clamped(int x, int least, int most)
{
    return x < least ? least : x > most ? most : x;
}

static double number(const struct format *format, int exponent)
{
    const double significand = 1 + (double)(below(2) ? next_random() >> 12 : below(4) << 50) * 0x1p-52;
    const double x = rounded_to(ldexp(significand, exponent), format), largest = format_largest(format);
    return (below(2) ? 1 : -1) * (x <= largest ? x : largest);
}

/* The exponent of a term. */
static int exponent_at(enum end end, const struct format *format, bool is_product)
{
    const int least = format->least_exponent, overflow = format->overflow_exponent;
    switch (end) {
    case LEAST_SUBNORMAL:
        return between(least, least + 3);
    case LEAST_NORMAL:
        return least + format->precision - 1 + between(-1, 1);
    case LARGEST:
        return overflow - between(1, 3);
    case BELOW_THE_LEAST: /* of a sum, and of some products, beside the largest */
        if (is_product && below(3) > 0)
            return between(2 * least, least - 1);
        return below(2) ? overflow - between(1, 8) : is_product ? between(least, 0) : between(least, least + 3);
    default:
        return is_product ? between(overflow, 2 * overflow - 2) : overflow - 1;
    }
}

/* One term more for each element: of products the factors share its exponent. */
static void add_term(struct numbers *of, enum end end, int terms)
{
    const struct format *format = of->format;
    const int least = format->least_exponent, most = format->overflow_exponent - 1;
    const int exponent = exponent_at(end, format, terms != NUMBERS_THEMSELVES);
    const bool takes_back = of->n > 0 && below(3) == 0 && terms != SQUARES && terms != ROOT_OF_SQUARES;
    const bool changes = below(2);
    int of_x = exponent, of_y = 0;
    if (terms == SQUARES || terms == ROOT_OF_SQUARES)
        of_x = clamped((exponent - (exponent & 1)) / 2, least, most);
    else if (terms != NUMBERS_THEMSELVES) {
        of_x = between(clamped(exponent - most, least, most), clamped(exponent - least, least, most));
        of_y = clamped(exponent - of_x, least, most);
    }
    const uint64_t k = of->n++;
    for (uint64_t i = 0; i < of->rows; i++) {
        double *const row = of->x + i * TERMS_MOST;
        row[k] = takes_back ? -row[k - 1] : number(format, of_x);
    }
    for (uint64_t j = 0; j < of->columns; j++) {
        double *const column = of->y + j * TERMS_MOST;
        column[k] = takes_back && !changes ? column[k - 1] : number(format, of_y);
    }
}

static void hold_numbers(struct numbers *of)
{
    for (uint64_t k = 0; k < of->n; k++) {
        for (uint64_t i = 0; i < of->rows; i++)
            held_set(of->format, of->held_x, i * of->n + k, of->x[i * TERMS_MOST + k]);
        for (uint64_t j = 0; j < of->columns; j++)
            held_set(of->format, of->held_y, k * of->columns + j, of->y[j * TERMS_MOST + k]);
    }
}

static struct numbers some_numbers(enum end end, const struct format *format, int terms)
{
    const uint64_t side = terms == MATRICES ? SIDE : 1, n = 1 + below(TERMS_MOST);
    struct numbers of = {.format = format, .rows = side, .columns = side};
    while (of.n < n)
        add_term(&of, end, terms);
    if (below(32) == 0)
        for (uint64_t k = 0; k < of.n; k++)
            for (uint64_t i = 0; i < side; i++) {
                of.x[i * TERMS_MOST + k] = -0.0;
                of.y[i * TERMS_MOST + k] = fabs(of.y[i * TERMS_MOST + k]);
            }
    hold_numbers(&of);
    return of;
}

/* Of row i and column j. */
static struct truth truth_of(const struct numbers *of, int terms, uint64_t i, uint64_t j)
{
    struct truth truth = {.is_negative_zero = of->n > 0, .is_root = terms == ROOT_OF_SQUARES};
    mpz_t term, factor;
    mpz_inits(truth.s, truth.sum_abs, term, factor, (mpz_ptr)0);
    for (uint64_t k = 0; k < of->n; k++) {
        const double x = of->x[i * TERMS_MOST + k];
        const bool is_square = terms == SQUARES || terms == ROOT_OF_SQUARES;
        const double y = terms == NUMBERS_THEMSELVES ? 1 : is_square ? x : of->y[j * TERMS_MOST + k];
        set_number(term, x, SCALE / 2);
        set_number(factor, y, SCALE / 2);
        mpz_mul(term, term, factor);
        mpz_add(truth.s, truth.s, term);
        mpz_abs(term, term);
        mpz_add(truth.sum_abs, truth.sum_abs, term);
        truth.is_negative_zero &= mpz_sgn(term) == 0 && (signbit(x) != 0) != (signbit(y) != 0);
    }
    truth.sign = mpz_sgn(truth.s);
    mpz_abs(truth.s, truth.s);
    if (truth.is_root)
        mpz_mul_2exp(truth.s, truth.s, SCALE);
    mpz_clears(term, factor, (mpz_ptr)0);
    return truth;
}

/* ---- the reference ---- */

/* |s|, or sum |x_i|, rounded up. */
static bool is_just_above(double v, const mpz_t sum)
{
    struct truth truth = {.sign = 1};
    mpz_t one;
    mpz_inits(truth.sum_abs, one, (mpz_ptr)0);
    mpz_init_set(truth.s, sum);
    mpz_set_ui(one, 1);
    set_power(one, 0);
    const bool is = fault_of(&truth, 0, v, one, 0) == NULL;
    mpz_clear(one);
    truth_free(&truth);
    return is;
}

static bool is_ulp(const struct truth *truth, const struct format *format, double ulp)
{
    const int exponent = ulp_exponent(truth, format);
    return ulp == (exponent < 1024 ? ldexp(1, exponent) : INFINITY);
}

static const char *wrong_reference(const struct truth *truth, const struct exact_sum *exact)
{
    if (!is_nearest(truth, exact->format, exact->nearest))
        return "nearest of the reference";
    if (!is_ulp(truth, exact->format, exact->ulp))
        return "ulp of the reference";
    if (!truth->is_root &&
        !(is_just_above(exact->abs_above, truth->s) && is_just_above(exact->sum_abs_above, truth->sum_abs)))
        return "|s| or sum |x| of the reference, rounded up";
    return (mpfr_signbit(exact->sum) != 0) == (truth->sign < 0 || truth->is_negative_zero) ? NULL : "sign of s";
}

static const char *wrong_element(const struct truth *truth, const struct format *format,
                                 const struct exact_element *element)
{
    if (!is_nearest(truth, format, element->nearest))
        return "nearest of the element";
    if (!is_ulp(truth, format, element->ulp))
        return "ulp of the element";
    return is_just_above(element->abs_above, truth->s) && is_just_above(element->sum_abs_above, truth->sum_abs)
               ? NULL
               : "|s| or sum |x| of the element, rounded up";
}

/* ---- results ---- */

/* What no method gave: of any format, near s, or anything. */
static uint64_t some_result(const struct format *format, double nearest)
{
    const double values[] = {0, -0.0, ldexp(1, format->least_exponent), format_largest(format), INFINITY, NAN, 1};
    const uint64_t kind = below(8);
    if (kind == 0)
        return format_bits(format, values[below(sizeof values / sizeof *values)]);
    if (kind == 1)
        return format_bits(format, format_value(format, next_random() >> (64 - 8 * format->bytes)));
    const uint64_t bits = format_bits(format, rounded_to(nearest, format));
    return kind == 2 ? bits ^ UINT64_C(1) << (8 * format->bytes - 1) : bits ^ below(4);
}

struct turn {
    enum end end;
    const struct method *method;
    struct launch launch;
    struct cell *cell;
};

/* Whether s, of a root its square, lies at the end, or some intermediate sum beyond it. */
static bool is_reached(enum end end, const struct format *format, const struct truth *truth)
{
    const int binade = binade_of(truth) * (truth->is_root ? 2 : 1), least = format->least_exponent;
    const int of_abs = (int)mpz_sizeinbase(truth->sum_abs, 2) - 1 - SCALE;
    const bool at[ENDS] = {
        [LEAST_SUBNORMAL] = binade <= least + 6,
        [LEAST_NORMAL] = abs(binade - least - format->precision + 1) <= 3,
        [LARGEST] = abs(binade - format->overflow_exponent) <= 6,
        [BELOW_THE_LEAST] = binade < least || of_abs >= format->overflow_exponent - 9,
        [OVERFLOW_ON_THE_WAY] = of_abs >= format->overflow_exponent - 1,
    };
    return truth->sign != 0 && at[end];
}

static void hold(const struct turn *turn, const struct numbers *of, const struct truth *truth, const char *wrong,
                 const struct measured *row)
{
    if (wrong)
        fail_msg(
            "%s of %s, %s: %s is wrong; n = %d, x[0] = %a, y[0] = %a, computed %a, class %s, metrics %a %a %a %a %a, "
            "bound %a; s has the sign %d and is in binade %d",
            turn->method->id, of->format->name, end_names[turn->end], wrong, (int)of->n, of->x[0], of->y[0],
            row->computed, class_names[row->class], row->metrics[0], row->metrics[1], row->metrics[2], row->metrics[3],
            row->metrics[4], row->bound, truth->sign, truth->sign ? binade_of(truth) : 0);
}

/* ---- the library, which has an arithmetic of its own ---- */

static ulpscope_format library_format(const struct format *format)
{
    int f = 0;
    while (strcmp(NUMBER_FORMATS[f]->name, format->name) != 0)
        f++;
    return (ulpscope_format)(f + 1);
}

/* `slack`: what it may be too large, which is rounded twice in a matrix product. */
static const char *wrong_error(const struct truth *truth, const struct format *format,
                               const struct ulpscope_error *error, double slack)
{
    const struct ulpscope_value *const exact = &error->exact;
    const double c = error->computed;
    const char *wrong = NULL;
    mpz_t one, ulp;
    mpz_inits(one, ulp, (mpz_ptr)0);
    set_power(one, 0);
    set_power(ulp, ulp_exponent(truth, format));
    if (!is_nearest(truth, format, exact->nearest) || !is_ulp(truth, format, exact->ulp) ||
        !is_just_above(exact->abs_above, truth->s) || !is_just_above(exact->sum_abs_above, truth->sum_abs))
        wrong = "exact";
    else if (isfinite(c)) {
        const bool is_exact = is_at_least(truth, c, 0, one), has_terms = mpz_sgn(truth->sum_abs) > 0;
        if (fault_of(truth, c, error->error, one, 0))
            wrong = "error";
        else if (fault_of(truth, c, error->ulp_error, ulp, slack))
            wrong = "ulp_error";
        else if (truth->sign ? fault_of(truth, c, error->relative_error, NULL, slack) != NULL
                             : error->relative_error != (is_exact ? 0 : INFINITY))
            wrong = "relative_error";
        else if (has_terms ? fault_of(truth, c, error->backward_error, truth->sum_abs, slack) != NULL
                           : error->backward_error != (is_exact ? 0 : INFINITY))
            wrong = "backward_error";
    }
    mpz_clears(one, ulp, (mpz_ptr)0);
    return wrong;
}

static void ask_library(const struct turn *turn, const struct numbers *of, ulpscope_operation operation,
                        const struct format *format, const uint64_t *bits)
{
    uint64_t x[SIDE * TERMS_MOST], y[TERMS_MOST * SIDE], computed[SIDE * SIDE];
    struct ulpscope_error errors[SIDE * SIDE] = {{.size = sizeof *errors}};
    const ulpscope_format stored = library_format(of->format);
    const bool is_matmul = operation == ULPSCOPE_MATMUL;
    struct ulpscope_problem problem = {sizeof problem, operation, .result = library_format(format)};
    problem.x = is_matmul ? ulpscope_matrix(stored, x, of->rows, of->n) : ulpscope_vector(stored, x, of->n);
    problem.y = is_matmul ? ulpscope_matrix(stored, y, of->n, of->columns) : ulpscope_vector(stored, y, of->n);
    held_pack(of->format, of->held_x, of->rows * of->n, x);
    held_pack(of->format, of->held_y, of->n * of->columns, y);
    for (uint64_t e = 0; e < of->rows * of->columns; e++)
        format_store(format, computed, e, bits[e]);
    assert_int_equal(ulpscope_errors(&problem, computed, errors), ULPSCOPE_OK);
    for (uint64_t e = 0; e < of->rows * of->columns; e++) {
        struct truth truth =
            truth_of(of, operation == ULPSCOPE_SUM ? NUMBERS_THEMSELVES : PRODUCTS, e / of->columns, e % of->columns);
        const char *const wrong = wrong_error(&truth, format, &errors[e], is_matmul ? 0x1p-48 : 0);
        if (wrong)
            fail_msg(
                "libulpscope on %s of %s, %s: %s is wrong; n = %d, x[0] = %a, y[0] = %a, computed %a, errors %a %a %a "
                "%a; s has the sign %d and is in binade %d",
                turn->method->id, of->format->name, end_names[turn->end], wrong, (int)of->n, of->x[0], of->y[0],
                errors[e].computed, errors[e].error, errors[e].ulp_error, errors[e].relative_error,
                errors[e].backward_error, truth.sign, truth.sign ? binade_of(&truth) : 0);
        turn->cell->of_library++;
        truth_free(&truth);
    }
}

/* ---- the program ---- */

static void judge_vectors(const struct turn *turn, const struct numbers *of)
{
    const struct method *method = turn->method;
    const struct dataset data = {.format = of->format, .n = of->n, .x = (void *)of->held_x, .y = (void *)of->held_y};
    const struct operands operands = operation_operands(method->operation, &data);
    const bool is_of_method = below(2);
    const struct format *format = is_of_method ? method->format : NUMBER_FORMATS[below(NUMBER_FORMAT_COUNT)];
    struct truth truth = truth_of(of, (int)operation_table[method->operation].of, 0, 0);
    struct exact_sum exact;
    struct measured row = {0};
    uint64_t bits;
    assert_int_equal(operation_exact(method->operation, &data, (struct exact_how){0}, &exact), OK);
    assert_int_equal(method_replay(method, &operands, turn->launch, 1, &bits), OK);
    if (!is_of_method)
        bits = some_result(format, exact.nearest);
    const struct promise promise = promise_of(method, turn->launch, &exact);
    judge_sum(&exact, format, &promise, bits, &row);
    hold(turn, of, &truth, wrong_reference(&truth, &exact), &row);
    hold(turn, of, &truth, wrong_row(&truth, format, &row, 0, turn->cell), &row);
    turn->cell->reached += is_reached(turn->end, of->format, &truth);
    if (is_of_method && row.metrics[METRIC_bound_ratio] > 1)
        hold(turn, of, &truth, "the bound", &row);
    const int terms = (int)operation_table[method->operation].of;
    if ((terms == NUMBERS_THEMSELVES || terms == PRODUCTS) && format->bytes > 1) /* the library has no result of fp8 */
        ask_library(turn, of, terms == PRODUCTS ? ULPSCOPE_DOT : ULPSCOPE_SUM, format, &bits);
    exact_free(&exact);
    truth_free(&truth);
}

static void judge_matrices(const struct turn *turn, const struct numbers *of)
{
    const struct method *method = turn->method;
    const struct shape shape = {of->n, SIDE, SIDE};
    const struct operands operands = {of->format, method->operation, {of->held_x, of->held_y}, shape};
    const bool is_of_method = below(2);
    uint64_t bits[SIDE * SIDE];
    double computed[SIDE * SIDE];
    struct exact_element exact[SIDE * SIDE];
    const struct matrix_product product = {.format = of->format,
                                           .result = method->format,
                                           .rows = SIDE,
                                           .inner = of->n,
                                           .columns = SIDE,
                                           .a = {of->held_x, of->n, 1},
                                           .b = {of->held_y, SIDE, 1},
                                           .computed = {computed, SIDE, 1}};
    assert_int_equal(method->replay(method, &operands, turn->launch, 1, bits), OK);
    for (int e = 0; e < SIDE * SIDE; e++) {
        if (!is_of_method)
            bits[e] = some_result(method->format, format_value(method->format, bits[e]));
        held_set(method->format, computed, (uint64_t)e, format_value(method->format, bits[e]));
    }
    assert_int_equal(exact_matrix(&product, 1, exact), OK);
    ask_library(turn, of, ULPSCOPE_MATMUL, method->format, bits);
    for (uint64_t e = 0; e < SIDE * SIDE; e++) {
        struct truth truth = truth_of(of, MATRICES, e / SIDE, e % SIDE);
        struct measured row = {0};
        const struct magnitudes magnitudes = {.abs_s = exact[e].abs_above, .sum_abs = exact[e].sum_abs_above};
        const double bound = method->bound(method, shape, turn->launch, &magnitudes);
        const struct promise promise = {.bound = bound, .bound_if_finite = bound};
        const bool is_judged = element_judge(&exact[e], method->format, bits[e], promise.bound, &row);
        if (!is_judged) { /* as measure_elements() does */
            struct exact_sum sum;
            assert_int_equal(exact_product_element(&product, (struct exact_how){0}, e / SIDE, e % SIDE, &sum), OK);
            judge_sum(&sum, method->format, &promise, bits[e], &row);
            exact_free(&sum);
            turn->cell->alone++;
        }
        hold(turn, of, &truth, wrong_element(&truth, method->format, &exact[e]), &row);
        hold(turn, of, &truth, wrong_row(&truth, method->format, &row, is_judged ? 0x1p-49 : 0, turn->cell), &row);
        turn->cell->reached += is_reached(turn->end, of->format, &truth);
        if (is_of_method && row.metrics[METRIC_bound_ratio] > 1)
            hold(turn, of, &truth, "the bound", &row);
        truth_free(&truth);
    }
}

/* ---- cells ---- */

static const struct method *some_method(enum operation operation, const struct sum_format *format,
                                        struct launch *launch)
{
    static const struct launch launches[] = {{1, 1}, {1, 32}, {3, 2}};
    char why[REASON_SIZE];
    size_t count;
    const struct method *const *methods = method_table_for(operation, format, &count);
    for (int tries = 0; count > 0 && tries < 1000; tries++) {
        const struct method *method = methods[below(count)];
        *launch = launches[below(sizeof launches / sizeof *launches)];
        if (method->replay && method_can_do(method, *launch, why))
            return method;
    }
    return NULL;
}

static struct cell cells[ENDS][OPERATIONS][SUM_FORMATS];

static void fill(enum end end, enum operation operation, int f)
{
    const struct sum_format *const sum_format = sum_formats[f];
    struct turn turn = {.end = end, .cell = &cells[end][operation][f]};
    while (turn.cell->results < results_of_a_cell) {
        const struct numbers numbers = some_numbers(end, sum_format->stored, (int)operation_table[operation].of);
        turn.method = some_method(operation, sum_format, &turn.launch);
        assert_non_null(turn.method);
        (operation_table[operation].of == MATRICES ? judge_matrices : judge_vectors)(&turn, &numbers);
    }
}

static void every_metric_at_every_end_is_what_integers_say(void **state)
{
    (void)state;
    uint64_t metrics = 0, alone = 0, of_library = 0, count = 0;
    seed_random(1);
    for (int end = 0; end < ENDS; end++)
        for (int operation = 0; operation < OPERATIONS; operation++) {
            uint64_t reached = 0, results = 0;
            if (is_statistic((enum operation)operation) || is_scan((enum operation)operation)) /* tests/reference */
                continue;
            for (int f = 0; f < SUM_FORMATS; f++) {
                if (operation != OPERATION_sum && sum_format_saturates(sum_formats[f])) /* has sums alone */
                    continue;
                const struct cell *const cell = &cells[end][operation][f];
                count++;
                fill((enum end)end, (enum operation)operation, f);
                for (int c = 0; c < CHECKS; c++)
                    assert_true(cell->checks[c] >= results_of_a_cell && cell->checks[c] == cell->results);
                reached += cell->reached;
                results += cell->results;
                metrics += HELD * cell->results;
                alone += cell->alone;
                of_library += cell->of_library;
            }
            assert_true(reached >= results / 3);
        }
    print_message(
        "%llu metrics of %llu cells, 0 differ; %llu elements were summed alone; %llu results of the library\n",
        (unsigned long long)metrics, (unsigned long long)(HELD * count), (unsigned long long)alone,
        (unsigned long long)of_library);
    const int statistics = (int)VECTOR_OPERATIONS - (int)FIRST_SCAN;
    assert_int_equal(count, ENDS * ((OPERATIONS - statistics) * (SUM_FORMATS - 2) + 2));
    assert_true(metrics >= results_of_a_cell * HELD * count);
    assert_true(results_of_a_cell < 1000 || metrics >= 1000000);
    assert_true(alone > metrics / 1000);
    assert_true(of_library > metrics / HELD / 2); /* of sums, dot products and matrix products */
}

/* The twin: the numbers beside a metric, another class, a number beside the nearest, the other zero. */
static void what_is_one_number_off_is_found(void **state)
{
    (void)state;
    const float x[] = {0x1p-126F, -0x1p-149F, 0x1.8p-149F};
    struct numbers of = {.format = &FORMAT_BINARY32, .n = 3, .rows = 1, .columns = 1};
    for (uint64_t k = 0; k < of.n; k++)
        of.x[k] = (double)x[k];
    struct truth truth = truth_of(&of, NUMBERS_THEMSELVES, 0, 0);
    struct exact_sum exact;
    struct cell cell = {0};
    struct measured row = {0};
    const struct promise promise = {.bound = 0x1p-140, .bound_if_finite = 0x1p-140};
    assert_int_equal(exact_sum(&FORMAT_BINARY32, x, of.n, &exact), OK);
    judge_sum(&exact, &FORMAT_BINARY32, &promise, float_bits(0x1.8p-126F), &row);
    assert_null(wrong_row(&truth, &FORMAT_BINARY32, &row, 0, &cell));
    for (int m = 0; m < HELD; m++)
        for (int up = 0; up < 2; up++) {
            struct measured other = row;
            other.metrics[m] = nextafter(row.metrics[m], up ? INFINITY : 0);
            assert_string_equal(wrong_row(&truth, &FORMAT_BINARY32, &other, 0, &cell), metric_table[m].id);
        }
    struct measured other = row;
    other.class = CLASS_EXACT;
    assert_string_equal(wrong_row(&truth, &FORMAT_BINARY32, &other, 0, &cell), "class");
    other = row;
    other.nearest_bits--;
    assert_string_equal(wrong_row(&truth, &FORMAT_BINARY32, &other, 0, &cell), "nearest");
    assert_true(is_nearest(&truth, &FORMAT_BINARY16, 0) && !is_nearest(&truth, &FORMAT_BINARY16, -0.0));
    assert_null(wrong_reference(&truth, &exact));
    for (int i = 0; i < 5; i++) {
        struct exact_sum off = exact;
        double *const fields[] = {&off.nearest, &off.nearest, &off.ulp, &off.abs_above, &off.sum_abs_above};
        *fields[i] = i == 0 ? -off.nearest : nextafter(*fields[i], 0);
        assert_non_null(wrong_reference(&truth, &off));
    }
    exact_free(&exact);
    truth_free(&truth);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--all") == 0)
        results_of_a_cell = 1000;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_one_number_off_is_found),
        cmocka_unit_test(every_metric_at_every_end_is_what_integers_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

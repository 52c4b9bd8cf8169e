/* Hypotheses of roundings and of integers: in elements, in partial sums, in the result. */
#include "hypotheses.h"

#include "src/base/chains.h"
#include "src/base/format.h"
#include "src/base/wrapped.h"

#include <math.h>

/* ---- elements ---- */

#define ELEMENT_FAULT(id, narrow, cost, meaning, becomes)                                                              \
    static double id##_element(const struct format *format, double x)                                                  \
    {                                                                                                                  \
        (void)format;                                                                                                  \
        return becomes;                                                                                                \
    }
#include "src/base/element_faults.def"

static const struct {
    double (*becomes)(const struct format *format, double x);
    double cost;
    const char *words;
} element_faults[] = {
#define ELEMENT_FAULT(id, narrow, cost, meaning, becomes) {id##_element, cost, meaning},
#include "src/base/element_faults.def"
};

void elements_changed(struct inquiry *inquiry)
{
    const struct format *const of_y = inquiry->y ? format_of(inquiry->problem->y.format) : NULL;
    for (size_t f = 0; f < sizeof element_faults / sizeof *element_faults && !inquiry->failed; f++) {
        for (uint64_t i = 0; i < inquiry->n; i++) {
            inquiry->changed_x[i] = element_faults[f].becomes(inquiry->problem->terms_format, inquiry->x[i]);
            if (of_y)
                inquiry->changed_y[i] = element_faults[f].becomes(of_y, inquiry->y[i]);
        }
        inquiry_suspect(inquiry, element_faults[f].cost, weigh_changed(inquiry, inquiry->n), 0, "%s",
                        element_faults[f].words);
    }
}

/* ---- the result ---- */

/* What is left to be explained where the result is a multiple of 2^k units, as one in 2^k is by chance: less than
 * nothing where that says more than its error does. */
static double weight_of_few_bits(const struct inquiry *inquiry)
{
    const double most = fmax(format_spacing(&FORMAT_BFLOAT16, inquiry->computed), 1); /* of what is rounded to here */
    const double multiple = fmin(last_bit(inquiry->computed), most) / inquiry->unit;
    return fmin(0, inquiry_unexplained(inquiry) - log2(fmax(multiple, 1)));
}

/* A result that is a multiple of `step`, the spacing of `name`; the cost of what may have made it so.  Formats are
 * rounded to, as a rule, and integers cut off. */
static void suspect_steps(struct inquiry *inquiry, double step, const char *name, double to_round, double to_cut)
{
    const struct ulpscope_error *const sound = &inquiry->sound;
    const bool is_inward = fabs(inquiry->computed) <= sound->exact.abs_above;
    const double weight = weight_of_few_bits(inquiry) + log2(fmax(2 * sound->bound / step, 1)); /* which multiple? */
    if (fmod(inquiry->computed, step) != 0 || sound->error > step + sound->bound)
        return;
    if (sound->error <= step / 2 + sound->bound)
        inquiry_suspect(inquiry, to_round, weight, 0, "the result is rounded to %s", name);
    if (is_inward)
        inquiry_suspect(inquiry, to_cut, weight, 0, "the result is %s to %s", to_cut < to_round ? "cut" : "truncated",
                        name);
}

void result_rounded(struct inquiry *inquiry)
{
    for (unsigned f = 1; f < NUMBER_FORMAT_COUNT; f++)
        if (NUMBER_FORMATS[f]->precision < inquiry->problem->result->precision)
            suspect_steps(inquiry, format_spacing(NUMBER_FORMATS[f], inquiry->computed), NUMBER_FORMATS[f]->name, 3, 6);
    if (inquiry->unit < 1)
        suspect_steps(inquiry, 1, "an integer", 6, 3);
}

/* As an int that is written where a number is read. */
void result_of_integer(struct inquiry *inquiry)
{
    const struct format *const format = inquiry->problem->result;
    const double whole = integer_of_bits(format_bits(format, inquiry->computed), 8 * format->bytes);
    if (whole != 0 && fabs(whole - inquiry->sound.exact.nearest) < 1 + inquiry->sound.bound)
        inquiry_suspect(inquiry, 3, 0, 0, "the result is an integer, whose bits are read as those of a number");
}

void wrapped_around(struct inquiry *inquiry)
{
    double whole = 0;
    for (uint64_t i = 0; i < inquiry->n; i++) {
        inquiry->changed_x[i] = term(inquiry, i);
        whole += trunc(inquiry->changed_x[i]);
    }
    for (unsigned width = 8; width <= 32; width *= 2)
        for (int has_sign = 0; has_sign < 2; has_sign++) {
            const double sum = wrapped_sum(inquiry->changed_x, inquiry->n, width, has_sign);
            if (sum != whole && rounded_to(sum, inquiry->problem->result) == inquiry->computed)
                inquiry_suspect(inquiry, 3, 0, 0, "integers wrap around modulo 2^%u", width);
        }
}

/* ---- partial sums ---- */

/* One after another, as C adds in a format: in binary32 or binary64, then rounded; NULL: then cut to an integer. */
static double serial_sum(const struct inquiry *inquiry, const struct format *format, bool rounds_terms)
{
    double sum = 0;
    for (uint64_t i = 0; i < inquiry->n; i++) {
        const double next = rounds_terms ? rounded_to(term(inquiry, i), format) : term(inquiry, i);
        sum = rounded_to(sum + next, inquiry->problem->format);
        sum = format ? rounded_to(sum, format) : trunc(sum);
    }
    return rounded_to(sum, inquiry->problem->result);
}

static bool is_computed(const struct inquiry *inquiry, double sum)
{
    return sum == inquiry->computed || (isnan(sum) && isnan(inquiry->computed));
}

/* As plain loops are vectorised: x0 + x4 + ... beside x1 + x5 + ...  Some 2^7 of them. */
static bool is_in_chains(struct inquiry *inquiry, const struct format *format)
{
    enum { CHAINS_TERMS_MOST = 1 << 16 };
    for (uint64_t i = 0; i < inquiry->n; i++)
        inquiry->changed_x[i] = rounded_to(term(inquiry, i), inquiry->problem->format);
    if (inquiry->n <= CHAINS_TERMS_MOST)
        for (struct chains chains = {0}; chains_next(format, inquiry->n, &chains) && chains.block == 0;)
            if (is_computed(inquiry,
                            rounded_to(chains_sum(&chains, inquiry->changed_x, inquiry->n), inquiry->problem->result)))
                return true;
    return false;
}

/* Where a result has few bits it is within few units of anything, and a sum that was kept in them the usual cause. */
static double cost_of_sum(const struct inquiry *inquiry, const struct format *format)
{
    return format->precision == inquiry->problem->result->precision ? -INQUIRY_LEAD : 2;
}

static void suspect_sum(struct inquiry *inquiry, const struct format *format)
{
    const bool is_usual = format->precision == inquiry->problem->added->precision;
    const bool is_serial = is_computed(inquiry, serial_sum(inquiry, format, false)) ||
                           is_computed(inquiry, serial_sum(inquiry, format, true));
    if (!is_serial && (is_usual || !isfinite(inquiry->computed) || !is_in_chains(inquiry, format)))
        return;
    const double cost = is_serial ? cost_of_sum(inquiry, format) : 9;
    if (!isfinite(inquiry->computed))
        inquiry_suspect(inquiry, 2, 0, 0, "partial sums overflow in %s", format->name);
    else if (is_usual)
        inquiry_suspect(inquiry, 2, 0, 0,
                        "no fault is needed: equals plain additions in %s, one after another, bit for bit",
                        format->name);
    else
        inquiry_suspect(inquiry, cost, weight_of_few_bits(inquiry), 0, "equals %s partial sums, bit for bit",
                        format->name);
}

void partial_sums_rounded(struct inquiry *inquiry)
{
    for (unsigned f = 0; f < NUMBER_FORMAT_COUNT; f++)
        if (NUMBER_FORMATS[f]->precision <= inquiry->problem->added->precision)
            suspect_sum(inquiry, NUMBER_FORMATS[f]);
    if (isfinite(inquiry->computed) && is_computed(inquiry, serial_sum(inquiry, NULL, false)))
        inquiry_suspect(inquiry, 2, weight_of_few_bits(inquiry), 0, "the sum is kept in an integer");
}

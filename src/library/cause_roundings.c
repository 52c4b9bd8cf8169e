/* Hypotheses of roundings: of elements, of partial sums, of the result. */
#include "hypotheses.h"

#include "src/base/format.h"

#include <math.h>

static double factor_or_0(const double *y, uint64_t i)
{
    return y ? y[i] : 0;
}

static bool round_alike(const struct inquiry *inquiry, const struct format *a, const struct format *b)
{
    for (uint64_t i = 0; i < inquiry->n; i++)
        if (rounded_to(inquiry->x[i], a) != rounded_to(inquiry->x[i], b) ||
            rounded_to(factor_or_0(inquiry->y, i), a) != rounded_to(factor_or_0(inquiry->y, i), b))
            return false;
    return true;
}

void elements_rounded(struct inquiry *inquiry)
{
    const bool alike = round_alike(inquiry, &FORMAT_TF32, &FORMAT_BINARY16);
    const struct {
        const struct format *format;
        const char *name;
    } formats[] = {{&FORMAT_BINARY32, "binary32"},
                   {&FORMAT_TF32, alike ? "TF32 or binary16" : "TF32"},
                   {alike ? &FORMAT_BINARY64 : &FORMAT_BINARY16, "binary16"},
                   {&FORMAT_BFLOAT16, "bfloat16"}};
    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++) {
        if (round_alike(inquiry, formats[f].format, &FORMAT_BINARY64))
            continue;
        for (uint64_t i = 0; i < inquiry->n; i++) {
            inquiry->changed_x[i] = rounded_to(inquiry->x[i], formats[f].format);
            if (inquiry->y)
                inquiry->changed_y[i] = rounded_to(inquiry->y[i], formats[f].format);
        }
        inquiry_suspect(inquiry, 3, weigh_changed(inquiry, inquiry->n), 0, "the elements are rounded to %s first",
                        formats[f].name);
    }
}

/* The narrowest format that has the result: of one that was rounded to fewer bits than its format has, those. */
static const struct format *format_of_bits(const struct inquiry *inquiry)
{
    const struct format *format = inquiry->problem->result;
    for (unsigned f = 0; f < NUMBER_FORMAT_COUNT; f++)
        if (NUMBER_FORMATS[f]->precision < format->precision &&
            rounded_to(inquiry->computed, NUMBER_FORMATS[f]) == inquiry->computed)
            format = NUMBER_FORMATS[f];
    return format;
}

void result_rounded(struct inquiry *inquiry)
{
    const struct ulpscope_error *const sound = &inquiry->sound;
    const struct format *const format = format_of_bits(inquiry);
    const double unit = spacing(format, inquiry->computed);
    const bool is_narrow = format->precision < inquiry->problem->result->precision,
               is_inward = fabs(inquiry->computed) <= sound->exact.abs_above;
    const bool may_be_binary16 = format->precision < FORMAT_BINARY16.precision &&
                                 inquiry->problem->result->precision > FORMAT_BINARY16.precision &&
                                 sound->error <= spacing(&FORMAT_BINARY16, inquiry->computed) / 2 + sound->bound;
    const bool may_be_partial_sums = inquiry->count > 0 && !inquiry_is_sound(inquiry);
    const bool is_near = is_narrow && sound->error <= unit / 2 + sound->bound;
    if (is_near && (may_be_binary16 || may_be_partial_sums)) {
        inquiry->count = 0; /* all that can be said: each explains so few bits alike */
        inquiry_suspect(inquiry, 2, 0, 0, "the result has at most %d significant bits", format->precision);
    } else if (is_near)
        inquiry_suspect(inquiry, 3, 0, 0, "the result is rounded to %s", format->name);
    else if (is_inward && sound->error > unit / 2 && sound->error <= unit + (is_narrow ? sound->bound : 0))
        inquiry_suspect(inquiry, 3, 0, 0, "the result is truncated to %s", format->name);
    else if (is_narrow && sound->error <= ulpscope_bound_any_order(inquiry->y != NULL, inquiry->n, name_of(format),
                                                                   name_of(inquiry->problem->result), &sound->exact))
        inquiry_suspect(inquiry, 10, log2(1 + sound->error / unit), 0, "additions are rounded to %s", format->name);
}

/* One after another, as C adds in a format: in binary32 or binary64, then rounded. */
static double serial_sum(const struct inquiry *inquiry, const struct format *format, bool rounds_terms)
{
    double sum = 0;
    for (uint64_t i = 0; i < inquiry->n; i++) {
        const double next = rounds_terms ? rounded_to(term(inquiry, i), format) : term(inquiry, i);
        sum = rounded_to(rounded_to(sum + next, inquiry->problem->format), format);
    }
    return rounded_to(sum, inquiry->problem->result);
}

void partial_sums_rounded(struct inquiry *inquiry)
{
    const struct format *const added = inquiry->problem->added;
    for (unsigned f = 0; f < NUMBER_FORMAT_COUNT && inquiry->count == 0; f++)
        for (int rounds_terms = 0; rounds_terms <= 1 && inquiry->count == 0; rounds_terms++) {
            const struct format *const format = NUMBER_FORMATS[f];
            if (format->precision > added->precision ||
                !format_same(&FORMAT_BINARY64, double_bits(serial_sum(inquiry, format, rounds_terms)),
                             double_bits(inquiry->computed)))
                continue;
            if (!isfinite(inquiry->computed))
                inquiry_suspect(inquiry, 2, 0, 0, "partial sums overflow in %s", format->name);
            else if (format->precision == added->precision)
                inquiry_suspect(inquiry, 2, 0, 0,
                                "no fault is needed: equals plain additions in %s, one after another, bit for bit",
                                format->name);
            else
                inquiry_suspect(inquiry, 2, 0, 0, "equals %s partial sums, bit for bit", format->name);
        }
}

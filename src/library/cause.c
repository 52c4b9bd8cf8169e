/* Hypotheses of whole results: none, the sum of something else, that of another row or column; and the table of all. */
#include "cause.h"
#include "hypotheses.h"

#include "src/base/format.h"

#include <math.h>

/* ---- results that are none ---- */

/* Memory that was not written: debuggers and allocators fill it with one byte.  3 in bfloat16 is 0x4040, so that 16
 * bits say nothing. */
static void never_written(struct inquiry *inquiry)
{
    const struct format *const format = inquiry->problem->result;
    const float narrow = (float)inquiry->computed; /* keeps the bits of a NaN, as format_store would not */
    unsigned char bytes[sizeof(double)];
    bool same = format->bytes >= sizeof narrow;
    memcpy(bytes, &inquiry->computed, sizeof bytes);
    if (format->bytes == sizeof narrow)
        memcpy(bytes, &narrow, sizeof narrow);
    for (unsigned i = 1; i < format->bytes; i++)
        same = same && bytes[i] == bytes[0];
    if (same && bytes[0] != 0)
        inquiry_suspect(inquiry, 1, 0, 0, "each byte of the result is 0x%02x: it was never written", bytes[0]);
    else if (inquiry->computed == 0 && !inquiry_is_sound(inquiry))
        inquiry_suspect(inquiry, 0, 0, 0, "the result is 0");
}

static void no_number(struct inquiry *inquiry)
{
    if (inquiry->count == 0 && isnan(inquiry->computed))
        inquiry_suspect(inquiry, 0, 0, 0, "the result is NaN");
    if (inquiry->count == 0 && isinf(inquiry->computed))
        inquiry_suspect(inquiry, 0, 0, 0, "the result is infinite");
    for (unsigned f = 0; f < NUMBER_FORMAT_COUNT; f++)
        if (rounded_to(inquiry->sound.exact.nearest, NUMBER_FORMATS[f]) == inquiry->computed)
            inquiry_suspect(inquiry, 2, 0, 0, "the result overflows in %s", NUMBER_FORMATS[f]->name);
}

static void without_specials(struct inquiry *inquiry)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < inquiry->n; i++)
        if (isfinite(inquiry->x[i]) && (!inquiry->y || isfinite(inquiry->y[i]))) {
            inquiry->changed_x[kept] = inquiry->x[i];
            if (inquiry->y)
                inquiry->changed_y[kept] = inquiry->y[i];
            kept++;
        }
    inquiry_suspect(inquiry, 2, weigh_changed(inquiry, kept), 0, "elements that are NaN or infinite are left out");
}

/* ---- the sum of something else ---- */

static double weigh_times(struct inquiry *inquiry, double factor)
{
    inquiry_copy(inquiry);
    for (uint64_t i = 0; i < inquiry->n; i++)
        inquiry->changed_x[i] *= factor;
    return weigh_changed(inquiry, inquiry->n);
}

static void sign_flipped(struct inquiry *inquiry)
{
    inquiry_suspect(inquiry, 2, weigh_times(inquiry, -1), 0, "the sign of the sum is flipped");
}

static void twice(struct inquiry *inquiry)
{
    inquiry_suspect(inquiry, 3, weigh_times(inquiry, 2), 0, "each element is added twice");
}

static void from_one(struct inquiry *inquiry)
{
    inquiry_copy(inquiry);
    inquiry_suspect(inquiry, 3, weigh_inserted(inquiry, 0, 1, 1), 0, "the sum starts from 1");
}

static double flushed(const struct format *format, double x)
{
    return fabs(x) < ldexp(1, format->least_exponent + format->precision - 1) ? 0 : x;
}

/* All of it, where nothing else is there.  Partial sums are flushed where additions one after another then give the
 * result bit for bit: what they lose may be more than any bound. */
static void subnormals_flushed(struct inquiry *inquiry)
{
    const struct format *const added = inquiry->problem->added;
    double sum = 0;
    bool is_changed = false;
    inquiry_copy(inquiry);
    for (uint64_t i = 0; i < inquiry->n; i++) {
        inquiry->changed_x[i] = flushed(inquiry->problem->terms_format, inquiry->x[i]);
        const double next = inquiry->changed_x[i] * (inquiry->y ? inquiry->y[i] : 1);
        const double rounded = rounded_to(sum + rounded_to(next, added), added);
        sum = flushed(added, rounded);
        is_changed |= sum != rounded || inquiry->changed_x[i] != inquiry->x[i];
    }
    const bool is_sum = is_changed && rounded_to(sum, inquiry->problem->result) == inquiry->computed;
    inquiry_suspect(inquiry, 1, is_sum ? 0 : weigh_changed(inquiry, inquiry->n), 0, "subnormals are flushed to zero");
}

/* n times the result is held against the sum: the bound is that of the sum, and n roundings of the quotient. */
static void mean(struct inquiry *inquiry)
{
    const double n = (double)inquiry->n, total = inquiry->computed * n;
    const double unit = format_spacing(inquiry->problem->result, inquiry->computed); /* which is no sum of integers */
    struct ulpscope_error errors;
    if (n > 1 && isfinite(total) &&
        inquiry_errors(inquiry, inquiry->x, inquiry->y, inquiry->n, &FORMAT_BINARY64, total, &errors) &&
        errors.error <= errors.bound + n * unit)
        inquiry_suspect(inquiry, 2, log2(1 + errors.error / n / unit), 0, "the result is the mean");
}

/* ---- other rows and columns ---- */

static const struct {
    ulpscope_operation operation;
    struct view view;
    const char *words;
} views[] = {
    {ULPSCOPE_ROWS, {.x_transposed = true}, "columns are added in place of rows"},
    {ULPSCOPE_ROWS, {.row = -1}, "the result is that of the row before"},
    {ULPSCOPE_ROWS, {.row = 1}, "the result is that of the row after"},
    {ULPSCOPE_ROWS, {.is_not_cleared = true}, "the sum starts from the result of the row before"},
    {ULPSCOPE_MATMUL, {.x_transposed = true}, "A is read transposed"},
    {ULPSCOPE_MATMUL, {.y_transposed = true}, "B is read transposed"},
    {ULPSCOPE_MATMUL, {.x_transposed = true, .y_transposed = true}, "A and B are read transposed"},
    {ULPSCOPE_MATMUL, {.result_transposed = true}, "the result is stored transposed"},
    {ULPSCOPE_MATMUL, {.row = -1}, "the result is that of the row before"},
    {ULPSCOPE_MATMUL, {.row = 1}, "the result is that of the row after"},
    {ULPSCOPE_MATMUL, {.column = -1}, "the result is that of the column before"},
    {ULPSCOPE_MATMUL, {.column = 1}, "the result is that of the column after"},
    {ULPSCOPE_MATMUL, {.is_not_cleared = true}, "the sum starts from the result before"},
};

static double weigh_view(struct inquiry *inquiry, struct view view)
{
    const uint64_t place = inquiry->row * inquiry->problem->columns + inquiry->column;
    if (!inquiry_look(inquiry, view))
        return (double)INFINITY;
    if (!view.is_not_cleared)
        return weigh_changed(inquiry, inquiry->n);
    return place == 0 /* what was before it is not known */
               ? inquiry_unexplained(inquiry)
               : weigh_inserted(inquiry, 0, number_at(inquiry->problem->result, inquiry->results, place - 1), 1);
}

/* By how many bits a view explains the other results: of some of them, those that are beyond their bounds; -INFINITY
 * where it does not explain one. */
static double gain_of_others(struct inquiry *inquiry, struct view view)
{
    enum { OTHERS = 8 };
    const uint64_t columns = inquiry->problem->columns, count = inquiry->problem->rows * columns;
    const uint64_t place = inquiry->row * columns + inquiry->column, most = count - 1 < OTHERS ? count - 1 : OTHERS;
    double gain = 0;
    for (uint64_t o = 1; o <= most && !inquiry->failed; o++) {
        struct inquiry other = *inquiry;
        const uint64_t there = (place + o * ((count - 1) / most)) % count;
        inquiry_move(&other, there / columns, there % columns);
        if (!inquiry_is_sound(&other) && inquiry_look(&other, view))
            gain += inquiry_unexplained(&other) - weigh_view(&other, view);
        inquiry->failed = other.failed;
    }
    return gain;
}

static void elsewhere(struct inquiry *inquiry)
{
    for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
        if (views[v].operation != inquiry->problem->operation)
            continue;
        const double weight = weigh_view(inquiry, views[v].view);
        if (weight < (double)INFINITY)
            inquiry_suspect(inquiry, 3, weight - gain_of_others(inquiry, views[v].view), 0, "%s", views[v].words);
    }
}

/* ---- all ---- */

static hypothesis *const of_numbers[] = {partial_sums_rounded,
                                         result_rounded,
                                         result_of_integer,
                                         wrapped_around,
                                         never_written,
                                         sign_flipped,
                                         mean,
                                         twice,
                                         from_one,
                                         elements_changed,
                                         subnormals_flushed,
                                         last_left_out,
                                         first_left_out,
                                         one_left_out,
                                         run_left_out,
                                         one_twice,
                                         elsewhere,
                                         NULL};
static hypothesis *const of_no_number[] = {partial_sums_rounded, never_written, no_number, NULL};
static hypothesis *const of_special_data[] = {without_specials, NULL};

void cause_find(const struct problem *problem, const void *computed, struct ulpscope_verdict *verdict)
{
    struct inquiry inquiry;
    hypothesis *const *next = isnan(verdict->worst.exact.condition) ? of_special_data
                              : isfinite(verdict->worst.computed)   ? of_numbers
                                                                    : of_no_number;
    inquiry_begin(&inquiry, problem, computed, verdict);
    while (*next && !inquiry.failed)
        (*next++)(&inquiry);
    if (!inquiry.failed)
        inquiry_conclude(&inquiry, verdict->cause, sizeof verdict->cause);
    inquiry_end(&inquiry);
}

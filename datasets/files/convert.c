#include "convert.h"

#include "reference/exact.h"

#include <math.h>
#include <stdlib.h>

enum { WAITING_MOST = 1 << 12 };

struct converter {
    struct exact_stream *sum, *change; /* of the numbers as they were, and of what rounding took from each */
    struct conversion found;
    size_t waiting;
    double value[WAITING_MOST], lost[WAITING_MOST];
};

enum status converter_new(const struct format *from, struct converter **converter)
{
    enum status status;
    struct converter *made = calloc(1, sizeof *made);
    *converter = NULL;
    if (!made)
        return out_of_memory("what converting costs");
    made->found.from = from;
    TRY_DONE(exact_stream_new(&FORMAT_BINARY64, (struct exact_how){0}, &made->sum));
    TRY_DONE(exact_stream_new(&FORMAT_BINARY64, (struct exact_how){0}, &made->change));
    *converter = made;
    made = NULL;
done:
    converter_free(made);
    return status;
}

void converter_free(struct converter *converter)
{
    if (!converter)
        return;
    exact_stream_free(converter->sum);
    exact_stream_free(converter->change);
    free(converter);
}

static enum status add_waiting(struct converter *converter)
{
    const size_t count = converter->waiting;
    converter->waiting = 0;
    TRY(exact_stream_add(converter->sum, converter->value, count));
    return exact_stream_add(converter->change, converter->lost, count);
}

enum status converter_take(struct converter *converter, double value, double rounded)
{
    const bool is_changed = value != rounded && !isnan(value);
    struct conversion *found = &converter->found;
    found->changed += is_changed;
    found->underflowed += is_changed && rounded == 0;
    found->overflowed += is_changed && isinf(rounded);
    converter->value[converter->waiting] = value;
    converter->lost[converter->waiting++] = is_changed ? value - rounded : 0;
    return converter->waiting == WAITING_MOST ? add_waiting(converter) : OK;
}

/* Away from 0, twice at most: to 53 bits, and where those are too many for a subnormal number. */
static double quotient_above(const mpfr_t of, const mpfr_t by)
{
    mpfr_t quotient;
    mpfr_init2(quotient, FORMAT_BINARY64.precision);
    mpfr_div(quotient, of, by, MPFR_RNDA);
    const double above = fabs(mpfr_get_d(quotient, MPFR_RNDA));
    mpfr_clear(quotient);
    return above;
}

enum status converter_end(struct converter *converter, struct conversion *conversion)
{
    struct exact_sum sum = {0}, change = {0};
    enum status status;
    TRY_DONE(add_waiting(converter));
    status = exact_stream_end(converter->sum, &sum);
    converter->sum = NULL;
    TRY_DONE(status);
    status = exact_stream_end(converter->change, &change);
    converter->change = NULL;
    TRY_DONE(status);
    *conversion = converter->found;
    conversion->cost = change.abs_above;
    if (change.kind != EXACT_FINITE || !mpfr_zero_p(change.sum))
        conversion->relative_cost = quotient_above(change.sum, sum.sum);
done:
    exact_free(&sum);
    exact_free(&change);
    converter_free(converter);
    return status;
}

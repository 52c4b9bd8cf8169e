#include "storage.h"
#include "reference/rounding.h"
#include "src/base/note.h"

#include <math.h>

/* ---- a number in a format ---- */

static double round_fraction(const struct written *number, const struct format *format, bool *is_exact)
{
    struct written_sum alone = {0};
    mpq_t fraction;
    mpfr_t value;
    mpq_init(fraction);
    mpfr_init2(value, MPFR_PREC_MIN);
    (void)written_add(&alone, number, false);
    written_total(&alone, fraction);
    (void)written_to_odd(fraction, 2 * FORMAT_BINARY64.precision, value);
    const double rounded = rounded_to(exact_round(value, format), format); /* which knows that e4m3 ends earlier */
    *is_exact = isfinite(rounded) && mpfr_cmp_d(value, rounded) == 0;      /* to a NaN, too, the order is 0 */
    mpfr_clear(value);
    mpq_clear(fraction);
    written_sum_free(&alone);
    return rounded;
}

/* `wide` is what binary64 makes of it.  Both its neighbours round to the same number, unless the text has to decide. */
static double round_narrow(const char *text, double wide, bool is_exact, const struct format *format)
{
    double rounded = rounded_to(wide, format);
    if (!is_exact && format->precision < FORMAT_BINARY64.precision &&
        double_bits(rounded_to(nextafter(wide, INFINITY), format)) !=
            double_bits(rounded_to(nextafter(wide, -INFINITY), format)))
        (void)read_in_format(text, format, &rounded, NULL);
    return rounded;
}

const char *storage_read(struct storage *stored, const char *text)
{
    const struct written *number = &stored->number;
    double wide = 0;
    bool is_exact = false;
    int side;
    const char *wrong = written_read(text, &stored->number);
    if (wrong)
        return wrong;
    if (number->is_fraction) {
        wide = round_fraction(number, &FORMAT_BINARY64, &is_exact);
    } else if (!written_nearest(number, &wide, &is_exact)) { /* beyond binary64 it is infinite */
        (void)read_in_format(text, &FORMAT_BINARY64, &wide, &side);
        is_exact = side == 0;
    }
    for (struct stored_in *in = stored->formats; in < stored->formats + stored->format_count; in++) {
        const double value = number->is_fraction ? round_fraction(number, in->format, &is_exact)
                                                 : round_narrow(text, wide, is_exact, in->format);
        in->value = isfinite(value) ? value : copysign(INFINITY, wide);
        in->is_changed = !is_exact || in->value != wide;
    }
    return NULL;
}

static void count(struct stored_in *in, double value)
{
    in->changed++;
    in->underflowed += value == 0;
    in->overflowed += isfinite(value) ? 0 : 1;
    if (isfinite(value))
        written_add_double(&in->moved, value, true);
}

const char *storage_keep(struct storage *stored)
{
    const struct written *number = &stored->number;
    const char *wrong = written_add(&stored->sum, number, false);
    if (!wrong)
        wrong = written_add(&stored->magnitudes, number, number->negative);
    stored->n++;
    stored->hexadecimal += number->base == 2;
    stored->negative_zeros += number->is_zero && signbit(stored->formats[0].value) ? 1 : 0;
    for (struct stored_in *in = stored->formats; in < stored->formats + stored->format_count; in++)
        if (in->is_changed) {
            in->integers += number->is_integer;
            (void)written_add(&in->moved, number, false);
            count(in, in->value);
        }
    return wrong;
}

void storage_note(struct storage *stored, double value, double rounded)
{
    if (isfinite(value))
        written_add_double(&stored->sum, value, false);
    if (value == rounded || isnan(value))
        return;
    written_add_double(&stored->formats[0].moved, value, false);
    count(&stored->formats[0], rounded);
}

void storage_note_integer(struct storage *stored, bool is_first)
{
    struct stored_in *const in = stored->formats;
    struct written_sum *const sums[] = {&stored->sum, &in->moved};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        (void)written_add(sums[i], &stored->number, false);
        written_add_double(sums[i], in->value, true);
    }
    in->changed += is_first;
}

/* ---- all of them ---- */

struct conversion storage_conversion(const struct storage *stored, const struct stored_in *in)
{
    struct conversion conversion = {.from = in->format,
                                    .changed = in->changed,
                                    .underflowed = in->underflowed,
                                    .overflowed = in->overflowed,
                                    .cost = INFINITY,
                                    .relative_cost = INFINITY};
    mpq_t moved, sum;
    if (in->overflowed > 0)
        return conversion;
    mpq_inits(moved, sum, NULL);
    written_total(&in->moved, moved);
    written_total(&stored->sum, sum);
    conversion.cost = fabs(written_to_double(moved, NULL, MPFR_RNDA));
    conversion.relative_cost = fabs(written_to_double(moved, sum, MPFR_RNDA));
    mpq_clears(moved, sum, NULL);
    return conversion;
}

void storage_free(struct storage *stored)
{
    written_sum_free(&stored->sum);
    written_sum_free(&stored->magnitudes);
    for (size_t i = 0; i < stored->format_count; i++)
        written_sum_free(&stored->formats[i].moved);
}

void storage_say(const char *path, const struct storage *stored, const struct stored_in *in)
{
    char cost[NUMBER_TEXT];
    if (in->changed == 0)
        return;
    write_error(storage_conversion(stored, in).cost, cost);
    note_once("%s: rounded to %s on reading: %" PRIu64 " of %" PRIu64 " numbers, which moved their sum by %s; %s", path,
              in->format->name, in->changed, stored->n, cost,
              in->format->precision < FORMAT_BINARY64.precision ? "format=binary64 behind its name reads doubles"
                                                                : "`exact --as-written` adds what is written");
}

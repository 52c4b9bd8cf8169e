#include "exact_written.h"

#include "reference/rounding.h"
#include "src/base/note.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void texts_begin(struct texts *texts, bool as_written)
{
    texts->as_written = as_written;
    texts->stored.format_count = as_written ? STORED_FORMAT_COUNT : 2;
    for (size_t i = 0; i < texts->stored.format_count; i++)
        texts->stored.formats[i].format = NUMBER_FORMATS[i];
}

enum status texts_take(struct texts *texts, struct exact_how how, const double *x, uint64_t n)
{
    float narrow[1 << 12];
    if (texts->stored.formats[1].changed > 0)
        return OK;
    if (!texts->narrow)
        TRY(exact_stream_new(&FORMAT_BINARY32, how, &texts->narrow));
    for (uint64_t i = 0, count; i < n; i += count) {
        for (count = 0; count < sizeof narrow / sizeof *narrow && i + count < n; count++)
            narrow[count] = (float)x[i + count];
        TRY(exact_stream_add(texts->narrow, narrow, count));
    }
    return OK;
}

void texts_free(struct texts *texts)
{
    exact_stream_free(texts->narrow);
    storage_free(&texts->stored);
}

/* ---- the answer ---- */

/* Exponents and the counts of special numbers are those of formats: none are here but -0. */
static void sum_as_written(const struct storage *stored, int digits, struct exact_sum *exact)
{
    const mpfr_prec_t bits = 2 * FORMAT_BINARY64.precision + 64 + digits * 10 / 3; /* a digit has 3.33 */
    mpq_t sum, magnitudes;
    mpq_inits(sum, magnitudes, NULL);
    written_total(&stored->sum, sum);
    written_total(&stored->magnitudes, magnitudes);
    *exact = (struct exact_sum){
        .format = &FORMAT_BINARY64, .n = stored->n, .kind = EXACT_FINITE, .least_exponent = 1, .largest_exponent = 0};
    mpfr_inits2(bits, exact->sum, exact->sum_abs, NULL);
    exact->is_rounded = written_to_odd(sum, bits, exact->sum);
    exact->negative_zeros = stored->negative_zeros;
    if (stored->negative_zeros == stored->n)
        mpfr_neg(exact->sum, exact->sum, MPFR_RNDN);
    (void)written_to_odd(magnitudes, bits, exact->sum_abs);
    exact->condition = mpq_sgn(magnitudes) == 0 ? 1 : fabs(written_to_double(magnitudes, sum, MPFR_RNDN));
    exact->nearest = exact_round(exact->sum, exact->format);
    exact->ulp = exact_ulp(exact->sum, exact->format);
    exact->abs_above = fabs(mpfr_get_d(exact->sum, MPFR_RNDA));
    exact->sum_abs_above = mpfr_get_d(exact->sum_abs, MPFR_RNDU);
    mpq_clears(sum, magnitudes, NULL);
}

enum status texts_end(struct texts *texts, const char *path, int digits, struct exact_stream *wide,
                      struct exact_sum *exact)
{
    const struct storage *stored = &texts->stored;
    const uint64_t lacking = stored->formats[0].integers + stored->formats[0].overflowed;
    TRY(exact_stream_end(wide, exact));
    const bool has_words = exact->n > stored->n; /* nan and inf, of which --nonfinite ieee makes sums that are none */
    if (stored->n == 0 || (!texts->as_written && (lacking == 0 || has_words) &&
                           (stored->formats[1].changed > 0 || stored->hexadecimal < stored->n))) {
        storage_say(path, stored, &stored->formats[0]);
        return OK;
    }
    exact_free(exact);
    if (!texts->as_written && lacking == 0) {
        struct exact_stream *narrow = texts->narrow;
        texts->narrow = NULL;
        return exact_stream_end(narrow, exact);
    }
    if (!texts->as_written)
        note_once("%s: added as written, since %" PRIu64 " of its %" PRIu64
                  " numbers, integers or too large, cannot be represented in binary64",
                  path, lacking, stored->n);
    texts->as_written = true;
    sum_as_written(stored, digits, exact);
    return OK;
}

char *texts_fraction(const struct storage *stored)
{
    mpq_t sum;
    mpq_init(sum);
    written_total(&stored->sum, sum);
    char *text = mpq_get_str(NULL, 10, sum);
    mpq_clear(sum);
    return text;
}

char *texts_decimal(const struct storage *stored, int digits)
{
    mpq_t sum;
    mpq_init(sum);
    written_total(&stored->sum, sum);
    char *text = written_decimal(sum, digits);
    mpq_clear(sum);
    return text;
}

/* ---- a value beside it ---- */

/* Errors of the sum itself, which exact->sum may be rounded from; each is rounded once, up.  What is undefined stays
 * so. */
static void measure(const struct storage *stored, const struct exact_sum *exact, struct comparison *comparison)
{
    mpq_t error, by;
    mpfr_t ulp;
    mpq_inits(error, by, NULL);
    mpfr_init2(ulp, MPFR_PREC_MIN);
    written_total(&stored->sum, by);
    mpq_set_d(error, comparison->value);
    mpq_sub(error, error, by);
    mpq_abs(error, error);
    mpq_abs(by, by);
    comparison->metrics[METRIC_abs_error] = written_to_double(error, NULL, MPFR_RNDU);
    if (mpq_sgn(by) != 0)
        comparison->metrics[METRIC_relative_error] = written_to_double(error, by, MPFR_RNDU);
    written_total(&stored->magnitudes, by);
    if (mpq_sgn(by) != 0)
        comparison->metrics[METRIC_backward_error] = written_to_double(error, by, MPFR_RNDU);
    exact_set_ulp(ulp, exact->sum, comparison->format);
    mpfr_get_q(by, ulp);
    comparison->metrics[METRIC_ulp_error] = written_to_double(error, by, MPFR_RNDU);
    mpfr_clear(ulp);
    mpq_clears(error, by, NULL);
}

/* value - exact = (stored - exact) + (value - stored), and stored is exact - moved. */
void texts_compare(const struct storage *stored, const struct exact_sum *exact, struct comparison *comparison)
{
    const struct stored_in *in = stored->formats, *const end = in + stored->format_count;
    mpq_t moved, rest, value;
    if (isfinite(comparison->value))
        measure(stored, exact, comparison);
    while (in < end && strcmp(in->format->name, comparison->format->name) != 0)
        in++;
    comparison->has_parts = in < end && in->overflowed == 0 && isfinite(comparison->value);
    if (!comparison->has_parts)
        return;
    mpq_inits(moved, rest, value, NULL);
    written_total(&in->moved, moved);
    written_total(&stored->sum, rest);
    mpq_set_d(value, comparison->value);
    mpq_sub(rest, moved, rest);
    mpq_add(rest, rest, value);
    comparison->storage = -written_to_double(moved, NULL, MPFR_RNDA);
    comparison->addition = written_to_double(rest, NULL, MPFR_RNDA);
    mpq_clears(moved, rest, value, NULL);
}

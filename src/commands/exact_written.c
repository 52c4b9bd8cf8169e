#include "exact_written.h"

#include "src/base/note.h"
#include "src/base/number.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static enum status add_waiting(struct texts *texts, struct exact_how how)
{
    const size_t count = texts->waiting;
    texts->waiting = 0;
    if (!texts->wide)
        TRY(exact_stream_new(&FORMAT_BINARY64, how, &texts->wide));
    if (!texts->narrow)
        TRY(exact_stream_new(&FORMAT_BINARY32, how, &texts->narrow));
    TRY(exact_stream_add(texts->wide, texts->wide_waiting, count));
    return exact_stream_add(texts->narrow, texts->narrow_waiting, count);
}

enum status texts_take(struct texts *texts, struct exact_how how, const char *text, const char **wrong)
{
    struct storage *stored = &texts->stored;
    for (size_t i = 0; stored->n == 0 && i < (texts->as_written ? STORED_FORMAT_COUNT : 2); i++) {
        stored->formats[i].format = NUMBER_FORMATS[i];
        stored->format_count = i + 1;
    }
    double *const wide = &texts->wide_waiting[texts->waiting];
    if (isalpha((unsigned char)text[*text == '-' || *text == '+'])) {
        texts->has_specials = true;
        *wrong = read_double(text, wide);
        stored->formats[1].value = *wide;
    } else {
        texts->has_decimals = texts->has_decimals || !strpbrk(text, "xX");
        *wrong = storage_take(stored, text);
        *wide = stored->formats[0].value;
    }
    if (*wrong || texts->as_written)
        return OK;
    texts->narrow_waiting[texts->waiting++] = (float)stored->formats[1].value;
    return texts->waiting == TEXTS_WAITING_MOST ? add_waiting(texts, how) : OK;
}

void texts_free(struct texts *texts)
{
    exact_stream_free(texts->wide);
    exact_stream_free(texts->narrow);
    storage_free(&texts->stored);
}

/* ---- the answer ---- */

/* Exponents and the counts of special numbers are those of formats: none are here. */
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
    (void)written_to_odd(magnitudes, bits, exact->sum_abs);
    exact->condition = mpq_sgn(magnitudes) == 0 ? 1 : fabs(written_to_double(magnitudes, sum, MPFR_RNDN));
    exact->nearest = exact_round(exact->sum, exact->format);
    exact->ulp = exact_ulp(exact->sum, exact->format);
    exact->abs_above = fabs(mpfr_get_d(exact->sum, MPFR_RNDA));
    exact->sum_abs_above = mpfr_get_d(exact->sum_abs, MPFR_RNDU);
    mpq_clears(sum, magnitudes, NULL);
}

static enum status end_stream(struct exact_stream **stream, struct exact_sum *exact)
{
    struct exact_stream *ended = *stream;
    *stream = NULL;
    return exact_stream_end(ended, exact);
}

enum status texts_end(struct texts *texts, struct exact_how how, const char *path, int digits, struct exact_sum *exact)
{
    const struct stored_in *wide = &texts->stored.formats[0], *narrow = &texts->stored.formats[1];
    const uint64_t lacking = wide->integers + wide->overflowed;
    if (!texts->as_written) {
        TRY(add_waiting(texts, how));
        if (narrow->changed == 0 && !texts->has_decimals)
            return end_stream(&texts->narrow, exact);
        if (lacking == 0 || texts->has_specials) { /* whose sum is none, too */
            storage_say(path, &texts->stored, wide);
            return end_stream(&texts->wide, exact);
        }
        note_once("%s: added as written, since %" PRIu64 " of its %" PRIu64
                  " numbers, integers or too large, cannot be represented in binary64",
                  path, lacking, texts->stored.n);
        texts->as_written = true;
    }
    sum_as_written(&texts->stored, digits, exact);
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

/* ---- a value beside it ---- */

/* value - exact = (stored - exact) + (value - stored), and stored is exact - moved. */
void texts_compare(const struct storage *stored, struct comparison *comparison)
{
    const struct stored_in *in = stored->formats, *const end = in + stored->format_count;
    mpq_t moved, rest, value;
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

#include "exact_written.h"

#include "src/base/memory.h"
#include "src/base/note.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAITING_MOST = 1 << 12, OWN_FORMATS = 2, FRACTION_MOST = 60 };

struct texts {
    bool as_written;       /* was asked for, or is the answer */
    struct storage stored; /* of NUMBER_FORMATS: the first are binary64 and binary32 */
    struct exact_stream *wide, *narrow;
    size_t waiting;
    double wide_waiting[WAITING_MOST];
    float narrow_waiting[WAITING_MOST];
    struct exact_how how;
};

struct texts *texts_new(struct exact_how how, bool as_written)
{
    struct texts *texts = memory_cleared(1, sizeof *texts);
    texts->how = how;
    texts->as_written = as_written;
    texts->stored.format_count = as_written ? STORED_FORMAT_COUNT : OWN_FORMATS;
    for (size_t i = 0; i < texts->stored.format_count; i++)
        texts->stored.formats[i].format = NUMBER_FORMATS[i];
    return texts;
}

void texts_free(struct texts *texts)
{
    if (!texts)
        return;
    exact_stream_free(texts->wide);
    exact_stream_free(texts->narrow);
    storage_free(&texts->stored);
    free(texts);
}

const struct storage *texts_stored(const struct texts *texts)
{
    return texts && texts->as_written ? &texts->stored : NULL;
}

static enum status add_waiting(struct texts *texts)
{
    const size_t count = texts->waiting;
    texts->waiting = 0;
    if (!texts->wide)
        TRY(exact_stream_new(&FORMAT_BINARY64, texts->how, &texts->wide));
    if (!texts->narrow)
        TRY(exact_stream_new(&FORMAT_BINARY32, texts->how, &texts->narrow));
    TRY(exact_stream_add(texts->wide, texts->wide_waiting, count));
    return exact_stream_add(texts->narrow, texts->narrow_waiting, count);
}

enum status texts_take(struct texts *texts, const char *text, const char **wrong)
{
    *wrong = storage_take(&texts->stored, text);
    if (*wrong || texts->as_written)
        return OK;
    texts->wide_waiting[texts->waiting] = texts->stored.formats[0].value;
    texts->narrow_waiting[texts->waiting++] = (float)texts->stored.formats[1].value;
    return texts->waiting == WAITING_MOST ? add_waiting(texts) : OK;
}

/* ---- what is written ---- */

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

enum status texts_end(struct texts *texts, const char *path, int digits, struct exact_sum *exact)
{
    const struct stored_in *in = texts->stored.formats;
    if (!texts->as_written) {
        TRY(add_waiting(texts));
        if (in[1].changed == 0)
            return end_stream(&texts->narrow, exact);
        if (in[0].integers + in[0].overflowed == 0) {
            storage_say(path, &texts->stored, &in[0]);
            return end_stream(&texts->wide, exact);
        }
        note_once("%s: added as written, since binary64 does not have %" PRIu64 " of its %" PRIu64
                  " numbers, integers or larger than it",
                  path, in[0].integers + in[0].overflowed, texts->stored.n);
        texts->as_written = true;
    }
    sum_as_written(&texts->stored, digits, exact);
    return OK;
}

char *texts_fraction(const struct storage *stored)
{
    mpq_t sum;
    char *text = NULL;
    mpq_init(sum);
    written_total(&stored->sum, sum);
    const size_t digits = mpz_sizeinbase(mpq_numref(sum), 10) + mpz_sizeinbase(mpq_denref(sum), 10);
    if (digits <= FRACTION_MOST && mpz_cmp_ui(mpq_denref(sum), 1) != 0) {
        text = memory_cleared(digits + 3, 1);
        (void)mpq_get_str(text, 10, sum);
    }
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

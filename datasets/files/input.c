/* A file's numbers on their way to the consumer: each is judged, and those that are kept go on in pieces. */
#include "file_formats.h"
#include "src/base/format.h"
#include "src/base/number.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of a piece: 256 KiB of binary32 stay in a core's cache between the reading and the adding.  2^20 of them took
 * as long. */
enum { PIECE = 1 << 16 };

/* ---- complaints ---- */

enum status refuse(const struct input *in, const char *format, ...)
{
    char message[1024]; /* every text from a file that goes into it has been cut by quote() */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (in->line > 0)
        complain("%s:%" PRIu64 ": %s", in->path, in->line, message);
    else
        complain("%s: %s", in->path, message);
    return BAD_INPUT;
}

enum status input_failed(const struct input *in)
{
    complain("%s: could not be read to its end: %s; try again, or copy the file to another disk", in->path,
             strerror(errno));
    return NOT_MEASURED;
}

enum status input_read(const struct input *in, void *buffer, size_t bytes)
{
    if (fread(buffer, 1, bytes, in->file) == bytes)
        return OK;
    if (ferror(in->file))
        return input_failed(in);
    return refuse(in,
                  "became shorter than its %" PRIu64
                  " bytes while it was read; expected all of them; wait for its writer and try again",
                  in->size);
}

/* ---- pieces ---- */

/* `from` is the format of the numbers in the file. */
static enum status start(struct input *in, const struct format *from, uint64_t most)
{
    const struct format *format = in->options->convert ? in->options->convert : from;
    assert(!in->format);
    in->piece = malloc((size_t)PIECE * format_held(format)->bytes);
    if (!in->piece)
        return out_of_memory("a piece of a file");
    if (in->options->convert)
        TRY(converter_new(from, &in->converter));
    in->format = format;
    return in->consumer->start(in->consumer->context, format, most);
}

static enum status hand_over(struct input *in)
{
    const size_t count = in->in_piece;
    in->in_piece = 0;
    return count > 0 ? in->consumer->take(in->consumer->context, in->piece, count) : OK;
}

/* The one place that knows what becomes of an element that is no finite number. */
static enum status judge_nonfinite(struct input *in, const char *what, bool *keep)
{
    *keep = in->options->nonfinite == NONFINITE_IEEE;
    if (in->options->nonfinite == NONFINITE_SKIP)
        in->left_out++;
    if (in->options->nonfinite != NONFINITE_REFUSE)
        return OK;
    return refuse(in,
                  "element %" PRIu64 " (from 0) is %s; only finite numbers are taken; correct it, or choose "
                  "--nonfinite ieee (to keep such elements) or --nonfinite skip (to leave them out)",
                  in->n, what);
}

static const char *nonfinite_word(double value)
{
    return isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

/* And of one that the format cannot hold: too large, or an infinity where there is none.  They are counted, and refused
 * at the end of the file, so that it can be said how many there are. */
static bool judge_outside(struct input *in, double value, double rounded)
{
    if (in->options->nonfinite == NONFINITE_SKIP)
        in->left_out++;
    else if (in->options->nonfinite == NONFINITE_IEEE && isinf(rounded) && !in->format->finite_only)
        return true;
    else if (in->outside++ == 0) {
        in->first_outside = in->n;
        in->first_outside_value = value;
    }
    return false;
}

static enum status refuse_outside(const struct input *in)
{
    char value[NUMBER_TEXT], largest[NUMBER_TEXT];
    const bool has_infinity = !in->format->finite_only;
    write_double(in->first_outside_value, value);
    write_plainly(format_largest(in->format), largest);
    return refuse(
        in,
        "%" PRIu64 " of its %" PRIu64 " numbers %s outside %s (largest %s), the first of them element %" PRIu64
        " (from 0), %s; expected numbers within it; scale the data, name a format of a wider range, or choose "
        "%s--nonfinite skip (to leave them out)",
        in->outside, in->n + in->outside, in->outside == 1 ? "is" : "are", in->format->name, largest, in->first_outside,
        value, has_infinity ? "--nonfinite ieee (to make them infinite) or " : "");
}

/* ---- one number after the other ---- */

/* As it is in the file, and rounded to in->format. */
static enum status add(struct input *in, double value, double rounded)
{
    bool keep = true;
    if (!isfinite(value))
        TRY(judge_nonfinite(in, nonfinite_word(value), &keep));
    if (keep && !isfinite(rounded) && !isnan(value) && (isfinite(value) || in->format->finite_only))
        keep = judge_outside(in, value, rounded);
    if (!keep)
        return OK;
    if (in->converter)
        TRY(converter_take(in->converter, value, rounded));
    if (in->in_piece == PIECE)
        TRY(hand_over(in));
    held_set(in->format, in->piece, in->in_piece++, rounded);
    in->n++;
    return OK;
}

/* Of the numbers of a text; those that are to be rounded to another are read as wide as can be, unless it is said what
 * they are. */
static const struct format *text_format(const struct file_options *options)
{
    if (options->format)
        return options->format;
    return options->convert ? &FORMAT_BINARY64 : &FORMAT_BINARY32;
}

/* A decimal is rounded to convert= itself, and not what binary64 makes of it: once. */
static double text_converted(const struct file_options *options, const char *text, double value)
{
    double rounded;
    if (options->format || read_in_format(text, options->convert, &rounded, NULL))
        return rounded_to(value, options->convert);
    return rounded;
}

enum status input_add_text(struct input *in, const char *text, const char **wrong)
{
    const struct format *from = text_format(in->options);
    double value;
    *wrong = read_in_format(text, from, &value, NULL);
    if (*wrong)
        return OK;
    if (!in->format)
        TRY(start(in, from, 0));
    return add(in, value, in->converter ? text_converted(in->options, text, value) : value);
}

enum status input_add_missing(struct input *in)
{
    bool keep;
    TRY(judge_nonfinite(in, "missing", &keep));
    if (!keep)
        return OK;
    if (!in->format)
        TRY(start(in, text_format(in->options), 0));
    return add(in, NAN, NAN);
}

/* ---- a block of binary numbers ---- */

/* Those of the first `count` numbers of the piece that are kept move to its front. */
static enum status sift(struct input *in, size_t count)
{
    const size_t bytes = in->format->bytes;
    for (size_t i = 0; i < count; i++) {
        const double value = held_number(in->format, in->piece, i);
        bool keep = true;
        if (!isfinite(value))
            TRY(judge_nonfinite(in, nonfinite_word(value), &keep));
        if (!keep)
            continue;
        if (in->in_piece < i)
            memcpy((char *)in->piece + in->in_piece * bytes, (const char *)in->piece + i * bytes, bytes);
        in->in_piece++;
        in->n++;
    }
    return OK;
}

/* Numbers as memory has them. */
static enum status add_as_they_are(struct input *in, uint64_t count)
{
    while (count > 0) {
        const size_t now = count < PIECE ? (size_t)count : PIECE;
        TRY(input_read(in, in->piece, now * in->format->bytes));
        TRY(sift(in, now));
        TRY(hand_over(in));
        count -= now;
    }
    return OK;
}

static uint64_t bits_at(const struct stored *stored, const unsigned char *at)
{
    uint64_t bits = 0;
    for (unsigned b = 0; b < stored->bytes; b++)
        bits |= (uint64_t)at[b] << 8 * (stored->is_big_endian ? stored->bytes - 1 - b : b);
    return bits;
}

/* Of an integer. */
static uint64_t magnitude_of(const struct stored *stored, uint64_t bits, bool *negative)
{
    const unsigned unused = 64 - 8 * stored->bytes;
    *negative = stored->is_signed && bits << unused >> 63;
    return *negative ? -bits << unused >> unused : bits;
}

/* false: an integer that is no number of the format. */
static bool value_of(const struct stored *stored, uint64_t bits, const struct format *format, double *value)
{
    if (stored->format) {
        *value = format_value(stored->format, bits);
        return true;
    }
    bool negative;
    const uint64_t magnitude = magnitude_of(stored, bits, &negative);
    *value = (double)magnitude * (negative ? -1 : 1);
    const bool fits = magnitude == 0 || magnitude >> __builtin_ctzll(magnitude) >> format->precision == 0;
    return fits && rounded_to(*value, format) == *value;
}

/* Integers of which the format does not have all. */
struct inexact {
    const struct format *format;
    uint64_t count, first, bits; /* how many; the first, and its bits */
};

static enum status refuse_inexact(const struct input *in, const struct stored *stored, const struct inexact *inexact)
{
    bool negative;
    const uint64_t magnitude = magnitude_of(stored, inexact->bits, &negative);
    const bool is_widest = inexact->format->precision == FORMAT_BINARY64.precision;
    return refuse(
        in,
        "%" PRIu64 " of its integers cannot be represented in %s, the first of them element %" PRIu64
        " (from 0), %s%" PRIu64 "; expected numbers that can; round with %s%s",
        inexact->count, inexact->format->name, inexact->first, negative ? "-" : "", magnitude,
        is_widest ? "x.astype('<f8')" : "convert= in place of format=", is_widest ? "" : ", or take a wider format=");
}

/* Numbers that are others in memory. */
static enum status add_converted(struct input *in, const struct stored *stored, const struct format *from,
                                 uint64_t count)
{
    unsigned char some[1 << 13]; /* a multiple of every size */
    const uint64_t most = sizeof some / stored->bytes;
    struct inexact inexact = {.format = from};
    for (uint64_t index = 0, now; index < count; index += now) {
        now = count - index < most ? count - index : most;
        TRY(input_read(in, some, (size_t)now * stored->bytes));
        for (uint64_t i = 0; i < now; i++) {
            double value;
            const uint64_t bits = bits_at(stored, some + i * stored->bytes);
            if (value_of(stored, bits, from, &value))
                TRY(add(in, value, in->converter ? rounded_to(value, in->format) : value));
            else if (inexact.count++ == 0)
                inexact = (struct inexact){from, 1, index + i, bits};
        }
    }
    return inexact.count > 0 ? refuse_inexact(in, stored, &inexact) : OK;
}

static const struct format *integers_format(const struct file_options *options, unsigned bytes)
{
    if (options->format)
        return options->format;
    return 8 * bytes > (unsigned)FORMAT_BINARY32.precision ? &FORMAT_BINARY64 : &FORMAT_BINARY32;
}

enum status input_add_block(struct input *in, const struct stored *stored, uint64_t count)
{
    assert(count <= in->size / stored->bytes);
    const struct format *from = stored->format ? stored->format : integers_format(in->options, stored->bytes);
    TRY(start(in, from, count));
    const bool as_they_are =
        stored->format && stored->bytes == format_held(from)->bytes && !stored->is_big_endian && !in->converter;
    return as_they_are ? add_as_they_are(in, count) : add_converted(in, stored, from, count);
}

/* ---- the end ---- */

static enum status check_not_empty(const struct input *in)
{
    if (in->left_out > 0 && in->n == 0)
        return refuse(in,
                      "all of its %" PRIu64
                      " elements are nan, inf or missing, and were left out; expected at least one "
                      "number; choose --nonfinite ieee to keep them",
                      in->left_out);
    if (in->n == 0)
        return refuse(in, "holds no number; expected at least one; check what wrote it");
    return OK;
}

enum status input_end(struct input *in, struct dataset *data)
{
    if (in->outside > 0)
        return refuse_outside(in);
    TRY(check_not_empty(in));
    TRY(hand_over(in));
    data->left_out = in->left_out;
    if (!in->converter)
        return OK;
    struct converter *converter = in->converter;
    in->converter = NULL;
    return converter_end(converter, &data->conversion);
}

void input_free(struct input *in)
{
    converter_free(in->converter);
    free(in->piece);
}

/* ---- text ---- */

void skip_byte_order_mark(FILE *file)
{
    static const int mark[] = {0xEF, 0xBB, 0xBF};
    size_t matched = 0;
    while (matched < 3) {
        const int c = getc(file);
        if (c == mark[matched]) {
            matched++;
            continue;
        }
        ungetc(c, file); /* a pipe cannot be rewound */
        while (matched > 0)
            ungetc(mark[--matched], file);
        return;
    }
}

char *trim(char *text)
{
    static const char blanks[] = " \t\r\n";
    text += strspn(text, blanks);
    size_t length = strlen(text);
    while (length > 0 && strchr(blanks, text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

struct quoted quote(const char *text)
{
    struct quoted quoted;
    size_t length = strnlen(text, QUOTED_MOST + 1);
    const bool cut = length > QUOTED_MOST;
    if (cut) /* not in the middle of a UTF-8 character, whose later bytes are 10xxxxxx */
        for (length = QUOTED_MOST; length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80;)
            length--;
    for (size_t i = 0; i < length; i++)
        quoted.text[i] = (unsigned char)text[i] < ' ' || text[i] == 0x7F ? '?' : text[i];
    strcpy(quoted.text + length, cut ? "..." : "");
    return quoted;
}

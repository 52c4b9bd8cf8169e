/* A file's numbers on their way to the consumer: each is judged, and those that are kept go on in pieces. */
#include "file_formats.h"
#include "src/base/format.h"
#include "src/base/note.h"
#include "src/base/number.h"

#include <assert.h>
#include <ctype.h>
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
    in->format = format;
    in->storage.format_count = 1;
    in->storage.formats[0].format = from;
    return in->consumer->start(in->consumer->context, format, most);
}

static enum status hand_over(struct input *in)
{
    const size_t count = in->in_piece;
    const bool is_refused = in->nonfinite.count + in->outside.count + in->inexact.count > 0; /* the rest is counted */
    in->in_piece = 0;
    return count > 0 && !is_refused ? in->consumer->take(in->consumer->context, in->piece, count) : OK;
}

/* So far; none was left out where some are refused. */
static uint64_t elements(const struct input *in)
{
    return in->n + in->nonfinite.count + in->outside.count + in->inexact.count;
}

static void note_refused(const struct input *in, struct refused *refused, const char *text)
{
    if (refused->count == 0) {
        refused->first = elements(in);
        refused->line = in->line;
        refused->text = quote(text);
    }
    refused->count++;
}

static void leave_out(struct input *in)
{
    if (in->left_out++ == 0)
        in->first_left_out = in->n;
}

/* The one place that knows what becomes of an element that is no finite number; a missing one is a `what` of
 * "missing". Whether it is kept. */
static bool judge_nonfinite(struct input *in, const char *what)
{
    uint64_t *const kind = *what == 'n' ? &in->nans : *what == 'm' ? &in->missing : &in->infinities;
    if (in->options->nonfinite == NONFINITE_SKIP)
        leave_out(in);
    if (in->options->nonfinite == NONFINITE_REFUSE) {
        note_refused(in, &in->nonfinite, what);
        ++*kind;
    }
    return in->options->nonfinite == NONFINITE_IEEE;
}

static const char *nonfinite_word(double value)
{
    return isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

/* And of one that a format, of the file or of convert=, cannot hold: too large, or an infinity where there is none. */
static bool judge_outside(struct input *in, const struct format *format, const char *text)
{
    if (in->options->nonfinite == NONFINITE_IEEE && !format->finite_only && !in->format->finite_only)
        return true;
    if (in->options->nonfinite == NONFINITE_SKIP)
        leave_out(in);
    else
        note_refused(in, &in->outside, text);
    if (in->outside.count == 1)
        in->outside.format = format;
    return false;
}

static enum status refuse_nonfinite(struct input *in)
{
    const struct refused *found = &in->nonfinite;
    in->line = found->line;
    return refuse(in,
                  "%" PRIu64 " of its %" PRIu64 " elements %s finite (nan: %" PRIu64 ", inf: %" PRIu64
                  ", missing: %" PRIu64 "), the first of them element %" PRIu64
                  " (from 0), %s; expected finite numbers; correct the file, or choose --nonfinite ieee (to keep such "
                  "elements; the payload of a nan is not kept) or --nonfinite skip (to leave them out)",
                  found->count, elements(in), found->count == 1 ? "is not" : "are not", in->nans, in->infinities,
                  in->missing, found->first, found->text.text);
}

static enum status refuse_outside(struct input *in)
{
    char largest[NUMBER_TEXT];
    const struct refused *found = &in->outside;
    const bool has_infinity = !found->format->finite_only && !in->format->finite_only;
    (found->format->precision > FORMAT_BINARY32.precision ? write_double : write_plainly)(format_largest(found->format),
                                                                                          largest);
    in->line = found->line;
    return refuse(
        in,
        "%" PRIu64 " of its %" PRIu64 " elements %s outside %s (largest %s%s), the first of them element %" PRIu64
        " (from 0), %s; expected numbers within it; scale the data, name a format of a wider range, or choose "
        "%s--nonfinite skip (to leave them out)",
        found->count, elements(in), found->count == 1 ? "is" : "are", found->format->name, largest,
        found->format->finite_only ? "; no infinity" : "", found->first, found->text.text,
        has_infinity ? "--nonfinite ieee (to make them infinite) or " : "");
}

static enum status refuse_inexact(struct input *in)
{
    const struct refused *found = &in->inexact;
    const bool is_text = found->line > 0, is_widest = found->format->precision == FORMAT_BINARY64.precision;
    in->line = found->line;
    return refuse(
        in,
        "%" PRIu64 " of its %" PRIu64 " %s cannot be represented in %s, the first of them element %" PRIu64
        " (from 0), %s; expected numbers that can; round with %s%s%s",
        found->count, elements(in), is_text ? "numbers, integers," : "integers", found->format->name, found->first,
        found->text.text, !is_text && is_widest ? "x.astype('<f8')" : "convert= in place of format=",
        is_widest ? "" : ", or take a wider format=", is_text ? ", or add what is written: `exact --as-written`" : "");
}

/* ---- one number after the other ---- */

static enum status keep(struct input *in, double value, double rounded)
{
    if (in->options->convert)
        storage_note(&in->storage, value, rounded);
    if (in->in_piece == PIECE)
        TRY(hand_over(in));
    held_set(in->format, in->piece, in->in_piece++, rounded);
    in->n++;
    return OK;
}

/* As it is in the file, and rounded to in->format. */
static enum status add(struct input *in, double value, double rounded)
{
    if (!isfinite(value) && !judge_nonfinite(in, nonfinite_word(value)))
        return OK;
    if (!isfinite(rounded) && !isnan(value) && (isfinite(value) || in->format->finite_only)) {
        char text[NUMBER_TEXT];
        write_double(value, text);
        if (!judge_outside(in, in->format, text))
            return OK;
    }
    return keep(in, value, rounded);
}

/* A number that the format of the text does not have.  None is so large that it could not be converted. */
static enum status add_beyond(struct input *in, const struct format *from, const char *text, double infinite)
{
    double value;
    if (!judge_outside(in, from, text))
        return OK;
    if (read_double(text, &value) != NULL)
        value = copysign(format_largest(&FORMAT_BINARY64), infinite);
    return keep(in, value, infinite);
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

/* What was rounded are other numbers now, whose exact sum is another: of those that convert= does not speak of. */
static void say_how_it_was_read(const struct input *in)
{
    if (in->is_unnamed)
        note_once("%s: read as %" PRIu64 " numbers of binary32, since no format= says what they are", in->path, in->n);
    if (!in->options->convert)
        storage_say(in->path, &in->storage, &in->storage.formats[0]);
}

enum status input_add_text(struct input *in, const char *text, const char **wrong)
{
    struct storage *const given = in->consumer->storage, *const storage = given ? given : &in->storage;
    const struct format *from = given ? given->formats[0].format : text_format(in->options);
    const struct stored_in *stored = storage->formats;
    const bool is_word = isalpha((unsigned char)text[*text == '-' || *text == '+']); /* nan, inf */
    double word = 0;
    if (!given && !in->format)
        *storage = (struct storage){.format_count = 1, .formats = {{.format = from}}};
    *wrong = is_word ? read_double(text, &word) : storage_read(storage, text);
    if (*wrong)
        return OK;
    if (!in->format)
        TRY(start(in, from, 0));
    if (is_word)
        return add(in, word, word);
    if (!isfinite(stored->value) && !given)
        return add_beyond(in, from, text, stored->value);
    if (in->options->convert)
        return add(in, stored->value, text_converted(in->options, text, stored->value));
    if (stored->is_changed && storage->number.is_integer && !given) {
        note_refused(in, &in->inexact, text);
        in->inexact.format = from;
        return OK;
    }
    *wrong = storage_keep(storage);
    return *wrong ? OK : keep(in, stored->value, stored->value);
}

enum status input_add_missing(struct input *in)
{
    if (!judge_nonfinite(in, "missing"))
        return OK;
    if (!in->format)
        TRY(start(in, in->consumer->storage ? &FORMAT_BINARY64 : text_format(in->options), 0));
    return keep(in, NAN, NAN);
}

/* ---- a block of binary numbers ---- */

/* Those of the first `count` numbers of the piece that are kept move to its front. */
static void sift(struct input *in, size_t count)
{
    const size_t bytes = in->format->bytes;
    for (size_t i = 0; i < count; i++) {
        const double value = held_number(in->format, in->piece, i);
        if (!isfinite(value) && !judge_nonfinite(in, nonfinite_word(value)))
            continue;
        if (in->in_piece < i)
            memcpy((char *)in->piece + in->in_piece * bytes, (const char *)in->piece + i * bytes, bytes);
        in->in_piece++;
        in->n++;
    }
}

/* Numbers as memory has them. */
static enum status add_as_they_are(struct input *in, uint64_t count)
{
    while (count > 0) {
        const size_t now = count < PIECE ? (size_t)count : PIECE;
        TRY(input_read(in, in->piece, now * in->format->bytes));
        sift(in, now);
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

static void note_inexact(struct input *in, const struct stored *stored, uint64_t bits, const struct format *from)
{
    bool negative;
    char text[NUMBER_TEXT];
    const uint64_t magnitude = magnitude_of(stored, bits, &negative);
    snprintf(text, sizeof text, "%s%" PRIu64, negative ? "-" : "", magnitude);
    note_refused(in, &in->inexact, text);
    in->inexact.format = from;
}

/* Numbers that are others in memory. */
static enum status add_converted(struct input *in, const struct stored *stored, const struct format *from,
                                 uint64_t count)
{
    unsigned char some[1 << 13]; /* a multiple of every size */
    const uint64_t most = sizeof some / stored->bytes;
    for (uint64_t index = 0, now; index < count; index += now) {
        now = count - index < most ? count - index : most;
        TRY(input_read(in, some, (size_t)now * stored->bytes));
        for (uint64_t i = 0; i < now; i++) {
            double value;
            const uint64_t bits = bits_at(stored, some + i * stored->bytes);
            if (value_of(stored, bits, from, &value))
                TRY(add(in, value, in->options->convert ? rounded_to(value, in->format) : value));
            else
                note_inexact(in, stored, bits, from);
        }
    }
    return OK;
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
        stored->format && stored->bytes == format_held(from)->bytes && !stored->is_big_endian && !in->options->convert;
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
    if (in->n == 0 && !(in->options->is_matrix && in->format))
        return refuse(in, "holds no number; expected at least one; check what wrote it");
    return OK;
}

enum status input_end(struct input *in, struct dataset *data)
{
    if (in->nonfinite.count > 0)
        return refuse_nonfinite(in);
    if (in->outside.count > 0)
        return refuse_outside(in);
    if (in->inexact.count > 0)
        return refuse_inexact(in);
    TRY(check_not_empty(in));
    TRY(hand_over(in));
    say_how_it_was_read(in);
    data->left_out = in->left_out;
    data->first_left_out = in->first_left_out;
    data->rows = in->rows;
    data->columns = in->columns;
    if (in->options->convert)
        data->conversion = storage_conversion(&in->storage, &in->storage.formats[0]);
    return OK;
}

void input_free(struct input *in)
{
    storage_free(&in->storage);
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

const char *advice_on_number(const char *text)
{
    static const struct {
        char mark;
        const char *advice;
    } looks[] = {
        {'d', "write its exponent with an e, as 1.5e0"},
        {',', "write a decimal comma as a point, and each number on its own line"},
        {' ', "write each number on its own line"},
        {';', "write each number on its own line"},
        {'_', "write its digits without _"},
        {'f', "leave the f off"},
    };
    const size_t digits = strspn(text, "+-.0123456789");
    for (size_t i = 0; digits > 0 && i < sizeof looks / sizeof *looks; i++)
        if (tolower((unsigned char)text[digits]) == looks[i].mark)
            return looks[i].advice;
    return NULL;
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

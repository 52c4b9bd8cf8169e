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

static enum status start(struct input *in, const struct format *format, uint64_t most)
{
    assert(!in->format);
    in->piece = malloc((size_t)PIECE * format->bytes);
    if (!in->piece)
        return out_of_memory("a piece of a file");
    in->format = format;
    return in->consumer->start(in->consumer->context, format, most);
}

enum status input_hand_over(struct input *in)
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

/* ---- one number of a text after the other ---- */

static enum status push(struct input *in, double value)
{
    if (!in->format)
        TRY(start(in, &FORMAT_BINARY32, 0));
    if (in->in_piece == PIECE)
        TRY(input_hand_over(in));
    if (in->format->bytes == sizeof(double))
        ((double *)in->piece)[in->in_piece++] = value;
    else
        ((float *)in->piece)[in->in_piece++] = (float)value;
    in->n++;
    return OK;
}

enum status input_add(struct input *in, double value)
{
    bool keep = true;
    if (!isfinite(value))
        TRY(judge_nonfinite(in, nonfinite_word(value), &keep));
    return keep ? push(in, value) : OK;
}

enum status input_add_missing(struct input *in)
{
    bool keep;
    TRY(judge_nonfinite(in, "missing", &keep));
    return keep ? push(in, NAN) : OK;
}

/* ---- a block of binary numbers ---- */

static double element(const struct input *in, size_t i)
{
    return in->format->bytes == sizeof(double) ? ((const double *)in->piece)[i] : (double)((const float *)in->piece)[i];
}

/* Those of the first `count` numbers of the piece that are kept move to its front. */
static enum status sift(struct input *in, size_t count)
{
    const size_t bytes = in->format->bytes;
    for (size_t i = 0; i < count; i++) {
        const double value = element(in, i);
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
        TRY(input_hand_over(in));
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

/* false: the format has no such number. */
static bool convert(const struct stored *stored, uint64_t bits, const struct format *format, double *value)
{
    if (stored->format) {
        *value = format_value(stored->format, bits);
        return isnan(*value) || rounded_to(*value, format) == *value;
    }
    bool negative;
    const uint64_t magnitude = magnitude_of(stored, bits, &negative);
    *value = (double)magnitude * (negative ? -1 : 1);
    return magnitude == 0 || magnitude >> __builtin_ctzll(magnitude) >> format->precision == 0;
}

static enum status refuse_inexact(const struct input *in, const struct stored *stored, uint64_t bits, uint64_t index)
{
    char text[NUMBER_TEXT];
    bool negative;
    if (stored->format) {
        write_double(format_value(stored->format, bits), text);
    } else {
        const uint64_t magnitude = magnitude_of(stored, bits, &negative);
        snprintf(text, sizeof text, "%s%" PRIu64, negative ? "-" : "", magnitude);
    }
    const bool is_narrow = in->format->bytes == sizeof(float);
    return refuse(
        in,
        "element %" PRIu64
        " (from 0) is %s, which cannot be represented in %s; expected a number that can; round with x.astype('%s')%s",
        index, text, in->format->name, is_narrow ? "<f4" : "<f8",
        is_narrow ? ", or ask 'ulpscope exact', which takes binary64" : "");
}

/* Numbers that are others in memory. */
static enum status add_converted(struct input *in, const struct stored *stored, uint64_t count)
{
    unsigned char some[1 << 13]; /* a multiple of every size */
    const uint64_t most = sizeof some / stored->bytes;
    for (uint64_t index = 0, now; index < count; index += now) {
        now = count - index < most ? count - index : most;
        TRY(input_read(in, some, (size_t)now * stored->bytes));
        for (uint64_t i = 0; i < now; i++) {
            double value;
            const uint64_t bits = bits_at(stored, some + i * stored->bytes);
            if (!convert(stored, bits, in->format, &value))
                return refuse_inexact(in, stored, bits, index + i);
            TRY(input_add(in, value));
        }
    }
    return OK;
}

enum status input_add_block(struct input *in, const struct stored *stored, const struct format *format, uint64_t count)
{
    assert(count <= in->size / stored->bytes);
    TRY(start(in, format, count));
    const bool as_they_are = stored->format && stored->format->precision == format->precision && !stored->is_big_endian;
    return as_they_are ? add_as_they_are(in, count) : add_converted(in, stored, count);
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

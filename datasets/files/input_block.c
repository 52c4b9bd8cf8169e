/* Blocks of binary numbers, as files and arrays have them. */
#include "input.h"

#include <assert.h>

/* Those of the first `count` numbers of the piece that are kept move to its front. */
static void sift(struct input *in, size_t count)
{
    const size_t bytes = in->format->bytes;
    for (size_t i = 0; i < count; i++) {
        const double value = held_number(in->format, in->piece, i);
        if (!isfinite(value) && !input_judge_nonfinite(in, nonfinite_word(value)))
            continue;
        if (in->in_piece < i)
            memcpy((char *)in->piece + in->in_piece * bytes, (const char *)in->piece + i * bytes, bytes);
        in->in_piece++;
        in->n++;
    }
}

static enum status read_numbers(const struct input *in, const struct stored *stored, void *to, size_t count)
{
    return in->lines ? axis_next(in, to, count) : input_read(in, to, count * stored->bytes);
}

/* Numbers as memory has them. */
static enum status add_as_they_are(struct input *in, const struct stored *stored, uint64_t count)
{
    while (count > 0) {
        const size_t now = count < PIECE ? (size_t)count : PIECE;
        TRY(read_numbers(in, stored, in->piece, now));
        sift(in, now);
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

/* false: an integer that is no number of the format, or a binary32 that is none of TF32. */
static bool value_of(const struct stored *stored, uint64_t bits, const struct format *format, double *value)
{
    if (stored->format) {
        *value = format_value(format_encoding(format), bits);
        return is_format(format, format_encoding(format)) || !isfinite(*value) || rounded_to(*value, format) == *value;
    }
    bool negative;
    const uint64_t magnitude = magnitude_of(stored, bits, &negative);
    *value = (double)magnitude * (negative ? -1 : 1);
    const bool fits = magnitude == 0 || magnitude >> __builtin_ctzll(magnitude) >> format->precision == 0;
    return fits && rounded_to(*value, format) == *value;
}

/* As one of a text: rounded once where convert= says so, or refused. */
static enum status add_inexact(struct input *in, const struct stored *stored, uint64_t bits, const struct format *from)
{
    const char *wrong;
    bool negative;
    char text[NUMBER_TEXT];
    const uint64_t magnitude = magnitude_of(stored, bits, &negative);
    if (stored->format)
        write_plainly(format_value(format_encoding(from), bits), text);
    else
        snprintf(text, sizeof text, "%s%" PRIu64, negative ? "-" : "", magnitude);
    if (in->options->convert && !stored->format)
        return input_add_text(in, text, &wrong);
    input_note_refused(in, &in->inexact, text);
    in->inexact.format = from;
    return OK;
}

/* Numbers that are others in memory. */
static enum status add_converted(struct input *in, const struct stored *stored, const struct format *from,
                                 uint64_t count)
{
    unsigned char some[1 << 13]; /* a multiple of every size */
    const uint64_t most = sizeof some / stored->bytes;
    for (uint64_t index = 0, now; index < count; index += now) {
        now = count - index < most ? count - index : most;
        TRY(read_numbers(in, stored, some, (size_t)now));
        for (uint64_t i = 0; i < now; i++) {
            double value;
            const uint64_t bits = bits_at(stored, some + i * stored->bytes);
            if (value_of(stored, bits, from, &value))
                TRY(input_add(in, value, in->options->convert ? rounded_to(value, in->format) : value));
            else
                TRY(add_inexact(in, stored, bits, from));
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
    TRY(input_start(in, from, count));
    const bool as_they_are =
        stored->format && is_format(from, format_held(from)) && !stored->is_big_endian && !in->options->convert;
    return as_they_are ? add_as_they_are(in, stored, count) : add_converted(in, stored, from, count);
}

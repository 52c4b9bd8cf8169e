/* A file's numbers on their way to the consumer: each is judged, and those that are kept go on in pieces. */
#include "input.h"
#include "src/base/note.h"

#include <assert.h>
#include <errno.h>

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

enum status input_start(struct input *in, const struct format *from, uint64_t most)
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

enum status input_hand_over(struct input *in)
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

void input_note_refused(const struct input *in, struct refused *refused, const char *text)
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

bool input_judge_nonfinite(struct input *in, const char *what)
{
    uint64_t *const kind = *what == 'n' ? &in->nans : *what == 'm' ? &in->missing : &in->infinities;
    if (in->options->nonfinite == NONFINITE_SKIP)
        leave_out(in);
    if (in->options->nonfinite == NONFINITE_REFUSE) {
        input_note_refused(in, &in->nonfinite, what);
        ++*kind;
    }
    return in->options->nonfinite == NONFINITE_IEEE;
}

const char *nonfinite_word(double value)
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
        input_note_refused(in, &in->outside, text);
    if (in->outside.count == 1)
        in->outside.format = format;
    return false;
}

/* Of `exact --as-written`, which is of finite numbers. */
static bool is_as_written(const struct input *in)
{
    return in->consumer->storage && in->consumer->storage->format_count == STORED_FORMAT_COUNT;
}

static enum status refuse_nonfinite(struct input *in)
{
    const struct refused *found = &in->nonfinite;
    in->line = found->line;
    return refuse(in,
                  "%" PRIu64 " of its %" PRIu64 " elements %s finite (nan: %" PRIu64 ", inf: %" PRIu64
                  ", missing: %" PRIu64 "), the first of them element %" PRIu64
                  " (from 0), %s; expected finite numbers; correct the file, or choose %s--nonfinite skip (to leave "
                  "them out)",
                  found->count, elements(in), found->count == 1 ? "is not" : "are not", in->nans, in->infinities,
                  in->missing, found->first, found->text.text,
                  is_as_written(in) ? ""
                                    : "--nonfinite ieee (to keep such elements; the payload of a nan is not kept) or ");
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
    const char *const convert = strcmp(in->path, "standard input") == 0 ? "--convert" : "convert= in place of format=";
    const bool is_text = found->line > 0, is_widest = found->format->precision == FORMAT_BINARY64.precision;
    const bool is_tf32 = is_format(found->format, &FORMAT_TF32);
    in->line = found->line;
    return refuse(
        in,
        "%" PRIu64 " of its %" PRIu64 " %s cannot be represented in %s, the first of them element %" PRIu64
        " (from 0), %s; expected numbers that can; round with %s%s%s",
        found->count, elements(in),
        is_text   ? "numbers, integers,"
        : is_tf32 ? "numbers"
                  : "integers",
        found->format->name, found->first, found->text.text, !is_text && is_widest ? "convert=binary64" : convert,
        is_widest ? "" : ", or take a wider format=", is_text ? ", or add what is written: `exact --as-written`" : "");
}

/* ---- one number after the other ---- */

enum status input_keep(struct input *in, double value, double rounded)
{
    if (in->options->convert)
        storage_note(&in->storage, value, rounded);
    if (in->in_piece == PIECE)
        TRY(input_hand_over(in));
    held_set(in->format, in->piece, in->in_piece++, rounded);
    in->n++;
    return OK;
}

enum status input_add(struct input *in, double value, double rounded)
{
    if (!isfinite(value) && !input_judge_nonfinite(in, nonfinite_word(value)))
        return OK;
    if (!isfinite(rounded) && !isnan(value) && (isfinite(value) || in->format->finite_only)) {
        char text[NUMBER_TEXT];
        write_double(value, text);
        if (!judge_outside(in, in->format, text))
            return OK;
    }
    return input_keep(in, value, rounded);
}

/* None is so large that it could not be converted. */
enum status input_add_beyond(struct input *in, const struct format *from, const char *text, double infinite)
{
    double value;
    if (!judge_outside(in, from, text))
        return OK;
    if (read_double(text, &value) != NULL)
        value = copysign(format_largest(&FORMAT_BINARY64), infinite);
    return input_keep(in, value, infinite);
}

/* What was rounded are other numbers now, whose exact sum is another: of those that convert= does not speak of. */
static void say_how_it_was_read(const struct input *in)
{
    if (in->is_unnamed)
        note_once("%s: read as %" PRIu64 " numbers of binary32, since no format= says what they are", in->path, in->n);
    if (!in->options->convert)
        storage_say(in->path, &in->storage, &in->storage.formats[0]);
}

/* ---- the end ---- */

static enum status check_not_empty(const struct input *in)
{
    if (in->left_out > 0 && in->n == 0)
        return refuse(in,
                      "all of its %" PRIu64
                      " elements are nan, inf or missing, and were left out; expected at least one "
                      "number; %s",
                      in->left_out, is_as_written(in) ? "check what wrote it" : "choose --nonfinite ieee to keep them");
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
    TRY(input_hand_over(in));
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

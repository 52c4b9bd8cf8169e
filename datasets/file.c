#include "file.h"
#include "../src/output.h"
#include "file_formats.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the formats ---- */

struct file_format {
    const char *endings[4];
    enum status (*read)(struct input *in);
    void (*write)(FILE *file, const float *x, uint64_t n, const char *comment);
    bool says_empty;  /* a file of no numbers says so itself; in the others it is a write that failed */
    bool has_columns; /* takes options->column */
    bool can_skip;    /* takes options->skip */
};

static const struct file_format file_formats[] = {
    {.endings = {".npy"}, .read = read_npy, .write = write_npy, .says_empty = true},
    {.endings = {".csv"}, .read = read_csv, .write = write_csv, .has_columns = true},
    {.endings = {".f32", ".hex", ".txt"}, .read = read_hexfloat, .write = write_hexfloat},
    {.endings = {".raw", ".bin"}, .read = read_raw, .write = write_raw, .can_skip = true},
};
enum { FORMATS = sizeof file_formats / sizeof *file_formats, ENDINGS_SIZE = 64 };

static bool format_has_ending(const struct file_format *format, const char *ending)
{
    for (const char *const *known = format->endings; *known; known++)
        if (strcasecmp(*known, ending) == 0)
            return true;
    return false;
}

static void list_endings(char list[ENDINGS_SIZE])
{
    *list = '\0';
    for (const struct file_format *f = file_formats; f < file_formats + FORMATS; f++)
        for (const char *const *known = f->endings; *known; known++)
            stpcpy(stpcpy(list + strlen(list), *list ? " " : ""), *known);
}

static enum status format_of(const char *path, const struct file_format **format)
{
    const char *slash = strrchr(path, '/');
    const char *ending = strrchr(slash ? slash : path, '.');
    for (const struct file_format *f = file_formats; ending && f < file_formats + FORMATS; f++)
        if (format_has_ending(f, ending)) {
            *format = f;
            return OK;
        }
    char endings[ENDINGS_SIZE];
    list_endings(endings);
    complain("%s: %s%s; one of %s was expected; rename it to what it holds", path,
             ending ? "unknown ending " : "a name without an ending", ending ? ending : "", endings);
    return BAD_INPUT;
}

static enum status check_options(const struct input *in, const struct file_format *format)
{
    if (in->options->column && !format->has_columns)
        return refuse(in, "column=%s was given; only a .csv has columns; leave it out", in->options->column);
    if (in->options->skip > 0 && !format->can_skip)
        return refuse(in, "skip=%" PRIu64 " was given; only .raw and .bin have bytes to skip; leave it out",
                      in->options->skip);
    return OK;
}

/* ---- reading ---- */

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
                  " bytes while it was read; all of them were expected; wait for its writer and try again",
                  in->size);
}

static enum status make_room(struct input *in, uint64_t room)
{
    if (room <= in->room)
        return OK;
    const bool fits = room <= SIZE_MAX / sizeof *in->x;
    float *grown = fits ? realloc(in->x, (size_t)room * sizeof *in->x) : NULL;
    if (!grown)
        return out_of_memory("the numbers of a file");
    in->x = grown;
    in->room = room;
    return OK;
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

static const char *nonfinite_word(float value)
{
    return isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

static enum status push(struct input *in, float value)
{
    enum { FIRST_ROOM = 1024 };
    if (in->n == in->room)
        TRY(make_room(in, in->room == 0 ? FIRST_ROOM : 2 * in->room));
    in->x[in->n++] = value;
    return OK;
}

enum status input_add(struct input *in, float value)
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

enum status input_add_floats(struct input *in, uint64_t count)
{
    assert(in->n == 0 && count <= in->size / sizeof *in->x);
    if (count == 0)
        return OK;
    TRY(make_room(in, count));
    TRY(input_read(in, in->x, (size_t)count * sizeof *in->x));
    for (uint64_t i = 0; i < count; i++) {
        const float value = in->x[i]; /* n <= i: elements only move to the front */
        bool keep = true;
        if (!isfinite(value))
            TRY(judge_nonfinite(in, nonfinite_word(value), &keep));
        in->x[in->n] = value;
        in->n += keep;
    }
    return OK;
}

void skip_byte_order_mark(FILE *file)
{
    unsigned char start[3];
    const bool marked = fread(start, 1, sizeof start, file) == sizeof start && memcmp(start, "\xEF\xBB\xBF", 3) == 0;
    if (!marked)
        rewind(file);
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

/* Failures that are not the fault of the name: try again when there is memory, a handle, a disk. */
static bool is_shortage(int cause)
{
    return cause == ENOMEM || cause == EMFILE || cause == ENFILE || cause == EIO || cause == EINTR;
}

enum status data_file_open(const char *path, FILE **file, uint64_t *size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO is refused below, not waited for */
    struct stat facts;
    if (fd < 0 || fstat(fd, &facts) != 0) {
        const int cause = errno;
        if (fd >= 0)
            close(fd);
        complain("%s: cannot be read: %s; a data file was expected; check the name and its permissions", path,
                 strerror(cause));
        return is_shortage(cause) ? NOT_MEASURED : BAD_INPUT;
    }
    if (!S_ISREG(facts.st_mode)) {
        close(fd);
        complain("%s: is %s; a regular file was expected; save the numbers to a file and name that", path,
                 S_ISDIR(facts.st_mode) ? "a folder" : "a pipe or a device");
        return BAD_INPUT;
    }
    *size = (uint64_t)facts.st_size;
    *file = fdopen(fd, "r");
    if (!*file) {
        close(fd);
        return out_of_memory("a file's buffer");
    }
    return OK;
}

static void input_close(struct input *in)
{
    if (in->file)
        fclose(in->file);
    free(in->x);
}

static enum status check_not_empty(const struct input *in, const struct file_format *format)
{
    if (in->left_out > 0 && in->n == 0)
        return refuse(in,
                      "all of its %" PRIu64 " elements are nan, inf or missing, and were left out; at least one number "
                      "was expected; choose --nonfinite ieee to keep them",
                      in->left_out);
    if (in->n == 0 && !format->says_empty)
        return refuse(in,
                      "holds no number; at least one was expected; write the file again (only a .npy can be empty)");
    return OK;
}

enum status file_read(const char *path, const struct file_options *options, struct dataset *data)
{
    struct input in = {.path = path, .options = options};
    const struct file_format *format;
    enum status status;
    *data = (struct dataset){.format = &FORMAT_BINARY32};
    TRY(format_of(path, &format));
    TRY(check_options(&in, format));
    TRY_DONE(data_file_open(in.path, &in.file, &in.size));
    TRY_DONE(format->read(&in));
    TRY_DONE(check_not_empty(&in, format));
    data->x = in.x;
    data->n = in.n;
    data->left_out = in.left_out;
    in.x = NULL;
done:
    input_close(&in);
    return status;
}

/* ---- writing ---- */

enum status file_write(const char *path, const struct dataset *data, const char *comment)
{
    const struct file_format *format;
    struct output out;
    assert(data->format->precision == FORMAT_BINARY32.precision);
    TRY(format_of(strcmp(path, "-") == 0 ? "stdout.f32" : path, &format));
    if (data->n == 0 && !format->says_empty) {
        complain("%s: there is no number to write; at least one was expected, as only a .npy can be empty; name the "
                 "file .npy",
                 path);
        return BAD_INPUT;
    }
    TRY(output_open(&out, path));
    format->write(out.file, data->x, data->n, comment);
    return output_close(&out);
}

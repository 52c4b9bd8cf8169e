#include "file.h"
#include "file_formats.h"
#include "src/files/claim.h"
#include "src/files/output.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the formats ---- */

struct file_format {
    const char *endings[5];
    enum status (*read)(struct input *in);
    void (*write)(FILE *file, const struct dataset *data, const struct label *label); /* NULL: is read only */
    bool is_text;     /* takes options->decimal and options->thousands; and, where it has_columns, options->delimiter */
    bool has_columns; /* takes options->column */
    bool can_skip;    /* takes options->skip */
    bool says_format; /* of its numbers, and has axes */
    bool has_arrays;  /* takes options->array */
};

static const struct file_format file_formats[] = {
    {.endings = {".npy"}, .read = read_npy, .write = write_npy, .says_format = true},
    {.endings = {".csv"}, .read = read_csv, .write = write_csv, .is_text = true, .has_columns = true},
    {.endings = {".f32", ".hex", ".txt", ".dat"},
     .read = read_hexfloat,
     .write = write_hexfloat,
     .is_text = true,
     .has_columns = true},
    {.endings = {".raw", ".bin"}, .read = read_raw, .write = write_raw, .can_skip = true},
    {.endings = {".tsv", ".tab"}, .read = read_tsv, .is_text = true, .has_columns = true},
    {.endings = {".safetensors"}, .read = read_safetensors, .says_format = true, .has_arrays = true},
};
enum { FORMATS = sizeof file_formats / sizeof *file_formats, ENDINGS_SIZE = 100 };

static bool format_has_ending(const struct file_format *format, const char *ending)
{
    for (const char *const *known = format->endings; *known; known++)
        if (strcasecmp(*known, ending) == 0)
            return true;
    return false;
}

/* Those that the caller can do something with: read, or write. */
static void list_endings(bool to_read, char list[ENDINGS_SIZE])
{
    *list = '\0';
    for (const struct file_format *f = file_formats; f < file_formats + FORMATS; f++)
        for (const char *const *known = f->endings; *known && (to_read || f->write); known++)
            stpcpy(stpcpy(list + strlen(list), *list ? " " : ""), *known);
}

/* "" where there is none. */
static const char *ending_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot : "";
}

static const struct file_format *find_format(const char *path)
{
    for (const struct file_format *f = file_formats; f < file_formats + FORMATS; f++)
        if (format_has_ending(f, ending_of(path)))
            return f;
    return NULL;
}

bool file_says_format(const char *path)
{
    const struct file_format *format = find_format(path);
    return format && format->says_format;
}

bool file_has_arrays(const char *path)
{
    const struct file_format *format = find_format(path);
    return format && format->has_arrays;
}

/* Files of numbers that are not read as they are. */
static const struct {
    const char *endings[11], *advice;
} other_files[] = {
    {{".gz", ".xz", ".bz2", ".zst", ".lz4", ".zip", ".tar", ".tgz", ".7z"}, "unpack it"},
    {{".npz", ".parquet", ".feather", ".arrow", ".h5", ".hdf5", ".nc", ".mat", ".xlsx", ".json"},
     "save its numbers as .npy or .csv, with what wrote it"},
    {{".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".joblib"},
     "it is a pickle, which runs code when it is read, and is never read: save its numbers as .npy or .safetensors, "
     "with "
     "what wrote it"},
};

static const char *advice_on_ending(const char *ending, bool to_read)
{
    for (size_t i = 0; to_read && i < sizeof other_files / sizeof *other_files; i++)
        for (const char *const *known = other_files[i].endings; *known; known++)
            if (strcasecmp(*known, ending) == 0)
                return other_files[i].advice;
    return to_read ? "name it after what it holds" : "name one of these";
}

static enum status format_of(const char *path, bool to_read, const struct file_format **format)
{
    char endings[ENDINGS_SIZE];
    const char *ending = ending_of(path);
    *format = find_format(path);
    if (*format && (to_read || (*format)->write))
        return OK;
    list_endings(to_read, endings);
    complain("%s: %s%s; expected one of %s; %s", path, *ending ? "unknown ending " : "a name without an ending", ending,
             endings, advice_on_ending(ending, to_read));
    return BAD_INPUT;
}

static enum status check_options(const struct input *in, const struct file_format *format)
{
    const struct file_options *options = in->options;
    const struct {
        bool is_given, is_taken;
        const char *key, *value, *who;
    } given[] = {
        {options->column, format->has_columns, "column", options->column, "a .csv, .tsv, .txt or the like has columns"},
        {options->delimiter, format->is_text, "delimiter", "", "a .csv, .txt or the like has one"},
        {options->decimal, format->is_text, "decimal", "", "text has one"},
        {options->thousands, format->is_text, "thousands", "", "text has them"},
        {options->array, format->has_arrays, "array", options->array, "a .safetensors has several"},
        {*options->axis, format->says_format, "axis", options->axis, "an .npy or .safetensors has axes"},
    };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].is_given && !given[i].is_taken)
            return refuse(in, "%s=%s was given; only %s; leave it out", given[i].key, given[i].value, given[i].who);
    if (in->options->skip > 0 && !format->can_skip)
        return refuse(in, "skip=%" PRIu64 " was given; only .raw and .bin have bytes to skip; leave it out",
                      in->options->skip);
    return OK;
}

/* ---- reading ---- */

enum status data_file_open(const char *path, FILE **file, uint64_t *size)
{
    TRY(claim_to_read("data", path));
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO is refused below, not waited for */
    struct stat facts;
    if (fd < 0 || fstat(fd, &facts) != 0) {
        const int cause = errno;
        if (fd >= 0)
            close(fd);
        complain("%s: cannot be read: %s; expected a data file; check the name and its permissions", path,
                 strerror(cause));
        return status_of_cause(cause);
    }
    if (!S_ISREG(facts.st_mode)) {
        close(fd);
        complain("%s: is %s; expected a regular file; save the numbers to a file and name that", path,
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

static bool is_standard_input(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* Packed numbers, and an .npy that is called .raw, are no numbers of binary32. */
static enum status check_beginning(const struct input *in)
{
    static const struct {
        const char *bytes, *ending, *what;
    } beginnings[] = {{"\x1f\x8b\x08", "", "packed by gzip: unpack it"},
                      {"\xfd"
                       "7zXZ",
                       "", "packed by xz: unpack it"},
                      {"PK\3\4", "", "a zip: unpack it, or save the numbers as .npy"},
                      {"\x93NUMPY", ".npy", "a .npy: name it so"}};
    char bytes[8] = "";
    if (in->options->skip > 0 || in->options->format)
        return OK;
    const size_t length = fread(bytes, 1, sizeof bytes, in->file);
    if (ferror(in->file) || fseeko(in->file, 0, SEEK_SET) != 0)
        return input_failed(in);
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        const size_t count = strlen(beginnings[i].bytes);
        if (length >= count && memcmp(bytes, beginnings[i].bytes, count) == 0 &&
            strcasecmp(beginnings[i].ending, ending_of(in->path)) != 0)
            return refuse(in, "is not what its name says, by its first bytes; expected what its ending says; it is %s",
                          beginnings[i].what);
    }
    return OK;
}

/* main.c puts a file that cannot be read in the place of a closed one. */
static enum status standard_input_open(FILE **file)
{
    struct stat facts;
    const bool closed = fstat(STDIN_FILENO, &facts) != 0 || (fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE) == O_WRONLY;
    if (closed || S_ISDIR(facts.st_mode)) {
        complain("standard input: is %s; expected numbers as text, one per line; pipe them in, or name a file",
                 closed ? "closed" : "a folder");
        return BAD_INPUT;
    }
    *file = stdin;
    return claim_to_read("data", "/dev/stdin");
}

enum status file_stream(const char *path, const struct file_options *options, const struct consumer *consumer,
                        struct dataset *data)
{
    const bool from_stdin = is_standard_input(path);
    struct input in = {.path = from_stdin ? "standard input" : path, .options = options, .consumer = consumer};
    const struct file_format *format;
    enum status status;
    TRY(format_of(from_stdin ? "stdin.txt" : path, true, &format));
    TRY(check_options(&in, format));
    in.of_axis = axis_is_given(options) ? axis_file_take(&in) : NULL;
    const bool is_open = in.file != NULL;
    if (!is_open)
        TRY_DONE(from_stdin ? standard_input_open(&in.file) : data_file_open(in.path, &in.file, &in.size));
    TRY_DONE(from_stdin || is_open ? OK : check_beginning(&in));
    TRY_DONE(is_open ? axis_file_read(&in) : format->read(&in));
    TRY_DONE(input_end(&in, data));
done:
    input_free(&in);
    if (in.of_axis)
        axis_file_give_back(in.of_axis, &in, status == OK);
    else if (in.file)
        fclose(in.file);
    return status;
}

/* ---- the whole: a consumer that keeps all numbers ---- */

struct keeper {
    struct dataset *data;
    uint64_t room; /* in data->x, in numbers */
    uint64_t most; /* that will come; 0: unknown */
};

static enum status make_room(struct keeper *keeper, uint64_t room)
{
    const size_t bytes = format_held(keeper->data->format)->bytes;
    void *grown = room <= SIZE_MAX / bytes ? realloc(keeper->data->x, (size_t)room * bytes) : NULL;
    if (!grown)
        return out_of_memory("the numbers of a file");
    keeper->data->x = grown;
    keeper->room = room;
    return OK;
}

static enum status keep_format(void *context, const struct format *format, uint64_t most)
{
    struct keeper *keeper = context;
    keeper->data->format = format;
    keeper->most = most;
    return make_room(keeper, 1); /* an empty matrix is somewhere, too */
}

static enum status keep_numbers(void *context, const void *x, uint64_t n)
{
    struct keeper *keeper = context;
    struct dataset *data = keeper->data;
    const size_t bytes = format_held(data->format)->bytes;
    if (keeper->room - data->n < n)
        TRY(make_room(keeper, keeper->most > 0 ? keeper->most : 2 * data->n + n));
    memcpy((char *)data->x + data->n * bytes, x, (size_t)n * bytes);
    data->n += n;
    return OK;
}

enum status file_read(const char *path, const struct file_options *options, struct dataset *data)
{
    struct keeper keeper = {.data = data};
    const struct consumer consumer = {keep_format, keep_numbers, &keeper, NULL};
    *data = (struct dataset){.format = &FORMAT_BINARY32};
    const enum status status = file_stream(path, options, &consumer, data);
    if (status != OK)
        dataset_free(data);
    return status;
}

/* ---- writing ---- */

static enum status format_to_write(const char *path, const struct file_format **format)
{
    return format_of(strcmp(path, "-") == 0 ? "stdout.f32" : path, false, format);
}

enum status file_check_ending(const char *path)
{
    const struct file_format *format;
    return format_to_write(path, &format);
}

enum status file_write(const char *path, const struct dataset *data, const char *comment)
{
    return file_write_shaped(path, data, comment, NULL);
}

enum status file_write_shaped(const char *path, const struct dataset *data, const char *comment, const char *shape)
{
    const struct file_format *format;
    struct output out;
    TRY(format_to_write(path, &format));
    if (data->n == 0) {
        complain("%s: there is no number to write; expected at least one; give data with a number", path);
        return BAD_INPUT;
    }
    TRY(output_open(&out, path));
    format->write(out.file, data, &(struct label){comment, shape});
    return output_close(&out);
}

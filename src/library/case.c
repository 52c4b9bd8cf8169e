#include "case.h"

#include "src/base/status.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FILES_MOST = 3, PATH_SIZE = PATH_MAX, PIECE = 1024 };

/* What a file becomes when all are written: until then its name ends in .part and a number. */
struct case_file {
    char name[PATH_SIZE], part[PATH_SIZE];
    FILE *file;
};

struct case_files {
    struct case_file files[FILES_MOST];
    unsigned count;
};

static ulpscope_status cannot(const char *what, const char *name)
{
    complain("cannot %s %s: %s; choose a path that can be written", what, name, strerror(errno));
    return errno == ENOMEM ? ULPSCOPE_OUT_OF_MEMORY : ULPSCOPE_BAD_ARGUMENT;
}

static ulpscope_status open_file(struct case_files *files, const char *path, const char *ending,
                                 struct case_file **made)
{
    struct case_file *const file = &files->files[files->count];
    const int length = snprintf(file->name, sizeof file->name, "%s%s", path, ending);
    const int length_part =
        snprintf(file->part, sizeof file->part, "%s%s.part%ld-%p", path, ending, (long)getpid(), (void *)file);
    *made = file;
    if (length < 0 || length_part < 0 || (size_t)length_part >= sizeof file->part) {
        errno = ENAMETOOLONG;
        return cannot("write", path);
    }
    file->file = fopen(file->part, "wx");
    if (!file->file)
        return cannot("write", file->name);
    files->count++;
    return ULPSCOPE_OK;
}

/* Closes all; those of a case that failed are removed. */
static ulpscope_status close_files(struct case_files *files, ulpscope_status status)
{
    for (unsigned f = 0; f < files->count; f++) {
        struct case_file *const file = &files->files[f];
        const bool is_bad = ferror(file->file);
        if ((fclose(file->file) != 0 || is_bad) && status == ULPSCOPE_OK)
            status = cannot("write", file->name);
    }
    unsigned renamed = 0;
    while (renamed < files->count && status == ULPSCOPE_OK)
        if (rename(files->files[renamed].part, files->files[renamed].name) == 0)
            renamed++;
        else
            status = cannot("write", files->files[renamed].name);
    for (unsigned f = 0; f < files->count && status != ULPSCOPE_OK; f++)
        (void)remove(f < renamed ? files->files[f].name : files->files[f].part);
    return status;
}

/* ---- numbers ---- */

/* NumPy has no name for the formats of ml_dtypes: raw bytes, of which the command says what they are. */
static const char *npy_type(const struct format *format)
{
    static const char *const types[] = {"<f8", "<f4", "<f2", "<V2", "|V1", "|V1"};
    size_t f = 0;
    while (!is_format(NUMBER_FORMATS[f], format))
        f++;
    return types[f];
}

static bool is_raw(const struct format *format)
{
    return npy_type(format)[1] == 'V';
}

static void write_header(FILE *file, const struct format *format, uint64_t n)
{
    enum { TEXT = 118 }; /* with ten bytes before it, 128 */
    char text[TEXT + 1];
    const int length = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%llu,), }",
                                npy_type(format), (unsigned long long)n);
    fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, file);
    fprintf(file, "%s%*s\n", text, TEXT - 1 - length, "");
}

static void write_numbers(FILE *file, const struct line *line, const struct format *format)
{
    write_header(file, format, line->n);
    for (uint64_t from = 0; from < line->n && !ferror(file);) {
        double room[PIECE];
        char *const bytes = (char *)room;
        const uint64_t count = line->n - from < PIECE ? line->n - from : PIECE;
        if (!is_format(line->format, format)) {
            fwrite(line_read(line, from, count, format, room), format->bytes, count, file);
        } else {
            for (uint64_t i = 0; i < count; i++)
                memcpy(bytes + i * format->bytes, (const void *)(line->first + (from + i) * (uint64_t)line->stride),
                       format->bytes);
            fwrite(bytes, format->bytes, count, file);
        }
        from += count;
    }
}

static bool has_specials(const struct line *line)
{
    for (uint64_t i = 0; i < line->n; i++) {
        double room;
        if (!isfinite(*(const double *)line_read(line, i, 1, &FORMAT_BINARY64, &room)))
            return true;
    }
    return false;
}

/* ---- the command ---- */

struct command {
    char *text;
    size_t size, length;
};

static void add(struct command *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct command *to, const char *format, ...)
{
    const size_t room = to->length < to->size ? to->size - to->length : 0;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(room > 0 ? to->text + to->length : NULL, room, format, arguments);
    va_end(arguments);
    to->length += length > 0 ? (size_t)length : 0;
}

/* A file as a data spec, in the quotes of a shell: those of a spec stand around a name with more than letters. */
static void add_spec(struct command *to, const char *name, const struct format *format)
{
    const bool is_plain = name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./")] == 0;
    add(to, "%s", is_plain ? "" : "\"");
    for (const char *c = name; *c; c++)
        if (*c == '\'')
            add(to, "'\\''");
        else
            add(to, *c == '"' ? "%c\"" : "%c", *c);
    add(to, "%s", is_plain ? "" : "\"");
    if (is_raw(format))
        add(to, ":format=%s", format->name);
}

static void add_data(struct command *to, const struct case_files *files, const struct format *format, bool products)
{
    add(to, " '");
    add_spec(to, files->files[0].name, format);
    add(to, products ? "::" : "'");
    if (products) {
        add_spec(to, files->files[1].name, format);
        add(to, "'");
    }
}

/* What is computed: `exact` compares it; what plain additions would lose, and where: `blame`. */
static void add_commands(struct command *to, const struct problem *problem, const struct case_files *files,
                         const struct format *format, bool specials, double computed)
{
    const char *const nonfinite = specials ? " --nonfinite ieee" : "";
    add(to, "ulpscope exact");
    add_data(to, files, format, problem->has_products);
    add(to, "%s --as %s --compare=%a", nonfinite, problem->result->name, computed);
    add(to, " && ulpscope blame %splain/serial%s%s", problem->has_products ? "dot:" : "",
        is_format(format, &FORMAT_BINARY32) ? "" : "@", is_format(format, &FORMAT_BINARY32) ? "" : format->name);
    add_data(to, files, format, problem->has_products);
    add(to, "%s", nonfinite);
}

static ulpscope_status write_files(const struct problem *problem, const struct line *x, const struct line *y,
                                   double computed, const char *path, struct case_files *files, struct command *command)
{
    const bool products = problem->has_products, same = !products || is_format(x->format, y->format);
    const struct format *const format = same ? x->format : problem->format;
    struct case_file *file;
    ulpscope_status status = open_file(files, path, products ? ".x.npy" : ".npy", &file);
    if (status == ULPSCOPE_OK)
        write_numbers(file->file, x, format);
    if (status == ULPSCOPE_OK && products && (status = open_file(files, path, ".y.npy", &file)) == ULPSCOPE_OK)
        write_numbers(file->file, y, format);
    if (status == ULPSCOPE_OK)
        status = open_file(files, path, ".txt", &file);
    if (status != ULPSCOPE_OK)
        return status;
    add_commands(command, problem, files, format, has_specials(x) || (products && has_specials(y)), computed);
    if (command->length >= command->size)
        return bad_argument("expected room for a command of %zu bytes, found %zu; give more", command->length + 1,
                            command->size);
    fprintf(file->file, "%s\n", command->text);
    return ULPSCOPE_OK;
}

ulpscope_status case_write(const struct problem *problem, uint64_t row, uint64_t column, double computed,
                           const char *path, char *command, size_t size)
{
    const struct line x = problem_row(problem, row), y = problem_column(problem, column);
    struct case_files files = {.count = 0};
    struct command text = {command, size, 0};
    return close_files(&files, write_files(problem, &x, &y, computed, path, &files, &text));
}

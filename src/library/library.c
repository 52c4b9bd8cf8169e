/* The functions of include/ulpscope/ulpscope.h that are about exact values and errors. */
#include "bounds.h"
#include "judge.h"
#include "problem.h"
#include "results.h"

#include "src/base/format.h"
#include "src/base/status.h"

#include <errno.h>
#include <fenv.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- A result and its numbers as files that the program opens ---- */

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
    return types[format_index(format)];
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

/* Of `ulpscope exact`; NULL: the usual of so many vectors.  A ddof that it does not have is one of n; of norms, which
 * it does not give, what is under the root. */
static const char *operation_word(const struct problem *problem)
{
    static const char *const words[] = {[ULPSCOPE_MEAN] = "mean",
                                        [ULPSCOPE_MEAN_SQUARE] = "mean_square",
                                        [ULPSCOPE_RMS] = "rms",
                                        [ULPSCOPE_VARIANCE] = "variance",
                                        [ULPSCOPE_STD] = "std",
                                        [ULPSCOPE_MEAN_WEIGHTED] = "mean_weighted",
                                        [ULPSCOPE_COSINE] = "cosine",
                                        [ULPSCOPE_LAYER_NORM] = "variance",
                                        [ULPSCOPE_RMS_NORM] = "mean_square",
                                        [ULPSCOPE_SOFTMAX] = "logsumexp",
                                        [ULPSCOPE_LOG_SOFTMAX] = "logsumexp",
                                        [ULPSCOPE_LOGSUMEXP] = "logsumexp"};
    return problem_is_statistic(problem) ? words[problem->operation] : NULL;
}

/* What is computed: `exact` compares it; what plain additions would lose, and where: `blame`. */
static void add_commands(struct command *to, const struct problem *problem, const struct case_files *files,
                         const struct format *format, bool specials, uint64_t column, double computed)
{
    const char *const nonfinite = specials ? " --nonfinite ieee" : "", *const word = operation_word(problem);
    add(to, "ulpscope exact");
    add_data(to, files, format, problem->has_products);
    if (word)
        add(to, " --operation %s%s", problem->ddof == 1 ? "sample_" : "", word);
    if (problem_is_per_number(problem)) {
        add(to, "%s # element %llu of %s", nonfinite, (unsigned long long)column, problem_name(problem));
        if (!problem_is_of_exponentials(problem))
            add(to, " with eps %a", problem->eps);
        add(to, " was computed as %a", computed);
        return;
    }
    add(to, "%s --as %s --compare=%a", nonfinite, problem->result->name, computed);
    if (problem->ddof > 1)
        add(to, " # which divides by n");
    if (word)
        return;
    add(to, " && ulpscope blame %splain/serial%s%s", problem->has_products ? "dot:" : "",
        is_format(format, &FORMAT_BINARY32) ? "" : "@", is_format(format, &FORMAT_BINARY32) ? "" : format->name);
    add_data(to, files, format, problem->has_products);
    add(to, "%s", nonfinite);
}

static ulpscope_status write_files(const struct problem *problem, const struct line *x, const struct line *y,
                                   uint64_t column, double computed, const char *path, struct case_files *files,
                                   struct command *command)
{
    const bool products = problem->has_products, is_tf32 = is_format(x->format, &FORMAT_TF32);
    const bool same = !is_tf32 && (!products || is_format(x->format, y->format));
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
    add_commands(command, problem, files, format, has_specials(x) || (products && has_specials(y)), column, computed);
    if (command->length >= command->size)
        return bad_argument("expected room for a command of %zu bytes, found %zu; give more", command->length + 1,
                            command->size);
    fprintf(file->file, "%s\n", command->text);
    return ULPSCOPE_OK;
}

/* Of result (row, column), which was computed as `computed`: PATH.npy, or PATH.x.npy and PATH.y.npy, and PATH.txt with
 * the command, which is left in command[0..size) as well.  All of them, or none. */
static ulpscope_status case_write(const struct problem *problem, uint64_t row, uint64_t column, double computed,
                                  const char *path, char *command, size_t size)
{
    const struct line x = problem_row(problem, row), y = problem_second(problem, row, column);
    struct case_files files = {.count = 0};
    struct command text = {command, size, 0};
    return close_files(&files, write_files(problem, &x, &y, column, computed, path, &files, &text));
}

/* What a caller's thread may have changed and results must not depend on: rounding mode, exception flags, flushing of
 * subnormals, the decimal point, errno.  All are as they were when a function of the library returns. */

struct surroundings {
    fenv_t floating_point;
    locale_t locale;
    int error;
};

static void surroundings_enter(struct surroundings *before)
{
    before->error = errno;
    const locale_t point = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* glibc's own constant: nothing is allocated */
    before->locale = point ? uselocale(point) : (locale_t)0;
    fegetenv(&before->floating_point);
    fesetenv(FE_DFL_ENV);
}

static void surroundings_leave(const struct surroundings *before)
{
    fesetenv(&before->floating_point);
    if (before->locale)
        uselocale(before->locale);
    errno = before->error;
}

/* ---- the functions of ulpscope.h ---- */

const char *ulpscope_version(void)
{
    return ULPSCOPE_VERSION;
}

uint64_t ulpscope_result_count(const struct ulpscope_problem *given)
{
    struct problem problem;
    return problem_read(given, &problem) == ULPSCOPE_OK ? problem.rows * problem.columns : 0;
}

static ulpscope_status bad_size(const char *what, size_t expected, size_t found)
{
    return bad_argument("expected a size of %zu for %s, found %zu; set its `size` to sizeof", expected, what, found);
}

static ulpscope_status no_array(const char *what)
{
    return bad_argument("expected an array of %s, found NULL; give one of ulpscope_result_count() elements", what);
}

/* An array of a caller, whose structs may be larger than those of this library: then the rest of each is 0. */
struct written {
    char *array;
    size_t size, own;
    const struct problem *problem;
    struct bound_line line; /* of the row in hand, where there are errors */
};

static void write_struct(const struct written *to, const struct result *result, const void *own)
{
    char *const element = to->array + (result->row * to->problem->columns + result->column) * to->size;
    memcpy(element, own, to->own);
    memset(element + to->own, 0, to->size - to->own);
    memcpy(element, &to->size, sizeof to->size);
}

static void write_value(void *context, const struct result *result)
{
    write_struct(context, result, &result->error->exact);
}

static void write_error(void *context, const struct result *result)
{
    struct written *const to = context;
    struct ulpscope_error error = *result->error;
    error.bound = judge_bound_at(to->problem, (struct plain_tree){.height = to->problem->terms}, result, &to->line);
    write_struct(to, result, &error);
}

static void write_rounded(void *context, const struct result *result)
{
    const struct written *const to = context;
    const struct format *const format = to->problem->result;
    format_store(format, to->array, result->row * to->problem->columns + result->column,
                 format_bits(format, result->error->exact.nearest));
}

/* Reads a problem and hands each of its results to a function, in surroundings of the library's own. */
static ulpscope_status visit(const struct ulpscope_problem *given, const void *computed, bool is_judged,
                             void (*write)(void *context, const struct result *result), struct written *to)
{
    struct surroundings before;
    struct problem problem;
    surroundings_enter(&before);
    ulpscope_status status = problem_read(given, &problem);
    if (status == ULPSCOPE_OK && problem.rows * problem.columns > 0) {
        to->problem = &problem;
        if (!to->array)
            status = no_array("results");
        else if (is_judged && !computed)
            status = no_array("computed results");
        else if (to->own > 0 && (memcpy(&to->size, to->array, sizeof to->size), to->size < to->own))
            status = bad_size("an element of the array", to->own, to->size);
        else
            status = results_visit(&problem, computed, &(struct visitor){write, to, false, is_judged});
    }
    surroundings_leave(&before);
    return status;
}

ulpscope_status ulpscope_exact(const struct ulpscope_problem *problem, struct ulpscope_value *values)
{
    struct written to = {.array = (char *)values, .own = sizeof *values};
    return visit(problem, NULL, false, write_value, &to);
}

ulpscope_status ulpscope_rounded(const struct ulpscope_problem *problem, void *out)
{
    struct written to = {.array = out};
    return visit(problem, NULL, false, write_rounded, &to);
}

ulpscope_status ulpscope_errors(const struct ulpscope_problem *problem, const void *computed,
                                struct ulpscope_error *errors)
{
    struct written to = {.array = (char *)errors, .own = sizeof *errors};
    return visit(problem, computed, true, write_error, &to);
}

ulpscope_status ulpscope_judge(const struct ulpscope_problem *given, const void *computed, const char *limit,
                               struct ulpscope_verdict *verdict)
{
    struct surroundings before;
    struct problem problem;
    if (!verdict || verdict->size < offsetof(struct ulpscope_verdict, row_sum)) /* which came later */
        return bad_size("a verdict", sizeof *verdict, verdict ? verdict->size : 0);
    surroundings_enter(&before);
    const size_t size = verdict->size;
    struct ulpscope_verdict own;
    ulpscope_status status = problem_read(given, &problem);
    if (status == ULPSCOPE_OK && !computed && problem.rows * problem.columns > 0)
        status = no_array("computed results");
    if (status == ULPSCOPE_OK)
        status = judge(&problem, computed, limit, &own);
    if (status == ULPSCOPE_OK) {
        memset(verdict, 0, size);
        memcpy(verdict, &own, size < sizeof own ? size : sizeof own);
        verdict->size = size;
    }
    surroundings_leave(&before);
    return status;
}

/* Of the worst of several results its row and column: what the program opens are vectors. */
ulpscope_status ulpscope_write_case(const struct ulpscope_problem *given, const void *computed, const char *path,
                                    char *command, size_t size)
{
    struct surroundings before;
    struct problem problem;
    struct ulpscope_verdict verdict;
    surroundings_enter(&before);
    ulpscope_status status = problem_read(given, &problem);
    if (status == ULPSCOPE_OK && (!computed || !path || !command)) {
        status = bad_argument(
            "expected what was computed, a path and room for a command; found none of one of these; give all");
    } else if (status == ULPSCOPE_OK && (problem.terms == 0 || problem.rows == 0 || problem.columns == 0)) {
        status = bad_argument("there are no elements to keep");
    }
    if (status == ULPSCOPE_OK)
        status = judge(&problem, computed, NULL, &verdict);
    if (status == ULPSCOPE_OK)
        problem = problem_of_result(&problem, verdict.row, verdict.column);
    if (status == ULPSCOPE_OK)
        status = case_write(&problem, verdict.row, verdict.column, verdict.worst.computed, path, command, size);
    surroundings_leave(&before);
    return status;
}

/* ---- bounds ---- */

/* The theorems count the addition to an empty sum, too. */
double ulpscope_bound(const char *accumulator, uint64_t n, uint64_t height, ulpscope_format added,
                      ulpscope_format result, const struct ulpscope_value *value)
{
    struct surroundings before;
    const struct format *const in = format_of(added), *const to = format_of(result);
    if (!accumulator || !in || !to || !value || value->size < sizeof *value)
        return (double)NAN;
    surroundings_enter(&before);
    const bool is_possible = height <= n && (height >= 64 || n <= UINT64_C(1) << height);
    const struct bounded of = {n, height + (height < n), value->abs_above, value->sum_abs_above, false, false, to};
    const double bound = is_possible ? bound_of(accumulator, in, &of) : (double)NAN;
    surroundings_leave(&before);
    return bound;
}

double ulpscope_bound_any_order(int products, uint64_t n, ulpscope_format added, ulpscope_format result,
                                const struct ulpscope_value *value)
{
    struct surroundings before;
    const struct format *const in = format_of(added), *const to = format_of(result);
    if (!in || !to || !value || value->size < sizeof *value)
        return (double)NAN;
    surroundings_enter(&before);
    const double bound = bound_in_tree(products != 0, in, in, to, n, n, value->abs_above, value->sum_abs_above);
    surroundings_leave(&before);
    return bound;
}

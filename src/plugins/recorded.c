#include "recorded.h"
#include "datasets/spec.h"
#include "src/base/list.h"

#include <csv.h>
#include <errno.h>

/* ---- columns by name ---- */

/* A CSV file (RFC 4180) whose columns are found by the names in its first line; others are passed over. */

/* Takes a row, which begins in this line: a field for each name, NULL where it is empty or there is no such column. */
typedef enum status named_columns_take(void *context, uint64_t line, char *const *fields);

enum { COLUMNS_MOST = 1000, FIELD_MOST = 1 << 16, BLOCK = 4096, NAMELESS = -1 };

struct column_reader {
    const char *path, *const *names;
    int count;
    named_columns_take *take;
    void *context;
    uint64_t line, row_line; /* the current one, and that in which the row begins */
    bool has_header;
    size_t columns, field;     /* of the header; the next one of this row */
    int name_of[COLUMNS_MOST]; /* by column */
    char **fields;             /* of this row, by name */
    enum status status;        /* libcsv's callbacks cannot return one */
};

static enum status refuse_row(const struct column_reader *reader, const char *what)
{
    return bad_input("%s:%" PRIu64 ": %s", reader->path, reader->row_line, what);
}

static enum status take_heading(struct column_reader *reader, const char *text)
{
    if (reader->columns == COLUMNS_MOST)
        return refuse_row(reader, "has more than 1000 columns; expected a header with the names of fewer");
    int name = 0;
    while (name < reader->count && strcmp(text, reader->names[name]) != 0)
        name++;
    for (size_t i = 0; i < reader->columns && name < reader->count; i++)
        if (reader->name_of[i] == name)
            return refuse_row(reader, "has two columns of one name; expected one");
    reader->name_of[reader->columns++] = name < reader->count ? name : NAMELESS;
    return OK;
}

static void on_field(void *text, size_t length, void *context)
{
    struct column_reader *reader = context;
    if (reader->status != OK)
        return;
    if (memchr(text, '\0', length))
        reader->status = refuse_row(reader, "holds a NUL byte; expected text");
    else if (!reader->has_header)
        reader->status = take_heading(reader, text);
    else if (reader->field < reader->columns && reader->name_of[reader->field] != NAMELESS && length > 0)
        reader->fields[reader->name_of[reader->field]] = memory_copy(text);
    reader->field++;
}

static void forget_fields(struct column_reader *reader)
{
    for (int i = 0; i < reader->count; i++) {
        free(reader->fields[i]);
        reader->fields[i] = NULL;
    }
    reader->field = 0;
}

static enum status take_row(struct column_reader *reader)
{
    if (reader->field == reader->columns)
        return reader->take(reader->context, reader->row_line, reader->fields);
    return bad_input("%s:%" PRIu64
                     ": expected %zu fields, as in the first line, found %zu; put quotes around a field with commas",
                     reader->path, reader->row_line, reader->columns, reader->field);
}

static void on_row(int newline, void *context)
{
    struct column_reader *reader = context;
    (void)newline;
    if (reader->status == OK && reader->has_header)
        reader->status = take_row(reader);
    reader->has_header = true;
    forget_fields(reader);
}

/* libcsv counts no lines, so it is fed one at a time. */
static enum status read_lines(struct column_reader *reader, struct csv_parser *parser, FILE *file)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    bool is_parsed = true;
    while (reader->status == OK && is_parsed && (length = getline(&line, &room, file)) > 0) {
        reader->line++;
        if (!parser->quoted)
            reader->row_line = reader->line;
        is_parsed = csv_parse(parser, line, (size_t)length, on_field, on_row, reader) == (size_t)length &&
                    parser->entry_pos <= FIELD_MOST;
    }
    free(line);
    TRY(reader->status);
    if (ferror(file))
        return not_measured("%s: could not be read to its end: %s", reader->path, strerror(errno));
    if (!is_parsed || csv_fini(parser, on_field, on_row, reader) != 0)
        return refuse_row(reader,
                          "a quote (\") is not closed, or stands within a field; expected quotes around a whole "
                          "field, and doubled inside it");
    return reader->status;
}

/* Complains with file and line, and ends with the first that is not OK. */
static enum status named_columns_read(const char *path, const char *const *names, int count, named_columns_take *take,
                                      void *context)
{
    struct column_reader reader = {.path = path, .names = names, .count = count, .take = take, .context = context};
    struct csv_parser parser;
    FILE *file = fopen(path, "re");
    if (!file) {
        const int cause = errno;
        return caused_by(cause, "%s: %s", path, strerror(cause));
    }
    reader.fields = memory_cleared((size_t)count, sizeof *reader.fields);
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) != 0)
        memory_ran_out();
    csv_set_blk_size(&parser, BLOCK); /* a field grows by this much at a time */
    const enum status status = read_lines(&reader, &parser, file);
    forget_fields(&reader);
    csv_free(&parser);
    free(reader.fields);
    fclose(file);
    return status;
}

/* ---- recorded results ---- */

enum column { METHOD, DATA, SEED, TRIAL, OPERATION_COLUMN, FORMAT, REPEAT, BITS, COMPUTED, WEIGHT, COLUMNS };
static const char *const column_names[COLUMNS] = {"method", "data",   "seed",          "trial",    "operation",
                                                  "format", "repeat", "computed_bits", "computed", "weight"};

enum { SHOWN = 60, TRIAL_MOST = 1000000000, WEIGHT_MOST = 1000000 };

struct reader {
    struct recorded *recorded;
    const char *path, *name;
    uint64_t line;       /* where the row begins */
    char *const *fields; /* of it; NULL: left out */
};

/* ---- complaints ---- */

static enum status refuse(const struct reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

static enum status refuse(const struct reader *reader, const char *format, ...)
{
    va_list arguments;
    struct text text = {0};
    va_start(arguments, format);
    text_append_of(&text, format, arguments);
    va_end(arguments);
    OWNED char *message = text_take(&text);
    return bad_input("%s:%" PRIu64 ": %s", reader->path, reader->line, message);
}

static enum status refuse_field(const struct reader *reader, enum column column, const char *wrong,
                                const char *expected)
{
    return refuse(reader, "%s \"%.*s\" %s; expected %s", column_names[column], SHOWN, reader->fields[column], wrong,
                  expected);
}

/* ---- the parts of a row ---- */

static enum status read_count(const struct reader *reader, enum column column, uint64_t otherwise, uint64_t most,
                              uint64_t *value)
{
    const char *text = reader->fields[column];
    *value = otherwise;
    const char *wrong = text ? read_size(text, value) : NULL;
    if (!wrong && *value > most)
        wrong = "is too large";
    return wrong ? refuse_field(reader, column, wrong, "a whole number") : OK;
}

/* "dot:mine/loop@bfloat16": what stands before and behind is cut off; *format may stay NULL. */
static enum status read_id(const struct reader *reader, char **text, enum operation *operation,
                           const struct sum_format **format)
{
    const char *id = reader->fields[METHOD] ? reader->fields[METHOD] : reader->name, *colon = strchr(id, ':');
    const char *word = reader->fields[OPERATION_COLUMN], *in = reader->fields[FORMAT], *at = strchr(id, '@');
    const enum operation of_id = colon ? operation_of_id(id) : OPERATIONS;
    *operation = word ? operation_named(word) : colon ? of_id : OPERATION_sum;
    if (*operation == OPERATIONS || (colon && *operation != of_id) || operation_has_elements(*operation))
        return refuse(reader,
                      "operation %.*s of method \"%.*s\"; expected one of vectors with one result, the same in both",
                      SHOWN, word ? word : "", SHOWN, id);
    *format = at ? sum_format_find(at + 1) : in ? sum_format_find(in) : NULL;
    if ((at || in) && !*format)
        return refuse(reader, "unknown format in \"%.*s\"; expected one of `ulpscope list formats`", SHOWN,
                      at ? id : in);
    const char *name = in ? format_unalias(in) : NULL;
    if (at && in && strcmp(name, (*format)->id) != 0 && strcmp(name, (*format)->result->name) != 0)
        return refuse(reader, "format %.*s of method \"%.*s\"; expected one format", SHOWN, in, SHOWN, id);
    id = colon ? colon + 1 : id;
    *text = text_made("%.*s", (int)strcspn(id, "@"), id);
    return OK;
}

/* Of data that do not say their format, in the one wanted; NULL: in what the data are, which it is set to. */
static enum status canonical(const struct reader *reader, const struct sum_format **format, char **text)
{
    OWNED char *where = text_made("%s:%" PRIu64, reader->path, reader->line);
    OWNED char *in_format = NULL;
    struct data_spec *specs;
    size_t count;
    enum status status = data_specs_read(reader->fields[DATA], where, NONFINITE_REFUSE, &specs, &count);
    const struct format *stored = NULL, *wanted = *format ? (*format)->stored : &FORMAT_BINARY32;
    if (status == OK && data_spec_says_format(specs))
        status = data_spec_stored_format(specs, &stored);
    const bool is_free = status == OK && *format && (specs->generator || !stored);
    if (is_free && strcmp((stored ? stored : &FORMAT_BINARY32)->name, wanted->name) != 0) {
        data_specs_free(specs, count);
        in_format = data_text_in_format(reader->fields[DATA], wanted, false);
        status = data_specs_read(in_format, where, NONFINITE_REFUSE, &specs, &count);
        if (status == OK)
            status = data_spec_stored_format(specs, &stored); /* a spec that says its own keeps it */
    }
    if (status == OK && count != 1)
        status = refuse_field(reader, DATA, "is a sweep", "one data set");
    if (status == OK && !*format)
        *format = stored ? sum_format_of(stored, NULL) : sum_formats[0];
    if (status == OK && stored && strcmp(stored->name, (*format)->stored->name) != 0)
        status = refuse_field(reader, DATA, "has numbers of another format than the results", "one format");
    if (status == OK)
        *text = memory_copy(specs->text);
    data_specs_free(specs, specs ? count : 0);
    return status;
}

/* The same text is read once. */
static enum status read_data(struct reader *reader, const struct sum_format **format, const char **data)
{
    if (!reader->fields[DATA])
        return refuse(reader, "no data are named; expected a spec like uniform:n=1024");
    char *key = text_made("%s %s", *format ? (*format)->id : "", reader->fields[DATA]), *text;
    json_t *known = json_object_get(reader->recorded->texts, key);
    enum status status = OK;
    if (!known && (status = canonical(reader, format, &text)) == OK) {
        known = json_pack("[ss]", text, (*format)->id);
        json_object_set_new_nocheck(reader->recorded->texts, key, known);
        free(text);
    }
    free(key);
    if (status == OK) {
        *data = json_string_value(json_array_get(known, 0));
        *format = sum_format_find(json_string_value(json_array_get(known, 1)));
    }
    return status;
}

static enum status read_result(const struct reader *reader, const struct format *result, uint64_t *bits)
{
    double value = 0;
    const enum column column = reader->fields[BITS] ? BITS : COMPUTED;
    const char *text = reader->fields[column];
    if (!text)
        return refuse(reader, "neither computed_bits nor computed has a result; expected one");
    const char *wrong =
        column == BITS ? result_read_bits(text, result, bits) : read_in_format(text, result, &value, NULL);
    if (wrong)
        return refuse_field(reader, column, wrong, result->name);
    if (column == COMPUTED)
        *bits = format_bits(result, value);
    return OK;
}

/* ---- rows ---- */

/* Takes the text. */
static size_t method_of(struct recorded *recorded, const struct recorded_method *wanted)
{
    size_t m = recorded->rows ? recorded->rows[recorded->row_count - 1].method : 0; /* that of the row before */
    for (size_t i = 0; i < recorded->method_count; i++, m = (m + 1) % recorded->method_count) {
        const struct recorded_method *method = &recorded->methods[m];
        if (strcmp(method->text, wanted->text) == 0 && method->operation == wanted->operation &&
            method->format == wanted->format) {
            free(wanted->text);
            return m;
        }
    }
    recorded->methods =
        list_short(recorded->methods, recorded->method_count, &recorded->method_room, sizeof *recorded->methods);
    recorded->methods[recorded->method_count] = *wanted;
    return recorded->method_count++;
}

static enum status append(struct recorded *recorded, const struct recorded_row *row)
{
    struct recorded_row *rows = list_with_room(recorded->rows, recorded->row_count, &recorded->row_room, sizeof *rows);
    if (!rows)
        return out_of_memory("results of a file");
    recorded->rows = rows;
    rows[recorded->row_count++] = *row;
    return OK;
}

static enum status read_row(void *context, uint64_t line, char *const *fields)
{
    struct reader *reader = context;
    struct recorded_method method = {0};
    struct recorded_row row = {.line = line};
    enum status status;
    reader->line = line;
    reader->fields = fields;
    TRY_DONE(read_id(reader, &method.text, &method.operation, &method.format));
    TRY_DONE(read_data(reader, &method.format, &row.data));
    TRY_DONE(read_count(reader, SEED, 1, INT64_MAX, &row.seed));
    TRY_DONE(read_count(reader, TRIAL, 0, TRIAL_MOST, &row.trial));
    TRY_DONE(read_count(reader, REPEAT, line, INT64_MAX, &row.repeat));
    TRY_DONE(read_count(reader, WEIGHT, 1, WEIGHT_MOST, &row.weight));
    TRY_DONE(read_result(reader, method.format->result, &row.bits));
    row.method = method_of(reader->recorded, &method);
    return append(reader->recorded, &row);
done:
    free(method.text);
    return status;
}

/* ---- the file ---- */

/* By data, seed and trial, then by method. */
static int by_case(const void *a, const void *b)
{
    const struct recorded_row *x = a, *y = b;
    const int data = strcmp(x->data, y->data);
    return data                   ? data
           : x->seed != y->seed   ? count_order(x->seed, y->seed)
           : x->trial != y->trial ? count_order(x->trial, y->trial)
                                  : count_order(x->method, y->method);
}

bool recorded_same_case(const struct recorded_row *a, const struct recorded_row *b)
{
    return by_case(a, b) == 0;
}

static int by_case_and_repeat(const void *a, const void *b)
{
    const struct recorded_row *x = a, *y = b;
    const int same = by_case(a, b);
    return same ? same : x->repeat != y->repeat ? count_order(x->repeat, y->repeat) : count_order(x->line, y->line);
}

/* What differs in a column that is passed over, blocks or device, would be taken for repeats. */
static enum status check_repeats(const struct recorded *recorded, const char *path)
{
    for (size_t i = 1; i < recorded->row_count; i++) {
        const struct recorded_row *row = &recorded->rows[i], *before = row - 1;
        if (!recorded_same_case(before, row) || before->repeat != row->repeat)
            continue;
        return bad_input("%s:%" PRIu64 ": a second result for %s, seed %" PRIu64 ", trial %" PRIu64 ", repeat %" PRIu64
                         " of one method; line %" PRIu64 " has one; keep one, as of one launch on one device",
                         path, row->line, row->data, row->seed, row->trial, row->repeat, before->line);
    }
    if (recorded->row_count > 0)
        return OK;
    return bad_input(
        "%s: holds no results; expected a header with data and computed_bits or computed, and lines under it", path);
}

enum status recorded_read(const char *path, const char *name, struct recorded *recorded)
{
    struct reader reader = {.recorded = recorded, .path = path, .name = name};
    *recorded = (struct recorded){.texts = json_object()};
    TRY(named_columns_read(path, column_names, COLUMNS, read_row, &reader));
    if (recorded->row_count > 1)
        qsort(recorded->rows, recorded->row_count, sizeof *recorded->rows, by_case_and_repeat);
    return check_repeats(recorded, path);
}

void recorded_free(struct recorded *recorded)
{
    for (size_t m = 0; m < recorded->method_count; m++)
        free(recorded->methods[m].text);
    free_all(recorded->methods, recorded->rows);
    json_decref(recorded->texts);
    *recorded = (struct recorded){0};
}

/* ---- who looks one up ---- */

struct recorded_row *recorded_find(const struct recorded *recorded, size_t method, const struct noted_case *of,
                                   size_t *count)
{
    const struct recorded_row wanted = {.method = method, .data = of->data, .seed = of->seed, .trial = of->trial};
    struct recorded_row *rows = recorded->rows, *end = rows + recorded->row_count;
    struct recorded_row *found = bsearch(&wanted, rows, recorded->row_count, sizeof *rows, by_case), *last = found;
    *count = 0;
    if (!found)
        return NULL;
    while (found > rows && by_case(found - 1, found) == 0)
        found--;
    while (last < end && by_case(found, last) == 0)
        last++;
    *count = (size_t)(last - found);
    return found;
}

#include "named_columns.h"

#include "src/base/memory.h"

#include <csv.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 1000, FIELD_MOST = 1 << 16, BLOCK = 4096, NAMELESS = -1 };

struct reader {
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

static enum status refuse(const struct reader *reader, const char *what)
{
    return bad_input("%s:%" PRIu64 ": %s", reader->path, reader->row_line, what);
}

static enum status take_heading(struct reader *reader, const char *text)
{
    if (reader->columns == COLUMNS_MOST)
        return refuse(reader, "has more than 1000 columns; expected a header with the names of fewer");
    int name = 0;
    while (name < reader->count && strcmp(text, reader->names[name]) != 0)
        name++;
    for (size_t i = 0; i < reader->columns && name < reader->count; i++)
        if (reader->name_of[i] == name)
            return refuse(reader, "has two columns of one name; expected one");
    reader->name_of[reader->columns++] = name < reader->count ? name : NAMELESS;
    return OK;
}

static void on_field(void *text, size_t length, void *context)
{
    struct reader *reader = context;
    if (reader->status != OK)
        return;
    if (memchr(text, '\0', length))
        reader->status = refuse(reader, "holds a NUL byte; expected text");
    else if (!reader->has_header)
        reader->status = take_heading(reader, text);
    else if (reader->field < reader->columns && reader->name_of[reader->field] != NAMELESS && length > 0)
        reader->fields[reader->name_of[reader->field]] = memory_copy(text);
    reader->field++;
}

static void forget_fields(struct reader *reader)
{
    for (int i = 0; i < reader->count; i++) {
        free(reader->fields[i]);
        reader->fields[i] = NULL;
    }
    reader->field = 0;
}

static enum status take_row(struct reader *reader)
{
    if (reader->field == reader->columns)
        return reader->take(reader->context, reader->row_line, reader->fields);
    return bad_input("%s:%" PRIu64
                     ": expected %zu fields, as in the first line, found %zu; put quotes around a field with commas",
                     reader->path, reader->row_line, reader->columns, reader->field);
}

static void on_row(int newline, void *context)
{
    struct reader *reader = context;
    (void)newline;
    if (reader->status == OK && reader->has_header)
        reader->status = take_row(reader);
    reader->has_header = true;
    forget_fields(reader);
}

/* libcsv counts no lines, so it is fed one at a time. */
static enum status read_lines(struct reader *reader, struct csv_parser *parser, FILE *file)
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
        return refuse(reader, "a quote (\") is not closed, or stands within a field; expected quotes around a whole "
                              "field, and doubled inside it");
    return reader->status;
}

enum status named_columns_read(const char *path, const char *const *names, int count, named_columns_take *take,
                               void *context)
{
    struct reader reader = {.path = path, .names = names, .count = count, .take = take, .context = context};
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

/* What may stand behind the name of a data file: column=2,order=reversed */
#include "spec_items.h"

static const char *const file_keys[] = {"array",      "axis",      "column",    "delimiter",  "decimal",
                                        "thousands",  "skip",      SPEC_FORMAT, SPEC_CONVERT, SPEC_ROWS,
                                        SPEC_COLUMNS, SPEC_WINDOW, SPEC_ORDER};
enum { FILE_KEYS = sizeof file_keys / sizeof *file_keys };

struct file_items {
    struct data_spec *spec;
    bool skip_given, ordering_given;
};

static enum status read_skip(const struct spec_origin *origin, const char *value, struct file_items *items)
{
    if (items->skip_given)
        return spec_twice(origin, "skip");
    items->skip_given = true;
    const char *wrong = read_size(value, &items->spec->options.skip);
    if (!wrong)
        return OK;
    complain("%s: \"%s\": skip=%s %s; expected a number of bytes; correct it", origin->where, origin->text, value,
             wrong);
    return BAD_INPUT;
}

/* rows=, columns= or window= */
static enum status read_extent(const struct spec_origin *origin, const char *key, const char *value, uint64_t *extent)
{
    if (*extent != 0)
        return spec_twice(origin, key);
    const char *wrong = read_size(value, extent);
    if (!wrong && *extent > 0)
        return OK;
    complain("%s: \"%s\": %s=%s %s; expected 1 or more; correct it", origin->where, origin->text, key, value,
             wrong                      ? wrong
             : strcmp(key, SPEC_WINDOW) ? "is an empty matrix"
                                        : "is an empty window");
    return BAD_INPUT;
}

/* Characters that a command line or a list of options would want quotes around have words. */
static const struct {
    const char *word;
    char mark;
} marks[] = {{"tab", '\t'},  {"blank", FILE_BLANK}, {"comma", ','},
             {"point", '.'}, {"apostrophe", '\''},  {"underscore", '_'}};
enum { MARKS = sizeof marks / sizeof *marks };

/* A comma of columns stands for itself: specs of before have it so. */
static const char *mark_text(const char *mark, bool is_delimiter)
{
    for (size_t i = 0; i < (is_delimiter ? 2 : MARKS); i++)
        if (marks[i].mark == *mark)
            return marks[i].word;
    return mark;
}

/* The options that are marks: which may be given, and where they go. */
static const struct mark_option {
    const char *key, *taken, *expected;
    size_t offset;
} mark_options[] = {
    {"delimiter", "\t ,;|:!#$%&()*/<=>?@[\\]^`{}~", "tab, blank, or one of ; | : and the like",
     offsetof(struct file_options, delimiter)},
    {"decimal", ",.", "comma or point", offsetof(struct file_options, decimal)},
    {"thousands", ",.'_ ", "comma, point, apostrophe, underscore or blank", offsetof(struct file_options, thousands)},
};
enum { MARK_OPTIONS = sizeof mark_options / sizeof *mark_options };

static enum status read_mark(const struct spec_origin *origin, const struct mark_option *option, const char *value,
                             struct file_options *options)
{
    char *const mark = (char *)options + option->offset;
    if (*mark != '\0')
        return spec_twice(origin, option->key);
    *mark = value[1] == '\0' ? *value : '\0';
    for (size_t i = 0; i < MARKS; i++)
        if (strcmp(value, marks[i].word) == 0)
            *mark = marks[i].mark;
    if (*mark != '\0' && strchr(option->taken, *mark))
        return OK;
    complain("%s: \"%s\": %s=%s is none; expected %s; correct it", origin->where, origin->text, option->key, value,
             option->expected);
    return BAD_INPUT;
}

static enum status read_text(const struct spec_origin *origin, const char *key, const char *value, char **text)
{
    if (*text)
        return spec_twice(origin, key);
    *text = memory_copy(value);
    return OK;
}

/* "all", or the number of an axis: as NumPy counts, from the last where it is negative. */
static enum status read_axis(const struct spec_origin *origin, const char *value, struct file_options *options)
{
    const char *digits = value + (*value == '-');
    if (*options->axis != '\0')
        return spec_twice(origin, "axis");
    const size_t length = strlen(digits);
    if (strcmp(value, "all") == 0 || (length > 0 && length <= 2 && strspn(digits, "0123456789") == length)) {
        strcpy(options->axis, value);
        return OK;
    }
    complain("%s: \"%s\": axis=%s is none; expected all, or a number as of NumPy's sum, like 0 or -1; correct it",
             origin->where, origin->text, value);
    return BAD_INPUT;
}

static enum status read_option(const struct spec_origin *origin, const char *key, const char *value, void *into)
{
    struct file_items *items = into;
    struct file_options *options = &items->spec->options;
    if (strcmp(key, SPEC_ORDER) == 0)
        return spec_read_ordering(origin, value, &items->spec->ordering, &items->ordering_given);
    if (strcmp(key, SPEC_FORMAT) == 0)
        return spec_read_format(origin, key, value, &options->format);
    if (strcmp(key, SPEC_CONVERT) == 0)
        return spec_read_format(origin, key, value, &options->convert);
    if (strcmp(key, SPEC_ROWS) == 0)
        return read_extent(origin, key, value, &items->spec->rows);
    if (strcmp(key, SPEC_COLUMNS) == 0)
        return read_extent(origin, key, value, &items->spec->columns);
    if (strcmp(key, SPEC_WINDOW) == 0)
        return read_extent(origin, key, value, &items->spec->window);
    if (strcmp(key, "skip") == 0)
        return read_skip(origin, value, items);
    for (size_t i = 0; i < MARK_OPTIONS; i++)
        if (strcmp(key, mark_options[i].key) == 0)
            return read_mark(origin, &mark_options[i], value, options);
    if (strcmp(key, "axis") == 0)
        return read_axis(origin, value, options);
    if (strcmp(key, "array") == 0)
        return read_text(origin, key, value, &options->array);
    if (strcmp(key, "column") == 0)
        return read_text(origin, key, value, &options->column);
    return spec_unknown_key(origin, "a data file", key, file_keys, FILE_KEYS);
}

bool spec_is_file_key(const char *text)
{
    for (size_t i = 0; i < FILE_KEYS; i++) {
        const size_t length = strlen(file_keys[i]);
        if (strncmp(text, file_keys[i], length) == 0 && text[length] == '=')
            return true;
    }
    return false;
}

/* A mark that is decimal= and thousands= at once would mean two things. */
static enum status check_marks(const struct spec_origin *origin, const struct file_options *options)
{
    const char decimal = options->decimal ? options->decimal : '.', *word = mark_text(&decimal, false);
    if (options->thousands != decimal)
        return OK;
    complain("%s: \"%s\": thousands=%s, and the decimals stand behind a %s, too; expected two marks; give decimal=%s",
             origin->where, origin->text, word, word, decimal == '.' ? "comma" : "point");
    return BAD_INPUT;
}

enum status spec_read_file_options(const struct spec_origin *origin, char *options, struct data_spec *spec)
{
    struct file_items items = {.spec = spec};
    TRY(spec_read_items(origin, options, read_option, &items));
    return check_marks(origin, &spec->options);
}

static void put_count(data_spec_option *put, void *context, const char *key, uint64_t count)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, count);
    if (count > 0)
        put(context, key, text, false);
}

void data_spec_each_option(const struct data_spec *spec, data_spec_option *put, void *context)
{
    const struct file_options *options = &spec->options;
    char ordering[ORDERING_TEXT];
    if (options->array)
        put(context, "array", options->array, true);
    if (*options->axis)
        put(context, "axis", options->axis, false);
    if (options->column)
        put(context, "column", options->column, true);
    for (size_t i = 0; i < MARK_OPTIONS; i++) {
        const char mark[] = {((const char *)options)[mark_options[i].offset], '\0'};
        if (*mark)
            put(context, mark_options[i].key, mark_text(mark, i == 0), true);
    }
    put_count(put, context, "skip", options->skip);
    if (options->format)
        put(context, SPEC_FORMAT, options->format->name, false);
    if (options->convert)
        put(context, SPEC_CONVERT, options->convert->name, false);
    put_count(put, context, SPEC_ROWS, spec->rows);
    put_count(put, context, SPEC_COLUMNS, spec->columns);
    put_count(put, context, SPEC_WINDOW, spec->window);
    ordering_write(spec->ordering, ordering);
    if (spec->ordering.kind != GIVEN)
        put(context, SPEC_ORDER, ordering, false);
}
